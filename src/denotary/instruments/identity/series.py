"""Curves, confusions and scorecards of the identity instrument, for figures; no gate reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denotary.instruments.identity.answers import OUTCOMES
from denotary.instruments.identity.confidence_series import confidence_series, margin_series, one
from denotary.instruments.identity.declared import declared_threshold
from denotary.instruments.identity.floors import floors
from denotary.instruments.identity.instrument import identity_cases
from denotary.instruments.identity.scorecards import scorecards
from denotary.instruments.identity.standing import language_evidence
from denotary.instruments.identity.tally import crosstab
from denotary.instruments.identity.tracks import FAMILY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.instruments.identity.tally import Cell
    from denotary.measures.records import Series
    from denotary.measures.table import Table
    from denotary.runs.records import Identity
    from denotary.suites.suite import Suite


def series(suite: Suite, table: Table, identity: Identity) -> tuple[Series, ...]:
    """Return every series that the answers allow, in a fixed order.

    ``confusion``, ``neighbours``, ``outcomes_by_family``, ``floors`` and ``language_evidence`` always;
    ``risk_coverage``, ``reliability`` and ``error_confidence`` where the system gave confidences, ``operating_point``
    where its threshold is declared too, ``margin`` where it scored two candidates or more; one ``scorecard`` for each
    concept and each language. Reviewed expressions stand in ``outcomes_by_family`` and ``language_evidence`` alone.
    """
    cells = crosstab(table)
    return (
        *confidence_series(table, declared_threshold(identity)),
        *margin_series(table),
        _confusion(cells),
        _neighbours(suite, table),
        _outcomes_by_family(table),
        _floors(table),
        language_evidence(suite, table),
        *scorecards(suite, table),
    )


def _confusion(cells: Iterable[Cell]) -> Series:
    rows = [(cell.expected, cell.answered, cell.kind, cell.cases, cell.units) for cell in cells]
    return one("confusion", ("expected", "answered", "kind", "cases", "units"), rows)


def _neighbours(suite: Suite, table: Table) -> Series:
    """Return how often each ordered pair was confused that the registry declares or a case names.

    The target is the one right code, or the disposition where there is none.
    """
    kinds: dict[tuple[str, str], str] = {
        (concept.code, neighbour.code): neighbour.type
        for concept in suite.registry.concepts.values()
        for neighbour in concept.neighbours
    }
    cases: dict[tuple[str, str], int] = dict.fromkeys(kinds, 0)
    confused: dict[tuple[str, str], int] = dict.fromkeys(kinds, 0)
    given = table.coded["answered_code"]
    for index, case in enumerate(identity_cases(suite)):
        gold = case.gold
        if not gold.forbidden_neighbor_codes or case.construction.primary_family == FAMILY:
            continue
        single = gold.disposition == "SINGLE"
        target = gold.acceptable_concept_codes[0] if single else gold.disposition
        code = given.codes[index]
        answered = given.labels[code] if code >= 0 else ""
        notes = {note.code: note.type for note in case.construction.neighbours}
        for neighbour in gold.forbidden_neighbor_codes:
            pair = target, neighbour
            kinds.setdefault(pair, notes.get(neighbour, ""))
            cases[pair] = cases.get(pair, 0) + 1
            confused[pair] = confused.get(pair, 0) + (answered == neighbour)
    rows = [(*pair, kinds[pair], cases[pair], confused[pair]) for pair in sorted(kinds)]
    return one("neighbours", ("target", "neighbour", "type", "cases", "confused"), rows)


def _outcomes_by_family(table: Table) -> Series:
    family, outcome = table.coded["family"], table.coded["outcome"]
    counts = np.bincount(
        family.codes.astype(np.int64) * len(OUTCOMES) + outcome.codes,
        minlength=len(family.labels) * len(OUTCOMES),
    ).reshape(len(family.labels), len(OUTCOMES))
    rows = [
        (label, name, int(counts[row, column]))
        for row, label in enumerate(family.labels)
        if counts[row].any()
        for column, name in enumerate(OUTCOMES)
    ]
    return one("outcomes_by_family", ("family", "outcome", "cases"), rows)


def _floors(table: Table) -> Series:
    found = floors(table.plain, table.coded)
    rows = [(floor.axis, floor.group, floor.floor, floor.have, floor.need) for floor in found]
    return one("floors", ("axis", "group", "floor", "have", "need"), rows)
