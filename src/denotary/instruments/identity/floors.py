"""Evidence floors: how much of each kind of case a concept or language needs before anything is said of it.

Reviewed expressions count towards none: looking one up is no evidence of how another text is read. A group
below its floors is INSUFFICIENT and leaves averages over groups; pooled rates and worst groups keep its cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.instruments.identity.case_columns import ALL_DISPOSITIONS
from denotary.instruments.identity.tracks import semantic
from denotary.measures.records import Floor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denotary.measures.table import BoolArray, Coded

CONCEPT: Final = {"known single": 50, "boundary or hard negative": 30, "abstention": 20}
"""Cases that a concept needs, by kind."""

LANGUAGE: Final = {
    "known single": 100,
    "neighbour or contrast": 50,
    "unknown, ambiguous, underspecified": 50,
    "robustness": 50,
}
"""Cases that a language needs, by kind."""


def floors(plain: Mapping[str, Any], coded: Mapping[str, Coded]) -> list[Floor]:
    """Return every floor of every group that holds a case, by axis, group and floor.

    Args:
        plain: the boolean columns of the table, ``boundary`` and ``robustness`` among them.
        coded: its text columns.
    """
    disposition, counted = coded["disposition"].codes, semantic(coded["family"])
    gold = {name: counted & (disposition == number) for number, name in enumerate(ALL_DISPOSITIONS)}
    boundary = counted & plain["boundary"]
    asks_refusal = gold["UNKNOWN_REGISTRY"] | gold["AMBIGUOUS"] | gold["UNDERSPECIFIED"]
    masks: dict[str, dict[str, BoolArray]] = {
        "concept": {
            "known single": gold["SINGLE"],
            "boundary or hard negative": boundary,
            "abstention": asks_refusal | gold["MIXED"],
        },
        "language": {
            "known single": gold["SINGLE"],
            "neighbour or contrast": boundary,
            "unknown, ambiguous, underspecified": asks_refusal,
            "robustness": counted & plain["robustness"],
        },
    }
    needs = {"concept": CONCEPT, "language": LANGUAGE}
    return [
        floor
        for axis, kinds in needs.items()
        for floor in _of_axis(axis, coded[axis], {name: (masks[axis][name], kinds[name]) for name in kinds})
    ]


def _of_axis(axis: str, column: Coded, kinds: Mapping[str, tuple[BoolArray, int]]) -> list[Floor]:
    size = len(column.labels)
    held = np.bincount(column.codes, minlength=size)
    have = {name: np.bincount(column.codes[mask], minlength=size) for name, (mask, _) in kinds.items()}
    return [
        Floor(axis, label, name, int(have[name][index]), need)
        for index, label in enumerate(column.labels)
        if label and held[index]
        for name, (_, need) in kinds.items()
    ]


def sufficient(found: list[Floor]) -> dict[str, frozenset[str]]:
    """Return, by axis, the groups that meet all of their floors."""
    short = {(floor.axis, floor.group) for floor in found if floor.have < floor.need}
    return {
        axis: frozenset(f.group for f in found if f.axis == axis and (axis, f.group) not in short)
        for axis in ("concept", "language")
    }
