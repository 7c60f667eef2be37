"""Does triage name the fault that a resolver was given, where family, tags and every note of the cases are hidden?

What is right is not taken from the rules: the code of each resolver says which of its wrong answers its fault made.
"""

from __future__ import annotations

import dataclasses
import sys
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from denotary.instruments.identity.instrument import identity_cases
from denotary.suites.records import Construction
from denotary.text.folds import ignorables

sys.path.insert(0, str(Path(__file__).parent))
from resolvers import NEGATIONS, RESOLVERS, WORD, negation_blind

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.registry import Registry
    from denotary.runs import Run
    from denotary.suites import Case, Suite

    Due = Callable[[IdentityCase], str]

FORCED = {
    "UNKNOWN_REGISTRY": "E11",
    "EXACT_MISS": "E11",
    "AMBIGUOUS": "E12",
    "UNDERSPECIFIED": "E13",
    "MIXED": "E14",
    "INVALID_INPUT": "E15",
}
FURTHER = 20
"""Calls by which a decision that is drawn anew shows itself, beside those of the run."""


@dataclass(frozen=True, slots=True)
class Share:
    """How often the fault of a resolver is proposed first for a failure that it made.

    Attributes:
        due: causes that are right.
        made: failures that the fault made.
        right: those for which the right cause is proposed.
        other: those for which another is.
        none: those for which none is.
        elsewhere: failures that the fault did not make.
        alarms: those of them for which the cause of the fault is proposed all the same.
    """

    due: tuple[str, ...]
    made: int
    right: int
    other: int
    none: int
    elsewhere: int
    alarms: int

    @property
    def cells(self) -> tuple[str, ...]:
        """The figures as cells of a table."""
        share = f"{self.right / self.made:.0%}" if self.made else "-"
        numbers = (self.made, self.right, self.other, self.none, share, self.elsewhere, self.alarms)
        return (", ".join(self.due) or "-", *map(str, numbers))


def hidden(suite: Suite) -> Suite:
    """Return a suite whose cases show input and gold alone: no family, tag, relative, note or vote."""
    return dataclasses.replace(suite, cases=tuple(map(_bare, suite.cases)))


def _bare(case: Case) -> Case:
    return replace(
        case,
        construction=Construction(primary_family="hidden", generation_method="hidden"),
        annotation=replace(case.annotation, independent_votes=(), reviewers=()),
        parent_record_id=None,
        lineage=(),
    )


def share(name: str, run: Run) -> Share:
    """Return how often the fault of a resolver is proposed for the failures of a run that it made."""
    due_of = FAULTS[name](run.suite.registry)
    called = Counter(answer.case_id for answer in run.answers)
    counts: Counter[str] = Counter()
    due: set[str] = set()
    failures = run.suite.instrument.failures(hidden(run.suite), run.answers)
    cases = {case.record_id: case for case in identity_cases(run.suite)}
    found = [(failure, due_of(cases[failure.case])) for failure in failures if failure.counts]
    # What one call shows of a decision that is drawn anew is nothing.
    found = [(failure, code) for failure, code in found if code != "E26" or called[failure.case] > 1]
    due |= {code for _, code in found if code}
    for failure, code in found:
        if code:
            counts["right" if failure.proposed == code else "other" if failure.proposed else "none"] += 1
        else:
            counts["alarms"] += failure.proposed in due
            counts["elsewhere"] += 1
    made = counts["right"] + counts["other"] + counts["none"]
    return Share(
        tuple(sorted(due)), made, counts["right"], counts["other"], counts["none"], counts["elsewhere"],
        counts["alarms"],
    )  # fmt: skip


def _text(case: IdentityCase) -> str:
    return case.input.text or ""


def _always(_: Registry) -> Due:
    """It answers whatever it is asked: wherever no code is right, that is the fault."""
    return lambda case: FORCED.get(case.gold.disposition, "")


def _negation(registry: Registry) -> Due:
    """It was blind to a negation that stands in the text, and not in the expression that it took it for."""
    blind = negation_blind(registry)
    held: defaultdict[str, set[str]] = defaultdict(set)
    for expression in registry.expressions:
        held[expression.codes[0]] |= _negations(expression.text)

    def due(case: IdentityCase) -> str:
        request = {"record_id": "", "text": _text(case), "registry_version": ""}
        code = blind(request)["decision"].get("concept_code")
        return "E05" if code is not None and _negations(_text(case)) - held[code] else ""

    return due


def _negations(text: str) -> set[str]:
    """Return the words of a text that negate: characters that show nothing part no words, as they do for a reader."""
    return set(WORD.findall(ignorables(text.lower()))) & NEGATIONS


def _fold(registry: Registry) -> Due:
    """It folds, and forgets the language: a text that is registered as it stands was asked in another one."""
    texts = {unicodedata.normalize("NFC", expression.text) for expression in registry.expressions}
    return lambda case: "E16" if unicodedata.normalize("NFC", _text(case)) in texts else "E19"


def _obedience(registry: Registry) -> Due:
    """It does as a text says that names a code."""
    return lambda case: "E24" if any(code in _text(case) for code in registry.concepts) else ""


def _draw(registry: Registry) -> Due:
    """It draws its voters anew: asked again and again it does not decide alike."""
    voting = RESOLVERS["unstable vote"][0](registry)

    def due(case: IdentityCase) -> str:
        request = {
            "record_id": "",
            "text": _text(case),
            "language": case.input.language,
            "registry_version": registry.version,
        }
        answers = {voting(request)["decision"].get("concept_code") for _ in range(FURTHER)}
        return "E26" if len(answers) > 1 else ""

    return due


FAULTS: dict[str, Callable[[Registry], Due]] = {
    "control": lambda _: lambda _: "",
    "nearest neighbour": _always,
    "negation-blind": _negation,
    "silent fold": _fold,
    "obedient": _obedience,
    "unstable vote": _draw,
}
"""Resolver to the cause that is right for a failure of it; empty where its fault did not make it."""
