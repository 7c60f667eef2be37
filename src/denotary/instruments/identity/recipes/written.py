"""Candidates whose texts somebody wrote into the recipe: contrasts, ambiguity families, unknowns, hard negatives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from denotary.errors import InputError
from denotary.instruments.identity.cases import Gold
from denotary.instruments.identity.sets import edit_distance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.instruments.identity.recipes.drafting import Bench
    from denotary.instruments.identity.recipes.records import (
        AmbiguityStep,
        ContrastStep,
        HardNegativeStep,
        UnknownStep,
    )
    from denotary.suites.building import CaseCandidate


def contrast(bench: Bench, step: ContrastStep) -> Iterator[CaseCandidate]:
    """Yield the three members of a contrast set."""
    name = f"{bench.recipe.name}-{step.id}"
    right = Gold(disposition="SINGLE", acceptable_concept_codes=(step.code,))
    flipped = Gold(disposition=step.flip_disposition, acceptable_concept_codes=step.flip_codes)
    first = None
    for role, text, gold, relation in (
        ("x", step.x, right, None),
        ("x_same", step.x_same, right, "SAME_MEANING"),
        ("x_flip", step.x_flip, flipped, "DIFFERENT_MEANING"),
    ):
        place: dict[str, Any] = {"set": name, "role": role}
        construction: dict[str, Any] = {"primary_family": "minimal_contrast", "author": bench.recipe.author}
        parts: dict[str, Any] = {}
        if relation is not None:
            place["edit_distance"] = edit_distance(step.x, text)
            construction["meaning_relation_to_parent"] = relation
            parts = {"parent_record_id": first, "lineage": [{"operator": f"contrast.{role}"}]}
        made = bench.draft(
            "contrast",
            (step.id, role),
            seed=name,
            text=text,
            language=step.language,
            gold=gold,
            construction={**construction, "contrast": place, "concept_neighbourhood": step.code},
            **parts,
        )
        first = first or made.candidate
        yield made


def ambiguity(bench: Bench, step: AmbiguityStep) -> Iterator[CaseCandidate]:
    """Yield the three members of an ambiguity family."""
    name = f"{bench.recipe.name}-{step.id}"
    codes = (step.forced_a.code, step.forced_b.code)
    members: tuple[tuple[str, str, Gold], ...] = (
        ("unresolved", step.unresolved, Gold(disposition="AMBIGUOUS", acceptable_concept_codes=codes)),
        *(
            (role, forced.text, Gold(disposition="SINGLE", acceptable_concept_codes=(forced.code,)))
            for role, forced in (("forced_a", step.forced_a), ("forced_b", step.forced_b))
        ),
    )
    for role, text, gold in members:
        yield bench.draft(
            "ambiguity",
            (step.id, role),
            seed=name,
            text=text,
            language=step.language,
            gold=gold,
            construction={
                "primary_family": "ambiguity",
                "author": bench.recipe.author,
                "contrast": {"set": name, "role": role},
            },
        )


def unknown(bench: Bench, step: UnknownStep) -> Iterator[CaseCandidate]:
    """Yield a candidate a text for which no code is right, and say of a near concept why it is not it.

    Raises:
        InputError: a text names a near concept without type or reason.
    """
    for item in step.texts:
        construction: dict[str, Any] = {
            "primary_family": "shadow_concept_unknown",
            "tags": [step.kind],
            "author": bench.recipe.author,
        }
        if item.near is not None:
            if item.type is None or not item.reason:
                raise InputError(f"unknown.{step.kind}: near {item.near!r} needs a type and a reason")
            construction["neighbours"] = [{"code": item.near, "type": item.type, "reason": item.reason}]
            construction["concept_neighbourhood"] = item.near
        yield bench.draft(
            "unknown",
            (step.kind, item.language, item.text),
            seed=None,
            text=item.text,
            language=item.language,
            domain=item.domain,
            gold=Gold(
                disposition="UNKNOWN_REGISTRY",
                forbidden_neighbor_codes=() if item.near is None else (item.near,),
            ),
            construction=construction,
        )


def hard_negative(bench: Bench, step: HardNegativeStep) -> CaseCandidate:
    """Return the candidate of a text beside a named neighbour."""
    note = {
        "code": step.neighbour,
        "type": step.type,
        "reason": step.reason,
        "non_identity_judged": step.judged,
    }
    codes = () if step.code is None else (step.code,)
    return bench.draft(
        "hard-negative",
        (step.language, step.text, step.neighbour),
        seed=None,
        text=step.text,
        language=step.language,
        gold=Gold(
            disposition="SINGLE" if codes else "UNKNOWN_REGISTRY",
            acceptable_concept_codes=codes,
            forbidden_neighbor_codes=(step.neighbour,),
        ),
        construction={
            "primary_family": "hard_negative",
            "author": bench.recipe.author,
            "neighbours": [note],
            "concept_neighbourhood": step.code or step.neighbour,
        },
    )
