"""What a gate costs before anything is asked."""

from collections.abc import Callable
from typing import Any

import pytest
from scipy import stats

from denotary.measures.records import UnitType
from denotary.statistics import betting
from denotary.verdicts.bounds import Failures
from denotary.verdicts.prospects import prospect

Build = Callable[..., Any]


def population(*sizes: tuple[int, int]) -> Failures:
    return Failures(
        tuple(UnitType(numerator=0, denominator=m, size=m, count=c) for m, c in sizes), ratio=False
    )


def fewest(failures: int, limit: float, alpha: float) -> int:
    """The fewest n with P(X <= k | n, limit) <= alpha, by search over the distribution itself."""
    n = failures + 1
    while stats.binom.cdf(failures, n, limit) > alpha:
        n += 1
    return n


def test_the_units_for_nought_to_five_failures(gate: Build) -> None:
    found = prospect(gate(limit=0.01), "all", alpha=0.05)
    assert [need.failures for need in found.needs] == [0, 1, 2, 3, 4, 5]
    assert [need.units for need in found.needs] == [fewest(k, 0.01, 0.05) for k in range(6)]
    at_a_thousandth = prospect(gate(limit=0.001), "all", alpha=0.05).needs
    assert [at_a_thousandth[k].units for k in (0, 1, 5)] == [2995, 4742, 10511]


def test_looks_and_the_lower_side_cost_what_the_gate_will_ask(gate: Build) -> None:
    assert prospect(gate(limit=0.001), "all", alpha=0.05 / 3).needs[0].units == 4093
    assert prospect(gate(limit=0.995, side="lower"), "all", alpha=0.05).needs[0].units == 598


def test_the_minimum_of_the_gate_is_never_undercut(gate: Build) -> None:
    found = prospect(gate(limit=0.01, minimum_units=400), "all", alpha=0.05)
    assert [need.units for need in found.needs[:2]] == [400, 473]


def test_power_is_the_chance_of_no_more_failures_than_allowed(gate: Build) -> None:
    for need in prospect(gate(limit=0.01), "all", alpha=0.05).needs:
        assert need.power_third == pytest.approx(
            stats.binom.cdf(need.failures, need.units, 0.01 / 3), rel=1e-9
        )
        assert need.power_tenth == pytest.approx(stats.binom.cdf(need.failures, need.units, 0.001), rel=1e-9)


def test_a_claim_on_ambiguity_at_a_thousandth_costs_twenty_to_thirty_thousand_judgements(gate: Build) -> None:
    assert prospect(gate(depth="A3"), "all", alpha=0.05).judgements == (20_965, 29_950)
    assert prospect(gate(depth="A2"), "all", alpha=0.05).judgements == (14_975, 14_975)
    assert prospect(gate(kind="zero", depth="A0", minimum_units=7), "all", alpha=0.05).judgements == (14, 14)
    assert prospect(gate(), "all", alpha=0.05).judgements is None


def test_only_the_assigned_share_of_the_cases_enters_the_denominator(gate: Build) -> None:
    need = prospect(gate(), "all", alpha=0.05, assigned_share=0.6).needs[0]
    assert (need.units, need.planned) == (2995, 4992)  # 2995 / 0.6 = 4991.7
    assert stats.binom.sf(2994, need.assured, 0.6) >= 0.95 > stats.binom.sf(2994, need.assured - 1, 0.6)
    assert prospect(gate(depth="A2"), "all", alpha=0.05, assigned_share=0.6).judgements == (24_960, 24_960)


def test_without_a_suite_nothing_is_said_of_one(gate: Build) -> None:
    found = prospect(gate(), "all", alpha=0.05)
    assert (found.have, found.at_best, found.feasible, found.power_third) == (None, None, None, None)
    assert found.method == "exact binomial"


@pytest.mark.parametrize(("aside", "feasible"), [(True, None), (False, False)])
def test_a_gate_that_may_be_set_aside_is_not_called_infeasible(
    gate: Build, *, aside: bool, feasible: bool | None
) -> None:
    asked = gate(kind="zero", fact="complete", allow_not_expressible=aside)
    found = prospect(asked, "all", alpha=0.05, population=population())
    assert (found.have, found.feasible) == (0, feasible)


@pytest.mark.parametrize(("units", "feasible"), [(2995, True), (2994, False)])
def test_a_suite_of_single_cases_is_feasible_from_the_fewest_units_on(
    gate: Build, units: int, feasible: bool
) -> None:
    found = prospect(gate(), "all", alpha=0.05, population=population((1, units)))
    assert (found.have, found.feasible) == (units, feasible)
    assert found.at_best == pytest.approx(1 - 0.05 ** (1 / units), rel=1e-12)
    chance = stats.binom.pmf(0, units, 0.001 / 3) if feasible else 0.0
    assert found.power_third == pytest.approx(chance, rel=1e-9)
    tenth = stats.binom.pmf(0, units, 0.0001) if feasible else 0.0
    assert found.power_tenth == pytest.approx(tenth, rel=1e-9)


@pytest.mark.parametrize(("units", "feasible"), [(3083, True), (3082, False)])
def test_a_suite_with_siblings_is_planned_with_the_bound_that_will_gate(
    gate: Build, units: int, feasible: bool
) -> None:
    found = prospect(gate(), "all", alpha=0.05, population=population((4, units)))
    assert (found.have, found.feasible, found.needs[0].units) == (units, feasible, 3083)
    assert found.method.startswith("order-free betting")


def test_the_assigned_share_shrinks_what_a_suite_supports(gate: Build) -> None:
    single = prospect(gate(), "all", alpha=0.05, population=population((1, 5000)), assigned_share=0.5)
    assert (single.have, single.feasible) == (2500, False)
    assert single.at_best == pytest.approx(1 - 0.05 ** (1 / 2500), rel=1e-12)
    siblings = prospect(gate(), "all", alpha=0.05, population=population((2, 5000)), assigned_share=0.5)
    # Half of each unit assigned: factors 1 + (1 - f) R a / (1 - R) with a = 1/2.
    bound = siblings.at_best
    assert bound is not None
    capital = sum(
        w * (1 + (1 - f) * bound / (1 - bound) / 2) ** 5000
        for f, w in ((0, 0.8), (0.1, 0.1), (0.2, 0.05), (0.4, 0.05))
    )
    assert capital == pytest.approx(20, rel=1e-6)


def test_a_lower_claim_is_printed_on_its_own_side(gate: Build) -> None:
    found = prospect(gate(side="lower", limit=0.99), "all", alpha=0.05, population=population((1, 299)))
    assert found.feasible
    assert found.at_best == pytest.approx(0.05 ** (1 / 299), rel=1e-12)


def test_enough_for_the_bound_and_too_few_for_the_minimum_is_not_feasible(gate: Build) -> None:
    asked = gate(limit=0.5, minimum_units=50)
    short = prospect(asked, "all", alpha=0.05, population=population((1, 49)))
    assert (short.feasible, short.power_third, short.power_tenth) == (False, 0.0, 0.0)
    assert prospect(asked, "all", alpha=0.05, population=population((1, 50))).feasible


@pytest.mark.parametrize(
    ("kind", "units", "feasible"),
    [("zero", 1, True), ("zero", 0, False), ("systematic", 1, None), ("systematic", 0, False)],
)
def test_a_gate_without_a_limit_needs_a_case_at_least(
    gate: Build, kind: str, units: int, feasible: bool | None
) -> None:
    asked = gate(kind=kind, fact="known")
    found = prospect(asked, "all", alpha=0.05, population=population((1, units)) if units else population())
    assert (found.have, found.feasible, found.needs, found.at_best) == (units, feasible, (), None)


def test_a_fact_is_not_for_a_plan_to_know(gate: Build) -> None:
    found = prospect(
        gate(kind="evidence", measure="", fact="audit"), "all", alpha=0.05, population=population()
    )
    assert (found.measure, found.have, found.feasible, found.judgements) == ("audit", None, None, None)


@pytest.mark.parametrize(
    ("depth", "votes"),
    # Votes a case by depth tier, as the annotation standard sets them; boards and adjudication come on top.
    [("A0", (2, 2)), ("A1", (3, 3)), ("A2", (5, 5)), ("A3", (7, 10)), ("A4", (50, 100)), ("A-R", (3, 3))],
)
def test_judgements_are_the_votes_of_the_depth_tier(gate: Build, depth: str, votes: tuple[int, int]) -> None:
    found = prospect(gate(limit=0.01, depth=depth), "all", alpha=0.05)
    assert found.judgements == (299 * votes[0], 299 * votes[1])


def test_a_prospect_says_of_which_gate_and_slice_it_is(gate: Build) -> None:
    asked = gate(
        id="calls", title="Calls", measure="risk", fact="known", limit=0.02, side="upper", minimum_units=200,
        depth="A1",
    )  # fmt: skip
    found = prospect(asked, "language=de", alpha=0.025, assigned_share=0.5)
    assert (found.gate, found.title, found.kind, found.measure, found.fact, found.slice) == (
        "calls", "Calls", "bound", "risk", "known", "language=de",
    )  # fmt: skip
    assert (found.side, found.limit, found.minimum_units, found.alpha, found.assigned_share, found.depth) == (
        "upper", 0.02, 200, 0.025, 0.5, "A1",
    )  # fmt: skip
    assert found.needs[0].units == max(fewest(0, 0.02, 0.025), 200) == 200
    assert prospect(gate(side="lower", limit=0.9), "all", alpha=0.05).side == "lower"


def test_a_suite_with_siblings_has_the_power_of_the_bound_that_will_gate(gate: Build) -> None:
    """The chance that no unit fails, or as many fail as the betting bound still lets pass."""
    units, limit = 4000, 0.001
    found = prospect(gate(), "all", alpha=0.05, population=population((4, units)))
    allowed = 0
    while betting.upper_ratio([0.0, 1.0], [1, 1], [1, 1], [units - allowed - 1, allowed + 1], 0.05) <= limit:
        allowed += 1
    assert found.power_third == pytest.approx(stats.binom.cdf(allowed, units, limit / 3), rel=1e-9)
    assert found.power_tenth == pytest.approx(stats.binom.cdf(allowed, units, limit / 10), rel=1e-9)


def test_a_share_that_is_not_binary_loses_no_unit(gate: Build) -> None:
    """0.29 * 100 is 28.999999999999996 in binary; 29 units enter the denominator."""
    found = prospect(gate(limit=0.1), "all", alpha=0.05, population=population((1, 100)), assigned_share=0.29)
    assert found.have == 29


def test_a_gate_that_tolerates_nothing_has_the_power_of_no_failure_at_all(gate: Build) -> None:
    asked = gate(kind="zero", limit=0.01)
    found = prospect(asked, "all", alpha=0.05, population=population((1, 300)))
    assert found.power_third == pytest.approx(stats.binom.pmf(0, 300, 0.01 / 3), rel=1e-9)
    assert found.power_tenth == pytest.approx(stats.binom.pmf(0, 300, 0.001), rel=1e-9)
