"""What the figures draw: places on axes, marks that agree with the numbers, and nothing left out unsaid."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.measures.records import Row, Series
from denotary.reports import Report
from denotary.reports.figures import confidence, confusion, curves, graph
from denotary.reports.figures.floors import floors
from denotary.reports.figures.gates import gate_matrix
from denotary.reports.figures.intervals import intervals
from denotary.reports.figures.outcomes import outcome_bar
from denotary.reports.figures.scales import GUTTER, Scale, scale
from denotary.reports.figures.strip import strip
from denotary.reports.figures.svg import Canvas, Figure, place, short_names
from denotary.words import fit

SHARES = st.floats(0, 1, allow_nan=False)


def series(name: str, columns: tuple[str, ...], *rows: tuple[Any, ...]) -> Series:
    return Series(instrument="i", series=name, slice="all", columns=columns, rows=rows)


def paths(figure: Figure, cls: str) -> list[str]:
    return re.findall(rf'<path d="([^"]*)" class="{cls}"/>', figure.svg)


def texts(figure: Figure) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", figure.svg)


@given(st.lists(SHARES, min_size=1), st.booleans())
def test_an_axis_keeps_order_and_stays_within_its_ends(values: list[float], small: bool) -> None:
    axis = scale(values, 100.0, 500.0, small=small)
    placed = [axis.at(value) for value in sorted(values)]
    assert placed == sorted(placed)
    assert all(100.0 <= x <= 500.0 for x in placed)
    assert axis.at(1.0) == 500.0


@given(st.lists(SHARES, min_size=1))
def test_zero_has_a_place_of_its_own_on_a_logarithm(values: list[float]) -> None:
    axis = scale(values, 0.0, 400.0, small=True)
    assert axis.at(0.0) < GUTTER
    assert all(axis.at(value) >= GUTTER for value in values if value > 0)
    assert axis.ticks()[0] == 0.0


def test_a_decade_on_a_logarithm_is_as_long_as_the_next() -> None:
    axis = scale([0.001], 0.0, 344.0, small=True)
    steps = [axis.at(0.01) - axis.at(0.001), axis.at(0.1) - axis.at(0.01), axis.at(1.0) - axis.at(0.1)]
    assert steps == pytest.approx([100.0, 100.0, 100.0])


@given(st.lists(st.floats(0.0, 1.0), min_size=1))
def test_a_linear_axis_that_begins_above_zero_leaves_no_value_out(values: list[float]) -> None:
    axis = scale(values, 0.0, 1.0, small=False)
    assert axis.low <= min(values)
    assert axis.ticks()[0] == axis.low


@given(st.text(), st.integers(3, 40))
def test_a_label_is_cut_in_its_middle(label: str, most: int) -> None:
    cut = fit(label, most)
    assert len(cut) <= most
    assert (cut == label) == (len(label) <= most)
    if cut != label:
        assert label.startswith(cut.split("…")[0])


def test_names_are_short_only_where_they_stay_apart() -> None:
    assert short_names(["a.x", "b.y", "c.x", "d."]) == {"a.x": "a.x", "b.y": "y", "c.x": "c.x", "d.": "d."}


def test_places_are_written_without_noise() -> None:
    assert [place(v) for v in (1.0, 1.25, -0.01, 12.34)] == ["1", "1.2", "0", "12.3"]


def test_a_canvas_writes_each_class_once_and_escapes_text() -> None:
    canvas = Canvas()
    canvas.line(0, 0, 10, 0, "grid")
    canvas.line(0, 5, 10, 5, "grid")
    canvas.text(1, 2, "<b>\u202e")
    svg = canvas.drawing("n", "t<", "d", 20)
    assert svg.count('class="grid"') == 1
    assert "&lt;b&gt;⟨U+202E⟩" in svg
    assert "t&lt;" in svg


def row(measure: str, k: int, n: int, **more: Any) -> Row:
    usual: dict[str, Any] = {
        "instrument": "i",
        "measure": measure,
        "slice": "all",
        "numerator": k,
        "denominator": n,
        "answered_numerator": k,
        "answered_denominator": n,
        "units": n,
        "unit_kind": "seed",
        "value": k / n if n else None,
        "low": 0.01,
        "high": 0.2,
        "interval": "w",
        "bound": 0.3,
        "bound_method": "b",
        "status": "SUFFICIENT",
        "direction": "lower",
        "hides": "h",
        "panel": "p",
    }
    return Row(**usual | more)


def drawn(*rows: Row, **limits: float) -> Figure:
    figure = intervals("f", "t", rows, {}, limits)
    assert figure is not None
    return figure


def test_the_dot_plot_marks_value_interval_bound_and_limit() -> None:
    figure = drawn(row("a", 5, 100), a=0.001)
    axis = scale([0.05, 0.01, 0.3, 0.001], 220.0, 592.0, small=True)
    assert paths(figure, "dot") == [f"M{place(axis.at(0.05))} 17h0"]
    assert paths(figure, "ci") == [f"M{place(axis.at(0.01))} 17H{place(axis.at(0.2))}"]
    assert paths(figure, "limit") == [f"M{place(axis.at(0.001))} 6V28"]
    assert paths(figure, "bound") == [f"M{place(axis.at(0.3) - 5)} 10h5v14h-5"]


def test_the_bracket_of_a_bound_closes_on_the_bad_side() -> None:
    assert paths(drawn(row("a", 5, 100)), "bound")[0].endswith("h5v14h-5")
    assert paths(drawn(row("a", 5, 100, direction="higher")), "bound")[0].endswith("h-5v14h5")


def test_a_value_of_zero_is_hollow() -> None:
    figure = drawn(row("a", 0, 100))
    assert paths(figure, "dot hollow")
    assert not paths(figure, "dot")


def test_measures_without_a_value_or_that_are_no_shares_are_not_drawn() -> None:
    statistic = row("b", 1, 2, numerator=None, denominator=None)
    assert intervals("f", "t", [row("a", 0, 0), statistic], {}, {}) is None


def test_the_dot_plot_says_how_few_units_there_are_and_where_its_axis_begins() -> None:
    figure = drawn(
        row("a", 99, 100, direction="higher", bound=0.97, low=0.96),
        row("b", 97, 98, direction="higher", bound=0.97, low=0.96),
    )
    assert "98 independent units for the smallest" in figure.hides
    assert "The axis begins at 95 %." in figure.hides
    assert "logarithmic" in drawn(row("a", 1, 100)).hides


def test_the_gate_matrix_has_a_shape_for_every_result(report: Report) -> None:
    figure = gate_matrix(report.verdict.gates)
    shapes = re.findall(r'href="#i-(\w+)"', figure.svg)
    assert sorted(shapes) == sorted(gate.verdict.lower() for gate in report.verdict.gates)


def test_of_many_slices_the_gate_matrix_draws_the_worst_and_says_so(report: Report) -> None:
    one = report.verdict.gates[0]
    gates = [msgspec.structs.replace(one, slice="all", verdict="PASS")]
    gates += [
        msgspec.structs.replace(
            one,
            slice=f"language=l{i:02d}",
            side="upper",
            limit=0.0,
            value=i / 40,
            verdict="FAIL" if i > 29 else "PASS",
        )
        for i in range(40)
    ]
    figure = gate_matrix(gates)
    assert figure.svg.count("#i-fail") == 10
    assert figure.svg.count("<use") == 24
    drawn = [text for text in texts(figure) if text == "all" or re.fullmatch(r"l\d\d", text)]
    assert drawn == ["all", *(f"l{i}" for i in range(39, 16, -1))]
    assert "Drawn are the 24 worst of 41 slices" in figure.hides


def test_no_gate_is_without_a_mark_however_many_slices_are_worse(report: Report) -> None:
    one = report.verdict.gates[0]
    gates = [msgspec.structs.replace(one, slice=f"concept=c{i}", verdict="FAIL") for i in range(60)]
    gates += [
        msgspec.structs.replace(one, gate="other", slice="language:advertised", verdict="INSUFFICIENT"),
    ]
    figure = gate_matrix(gates)
    assert figure.svg.count("#i-insufficient") == 1
    assert figure.svg.count("#i-fail") == 23
    assert "advertised language" in texts(figure)


def test_the_outcome_bar_is_as_wide_as_the_plan(report: Report) -> None:
    figure = outcome_bar(report.outcomes, report.planned)
    widths = [float(w) + 1 for w in re.findall(r"h([\d.]+)v34", figure.svg)]
    assert len(widths) == sum(count > 0 for count in report.outcomes.values())
    assert sum(widths) == pytest.approx(720, abs=0.5)
    assert min(widths) >= 2


def test_floors_count_and_mark_what_is_short() -> None:
    data = series(
        "floors",
        ("axis", "group", "floor", "have", "need"),
        ("language", "en", "single", 120, 100),
        ("language", "hi", "single", 20, 100),
        ("concept", "c", "x", 1, 1),
    )
    figure = floors(data, "language")
    assert figure is not None
    assert {"120/100", "20/100"} <= set(texts(figure))
    assert len(paths(figure, "bar")) == len(paths(figure, "bar short")) == 1
    assert figure.svg.count("#i-pass") == figure.svg.count("#i-insufficient") == 1
    assert figure.rows == (("en", "120 of 100"), ("hi", "20 of 100"))
    assert floors(data, "family") is None


def test_the_strip_says_no_evidence_where_there_is_none(report: Report) -> None:
    rows = [
        r
        for r in report.rows
        if r.slice.startswith("language=") and r.measure in ("unknown_far", "assignment_risk")
    ]
    empty = msgspec.structs.replace(
        rows[0], value=None, denominator=0, numerator=0, low=None, high=None, bound=None
    )
    figure = strip("language", [empty, *rows[1:]], {}, {"unknown_far": 0.001})
    assert figure is not None
    assert texts(figure).count("no evidence") == 1
    languages = {r.slice.partition("=")[2] for r in rows}
    assert languages <= set(texts(figure))
    assert len(figure.rows) == len(languages)
    limits = sum(r.measure == "unknown_far" and r.value is not None for r in [empty, *rows[1:]])
    assert "".join(paths(figure, "limit")).count("M") == limits


CONFUSION = ("expected", "answered", "kind", "cases", "units")


def test_the_confusion_matrix_holds_every_count_and_columns_for_refusals() -> None:
    data = series(
        "confusion", CONFUSION,
        ("a.x", "a.x", "code", 7, 7), ("a.x", "a.y", "code", 2, 2), ("a.y", "a.y", "code", 5, 5),
        ("UNKNOWN", "a.x", "code", 1, 1), ("UNKNOWN", "UNKNOWN", "refusal", 9, 9),
        ("a.y", "timeout", "unanswered", 3, 3),
    )  # fmt: skip
    figure = confusion.confusion(data)
    assert figure is not None
    assert sorted(t for t in texts(figure) if t.isdigit() and t not in "123") == ["5", "7", "9"]
    assert {"x", "y", "UNKNOWN", "Unknown", "Timeout"} <= set(texts(figure))
    assert [len(paths(figure, f"m-right s{i}")) for i in (2, 3)] == [1, 1]
    assert sum(len(paths(figure, f"m-wrong s{i}")) for i in range(4)) == 1
    assert len(paths(figure, "m-lost")) == 1
    assert figure.rows[0] == ("a.x", "a.y", "code", "2", "2")
    assert len(figure.rows) == 6


def test_of_many_concepts_the_most_confused_are_drawn() -> None:
    rows: list[tuple[Any, ...]] = [(f"c{i:02d}", f"c{i:02d}", "code", 9, 9) for i in range(60)]
    rows.append(("c59", "c00", "code", 4, 4))
    figure = confusion.confusion(series("confusion", CONFUSION, *rows))
    assert figure is not None
    assert "c59" in texts(figure)
    assert "34 rows with fewer errors are in the table only" in figure.hides
    assert confusion.confusion(series("confusion", CONFUSION)) is None


def test_risk_coverage_marks_the_operating_point_its_bound_and_the_limit() -> None:
    curve = series(
        "risk_coverage",
        curves.RISK_COVERAGE,
        (0.9, 0.2, 0.0, 0.02),
        (0.5, 0.8, 0.01, 0.03),
        (0.1, 1.0, 0.05, 0.08),
    )
    point = series("operating_point", curves.RISK_COVERAGE, (0.5, 0.8, 0.01, 0.03))
    figure = curves.risk_coverage(curve, point, 0.001)
    assert figure is not None
    up, across = Scale(300.0, 14.0, high=0.1), Scale(64.0, 696.0)
    x = place(across.at(0.8))
    assert paths(figure, "point") == [f"M{x} {place(up.at(0.01))}h0"]
    assert paths(figure, "point-range")[0].startswith(f"M{x} {place(up.at(0.03))}V{place(up.at(0.01))}")
    assert paths(figure, "limit-line") == [f"M64 {place(up.at(0.001))}H696"]
    assert "t = 0.5: risk 1 %, bound 3 %" in texts(figure)
    assert "not a guarantee" in figure.hides
    without = curves.risk_coverage(curve, None, None)
    assert without is not None
    assert "No production threshold is declared" in without.svg
    assert not paths(without, "point")


def test_reliability_draws_a_dot_a_bin_that_holds_cases(report: Report) -> None:
    data = next(s for s in report.series if s.series == "reliability")
    figure = confidence.reliability(data)
    assert figure is not None
    assert paths(figure, "dot")[0].count("h0") == len(data.rows)
    assert "The smallest bin holds" in figure.hides
    empty = series("reliability", confidence.RELIABILITY, (0.0, 0.1, 0, None, None, None, None))
    assert confidence.reliability(empty) is None


def test_error_confidence_counts_both_sides() -> None:
    figure = confidence.error_confidence(
        series("error_confidence", confidence.ERROR_CONFIDENCE, (0.8, 0.9, 3, 40), (0.9, 1.0, 0, 0))
    )
    assert figure is not None
    assert {"3", "40", "0.8 to 0.9"} <= set(texts(figure))
    assert figure.rows == (("0.8", "0.9", "3", "40"),)


def test_the_graph_draws_an_arrow_a_confusion_and_tells_untested_pairs(report: Report) -> None:
    data = next(s for s in report.series if s.series == "neighbours")
    figure = graph.neighbourhood(data)
    assert figure is not None
    confused = [r for r in data.rows if r[4]]
    assert len(re.findall(r'class="arrow w\d"', figure.svg)) == len(confused) > 0
    assert "".join(paths(figure, "edge untested")).count("M") == sum(not r[3] for r in data.rows) == 2
    assert "2 of 14 declared pairs tested by no case" in figure.hides
    assert figure.rows[0][4] == str(max(int(r[4] or 0) for r in data.rows))


def test_figures_over_a_slice_are_not_taken_for_those_over_all_cases(make: Callable[..., Report]) -> None:
    from denotary.reports.group_view import series_named

    report = make(60)
    part = tuple(msgspec.structs.replace(s, slice="language=hi") for s in report.series)
    assert series_named(replace(report, series=part), "confusion", confusion.COLUMNS) is None
