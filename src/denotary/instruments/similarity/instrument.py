"""The similarity instrument behind one object; what is costly is imported by the method that needs it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from denotary.instruments.similarity.cases import SimilarityCase

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

PRESENT = "present"
"""Group of selectors that stands for every task, or mutation class, of the suite."""


class SimilarityInstrument:
    """May a gate act on a score that compares two texts? The protocol is ``suites.instrument``."""

    name = "similarity"
    case_type: type[Case] = SimilarityCase
    unit_kind = "anchor"
    policies = Path(__file__).parent / "policies"
    code_columns: tuple[str, ...] = ()
    answered_axes: tuple[str, ...] = ("length",)

    def check(self, case: Case, suite: Suite) -> Iterator[Problem]:
        """Yield what is wrong with one pair, beyond its types."""
        from denotary.instruments.similarity.check import check_case

        del suite
        return check_case(_typed(case))

    def check_suite(self, suite: Suite) -> Iterator[Problem]:
        """Yield what is wrong with the suite as a whole: the manipulation check first."""
        from denotary.instruments.similarity.check import check_suite

        return check_suite(suite)

    def quota_counts(self, suite: Suite) -> Mapping[str, int]:
        """Return how many pairs fall under each quota key."""
        from denotary.instruments.similarity.check import quota_counts

        return quota_counts(suite)

    def encode(self, case: Case, suite: Suite) -> dict[str, Any]:
        """Return the payload of the call for a pair, without the record id."""
        from denotary.instruments.similarity.answers import encode

        del suite
        return encode(_typed(case))

    def decode(self, raw: Any) -> dict[str, Any]:
        """Return a system's reply as a canonical answer body.

        Raises:
            AnswerError: the reply is not an answer.
        """
        from denotary.instruments.similarity.answers import decode

        return decode(raw)

    def table(self, suite: Suite, answers: Iterable[Answer], identity: Identity) -> Table:
        """Join pairs and sealed answers into a ``measures.table.Table``, one row a pair.

        Raises:
            InputError: the system is declared to be fitted on a half that the suite does not have.
        """
        from denotary.instruments.similarity.table import table

        return table(suite, answers, identity)

    def measures(self, suite: Suite) -> Sequence[Measure]:
        """Return the declared measures."""
        from denotary.instruments.similarity.measures import measures

        return measures(suite)

    def required_slices(self, suite: Suite) -> Mapping[str, tuple[str, ...]]:
        """Return the tasks, and the mutation classes of opposite pairs, where the suite names any."""
        cases = similarity_cases(suite)
        found = {
            f"task:{PRESENT}": {case.input.task for case in cases},
            f"mutation:{PRESENT}": {
                case.design.mutation for case in cases if case.gold.decision == "opposite"
            },
        }
        return {name: tuple(sorted(held - {""})) for name, held in found.items() if held - {""}}

    def perfect(self, case: Case, suite: Suite) -> dict[str, Any]:
        """Return the decoded answer of a system without a failure."""
        from denotary.instruments.similarity.answers import perfect

        del suite
        return perfect(_typed(case).gold.decision)

    def facts(self, suite: Suite, table: Table, identity: Identity) -> Sequence[Fact]:
        """Return the facts that gates of this instrument read."""
        from denotary.instruments.similarity.facts import facts

        return facts(suite, table, identity)

    def floors(self, table: Table) -> Sequence[Floor]:
        """Return the evidence floor of each mutation class."""
        from denotary.instruments.similarity.floors import floors

        return floors(table)

    def regressions(self, suite: Suite) -> Sequence[Measure]:
        """Return the declared events over the answers of two systems."""
        from denotary.instruments.similarity.regression import REGRESSIONS

        del suite
        return REGRESSIONS

    def regression_facts(self, pairs: Pairs) -> Sequence[Fact]:
        """Return no facts that a comparison alone shows."""
        del pairs
        return ()

    def recoded(self, case: Case, successor: Callable[[str], str | None]) -> Case | None:
        """Return the case where its one code keeps its name in the later registry, else None."""
        return case if all(successor(code) == code for code in case.right_codes) else None

    def series(self, suite: Suite, table: Table, identity: Identity) -> Sequence[Series]:
        """Return what other cutoffs would do; no gate reads it."""
        from denotary.instruments.similarity.views import series

        del identity
        return series(suite, table)

    def standings(self, measurement: Measurement, policy: Policy, verdict: Verdict) -> Sequence[Standing]:
        """Return nothing: the instrument has no tiers."""
        del measurement, policy, verdict
        return ()

    def panels(self) -> Sequence[Panel]:
        """Return the panels of a report in their order."""
        from denotary.instruments.similarity.panels import PANELS

        return PANELS

    def cards(self) -> Sequence[Card]:
        """Return what the scorecard of a mutation class says first."""
        from denotary.reports.model import Card

        return (Card("mutation", ("wrong_approval", "wrong_rejection", "class_wins", "decision_auroc")),)

    def mechanisms(self, suite: Suite) -> Sequence[Mechanism]:
        """Return nothing: mutation classes are slices."""
        del suite
        return ()

    def root_causes(self) -> Mapping[str, str]:
        """Return nothing: what a score did wrong has no cause that a rule could propose."""
        return {}

    def outside_causes(self) -> Sequence[str]:
        """Return nothing."""
        return ()

    def failures(self, suite: Suite, answers: Iterable[Answer]) -> Sequence[Failure]:
        """Return nothing: there are no causes to propose."""
        del suite, answers
        return ()

    def views(self, suite: Suite, answers: Iterable[Answer], most: int) -> Sequence[CaseView]:
        """Return pairs as a report shows them, failures first; sealed ones are left out."""
        from denotary.instruments.similarity.views import views

        return views(suite, answers, most)


def similarity_cases(suite: Suite) -> tuple[SimilarityCase, ...]:
    """Return the cases of a similarity suite with their type."""
    return cast("tuple[SimilarityCase, ...]", suite.cases)


def _typed(case: Case) -> SimilarityCase:
    return cast("SimilarityCase", case)


INSTRUMENT = SimilarityInstrument()
