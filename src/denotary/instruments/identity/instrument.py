"""The identity instrument behind one object; what is costly is imported by the method that needs it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from denotary.instruments.identity.cases import IdentityCase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from denotary.errors import Problem
    from denotary.measures.measurement import Measurement
    from denotary.measures.pairs import Pairs
    from denotary.measures.records import Fact, Floor, Measure, Series
    from denotary.measures.table import Table
    from denotary.reports.model import Card, CaseView, Mechanism, Panel
    from denotary.runs.records import Answer, Identity
    from denotary.runs.triage import Failure
    from denotary.suites.records import Case
    from denotary.suites.suite import Suite
    from denotary.verdicts.records import Policy, Standing, Verdict


class IdentityInstrument:
    """May a system assert one concept code for a text? The protocol is ``suites.instrument``."""

    name = "identity"
    case_type: type[Case] = IdentityCase
    unit_kind = "seed"
    policies = Path(__file__).parent / "policies"
    code_columns: tuple[str, ...] = ("concept", "answered_code", "original")
    answered_axes: tuple[str, ...] = ("answered_code",)

    def check(self, case: Case, suite: Suite) -> Iterator[Problem]:
        """Yield what is wrong with one case's input or gold, beyond its types."""
        from denotary.instruments.identity.check import check_case

        return check_case(_typed(case), suite)

    def check_suite(self, suite: Suite) -> Iterator[Problem]:
        """Yield what is wrong between the cases of a suite."""
        from denotary.instruments.identity.sets import check_sets

        return check_sets(suite, identity_cases(suite))

    def quota_counts(self, suite: Suite) -> Mapping[str, int]:
        """Return how many cases fall under each quota key."""
        from denotary.instruments.identity.quotas import quota_counts

        return quota_counts(suite, identity_cases(suite))

    def encode(self, case: Case, suite: Suite) -> dict[str, Any]:
        """Return the payload of the call for a case, without the record id."""
        from denotary.instruments.identity.answers import encode

        del suite
        return encode(_typed(case))

    def decode(self, raw: Any) -> dict[str, Any]:
        """Return a system's reply as a canonical answer body.

        Raises:
            AnswerError: the reply is not an answer.
        """
        from denotary.instruments.identity.answers import decode

        return decode(raw)

    def table(self, suite: Suite, answers: Iterable[Answer], identity: Identity) -> Table:
        """Join cases and sealed answers into a ``measures.table.Table``, one row a case."""
        from denotary.instruments.identity.declared import declared_kinds
        from denotary.instruments.identity.table import table

        return table(suite, answers, declared_kinds(identity))

    def measures(self, suite: Suite) -> Sequence[Measure]:
        """Return the declared measures."""
        from denotary.instruments.identity.measures import measures

        return measures(suite)

    def required_slices(self, suite: Suite) -> Mapping[str, tuple[str, ...]]:
        """Return the concepts of high consequence by selector."""
        from denotary.instruments.identity.critical import critical_slices

        return critical_slices(suite.registry)

    def perfect(self, case: Case, suite: Suite) -> dict[str, Any]:
        """Return the decoded answer of a system without a failure."""
        from denotary.instruments.identity.answers import perfect

        return perfect(_typed(case).gold, suite.registry.version)

    def facts(self, suite: Suite, table: Table, identity: Identity) -> Sequence[Fact]:
        """Return the facts that gates of this instrument read."""
        from denotary.instruments.identity.facts import facts

        return facts(suite, table, identity)

    def floors(self, table: Table) -> Sequence[Floor]:
        """Return the evidence floors of each concept and each language."""
        from denotary.instruments.identity.floors import floors

        return floors(table.plain, table.coded)

    def regressions(self, suite: Suite) -> Sequence[Measure]:
        """Return the declared events over pairs of cases."""
        from denotary.instruments.identity.regression import REGRESSIONS

        del suite
        return REGRESSIONS

    def regression_facts(self, pairs: Pairs) -> Sequence[Fact]:
        """Return the facts that gates on a comparison read."""
        from denotary.instruments.identity.regression import regression_facts

        return regression_facts(pairs)

    def recoded(self, case: Case, successor: Callable[[str], str | None]) -> Case | None:
        """Return a case with the codes of a later registry, or None if one has no equal there."""
        from denotary.instruments.identity.regression import recoded

        return recoded(_typed(case), successor)

    def series(self, suite: Suite, table: Table, identity: Identity) -> Sequence[Series]:
        """Return curves and confusions for figures; no gate reads them."""
        from denotary.instruments.identity.series import series

        return series(suite, table, identity)

    def standings(self, measurement: Measurement, policy: Policy, verdict: Verdict) -> Sequence[Standing]:
        """Return the tier of each language."""
        from denotary.instruments.identity.standing import standings

        return standings(measurement, policy, verdict)

    def panels(self) -> Sequence[Panel]:
        """Return the panels of a report in their order."""
        from denotary.instruments.identity.panels import PANELS

        return PANELS

    def cards(self) -> Sequence[Card]:
        """Return what the scorecards of concepts and languages say first."""
        from denotary.instruments.identity.scorecards import CARDS

        return CARDS

    def mechanisms(self, suite: Suite) -> Sequence[Mechanism]:
        """Return every failure mechanism, and how many cases of a suite exercise it."""
        from denotary.instruments.identity.views import mechanisms

        return mechanisms(suite)

    def root_causes(self) -> Mapping[str, str]:
        """Return the root-cause codes E01 to E31 with what they mean."""
        from denotary.instruments.identity.root_causes import ROOT_CAUSES

        return ROOT_CAUSES

    def outside_causes(self) -> Sequence[str]:
        """Return the codes of causes that lie with the suite, the registry or the harness."""
        from denotary.instruments.identity.root_causes import OUTSIDE

        return OUTSIDE

    def failures(self, suite: Suite, answers: Iterable[Answer]) -> Sequence[Failure]:
        """Return the cases that went wrong, each with the causes that rules propose."""
        from denotary.instruments.identity.failures import failures

        return failures(suite, answers)

    def views(self, suite: Suite, answers: Iterable[Answer], most: int) -> Sequence[CaseView]:
        """Return cases as a report shows them, failures first; sealed cases are left out."""
        from denotary.instruments.identity.views import views

        return views(suite, answers, most)


def identity_cases(suite: Suite) -> tuple[IdentityCase, ...]:
    """Return the cases of an identity suite with their type."""
    return cast("tuple[IdentityCase, ...]", suite.cases)


def _typed(case: Case) -> IdentityCase:
    return cast("IdentityCase", case)


INSTRUMENT = IdentityInstrument()
