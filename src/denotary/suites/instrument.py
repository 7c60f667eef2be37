"""What an instrument must supply, and how it is found by name.

An instrument is an object in the entry-point group ``denotary.instruments``. Nothing from ``measure`` on
knows an instrument by name: it receives the table, the measures and the policies that the instrument
declares.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from denotary.errors import Problem
    from denotary.suites.records import Case
    from denotary.suites.suite import Suite


class Instrument(Protocol):
    """The five files of an instrument behind one object."""

    name: str
    case_type: type[Case]
    unit_kind: str
    """What an independent unit is called in reports: ``seed``, ``anchor``, ``item`` or ``speaker``."""
    policies: Path
    """Folder of the shipped policies, one TOML file each."""
    code_columns: tuple[str, ...]
    """Columns of the table whose labels are concept codes, which another registry may call otherwise."""
    answered_axes: tuple[str, ...]
    """Those columns among the slices of measures that an answer fills: two systems are not compared along them."""

    def check(self, case: Case, suite: Suite) -> Iterator[Problem]:
        """Yield what is wrong with one case's input or gold, beyond its types."""

    def check_suite(self, suite: Suite) -> Iterator[Problem]:
        """Yield what is wrong with the suite as a whole."""

    def quota_counts(self, suite: Suite) -> Mapping[str, int]:
        """Return how many cases fall under each quota key that the instrument knows."""

    def encode(self, case: Case, suite: Suite) -> dict[str, Any]:
        """Return the payload of the call for a case, without the record id."""

    def decode(self, raw: Any) -> dict[str, Any]:
        """Return a system's reply as a validated, canonical answer body.

        Raises:
            AnswerError: the reply is not an answer; its ``problem`` is one of a closed set of short codes.
        """

    def table(self, suite: Suite, answers: Iterable[Any], identity: Any) -> Any:
        """Join cases and sealed answers into a ``measures.table.Table``, one row a case.

        What the system's owner declared (``runs.records.Identity``) may say which cases are no evidence.

        Raises:
            InputError: what was declared does not fit the suite.
        """

    def measures(self, suite: Suite) -> Sequence[Any]:
        """Return the declared measures (``measures.records.Measure``), fixed for a suite."""

    def required_slices(self, suite: Suite) -> Mapping[str, tuple[str, ...]]:
        """Return the values of every selector that a gate may name, ``axis:group``, beside that of languages."""

    def perfect(self, case: Case, suite: Suite) -> dict[str, Any]:
        """Return the answer body of a system without a failure, as ``decode`` would."""

    def facts(self, suite: Suite, table: Any, identity: Any) -> Sequence[Any]:
        """Return the facts (``measures.records.Fact``) that gates read, given what the system's owner declared."""

    def floors(self, table: Any) -> Sequence[Any]:
        """Return what each group of cases has and needs (``measures.records.Floor``)."""

    def regressions(self, suite: Suite) -> Sequence[Any]:
        """Return the events over pairs of cases that a release is held to (``measures.records.Measure``).

        Their texts name the columns of the table, and with ``base_`` before them those of the base system.
        """

    def regression_facts(self, pairs: Any) -> Sequence[Any]:
        """Return the facts that gates on a comparison (``measures.pairs.Pairs``) read."""

    def recoded(self, case: Case, successor: Callable[[str], str | None]) -> Case | None:
        """Return a case with the codes of a later registry, or None if one of them has no equal there."""

    def series(self, suite: Suite, table: Any, identity: Any) -> Sequence[Any]:
        """Return curves and confusions (``measures.records.Series``) for figures; no gate reads them."""

    def standings(self, measurement: Any, policy: Any, verdict: Any) -> Sequence[Any]:
        """Return what each group may be claimed for (``verdicts.records.Standing``); empty if there are no tiers."""

    def panels(self) -> Sequence[Any]:
        """Return the panels of a report (``reports.model.Panel``) in their order."""

    def cards(self) -> Sequence[Any]:
        """Return what the scorecards of a report say first (``reports.model.Card``)."""

    def mechanisms(self, suite: Suite) -> Sequence[Any]:
        """Return every failure mechanism and how many cases exercise it (``reports.model.Mechanism``)."""

    def root_causes(self) -> Mapping[str, str]:
        """Return every root-cause code of a failure with what it means; none if the instrument has none."""

    def outside_causes(self) -> Sequence[str]:
        """Return the codes of causes that lie with suite, registry or harness: they leave the rates by the ledger."""

    def failures(self, suite: Suite, answers: Iterable[Any]) -> Sequence[Any]:
        """Return the cases that went wrong with the causes that rules propose (``runs.triage.Failure``)."""

    def views(self, suite: Suite, answers: Iterable[Any], most: int) -> Sequence[Any]:
        """Return cases as a report shows them (``reports.model.CaseView``), failures first; no sealed ones."""


class AnswerError(Exception):
    """A reply that is not an answer. Its problem is a short code; the reply's text is not kept here."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


def instruments() -> tuple[str, ...]:
    """Return the names of the instruments that are installed, in order."""
    from importlib.metadata import entry_points

    return tuple(sorted(entry_points(group="denotary.instruments").names))


@cache
def instrument(name: str) -> Instrument:
    """Return the instrument of that name.

    Raises:
        InputError: no installed package offers it.
    """
    from importlib.metadata import entry_points

    found = entry_points(group="denotary.instruments")
    if name not in found.names:
        known = ", ".join(sorted(found.names)) or "none"
        raise InputError(f"no instrument named {name!r}; installed: {known}")
    loaded: Instrument = found[name].load()
    return loaded
