"""The failures of a run with the cause of each: the one that a person set, else the one that rules propose."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import msgspec

from denotary.errors import InputError
from denotary.reports.model import CauseLine, Causes
from denotary.runs.triage import read_judgements, set_cause, standing, torn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.reports.model import CaseView
    from denotary.runs import Run
    from denotary.runs.triage import Failure, Judgement

By: TypeAlias = Literal["set", "proposed", "none"]
"""Who named a cause: a person, a rule, or nobody."""

UNTRIAGED: Final = ""
"""The code of a failure whose cause nobody named."""


@dataclass(frozen=True, slots=True)
class Triage:
    """The failures of a run and their causes.

    Attributes:
        titles: every root-cause code with what it means.
        outside: codes of causes that lie outside the system; a case leaves the rates by the ledger alone.
        failures: the cases that went wrong, in the order of the suite, refusals included.
        standing: the judgement that stands for each case that has one.
        judgements: how many judgements were ever set.
        torn: bytes of a torn last line that was passed over.
    """

    titles: Mapping[str, str]
    outside: tuple[str, ...]
    failures: Sequence[Failure]
    standing: Mapping[str, Judgement]
    judgements: int = 0
    torn: int = 0

    def cause(self, failure: Failure) -> tuple[str, By]:
        """Return the code of a failure's cause, empty if nobody named one, and who did."""
        judgement = self.standing.get(failure.case)
        if judgement is not None:
            return judgement.code, "set"
        return failure.proposed, "proposed" if failure.proposed else "none"

    @property
    def counted(self) -> list[Failure]:
        """The failures that some gate may count: all but mere refusals."""
        return [failure for failure in self.failures if failure.counts]

    @property
    def untriaged(self) -> list[Failure]:
        """The counted failures whose cause nobody named, no rule either."""
        return [failure for failure in self.counted if self.cause(failure)[1] == "none"]

    def causes(self) -> Causes:
        """Return how many cases each cause has, as a report shows it."""
        number = {
            by: sum(self.cause(item)[1] == by for item in self.counted) for by in ("set", "proposed", "none")
        }
        return Causes(
            failed=len(self.counted),
            refusals=len(self.failures) - len(self.counted),
            set=number["set"],
            proposed=number["proposed"],
            untriaged=number["none"],
            lines=tuple(self._lines()),
        )

    def _lines(self) -> Iterator[CauseLine]:
        found: defaultdict[str, list[tuple[Failure, By]]] = defaultdict(list)
        for failure in self.failures:
            code, by = self.cause(failure)
            found[code].append((failure, by))
        for code in (*self.titles, UNTRIAGED):
            members = found.get(code, [])
            counted = [(failure, by) for failure, by in members if failure.counts]
            if members:
                yield CauseLine(
                    code=code,
                    title=self.titles.get(code, "no cause is named"),
                    set=sum(by == "set" for _, by in counted),
                    proposed=sum(by == "proposed" for _, by in counted),
                    cases=len(counted),
                    units=len({failure.unit for failure, _ in counted}),
                    languages=len({failure.language for failure, _ in counted}),
                    refusals=len(members) - len(counted),
                    outside=code in self.outside,
                )

    def views(self, views: Sequence[CaseView]) -> Iterator[CaseView]:
        """Yield cases of a report with their causes."""
        failed = {failure.case: failure for failure in self.failures}
        for view in views:
            failure, judgement = failed.get(view.record_id), self.standing.get(view.record_id)
            yield replace(
                view,
                root_causes=tuple((item.code, item.evidence) for item in failure.proposals)
                if failure
                else (),
                cause=judgement.code if judgement else "",
                cause_note=f"{judgement.who}: {judgement.why}" if judgement else "",
            )

    def content(self, failures: Sequence[Failure]) -> dict[str, Any]:
        """Return the triage as plain data, with these failures listed; it quotes no case."""
        causes = self.causes()
        return {
            "failed": causes.failed,
            "refusals": causes.refusals,
            "set": causes.set,
            "proposed": causes.proposed,
            "untriaged": [failure.case for failure in self.untriaged],
            "judgements": self.judgements,
            "causes": [_plain(line) for line in causes.lines],
            "cases": [self._case(failure) for failure in failures],
        }

    def _case(self, failure: Failure) -> dict[str, Any]:
        code, by = self.cause(failure)
        judgement = self.standing.get(failure.case)
        return {
            "case": failure.case,
            "unit": failure.unit,
            "kind": failure.kind,
            "expected": failure.expected,
            "answered": failure.answered,
            "language": failure.language,
            "family": failure.family,
            "cause": code,
            "by": by,
            "judgement": None if judgement is None else msgspec.structs.asdict(judgement),
            "proposals": [_plain(item) for item in failure.proposals],
        }


def triage(run: Run, *, judged: bool = True) -> Triage:
    """Return the failures of a run with their causes.

    Args:
        run: the run.
        judged: whether to read what persons set; without it the result is a function of the sealed answers alone.

    Raises:
        InputError: a line of ``triage.jsonl`` is no judgement.
        IntegrityError: its chain is broken, or it belongs to another run.
    """
    instrument = run.suite.instrument
    judgements = read_judgements(run.root) if judged else ()
    return Triage(
        titles=instrument.root_causes(),
        outside=tuple(instrument.outside_causes()),
        failures=instrument.failures(run.suite, run.answers),
        standing=standing(judgements),
        judgements=len(judgements),
        torn=torn(run.root) if judged else 0,
    )


def judge_cause(run: Run, case: str, code: str, *, who: str, why: str) -> Judgement:
    """Set the cause of a failed case and return the judgement, which is appended to the run's ``triage.jsonl``.

    Raises:
        InputError: there is no such code, the case did not go wrong, or the run is not complete.
    """
    titles = run.suite.instrument.root_causes()
    if code not in titles:
        known = f"{min(titles)} to {max(titles)}" if titles else "this instrument has none"
        raise InputError(f"no root-cause code {code!r:.20}", hint=f"known: {known}; see the reference")
    failures = run.suite.instrument.failures(run.suite, run.answers)
    return set_cause(run.root, failures, case, code, who=who, why=why)


def _plain(value: Any) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(value)
    return plain
