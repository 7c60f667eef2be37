"""Pairs of concepts that deserve a hard negative: the union of what several sources nominate."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from denotary.errors import InputError
from denotary.instruments.identity.overlap import overlap
from denotary.instruments.identity.recipes.records import Nomination
from denotary.text.languages import primary_subtag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from denotary.instruments.identity.recipes.records import NominateStep
    from denotary.registry import Registry
    from denotary.registry.records import Expression
    from denotary.runs import Run

Pair = tuple[str, str]
"""Target and neighbour."""


def nominations(
    registry: Registry,
    step: NominateStep,
    *,
    encoder: Callable[[list[str]], Any] | None = None,
    runs: Sequence[Run] = (),
) -> list[Nomination]:
    """Return the pairs that any source nominates, with what each says of them, sorted by target and neighbour.

    Lexical and encoder nominations look at expressions of one language. A pair of one source is as much a nomination
    as a pair of all: systems fail where the other sources are blind.

    Args:
        registry: the registry.
        step: which sources to ask.
        encoder: from texts to vectors.
        runs: runs whose wrong codes nominate; only of cases with one right code.

    Raises:
        InputError: the encoder does not give one finite, non-zero vector a text, all of one length.
    """
    found: defaultdict[Pair, dict[str, float]] = defaultdict(dict)
    for name, pairs in _sources(registry, step, encoder, runs):
        for pair, value in pairs:
            found[pair][name] = value
    declared = {
        (code, note.code): note for code, concept in registry.concepts.items() for note in concept.neighbours
    }
    active = {code for code, concept in registry.concepts.items() if concept.status == "active"}
    return [
        Nomination(
            target=target,
            neighbour=neighbour,
            sources=sources,
            type=declared[target, neighbour].type if (target, neighbour) in declared else None,
            reason=declared[target, neighbour].reason if (target, neighbour) in declared else None,
        )
        for (target, neighbour), sources in sorted(found.items())
        if {target, neighbour} <= active and target != neighbour
    ]


def _sources(
    registry: Registry,
    step: NominateStep,
    encoder: Callable[[list[str]], Any] | None,
    runs: Sequence[Run],
) -> Iterator[tuple[str, Iterable[tuple[Pair, float]]]]:
    if step.experts:
        yield "experts", _declared(registry)
    if step.lexical is not None:
        yield "lexical", _overlapping(registry, step.lexical)
    if encoder is not None:
        yield "encoder", _nearest(registry, encoder, step.nearest)
    if runs:
        yield "confusions", _confused(runs)


def _declared(registry: Registry) -> Iterator[tuple[Pair, float]]:
    for code, concept in registry.concepts.items():
        yield from (((code, note.code), 1.0) for note in concept.neighbours)


def _by_language(registry: Registry) -> Iterator[list[Expression]]:
    """Yield the expressions of one code, language by language."""
    groups: defaultdict[str, list[Expression]] = defaultdict(list)
    for expression in registry.authorised:
        if len(expression.codes) == 1:
            groups[primary_subtag(expression.language)].append(expression)
    yield from groups.values()


def _overlapping(registry: Registry, least: float) -> Iterator[tuple[Pair, float]]:
    """Yield pairs of concepts with two expressions that overlap enough; the largest overlap counts."""
    best: dict[Pair, float] = {}
    for group in _by_language(registry):
        for one in group:
            for other in group:
                pair = (one.codes[0], other.codes[0])
                if pair[0] != pair[1]:
                    value = overlap(one.text, (other.text,))
                    if value >= least:
                        best[pair] = max(value, best.get(pair, 0.0))
    yield from best.items()


def _nearest(
    registry: Registry, encoder: Callable[[list[str]], Any], nearest: int
) -> Iterator[tuple[Pair, float]]:
    """Yield, for each concept, those with the largest cosine between two expressions of one language."""
    best: dict[Pair, float] = {}
    for group in _by_language(registry):
        codes = [expression.codes[0] for expression in group]
        cosines = _cosines(encoder([expression.text for expression in group]), len(group))
        for row, target in enumerate(codes):
            for column, neighbour in enumerate(codes):
                pair, value = (target, neighbour), round(float(cosines[row, column]), 6)
                if target != neighbour:
                    best[pair] = max(value, best.get(pair, -1.0))
    rivals: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for (target, neighbour), value in best.items():
        rivals[target].append((-value, neighbour))
    for target, found in rivals.items():
        yield from (((target, neighbour), -value) for value, neighbour in sorted(found)[:nearest])


def _cosines(vectors: Any, count: int) -> Any:
    """Return the cosines of vectors, shape (count, count).

    Raises:
        InputError: they are not one finite vector a text, all of one length and none of length zero.
    """
    import numpy as np

    try:
        matrix = np.asarray(vectors, dtype=float)
    except (TypeError, ValueError):
        matrix = np.empty(0)
    norms = np.linalg.norm(matrix, axis=1) if matrix.ndim == 2 else np.empty(0)  # noqa: PLR2004 - a matrix
    if len(norms) != count or not np.isfinite(norms).all() or not norms.all():
        raise InputError(f"the encoder must give {count} finite vectors of one length, none of them zero")
    unit = matrix / norms[:, None]
    return unit @ unit.T


def _confused(runs: Sequence[Run]) -> Iterator[tuple[Pair, float]]:
    """Yield pairs of a right code and the wrong code that was given instead, with how many cases it was given in."""
    from denotary.instruments.identity.failures import failures

    counts: Counter[Pair] = Counter()
    for run in runs:
        registered: Mapping[str, Any] = run.suite.registry.concepts
        for failure in failures(run.suite, run.answers):
            if failure.kind == "wrong_code" and {failure.expected, failure.answered} <= registered.keys():
                counts[failure.expected, failure.answered] += 1
    yield from ((pair, float(count)) for pair, count in counts.items())
