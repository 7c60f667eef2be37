"""How many more units a PASS takes, against the verdict on a row that has them."""

from fractions import Fraction

import pytest

from denotary.measures.records import UnitType
from denotary.verdicts.bounds import Failures, observed, upper_bound
from denotary.verdicts.feasibility import more_units


def units(*types: tuple[int, int, int, int], ratio: bool = False) -> Failures:
    return Failures(
        tuple(UnitType(numerator=k, denominator=n, size=m, count=c) for k, n, m, c in types), ratio
    )


def passes(found: Failures, limit: Fraction) -> bool:
    return upper_bound(found, 0.05)[0] <= limit and observed(found) <= limit


@pytest.mark.parametrize("types", [((0, 1, 1, 2995),), ((0, 2, 2, 3200),)])
def test_enough_evidence_needs_no_more(types: tuple[tuple[int, int, int, int], ...]) -> None:
    assert more_units(units(*types), Fraction(1, 1000), 0.05, 1) == 0
    assert more_units(units(*types), None, 0.05, 1) == 0


@pytest.mark.parametrize(
    "types",
    [((0, 1, 1, 100),), ((2, 2, 2, 1), (0, 2, 2, 90)), ((1, 2, 4, 3), (0, 1, 1, 9)), ((1, 3, 3, 1),)],
)
def test_that_many_more_pass_and_one_fewer_do_not(types: tuple[tuple[int, int, int, int], ...]) -> None:
    found, limit = units(*types), Fraction(1, 50)
    more = more_units(found, limit, 0.05, 1)
    assert more > 0
    assert passes(found.with_clean_units(more), limit)
    assert not passes(found.with_clean_units(more - 1), limit)


def test_the_minimum_counts_where_the_bound_asks_for_less() -> None:
    assert more_units(units((0, 1, 1, 100)), Fraction(1, 2), 0.05, 130) == 30
    assert more_units(units((0, 1, 1, 100)), None, 0.05, 130) == 30
    assert more_units(units((0, 2, 2, 100)), Fraction(1, 2), 0.05, 101) == 1
