"""Evidence floors: a mutation class of which nothing is claimed below so many anchors in the halves that are judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denotary.instruments.similarity.axes import CLAIMED
from denotary.measures.records import Floor

if TYPE_CHECKING:
    from denotary.measures.table import Table


def floors(table: Table) -> list[Floor]:
    """Return the floor of every mutation class: anchors with an opposite pair that is judged."""
    column, counted = table.coded["mutation"], table.flag("judged") & ~table.flag("same")
    return [
        Floor(
            "mutation",
            label,
            "anchors",
            len(np.unique(table.unit[counted & (column.codes == code)])),
            CLAIMED,
        )
        for code, label in enumerate(column.labels)
        if label
    ]
