"""Facts about each concept and each language that stand beside its measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denotary.canonical import digest
from denotary.instruments.identity.tally import confusions
from denotary.instruments.identity.tracks import semantic
from denotary.measures.records import Series

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.instruments.identity.tally import Cell
    from denotary.measures.table import BoolArray, IntArray, Table
    from denotary.suites.suite import Suite

_TOP = 3
"""Confusions named on a scorecard."""


def scorecards(suite: Suite, table: Table, cells: Sequence[Cell]) -> Iterator[Series]:
    """Yield one scorecard for each concept and each language that holds a case.

    Args:
        suite: the suite.
        table: its table.
        cells: the cross-tabulation of expected and answered.
    """
    wrong = [cell for cell in confusions(table) if cell.single]
    for axis in ("concept", "language"):
        column = table.coded[axis]
        order = np.argsort(column.codes, kind="stable")
        ends = np.searchsorted(column.codes[order], np.arange(len(column.labels) + 1))
        for index, label in enumerate(column.labels):
            rows = order[ends[index] : ends[index + 1]]
            if label and len(rows):
                met = label in table.sufficient.get(axis, ())
                items = {
                    "evidence": "sufficient" if met else "INSUFFICIENT EVALUATION EVIDENCE",
                    "cases": f"{len(rows):,}",
                    "units": f"{len(np.unique(table.unit[rows])):,}",
                }
                items |= _concept(label, suite, cells, wrong) if axis == "concept" else _language(rows, table)
                yield _card(f"{axis}={label}", items)


def _card(name: str, items: dict[str, str]) -> Series:
    rows = tuple(items.items())
    return Series(instrument="identity", series="scorecard", slice=name, columns=("item", "value"), rows=rows)


def _concept(code: str, suite: Suite, cells: Sequence[Cell], wrong: Sequence[Cell]) -> dict[str, str]:
    concept = suite.registry.concepts.get(code)
    given = [cell for cell in cells if cell.kind == "code" and cell.answered == code]
    total = sum(cell.cases for cell in given)
    attracted = sum(cell.cases for cell in given if cell.expected != code)
    top = [cell for cell in wrong if cell.expected == code][:_TOP]
    known = {}
    if concept is not None:
        known = {
            "consequence tier": concept.consequence_tier,
            "registry version": suite.registry.version,
            "definitions sha256": digest(concept.definitions),
        }
    return known | {
        "false attraction": f"{attracted:,} of the {total:,} cases that were given this code",
        "top confusions": "; ".join(f"{cell.answered} in {cell.units:,} units" for cell in top) or "none",
    }


def _language(rows: IntArray, table: Table) -> dict[str, str]:
    beyond = rows[semantic(table.coded["family"])[rows]]
    script = table.coded["script"]
    held = np.bincount(script.codes[rows], minlength=len(script.labels))
    scripts = [
        f"{label or 'not given'} {held[index]:,}" for index, label in enumerate(script.labels) if held[index]
    ]
    return {
        "scripts": ", ".join(scripts),
        "native-authored": _share(table.flag("native")[beyond]),
        "translated": _share(table.flag("translated")[beyond]),
    }


def _share(flag: BoolArray) -> str:
    return f"{int(flag.sum()):,} of {len(flag):,}"
