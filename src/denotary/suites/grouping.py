"""The one function that says which cases are independent of each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.suites.components import Forest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.suites.records import Case


def units(cases: Sequence[Case]) -> tuple[str, ...]:
    """Return the unit of every case: the connected component over the keys that tie cases together.

    Two cases are in one unit if a chain of shared keys leads from one to the other. The keys are the semantic
    seed, the generation template, the translation family, the perturbation lineage, the earlier turns of a
    dialogue, and the link to the parent; two cases with the same parent are siblings even if the parent stands
    in another suite. A key that is blank makes no edge.

    The name of a unit is the smallest semantic seed in it, so the order of the cases does not matter. Cost is
    linear in cases.

    Args:
        cases: the cases of one or more suites, none with a blank ``semantic_seed_id``.

    Returns:
        One unit name a case, aligned with ``cases``.
    """
    forest = Forest(len(cases))
    for index, case in enumerate(cases):
        forest.tie(index, _keys(case))
    root = forest.roots()
    names: dict[int, str] = {}
    for index, case in zip(root, cases, strict=True):
        name = names.get(index)
        if name is None or case.semantic_seed_id < name:
            names[index] = case.semantic_seed_id
    return tuple(names[index] for index in root)


def _keys(case: Case) -> Iterator[tuple[str, str]]:
    construction = case.construction
    yield "seed", case.semantic_seed_id
    yield "record", case.record_id
    if case.parent_record_id:
        yield "record", case.parent_record_id
    for earlier in case.depends_on:
        yield "record", earlier
    if construction.generation_template:
        yield "template", construction.generation_template
    if construction.translation_family:
        yield "translation", construction.translation_family
    if construction.perturbation_lineage:
        yield "perturbation", construction.perturbation_lineage
