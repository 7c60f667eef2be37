"""The fewest units of a PASS grow with the looks: in gates, plans and reports, for gates that tolerate nothing too."""

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from denotary.instruments.identity.instrument import INSTRUMENT
from denotary.reports.gate_view import gate_lines
from denotary.verdicts.gates import Evidence, judge_gate
from denotary.verdicts.policies import load_policy
from denotary.verdicts.prospects import prospect
from denotary.words import gate_limit

Build = Callable[..., Any]


def least(limit: float, alpha: float, looks: int) -> int:
    """The fewest n with (1 - limit)^n <= alpha / K."""
    return math.ceil(math.log(alpha / looks) / math.log(1.0 - limit))


@pytest.mark.parametrize(("limit", "looks"), [(0.001, 1), (0.001, 3), (0.01, 3), (0.05, 2), (0.01, 10)])
@pytest.mark.parametrize("kind", ["zero", "bound"])
def test_no_gate_passes_with_fewer_units_than_its_share_of_alpha_demands(
    row: Build, measurement: Build, gate: Build, policy: Build, kind: str, limit: float, looks: int
) -> None:
    due = least(limit, 0.05, looks)
    asked = gate(kind=kind, limit=limit, minimum_units=least(limit, 0.05, 1))
    for units, verdict in ((due - 1, "INSUFFICIENT"), (due, "PASS")):
        found = measurement(row([(0, 1, 1, units)]), looks=looks)
        result = next(judge_gate(asked, Evidence(found, alpha=0.05 / looks)))
        assert (result.verdict, result.minimum_units) == (verdict, due)
        assert result.needed == ("" if verdict == "PASS" else "1 more seed, none failing")
        told = SimpleNamespace(
            policy=policy(asked), verdict=SimpleNamespace(gates=[result]), unit_kind="seed"
        )
        line = gate_lines(told)[0]
        compared = "at least" if verdict == "PASS" else "fewer than"
        assert line.evidence.startswith(f"{compared} the {due:,} seeds it requires")


@pytest.mark.parametrize("looks", [1, 3])
def test_a_plan_asks_for_the_units_with_which_the_gate_passes(
    row: Build, measurement: Build, gate: Build, looks: int
) -> None:
    asked, alpha = gate(kind="zero", limit=0.01, minimum_units=299), 0.05 / looks
    needs = prospect(asked, "all", alpha=alpha).needs
    assert [need.units for need in needs] == [least(0.01, 0.05, looks)]
    assert needs[0].power_third == pytest.approx((1 - 0.01 / 3) ** needs[0].units)
    clean = measurement(row([(0, 1, 1, needs[0].units)]), looks=looks)
    assert next(judge_gate(asked, Evidence(clean, alpha=alpha))).verdict == "PASS"


def test_units_with_siblings_need_what_the_betting_bound_needs(
    row: Build, measurement: Build, gate: Build
) -> None:
    # 307 units without a failure exclude 1 % at alpha .05: reference value of the bound's specification.
    asked = gate(kind="zero", limit=0.01, minimum_units=299)
    for units, verdict in ((306, "INSUFFICIENT"), (307, "PASS")):
        found = measurement(row([(0, 2, 2, units)]))
        result = next(judge_gate(asked, Evidence(found, alpha=0.05)))
        assert (result.verdict, result.minimum_units) == (verdict, 307)


def test_one_event_fails_a_gate_that_tolerates_none_however_far_its_bound_is(
    row: Build, measurement: Build, gate: Build
) -> None:
    found = measurement(row([(1, 1, 1, 1), (0, 1, 1, 99_999)]))
    result = next(judge_gate(gate(kind="zero", limit=0.01), Evidence(found, alpha=0.05)))
    assert result.verdict == "FAIL"
    assert gate_limit(result) == "none, ≤ 1 %"
    assert prospect(gate(kind="zero", limit=0.01), "all", alpha=0.05).needs[1:] == ()


def test_too_few_units_are_told_the_number_that_the_looks_demand(
    row: Build, measurement: Build, gate: Build
) -> None:
    found = measurement(row([(0, 1, 1, 100)]), looks=3)
    for kind in ("bound", "zero"):
        asked = gate(kind=kind, limit=0.01, minimum_units=299)
        result = next(judge_gate(asked, Evidence(found, alpha=0.05 / 3)))
        assert result.reason == "100 seeds where at least 408 are required"


@pytest.mark.parametrize("name", ["c1", "c2", "c3", "c4", "c5"])
def test_the_minimum_of_every_shipped_limit_is_that_of_one_look(name: str) -> None:
    policy = load_policy(name, INSTRUMENT)
    for gate in policy.gates:
        if gate.limit is not None:
            rate = gate.limit if gate.side == "upper" else 1.0 - gate.limit
            assert gate.minimum_units == least(round(rate, 12), 0.05, 1), gate.id
