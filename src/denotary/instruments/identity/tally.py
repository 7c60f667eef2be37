"""Cross-tabulation of what was expected against what was answered, in cases and in independent units.

It counts the cases of the semantic track; what a reviewed expression resolves to is a matter of conformance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.instruments.identity.answers import KINDS, UNANSWERED
from denotary.instruments.identity.case_columns import ALL_DISPOSITIONS
from denotary.instruments.identity.tracks import semantic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.measures.table import BoolArray, IntArray, Table

KINDLESS: Final = "ABSTAIN"
"""Name of a refusal that gives no kind."""
NOT_EXPRESSIBLE: Final = "NOT_EXPRESSIBLE"
"""Name of one where the kind to give is one that the system cannot express."""


@dataclass(frozen=True, slots=True)
class Cell:
    """How many cases and units were expected to be one thing and answered as another.

    Attributes:
        expected: the one right code, or the disposition where there is none.
        answered: the assigned code, the kind of refusal, or the status of a case without an answer.
        kind: ``code``, ``refusal`` or ``unanswered``.
        cases: number of cases.
        units: number of independent units.
        single: whether one code was right, so that ``expected`` is that code. A code may be called as a
            disposition is, so the name alone does not tell.
    """

    expected: str
    answered: str
    kind: str
    cases: int
    units: int
    single: bool


def crosstab(table: Table) -> list[Cell]:
    """Return the cells that hold a case, by expected (codes first) and by answered."""
    return list(_counted(table, semantic(table.coded["family"])))


def confusions(table: Table) -> list[Cell]:
    """Return the cells of one meaning taken for another, most units first.

    Where one code was right, that is any other code. Where none was, it is a neighbour that the case names: an
    unknown meaning beside a concept is taken for it as a sibling is.
    """
    named = table.is_label("disposition", "SINGLE") | table.flag("neighbour_assigned")
    taken = semantic(table.coded["family"]) & table.flag("wrong_assignment") & named
    found = _counted(table, taken)
    return sorted(found, key=lambda cell: (-cell.units, -cell.cases, cell.expected, cell.answered))


def _counted(table: Table, chosen: BoolArray) -> Iterator[Cell]:
    expected, rows = _expected(table)
    answered, columns = _answered(table)
    yield from _cells(table.unit[chosen], expected[chosen], rows, answered[chosen], columns)


def _expected(table: Table) -> tuple[IntArray, list[str]]:
    concept, disposition = table.coded["concept"], table.coded["disposition"]
    single = disposition.codes == ALL_DISPOSITIONS.index("SINGLE")
    shift = len(concept.labels)
    return np.where(single, concept.codes, shift + disposition.codes), [*concept.labels, *ALL_DISPOSITIONS]


def _answered(table: Table) -> tuple[IntArray, list[tuple[str, str]]]:
    code, kind, status = table.coded["answered_code"], table.coded["kind"], table.coded["status"]
    refusals = [*KINDS, KINDLESS, NOT_EXPRESSIBLE]
    names = [(label, "code") for label in code.labels]
    names += [(name, "refusal") for name in refusals] + [(name, "unanswered") for name in UNANSWERED]
    assigned, answered = table.flag("assigned"), table.flag("answered")
    first = len(code.labels)
    # A kind that was named stays in sight, whether or not it was the one to give.
    kindless = len(KINDS) + table.flag("not_expressible").astype(np.int64)
    refused = first + np.where(kind.codes >= 0, kind.codes, kindless)
    place = np.asarray([UNANSWERED.index(label) if label in UNANSWERED else 0 for label in status.labels])
    lost = first + len(refusals) + place[status.codes]
    return np.where(assigned, code.codes, np.where(answered, refused, lost)), names


def _cells(
    unit: IntArray, expected: IntArray, rows: list[str], answered: IntArray, columns: list[tuple[str, str]]
) -> Iterator[Cell]:
    """Yield the cells that hold a case; of the many that a large registry makes possible, few do."""
    cell = expected.astype(np.int64) * len(columns) + answered
    width = int(unit.max(initial=0)) + 1
    pair, cases_of_pair = np.unique(cell * width + unit, return_counts=True)
    found, first = np.unique(pair // width, return_index=True)
    cases = np.add.reduceat(cases_of_pair, first) if len(found) else first
    units = np.diff(first, append=len(pair))
    for index, place in enumerate(found.tolist()):
        row, column = divmod(place, len(columns))
        name, kind = columns[column]
        single = row < len(rows) - len(ALL_DISPOSITIONS)
        yield Cell(rows[row], name, kind, int(cases[index]), int(units[index]), single)
