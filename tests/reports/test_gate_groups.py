"""One row a gate: its worst slice, its tally, and the slices that are printed of very many."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample import build

from denotary import words
from denotary.reports.gate_groups import GateGroup, excess, gate_groups
from denotary.reports.gate_view import gate_lines
from denotary.verdicts.records import GateResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.reports import Report
    from denotary.verdicts.records import GateVerdict


def result(
    gate: str, name: str, verdict: GateVerdict, value: float | None = 0.5, units: int = 9
) -> GateResult:
    return GateResult(
        gate=gate, title=gate.title(), measure="m", slice=name, verdict=verdict, reason="because",
        value=value, limit=0.1, units=units,
    )  # fmt: skip


def groups(report: Report, results: Sequence[GateResult], most: int = 150) -> list[GateGroup]:
    verdict = msgspec.structs.replace(report.verdict, gates=tuple(results))
    return gate_groups(results, gate_lines(replace(report, verdict=verdict)), most)


def test_slices_are_worst_first_by_verdict_then_all_cases_then_excess_then_units(report: Report) -> None:
    found = groups(
        report,
        [
            result("g", "c=1", "PASS", 0.9),
            result("g", "c=2", "FAIL", 0.3),
            result("g", "all", "FAIL", 0.2),
            result("g", "c=3", "FAIL", 0.4),
            result("g", "c=4", "INSUFFICIENT", None),
            result("g", "c=5", "INSUFFICIENT", 0.1, units=9),
            result("g", "c=6", "INSUFFICIENT", 0.1, units=3),
        ],
    )
    assert [line.slice for line in found[0].lines] == ["all", "c=3", "c=2", "c=6", "c=5", "c=4", "c=1"]
    assert found[0].worst.slice == "all"
    assert found[0].tally == "3 fail, 3 insufficient evidence, 1 pass"


@pytest.mark.parametrize(("side", "expected"), [("upper", 0.4), ("lower", -0.4)])
def test_the_excess_is_on_the_bad_side_of_the_limit(side: str, expected: float) -> None:
    assert excess(msgspec.structs.replace(result("g", "all", "FAIL"), side=side)) == pytest.approx(expected)
    assert excess(result("g", "all", "FAIL", None)) == float("-inf")


def test_a_gate_of_one_slice_has_nothing_behind_it(report: Report) -> None:
    (found,) = groups(report, [result("g", "c=1", "FAIL")])
    assert (found.lines, found.left_out, [line.slice for line in found.printed]) == ((), 0, ["c=1"])


def test_a_large_gate_does_not_crowd_out_the_slices_of_a_small_one(report: Report) -> None:
    results = [result("large", f"c={i:03d}", "FAIL" if i < 200 else "INSUFFICIENT") for i in range(300)]
    results += [result("small", name, "INSUFFICIENT") for name in ("all", "c=a", "c=b")]
    large, small = groups(report, results)
    assert (len(large.lines), len(small.lines)) == (147, 3)
    assert (large.left_out, large.verdicts_left_out) == (153, ("fail", "insufficient"))
    assert large.tally == "200 fail, 100 insufficient evidence"


SMALL = build(20)
GATES = st.tuples(
    st.sampled_from("abc"),
    st.sampled_from(words.VERDICT_ORDER),
    st.none() | st.floats(0, 1),
    st.integers(0, 9),
)


@given(st.lists(GATES, min_size=1, max_size=60), st.integers(3, 30))
def test_every_gate_is_told_by_its_worst_and_every_result_is_printed_or_counted(
    drawn: list[tuple[str, GateVerdict, float | None, int]], most: int
) -> None:
    results = [
        result(gate, f"c={i}", verdict, value, units) for i, (gate, verdict, value, units) in enumerate(drawn)
    ]
    found = groups(SMALL, results, most)
    assert [group.worst.gate for group in found] == list(dict.fromkeys(gate for gate, *_ in drawn))
    assert sum(group.slices for group in found) == len(drawn)
    assert sum(len(group.printed) for group in found) == min(most, len(drawn))
    for group in found:
        orders = [words.VERDICT_ORDER.index(r.verdict) for r in results if r.gate == group.worst.gate]
        assert [line.order for line in group.printed] == sorted(orders)[: len(group.printed)]
        assert bool(group.verdicts_left_out) == (group.left_out > 0)
