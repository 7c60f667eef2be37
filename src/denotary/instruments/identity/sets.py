"""What may be wrong between cases: contrast sets, translations, overlap strata, mechanisms, quotas."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Literal

from denotary.errors import Problem
from denotary.instruments.identity.families import MECHANISMS, mechanisms_of
from denotary.instruments.identity.feasibility import infeasible
from denotary.instruments.identity.overlap import expressions_by_code, measured_stratum
from denotary.instruments.identity.repeats import repeated_texts, template_texts
from denotary.suites.keys import shown
from denotary.suites.loading import CASES, MANIFEST, safe_name
from denotary.text.profile import MAX_CODE_POINTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.suites.suite import Suite

COMPLETE = (frozenset(("x", "x_same", "x_flip")), frozenset(("unresolved", "forced_a", "forced_b")))
"""Roles of which a contrast set has each exactly once."""
PAIR = frozenset(("original", "changed"))
"""Roles of an invariance or contrast pair: one original and at least one changed."""

SHARE_TOLERANCE = 0.005
"""Largest distance between the declared share of unknown texts and the suite's own; a suite is whole cases."""


def check_sets(suite: Suite, cases: Sequence[IdentityCase]) -> Iterator[Problem]:
    """Yield the problems that only several cases together can have."""
    lines = dict(zip((case.record_id for case in cases), suite.lines, strict=True))
    unit = dict(zip((case.record_id for case in cases), suite.units, strict=True))
    found = [
        *_contrasts(cases, unit),
        *_translations(cases),
        *_strata(suite, cases),
        *repeated_texts(suite, cases, unit),
        *template_texts(suite, cases, unit),
    ]
    for case, severity, code, message in found:
        yield Problem(severity, code, message, CASES, lines[case.record_id], safe_name(case.record_id))
    yield from _unknown_share(suite, cases)
    yield from _mechanisms(suite, cases)
    for message in infeasible(suite.manifest.quotas, concepts=_active(suite)):
        yield Problem("warning", "quotas_infeasible", message, MANIFEST)


_Finding = tuple["IdentityCase", Literal["error", "warning"], str, str]


def _active(suite: Suite) -> int:
    return sum(concept.status == "active" for concept in suite.registry.concepts.values())


def _contrasts(cases: Sequence[IdentityCase], unit: dict[str, str]) -> Iterator[_Finding]:
    sets: dict[str, dict[str, list[IdentityCase]]] = defaultdict(lambda: defaultdict(list))
    for case in cases:
        if case.construction.contrast is not None:
            sets[case.construction.contrast.set][case.construction.contrast.role].append(case)
    for name, members in sets.items():
        first = next(iter(members.values()))[0]
        everyone = [case for group in members.values() for case in group]
        if len({unit[case.record_id] for case in everyone}) > 1:
            message = f"the members of contrast set {shown(name)} must share a semantic seed"
            yield first, "error", "contrast_units", message
        roles = frozenset(members)
        whole = roles in COMPLETE and all(len(group) == 1 for group in members.values())
        paired = roles == PAIR and len(members["original"]) == 1
        if not whole and not paired:
            message = f"contrast set {shown(name)} is not complete; it has " + ", ".join(
                f"{role} {len(group)}" for role, group in sorted(members.items())
            )
            yield first, "error", "contrast_incomplete", message
        elif whole and "x" in roles:
            yield from _triple(*(members[role][0] for role in ("x", "x_same", "x_flip")))
        elif whole:
            yield from _ambiguity(*(members[role][0] for role in ("unresolved", "forced_a", "forced_b")))


def _triple(x: IdentityCase, same: IdentityCase, flip: IdentityCase) -> Iterator[_Finding]:
    if same.gold.answer != x.gold.answer:
        yield same, "error", "contrast_gold", "x_same must have the gold of x"
    if flip.gold.answer == x.gold.answer:
        yield flip, "error", "contrast_gold", "x_flip must not have the gold of x"
    for case in (same, flip):
        contrast = case.construction.contrast
        stated = contrast.edit_distance if contrast else None
        measured = edit_distance(x.input.text or "", case.input.text or "")
        if stated != measured:
            message = f"edit_distance to x is {measured} code points, stated is {stated}"
            yield case, "error", "edit_distance", message


def _ambiguity(unresolved: IdentityCase, a: IdentityCase, b: IdentityCase) -> Iterator[_Finding]:
    if unresolved.gold.disposition != "AMBIGUOUS":
        yield unresolved, "error", "contrast_gold", "the unresolved member must be AMBIGUOUS"
    for case in (a, b):
        if case.gold.disposition != "SINGLE" or not case.gold.answer[1] <= unresolved.gold.answer[1]:
            yield (
                case,
                "error",
                "contrast_gold",
                "a forced member must be SINGLE with a code of the unresolved one",
            )
    if a.gold.answer == b.gold.answer:
        yield b, "error", "contrast_gold", "forced_a and forced_b must have different codes"


def edit_distance(left: str, right: str) -> int | None:
    """Return the Levenshtein distance of two texts in code points, or None if one is over the limit.

    Source: Levenshtein (1966); the two-row dynamic programme of Wagner and Fischer (1974).
    """
    if max(len(left), len(right)) > MAX_CODE_POINTS:
        return None
    row = list(range(len(right) + 1))
    for i, character in enumerate(left, start=1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(right, start=1):
            best = diagonal if character == other else 1 + min(diagonal, row[j], row[j - 1])
            diagonal, row[j] = row[j], best
    return row[-1]


def _translations(cases: Sequence[IdentityCase]) -> Iterator[_Finding]:
    first: dict[str, IdentityCase] = {}
    for case in cases:
        family = case.construction.translation_family
        if not family or case.construction.meaning_relation_to_parent not in (None, "SAME_MEANING"):
            continue
        if first.setdefault(family, case).gold.answer != case.gold.answer:
            message = f"gold differs from {safe_name(first[family].record_id)} in the same translation family"
            yield case, "error", "translation_gold", message


def _strata(suite: Suite, cases: Sequence[IdentityCase]) -> Iterator[_Finding]:
    by_code = expressions_by_code(suite.registry)
    for case in cases:
        stated = case.construction.overlap_stratum
        if stated is not None and case.gold.acceptable_concept_codes:
            measured = measured_stratum(case, by_code)
            if measured != stated:
                yield (
                    case,
                    "warning",
                    "overlap_stratum",
                    f"measured overlap is {measured}, stated is {stated}",
                )


def _unknown_share(suite: Suite, cases: Sequence[IdentityCase]) -> Iterator[Problem]:
    """Compare the declared share of unknown texts with the suite's own, at which assignment risk is measured."""
    declared = suite.manifest.unknown_share
    if declared is None or not cases or not 0 <= declared <= 1:
        return
    count = sum(case.gold.disposition == "UNKNOWN_REGISTRY" for case in cases)
    if abs(count / len(cases) - declared) > max(SHARE_TOLERANCE, 0.5 / len(cases)):
        message = (
            f"unknown_share is {declared:g}, but {count:,} of {len(cases):,} cases are UNKNOWN_REGISTRY "
            f"({count / len(cases):.1%}): assignment risk would be stated at a share that it was not measured at"
        )
        yield Problem("error", "unknown_share", message, MANIFEST)


def _mechanisms(suite: Suite, cases: Sequence[IdentityCase]) -> Iterator[Problem]:
    declared = suite.manifest.mechanisms_not_exercised
    exercised = {mechanism for case in cases for mechanism in mechanisms_of(case)}
    for name in sorted(set(declared) - set(MECHANISMS)):
        message = f"mechanisms_not_exercised: no such mechanism: {safe_name(name)}"
        yield Problem("error", "mechanism", message, MANIFEST)
    for name, title in MECHANISMS.items():
        if name in exercised and name in declared:
            message = f"{name} ({title}) is declared not exercised, but a case exercises it"
            yield Problem("warning", "mechanism", message, MANIFEST)
        elif name not in exercised and not declared.get(name, "").strip():
            message = f"no case exercises {name} ({title}); say why in mechanisms_not_exercised"
            yield Problem("warning", "mechanism", message, MANIFEST)
