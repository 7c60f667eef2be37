"""Candidates from another registry: concepts that were withheld from the suite's, or that came later."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from denotary.errors import InputError
from denotary.instruments.identity.cases import Gold
from denotary.instruments.identity.recipes.drafting import key_of
from denotary.suites.versions import version_key
from denotary.text.languages import primary_subtag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.instruments.identity.recipes.drafting import Bench
    from denotary.instruments.identity.recipes.records import AbsentStep
    from denotary.registry import Registry
    from denotary.registry.records import Expression
    from denotary.suites.building import CaseCandidate

_NOT_NEW: Final = frozenset({"unchanged", "renamed", "split", "merged", "boundary_changed"})
"""Changes by which a code of the later version says what an earlier one said, in part at least."""


def absent(bench: Bench, step: AbsentStep, other: Registry) -> Iterator[CaseCandidate]:
    """Yield texts of concepts that the suite's registry does not have: no code of it is right.

    All texts of one concept share a semantic seed. A text that the suite's registry has too, under whatever code,
    is left out, and so are declared ambiguities.

    Args:
        bench: the recipe at work.
        step: what to take.
        other: the registry that has the concepts.

    Raises:
        InputError: the other registry is no later version, or a code that was asked for is registered or unknown.
    """
    own = bench.suite.registry
    _refuse_wrong_registry(step, own, other)
    codes = _absent_codes(step, own, other)
    registered = {key_of(text) for text in _texts(own)}
    taken: Counter[tuple[str, str]] = Counter()
    for expression in other.authorised:
        code, language = expression.codes[0], primary_subtag(expression.language)
        wanted = (
            code in codes
            and len(expression.codes) == 1
            and (not step.languages or language in step.languages)
        )
        if not wanted or key_of(expression.text) in registered or taken[code, language] >= step.per_concept:
            continue
        taken[code, language] += 1
        yield _candidate(bench, step, other, expression)


def _candidate(bench: Bench, step: AbsentStep, other: Registry, expression: Expression) -> CaseCandidate:
    code = expression.codes[0]
    known = bench.suite.registry.concepts
    near = [note for note in other.concepts[code].neighbours if note.code in known]
    return bench.draft(
        "absent",
        (step.kind, other.name, other.version, expression.id),
        seed=f"{step.kind}-{other.name}-{code}",
        text=expression.text,
        language=expression.language,
        script=expression.script,
        gold=Gold(disposition="UNKNOWN_REGISTRY", forbidden_neighbor_codes=tuple(note.code for note in near)),
        construction={
            "primary_family": "shadow_concept_unknown",
            "tags": [step.kind],
            "author": expression.review.by,
            "source_document": f"{other.name} {other.version}",
            "neighbours": [{"code": note.code, "type": note.type, "reason": note.reason} for note in near],
        },
        lineage=[{"operator": step.kind, "detail": f"{other.name} {other.version} {expression.id}"}],
    )


def _refuse_wrong_registry(step: AbsentStep, own: Registry, other: Registry) -> None:
    if step.kind != "future_concept":
        return
    old, new = version_key(own.version), version_key(other.version)
    if own.name != other.name or old is None or new is None or new <= old:
        raise InputError(
            f"future_concept needs a later version of registry {own.name} {own.version}, "
            f"found {other.name} {other.version}",
            path=other.root,
        )


def _absent_codes(step: AbsentStep, own: Registry, other: Registry) -> set[str]:
    """Return the codes to take: active there, not registered here, and no other name of what is registered here."""
    moved = {
        code
        for migration in other.migrations
        if migration.change in _NOT_NEW and migration.from_code in own.concepts
        for code in migration.to_codes
    }
    candidates = {
        code
        for code, concept in other.concepts.items()
        if concept.status == "active" and code not in own.concepts and code not in moved
    }
    wrong = next((code for code in step.codes if code not in candidates), None)
    if wrong is not None:
        raise InputError(
            f"{step.kind}: {wrong!r} is no active concept of {other.name} {other.version} that "
            f"{own.name} {own.version} lacks"
        )
    return set(step.codes) or candidates


def _texts(registry: Registry) -> Iterator[str]:
    yield from (expression.text for expression in registry.authorised)
    yield from (ambiguity.text for ambiguity in registry.ambiguities)
