"""Type counts against counting in plain Python."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denotary.measures import counts

ROW = st.tuples(st.integers(0, 4), st.integers(-1, 2), st.booleans(), st.booleans(), st.booleans())


@given(st.lists(ROW, max_size=30))
@settings(max_examples=150, deadline=None)
def test_types_are_those_of_a_loop(rows: list[Any]) -> None:
    unit, key, among, event, population = (np.asarray([row[i] for row in rows]) for i in range(5))
    groups = counts.group(unit.astype(int), key.astype(int), 3, among.astype(bool))
    event, population = event.astype(bool), population.astype(bool)
    found = counts.types(groups, groups.size, groups.fold(event & population), groups.fold(population))
    cells: dict[Any, list[int]] = {}
    for u, k, inside, e, p in rows:
        if inside and k >= 0:
            cell = cells.setdefault((k, u), [0, 0, 0])
            cell[0] += e and p
            cell[1] += p
            cell[2] += 1
    expected = Counter((k, *cell) for (k, _), cell in cells.items() if cell[1])
    columns = (found.key, found.numerator, found.denominator, found.size, found.count)
    got = {
        tuple(vector[:4]): vector[4] for vector in zip(*(column.tolist() for column in columns), strict=True)
    }
    assert got == dict(expected)
    assert found.key.tolist() == sorted(found.key.tolist())
    totals = groups.total(groups.fold(event & population)).tolist()
    assert totals == [sum(cell[0] for (k, _), cell in cells.items() if k == key_) for key_ in range(3)]


@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 0), st.integers(-1, 6)), max_size=20))
def test_crossing_axes_can_be_undone(rows: list[tuple[int, int, int]]) -> None:
    keys = [(np.asarray([row[i] for row in rows], dtype=int), number) for i, number in enumerate((4, 1, 7))]
    combined, span = counts.crossed(keys)
    assert span == 5 * 2 * 8
    assert all(0 <= value < span for value in combined.tolist())
    for (key, _), back in zip(keys, counts.uncrossed(combined, keys), strict=True):
        assert back.tolist() == key.tolist()


def test_no_axes() -> None:
    assert counts.crossed([])[1] == 1


@pytest.mark.parametrize("histogram", [0, 1 << 24])
def test_a_large_span_is_sorted_instead_of_tabulated(histogram: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "_HISTOGRAM", histogram)
    groups = counts.group(np.repeat(np.arange(3), 4), np.zeros(12, dtype=int), 1)
    flag = np.arange(12) % 3 == 0
    found = counts.types(groups, groups.size, groups.fold(flag), groups.size)
    vectors = zip(
        found.numerator.tolist(),
        found.denominator.tolist(),
        found.size.tolist(),
        found.count.tolist(),
        strict=True,
    )
    assert list(vectors) == [(1, 4, 4, 2), (2, 4, 4, 1)]


def test_a_span_beyond_64_bits_is_counted_row_by_row() -> None:
    big = 1 << 31
    vectors = [np.asarray([1, 0, 1]), np.asarray([big, 5, big]), np.asarray([7, 3, 7])]
    columns, count = counts.distinct(vectors, [2, big + 1, big])
    assert [column.tolist() for column in columns] == [[0, 1], [5, big], [3, 7]]
    assert count.tolist() == [1, 2]


@pytest.mark.parametrize("units", [[], [3], [1, 1, 2], [2, 1, 2, 2], [5, 4, 3]])
def test_distinct_units_are_counted_in_any_order(units: list[int]) -> None:
    assert counts.count_distinct(np.asarray(units, dtype=np.int64)) == len(set(units))
