"""Cases that went wrong, each with the root causes that rules propose for it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.instruments.identity.answers import UNANSWERED, names_snapshot, outcome, snapshot_names
from denotary.instruments.identity.instrument import identity_cases
from denotary.instruments.identity.pair_columns import links
from denotary.instruments.identity.text_evidence import Wordings
from denotary.instruments.identity.tracks import FAMILY
from denotary.runs.triage import Failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.instruments.identity.pair_columns import Links
    from denotary.registry import Registry
    from denotary.runs.records import Answer
    from denotary.runs.triage import Kind
    from denotary.suites.suite import Suite

RIGHT: Final = ("right", "refused_rightly")
OFTEN: Final = 0.1
"""Share of the repeated cases that waver in a system whose decisions are a draw."""
_SHOWN: Final = 30
"""Least number of cases that shows a habit: none of 30 leaves a rate of at most 10 % at 95 % confidence (3 / n)."""


@dataclass(frozen=True, slots=True)
class Relative:
    """Another case that says the same, or what this one was changed from.

    Attributes:
        case: the other case.
        right: whether it was decided as its gold asks.
    """

    case: IdentityCase
    right: bool


@dataclass(frozen=True, slots=True)
class Habits:
    """What a system did all through a run, beside which a single case explains little.

    Attributes:
        outside: answered cases for which no code is right.
        refused: how many of these were refused.
        repeated: cases that were asked more than once.
        wavering: how many of these were decided differently.
    """

    outside: int
    refused: int
    repeated: int
    wavering: int

    @property
    def never_refuses(self) -> bool:
        """Whether every text without a right code was given one, of as many as show it."""
        return self.outside >= _SHOWN and not self.refused

    @property
    def is_a_draw(self) -> bool:
        """Whether identical calls are often decided differently, of as many as show it."""
        return self.repeated >= _SHOWN and self.wavering >= OFTEN * self.repeated


@dataclass(frozen=True, slots=True)
class Failed:
    """A case that went wrong, with what the rules read.

    Attributes:
        case: the case.
        kind: how it went wrong.
        result: its outcome class.
        answers: its calls, the first one first; none if none was planned.
        registry: where parents and neighbours are declared.
        original: the case that this one was made from, if the suite holds it.
        same: whether it keeps the meaning of its original.
        translations: the same seed in other languages.
        wordings: the registry's expressions.
        habits: what the system did in all cases.
    """

    case: IdentityCase
    kind: Kind
    result: str
    answers: tuple[Answer, ...]
    registry: Registry
    original: Relative | None
    same: bool
    translations: tuple[Relative, ...]
    wordings: Wordings
    habits: Habits

    @property
    def given(self) -> str:
        """The code that the first call was given; empty if none was."""
        return _code(self.answers[0]) if self.answers else ""

    @property
    def original_code(self) -> str:
        """The code of the meaning that the text was changed from; empty if it keeps its meaning or has none."""
        if self.same:
            return ""
        gold = self.original.case.gold if self.original else None
        single = gold is not None and gold.disposition == "SINGLE"
        found = (
            gold.acceptable_concept_codes[0]
            if gold and single
            else self.case.construction.concept_neighbourhood
        )
        return "" if found is None or found in self.case.gold.acceptable_concept_codes else found

    @property
    def wavers(self) -> bool:
        """Whether identical calls were decided differently."""
        return _wavers(self.answers)

    def results(self) -> tuple[str, ...]:
        """Return the outcome class of every call."""
        return tuple(outcome(self.case.gold, answer.status, answer.body) for answer in self.answers)


def failures(suite: Suite, answers: Iterable[Answer]) -> tuple[Failure, ...]:
    """Return the cases that went wrong, in the order of the suite; see ``runs.triage.Kind``.

    Args:
        suite: the cases.
        answers: of a run, every repeat.
    """
    from denotary.instruments.identity.cause_rules import proposals

    return tuple(
        Failure(
            case=found.case.record_id,
            unit=unit,
            kind=found.kind,
            expected=_expected(found.case),
            answered=_answered(found),
            language=found.case.language_slice,
            family=found.case.construction.primary_family,
            proposals=proposals(found),
        )
        for found, unit in _failed(suite, answers)
    )


def _failed(suite: Suite, answers: Iterable[Answer]) -> Iterator[tuple[Failed, str]]:
    cases = identity_cases(suite)
    calls: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in sorted(answers, key=lambda answer: answer.repeat):
        calls[answer.case_id].append(answer)
    results = [_result(case, calls.get(case.record_id, ())) for case in cases]
    together = links(cases, {case.record_id: row for row, case in enumerate(cases)})
    aligned = _aligned(together)
    names = snapshot_names(suite.registry)
    wordings, habits = Wordings(suite.registry), _habits(cases, results, calls)
    for row, (case, unit) in enumerate(zip(cases, suite.units, strict=True)):
        asked = tuple(calls.get(case.record_id, ()))
        kind = _kind(case, results[row], asked, names)
        if kind is None:
            continue
        original = int(together.original[row])
        yield (
            Failed(
                case=case,
                kind=kind,
                result=results[row],
                answers=asked,
                registry=suite.registry,
                original=None if original < 0 else Relative(cases[original], results[original] in RIGHT),
                same=bool(together.same[row]),
                translations=tuple(
                    Relative(cases[other], results[other] in RIGHT)
                    for other in aligned.get(row, ())
                    if cases[other].language_slice != case.language_slice
                ),
                wordings=wordings,
                habits=habits,
            ),
            unit,
        )


def _habits(
    cases: Sequence[IdentityCase], results: Sequence[str], calls: Mapping[str, Sequence[Answer]]
) -> Habits:
    outside = [
        result
        for case, result in zip(cases, results, strict=True)
        if case.gold.disposition != "SINGLE" and result not in UNANSWERED
    ]
    repeated = [asked for asked in calls.values() if len(asked) > 1]
    return Habits(
        outside=len(outside),
        refused=len(outside) - outside.count("wrong"),
        repeated=len(repeated),
        wavering=sum(map(_wavers, repeated)),
    )


def _result(case: IdentityCase, asked: Sequence[Answer]) -> str:
    return outcome(case.gold, asked[0].status, asked[0].body) if asked else "not_run"


def _aligned(together: Links) -> dict[int, list[int]]:
    """Return the members of each aligned seed, by member."""
    sets = together.aligned
    parts = np.split(sets.rows, sets.starts[1:]) if len(sets.starts) else []
    return {row: part.tolist() for part in parts for row in part.tolist()}


def _kind(case: IdentityCase, result: str, asked: Sequence[Answer], names: frozenset[str]) -> Kind | None:
    if result in UNANSWERED:
        return "no_answer"
    if result == "wrong":
        return "wrong_code"
    if result not in RIGHT and case.construction.primary_family == FAMILY:
        return "conformance"
    if _wavers(asked):
        return "unstable"
    if not all(names_snapshot(answer.body, names) for answer in asked if answer.body is not None):
        return "other_version"
    return None if result in RIGHT else "refusal"


def _wavers(asked: Sequence[Answer]) -> bool:
    return len({_decision(answer) for answer in asked}) > 1


def _decision(answer: Answer) -> tuple[Any, ...]:
    body: Mapping[str, Any] = answer.body or {}
    if answer.status != "answered":
        return ("unanswered",)
    return ("code", body["code"]) if body["type"] == "concept" else ("refusal", body["kind"])


def _code(answer: Answer) -> str:
    body = answer.body if answer.status == "answered" else None
    return str(body["code"]) if body and body["type"] == "concept" else ""


def _expected(case: IdentityCase) -> str:
    gold = case.gold
    return gold.acceptable_concept_codes[0] if gold.disposition == "SINGLE" else gold.disposition


def _answered(found: Failed) -> str:
    """Return what was answered; a code that is not registered is not quoted, it may be the text of a sealed case."""
    if not found.answers:
        return "not_run"
    first = found.answers[0]
    if first.status != "answered" or first.body is None:
        return first.status
    if first.body["type"] != "concept":
        return str(first.body["kind"] or first.body["type"].upper())
    return found.given if found.given in found.registry.concepts else "unregistered code"
