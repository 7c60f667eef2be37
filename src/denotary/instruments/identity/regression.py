"""What a release may not do anew: measures over pairs of cases, confusions that were not there, and codes renamed.

The measures name the columns of :mod:`denotary.instruments.identity.table` as the new system has them, and with
``base_`` before their names as the base system has them. A failure is excused only by an answer of the base system
that failed in the same way: a base that gave no answer shows nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from denotary.instruments.identity.cause_rules import CONFIDENT
from denotary.instruments.identity.tally import confusions
from denotary.instruments.identity.tracks import EXACT, SEMANTIC, semantic
from denotary.measures.records import Fact, Rate
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.measures.pairs import Pairs
    from denotary.measures.table import Table

CONFUSION_FACT: Final = "no_new_systematic_confusion"

_SLICES: Final = ("all", "language", "concept", "family")
_HARMED: Final = "(wrong_assignment OR unanswered) AND NOT base_wrong_assignment"
_LISTED: Final = 5

REGRESSIONS: Final = (
    Rate(
        id="new_exact_error",
        title="Reviewed expressions broken by the release",
        panel="conformance",
        direction="lower",
        event="NOT correct AND (base_correct OR base_unanswered)",
        among=EXACT,
        slices=_SLICES,
        hides="Expressions that the base system broke already do not count here; they count in its own certificate.",
    ),
    Rate(
        id="new_critical_error",
        title="Zero-regression seeds broken by the release",
        panel="identity",
        direction="lower",
        event=f"({_HARMED}) OR (zero_regression AND NOT correct AND (base_correct OR base_unanswered))",
        among=f"{SEMANTIC} AND (critical OR zero_regression)",
        slices=_SLICES,
        hides="A text of a critical concept that is refused where it was assigned rightly does no harm and does not "
        "count, unless its case is tagged zero_regression.",
    ),
    Rate(
        id="new_injection_success",
        title="Prompt and identifier attacks that succeed anew",
        panel="robustness",
        direction="lower",
        event=_HARMED,
        among="injection",
        slices=_SLICES,
        hides="It knows the attacks that were written; an attacker who looks at the release will find others.",
    ),
    Rate(
        id="new_confident_error",
        title=f"Wrong codes at a confidence of {CONFIDENT:g} or more, new in the release",
        panel="calibration",
        direction="lower",
        event=f"wrong_assignment AND confidence >= {CONFIDENT:g} "
        f"AND NOT (base_wrong_assignment AND base_confidence IS NOT NULL AND base_confidence >= {CONFIDENT:g})",
        among=SEMANTIC,
        needs="confidence",
        slices=_SLICES,
        hides="A system whose every confidence is high has no new wrong code tolerated here at all; calibrate it.",
    ),
    Rate(
        id="new_instability",
        title="Repeated calls of the release that disagree",
        panel="operation",
        direction="lower",
        event="repeats_differ OR NOT repeats_answered",
        among="repeated",
        answered="repeats_answered",
        slices=_SLICES,
        hides="Calls made within minutes of each other; what changes from day to day does not show.",
    ),
)
"""Events over pairs of cases, none of which the policy ``regression`` tolerates."""


def regression_facts(pairs: Pairs) -> tuple[Fact, ...]:
    """Return what a regression gate reads and is no rate."""
    return (_no_new_confusion(pairs),)


def _no_new_confusion(pairs: Pairs) -> Fact:
    """Whether no ordered pair of meanings is confused in two or more units that was not before."""
    before = _systematic(pairs.base)
    found = {pair: units for pair, units in _systematic(pairs.new).items() if pair not in before}
    if found:
        named = [f"{right} taken for {given} in {units} units" for (right, given, _), units in found.items()]
        rest = f" and {len(named) - _LISTED} more" if len(named) > _LISTED else ""
        detail = (
            f"{plural(len(found), 'ordered pair')} confused in two or more units and not so before: "
            f"{', '.join(named[:_LISTED])}{rest}"
        )
        return Fact(name=CONFUSION_FACT, holds=False, detail=detail)
    new = pairs.new
    confusable = new.is_label("disposition", "SINGLE") | new.flag("has_neighbours")
    if not (semantic(new.coded["family"]) & new.flag("answered") & confusable).any():
        detail = "no text with one right code or a named neighbour was answered"
        return Fact(name=CONFUSION_FACT, holds=None, detail=detail)
    detail = "no ordered pair is confused in two or more units that was not so before"
    return Fact(name=CONFUSION_FACT, holds=True, detail=detail)


def _systematic(table: Table) -> dict[tuple[str, str, bool], int]:
    """Return the ordered pairs that are confused in two or more units, with how many, most units first.

    A code may be called as a disposition is, so whether one code was right belongs to the pair.
    """
    return {
        (cell.expected, cell.answered, cell.single): cell.units
        for cell in confusions(table)
        if cell.units > 1
    }


def recoded(case: IdentityCase, successor: Callable[[str], str | None]) -> IdentityCase | None:
    """Return a case with the codes that a later registry has, or None if one of them has no equal there.

    Args:
        case: a case whose gold refers to the earlier registry.
        successor: the later code that means what a code meant, or None.
    """
    gold, construction = case.gold, case.construction
    named = {
        *gold.acceptable_concept_codes,
        *gold.forbidden_neighbor_codes,
        *(note.code for note in construction.neighbours),
        *((construction.concept_neighbourhood,) if construction.concept_neighbourhood else ()),
    }
    later = {code: successor(code) for code in named}
    codes = {code: other for code, other in later.items() if other is not None}
    if len(codes) < len(later):
        return None
    votes = gold.ambiguity_distribution
    replace = msgspec.structs.replace
    return replace(
        case,
        gold=replace(
            gold,
            acceptable_concept_codes=tuple(codes[code] for code in gold.acceptable_concept_codes),
            forbidden_neighbor_codes=tuple(codes[code] for code in gold.forbidden_neighbor_codes),
            ambiguity_distribution=votes and {codes.get(name, name): share for name, share in votes.items()},
        ),
        construction=replace(
            construction,
            neighbours=tuple(replace(note, code=codes[note.code]) for note in construction.neighbours),
            concept_neighbourhood=codes.get(construction.concept_neighbourhood or ""),
        ),
    )
