"""Tables of something else than cases, for measures of which a case can be part more than once.

* ``neighbours``: one row a case and neighbour that it names. ``pair`` is the ordered pair of what is right (the one
  code, else the disposition) and the neighbour; ``confused`` says that the neighbour was assigned.
* ``neighbourhoods``: one row a case without one right code and ``concept`` in whose neighbourhood it lies: the one
  that it was written for, those that it could mean, and the neighbours that it names.
* ``translations``: one row an ordered pair of members of an aligned seed in two languages, with the ``language`` of
  the first; ``alike`` says that they were decided alike, ``both_correct`` that both were decided rightly.

They hold the cases of the semantic track alone. Each row keeps its unit, and ``answered``, ``unanswered``,
``assigned``, ``wrong_assignment``, ``disposition``, ``language`` and ``outcome`` of its case; a pair is answered where
both members are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.instruments.identity.case_columns import ALL_DISPOSITIONS, unpack
from denotary.instruments.identity.tracks import semantic
from denotary.measures.table import Coded, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denotary.instruments.identity.answer_columns import AnswerColumns
    from denotary.instruments.identity.case_columns import CaseColumns
    from denotary.instruments.identity.pair_columns import Links
    from denotary.measures.table import BoolArray, IntArray

ARROW: Final = " → "
"""Stands between the two names of a pair."""
_PLAIN: Final = ("answered", "unanswered", "assigned", "wrong_assignment")
_CODED: Final = ("disposition", "language", "outcome")


@dataclass(frozen=True, slots=True)
class Joined:
    """What the related tables are made from.

    Attributes:
        cases: columns of the cases.
        given: columns of the answers.
        together: how the cases belong together.
        plain: boolean columns of the joined table.
        coded: its text columns.
    """

    cases: CaseColumns
    given: AnswerColumns
    together: Links
    plain: Mapping[str, Any]
    coded: Mapping[str, Coded]

    @property
    def counted(self) -> BoolArray:
        """Which cases are of the semantic track, shape (N,)."""
        return semantic(self.coded["family"])

    def rows(self, rows: IntArray, plain: Mapping[str, BoolArray], coded: Mapping[str, Coded]) -> Table:
        """Return a table of some rows, each as often as it stands there, with further or other columns."""
        kept = {name: self.plain[name][rows] for name in _PLAIN} | dict(plain)
        named = {name: Coded(self.coded[name].codes[rows], self.coded[name].labels) for name in _CODED}
        return Table(self.cases.unit[rows], kept, named | dict(coded))


def related_tables(joined: Joined) -> dict[str, Table]:
    """Return the related tables by name."""
    return {
        "neighbours": _neighbours(joined),
        "neighbourhoods": _neighbourhoods(joined),
        "translations": _translations(joined),
    }


def registered(cases: CaseColumns, codes: IntArray) -> Coded:
    """Return codes as a text column; a code that is not registered, and -1, have no label."""
    names = cases.codes.labels()[: cases.registered]
    # Codes are numbered in the order of their names, the registered ones first.
    return Coded(np.where(codes < cases.registered, codes, -1).astype(np.int32), tuple(names))


def _neighbours(joined: Joined) -> Table:
    cases = joined.cases
    rows, neighbour = unpack(cases.neighbours)
    inside = joined.counted[rows]
    rows, neighbour = rows[inside], neighbour[inside]
    single = cases.gold[rows] >= 0
    names = cases.codes.labels()
    target = np.where(single, cases.gold[rows], len(names) + joined.coded["disposition"].codes[rows])
    pairs, place = np.unique(target * len(names) + neighbour, return_inverse=True)
    called = [*names, *ALL_DISPOSITIONS]
    labels = [f"{called[pair // len(names)]}{ARROW}{names[pair % len(names)]}" for pair in pairs.tolist()]
    confused = joined.plain["assigned"][rows] & (joined.given.code[rows] == neighbour)
    return joined.rows(rows, {"confused": confused}, {"pair": Coded(place.astype(np.int32), tuple(labels))})


def _neighbourhoods(joined: Joined) -> Table:
    cases = joined.cases
    near = np.flatnonzero(cases.neighbourhood >= 0)
    packed = np.concatenate(
        [cases.acceptable, cases.neighbours, (near << 32) + cases.neighbourhood[near] + 1]
    )
    rows, code = unpack(np.unique(packed))
    several = (cases.gold[rows] < 0) & joined.counted[rows]
    return joined.rows(rows[several], {}, {"concept": registered(cases, code[several])})


def _translations(joined: Joined) -> Table:
    """Return every ordered pair of members of one aligned seed whose languages differ."""
    aligned, language = joined.together.aligned, joined.coded["language"].codes
    size = np.diff(aligned.starts, append=len(aligned.rows))[aligned.owner]
    first = np.repeat(np.arange(len(aligned.rows)), size)
    within = np.arange(len(first)) - np.repeat(np.cumsum(size) - size, size)
    a, b = aligned.rows[first], aligned.rows[aligned.starts[aligned.owner[first]] + within]
    differ = (language[a] != language[b]) & joined.counted[a]
    a, b = a[differ], b[differ]
    answered, correct, decision = joined.plain["answered"], joined.plain["correct"], joined.given.decision
    both = answered[a] & answered[b]
    columns = {
        "answered": both,
        "unanswered": ~both,
        "alike": both & (decision[a] == decision[b]),
        "both_correct": correct[a] & correct[b],
    }
    return joined.rows(a, columns, {})
