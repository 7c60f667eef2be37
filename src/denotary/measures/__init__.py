"""Measures as data, and the engine that evaluates them by slice into rows of one schema.

``measure(run)`` yields a ``Measurement``: rows, facts and series. ``evaluate(measures, table, ...)`` does
the part that counts. ``Rate``, ``Ratio`` and ``Statistic`` declare measures, ``Table`` and ``Coded`` hold
the joined columns, ``read_rows`` reads ``rows.jsonl`` back. Nothing here knows an instrument by name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.measures.engine import evaluate
    from denotary.measures.measurement import Corpus, Measurement, read_rows
    from denotary.measures.records import Fact, Measure, Rate, Ratio, Row, Series, Statistic
    from denotary.measures.scoring import measure
    from denotary.measures.table import Coded, Table

_HOMES = {
    "Coded": "table",
    "Corpus": "measurement",
    "Fact": "records",
    "Measure": "records",
    "Measurement": "measurement",
    "Rate": "records",
    "Ratio": "records",
    "Row": "records",
    "Series": "records",
    "Statistic": "records",
    "Table": "table",
    "evaluate": "engine",
    "measure": "scoring",
    "read_rows": "measurement",
}

__all__ = [
    "Coded",
    "Corpus",
    "Fact",
    "Measure",
    "Measurement",
    "Rate",
    "Ratio",
    "Row",
    "Series",
    "Statistic",
    "Table",
    "evaluate",
    "measure",
    "read_rows",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
