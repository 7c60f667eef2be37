"""Coverage: simulated against the binomial sum, cells against their moments, figures that fall short seen."""

import numpy as np
import pytest
from scipy import stats
from validity.cells import RATIOS, SIBLINGS, UNEVEN, Cell, single
from validity.outcomes import Risk
from validity.results import Result

from denotary.statistics import binomial
from validity import coverage, sequences


def by_method(cell: Cell, repeats: int) -> dict[str, Result]:
    return {result.name.partition(":")[0]: result for result in coverage.run(cell, repeats, 20)}


@pytest.mark.parametrize(("units", "rate"), [(300, 0.01), (2995, 0.001)])
def test_coverage_of_the_exact_bound_is_a_binomial_sum(units: int, rate: float) -> None:
    found = by_method(single(units, rate), 4000)
    k = np.arange(units + 1)
    chance = stats.binom.pmf(k, units, rate)
    for name, ends in (
        ("upper", binomial.upper(k, units) >= rate),
        ("lower", binomial.lower(k, units) <= rate),
    ):
        expected = float(chance @ ends)
        covered = found[f"exact, {name} 0.95"].facts["covered"]
        assert abs(covered.value - expected) <= 4 * np.sqrt(expected * (1 - expected) / covered.repeats)


@pytest.mark.parametrize("cell", [SIBLINGS[6], *RATIOS, UNEVEN], ids=lambda cell: cell.name)
def test_a_cell_has_the_rates_it_says(cell: Cell) -> None:
    found = cell.draw(np.random.default_rng(2), 2000)
    by_case = (found.count @ found.failed).sum() / (found.count @ found.counted).sum()
    top, bottom = found.count @ (found.failed / found.size), found.count @ (found.counted / found.size)
    assert by_case == pytest.approx(cell.by_case, rel=0.1)
    assert top.sum() / bottom.sum() == pytest.approx(cell.by_unit, rel=0.1)


def test_what_only_describes_falls_short_among_siblings_and_is_reported_as_it_is() -> None:
    found = by_method(SIBLINGS[5], 1000)
    assert found["exact on cases, upper 0.95"].facts["covered"].value < 0.85
    assert found["Wilson on cases 0.95"].facts["covered"].value < 0.75
    assert found["exact on cases, upper 0.95"].holds is None
    assert found["betting, mean, upper 0.95"].holds


def test_the_rate_by_case_is_not_what_units_bound() -> None:
    found = by_method(UNEVEN, 1000)
    assert found["bound of a row, upper 0.95"].holds
    assert UNEVEN.by_case > 2 * UNEVEN.by_unit
    assert found["bound of a row, upper, read by case 0.95"].facts["covered"].value < 0.9


def test_a_sequence_may_be_looked_at_at_any_time_and_the_exact_bound_may_not() -> None:
    found = {r.facts["method"]: r for r in sequences.anytime(sequences.Stream(300, 1, Risk(0.1)), 600)}
    assert found["confidence sequence"].holds
    assert found["e-process at the limit"].holds
    assert found["exact, looked at always"].facts["covered"].value < 0.85


def test_differences_and_worst_groups_cover() -> None:
    pair = sequences.Pair(200, 3, 0.1, 0.02, 0.5)
    values, counts = pair.draw(np.random.default_rng(4), 4000)
    assert (counts @ values).mean() / 200 == pytest.approx(pair.truth, rel=0.05)
    assert all(result.holds for result in sequences.difference(pair, 400))
    (worst,) = sequences.worst_group(*sequences.GROUPS[1], 1000)
    assert worst.holds
