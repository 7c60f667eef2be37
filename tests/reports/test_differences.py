"""The figure of paired differences and the summary on a terminal."""

import io
import re
from typing import Any

import msgspec
import pytest
from sample_comparison import ROWS, SENTENCE, build, row

from denotary import words
from denotary.reports.comparison_console import terminal
from denotary.reports.figures.differences import differences
from denotary.reports.figures.svg import Figure


def figure(*rows: Any, limits: dict[tuple[str, str], float] | None = None) -> Figure:
    found = differences("f", "F", rows, [r.slice for r in rows], limits or {})
    assert found is not None
    return found


def dots(found: Figure, kind: str = "dot") -> list[float]:
    """Return the places of dots, from the top."""
    return [
        float(x)
        for path in re.findall(rf'<path d="([^"]*)" class="{kind}"/>', found.svg)
        for x in re.findall(r"M([\d.]+) [\d.]+h0", path)
    ]


def axis(found: Figure) -> dict[str, float]:
    """Return the place of every number on the axis."""
    ticks = found.svg.split('<g class="tick" text-anchor="middle">')[1].split("</g>")[0]
    return {said: float(x) for x, said in re.findall(r'<text x="([\d.]+)"[^>]*>([+-]?[\d.]+)</text>', ticks)}


def test_places_are_those_of_the_axis() -> None:
    found = figure(
        row("assignment_risk", "all", 0, 0, 5, 95), row("assignment_risk", "language=en", 5, 0, 0, 95)
    )
    ends = axis(found)
    assert {"0", "+10", "+5"} <= set(ends)
    assert dots(found) == pytest.approx([ends["+5"], 2 * ends["0"] - ends["+5"]])


def test_right_is_worse_whatever_the_direction() -> None:
    harm, merit = row("assignment_risk", "all", 0, 0, 5, 95), row("coverage", "all", 5, 0, 0, 95)
    assert (harm.difference, merit.difference) == (0.05, -0.05)
    first, second = dots(figure(harm, merit))
    assert first == second
    assert "mirrored" in figure(harm, merit).hides


def test_a_line_in_which_nothing_differs_is_hollow_and_too_few_units_are_said() -> None:
    found = figure(
        row("assignment_risk", "all", 0, 3, 0, 97), row("assignment_risk", "language=en", 0, 0, 6, 94)
    )
    assert (len(dots(found, "dot hollow")), len(dots(found))) == (1, 1)
    # 2 (1/2)^6 = 0.031 can be significant, 1 cannot.
    assert "In 1 of 2 lines too few units differ for any test to find anything." in found.hides
    assert "a short line is not equivalence" in found.hides


def test_tolerances_fit_on_the_axis_and_far_bounds_become_arrows() -> None:
    near = row("assignment_risk", "all", 0, 0, 1, 999)
    far = row("assignment_risk", "all", 0, 0, 1, 999, upper_bound=0.9)
    inside, outside = figure(near, limits={("assignment_risk", "all"): 0.02}), figure(far)
    assert "+2" in axis(inside)
    assert inside.svg.count('class="limit"') == 1
    assert re.search(r'd="M[\d. ]+h5v14h-5" class="bound"', inside.svg)
    assert re.search(r'd="M[\d. ]+l5 5l-5 5" class="bound"', outside.svg)


def test_counts_stand_beside_each_line_and_nothing_is_drawn_of_nothing() -> None:
    assert "58 / 0 / 201" in figure(ROWS[4]).svg
    assert differences("f", "F", [ROWS[5]], ["ja"], {}) is None


def printed(report: Any) -> str:
    stream = io.StringIO()
    terminal(report, stream)
    return stream.getvalue()


def test_the_terminal_says_decision_recertification_and_what_moved_most() -> None:
    report = build(40)
    lines = [line.split(None, 1) for line in printed(report).splitlines() if line]
    assert lines[0] == ["BLOCK", f"{words.DECISIONS['BLOCK']}. {words.why(report.verdict)}"]
    assert lines[1] == ["Recertification", words.sentence_case(SENTENCE)]
    assert ["compared", "1,000 cases, 1,000 seeds"] in lines
    moved = [said for mark, said in (line for line in lines if len(line) == 2) if mark == "moved"]
    assert moved[0].startswith("Authoritative risk: +5.9 pp (60 worse, 1 better of 1,000 seeds")
    assert moved[1].startswith("Coverage: -2.8 pp")
    assert len(moved) == 2


def test_many_measures_are_counted_rather_than_listed() -> None:
    rows = tuple(
        msgspec.structs.replace(row("assignment_risk", "all", 0, 0, i + 1, 99), measure=f"m{i:02}")
        for i in range(11)
    )
    text = printed(build(40, rows=rows))
    assert "3 more are in the report." in text
    assert text.index("M10") < text.index("M09")


@pytest.mark.parametrize("code", ["recertification", "marks"])
def test_nothing_is_said_of_what_is_not_there(code: str) -> None:
    text = printed(build(40, recertification=""))
    assert {"recertification": "Recertification", "marks": "Illustrative"}[code] not in text
