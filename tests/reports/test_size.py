"""How large a page may be, and how long it may take."""

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise

import msgspec
import pytest

from denotary.measures.records import Row, Series
from denotary.reports import Report, html


def test_a_thousand_cases_make_at_most_400_kilobytes_within_a_second(report: Report, page_text: str) -> None:
    assert report.cases is not None
    assert len(report.cases) == 1000
    assert len(page_text.encode()) <= 400_000
    best = min(_seconds(report) for _ in range(3))
    assert best <= 1.0


def _seconds(report: Report) -> float:
    start = time.process_time()
    html(report)
    return time.process_time() - start


def enlarged(report: Report, concepts: int) -> tuple[tuple[Row, ...], tuple[Series, ...]]:
    """Return the rows and series of a registry of so many concepts, each with the rows of one."""
    names = [f"area.concept_number_{index}" for index in range(concepts)]
    other = [row for row in report.rows if not row.slice.startswith("concept=")]
    one = [row for row in report.rows if row.slice == "concept=representation.hard_negative"]
    rows = [msgspec.structs.replace(row, slice=f"concept={name}") for name in names for row in one]
    pairs = ((a, b, "sibling", 9, i % 3) for i, (a, b) in enumerate(pairwise(names)))
    answers = ((a, b, "code", 5, 5) for a in names for b in names[: 1 + len(a) % 7])
    floors = (("concept", name, "known single", 3, 50) for name in names)
    return (*other, *rows), (
        series("neighbours", ("target", "neighbour", "type", "cases", "confused"), pairs),
        series("confusion", ("expected", "answered", "kind", "cases", "units"), answers),
        series("floors", ("axis", "group", "floor", "have", "need"), floors),
    )


def series(name: str, columns: tuple[str, ...], rows: Iterable[tuple[str | int, ...]]) -> Series:
    return Series(instrument="identity", series=name, slice="all", columns=columns, rows=tuple(rows))


def test_a_million_cases_of_a_thousand_concepts_make_at_most_a_megabyte_and_a_half(
    make: Callable[..., Report],
) -> None:
    report = make(6_000)
    rows, series = enlarged(report, 1000)
    text = html(replace(report, rows=rows, series=series, cases_total=1_000_000, planned=1_000_000))
    assert len(text.encode()) <= 1_500_000
    assert "cases are on this page, failures first" in text


@pytest.mark.parametrize("count", [1, 2, 17])
def test_small_suites_have_a_page(make: Callable[..., Report], count: int) -> None:
    assert "</html>" in html(make(count))


def test_a_code_of_a_megabyte_does_not_make_a_large_page(make: Callable[..., Report]) -> None:
    """A system may answer what it likes; each of the failures printed as text would hold it once more."""
    report = make(17)
    assert report.cases is not None
    long = tuple(replace(case, outcome="wrong", answer="x" * 1_000_000) for case in report.cases)
    assert len(html(replace(report, cases=long)).encode()) <= 400_000
