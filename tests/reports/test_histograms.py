"""Histograms: every pair is in one bin of the table, bars are as high as their counts."""

import re

import pytest

from denotary.reports.figures.histograms import histograms
from denotary.reports.figures.spans import number


def test_bars_and_table_hold_the_counts() -> None:
    found = histograms(
        "h", "Scores", [("Same", [0, 2, 4]), ("<i>", [1, 0, 0])],
        edges=[0.0, 1.0, 2.0, 3.0], marks=[0.5, 9.0], marked="cutoffs", hides="",
    )  # fmt: skip
    assert found.head == ("score", "Same", "<i>")
    assert found.rows == (("0 to 1", "0", "1"), ("1 to 2", "2", "0"), ("2 to 3", "4", "0"))
    bars = re.search(r'd="([^"]*)" class="bar"', found.svg)
    assert bars is not None
    heights = [float(height) for height in re.findall(r"h[\d.]+v([\d.]+)h-", bars[1])]
    assert heights == pytest.approx([21.0, 42.0, 10.5])
    assert "<i>" not in found.svg
    assert dict(found.key)["limit-line"] == "cutoffs: 0.5"


def test_a_figure_that_rounds_to_nothing_has_no_sign() -> None:
    assert [number(value) for value in (-0.0, -0.0004, -0.0006, None)] == ["0.000", "0.000", "-0.001", "–"]


def test_nothing_counted_is_drawn_without_bars() -> None:
    found = histograms("h", "t", [("a", [0, 0])], edges=[0, 1, 2], marks=[], marked="", hides="")
    assert 'class="bar"' not in found.svg
