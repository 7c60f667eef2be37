"""Units weighed alike, against means written out by hand."""

from fractions import Fraction

from denotary.measures.records import UnitType
from denotary.measures.weighing import weighed_alike


def types(*found: tuple[int, int, int, int]) -> list[UnitType]:
    return [UnitType(numerator=n, denominator=d, size=s, count=c) for n, d, s, c in found]


def test_a_rate_is_the_mean_over_units() -> None:
    # one unit of ten cases without a failure, three units of one case that failed: 3 of 13 cases, 3 of 4 units
    assert weighed_alike(types((0, 10, 10, 1), (1, 1, 1, 3)), ratio=False) == Fraction(3, 4)


def test_a_ratio_weighs_events_and_population_by_planned_size() -> None:
    # (1/4 + 0) / (2/4 + 1), with a unit that the answers left out
    assert weighed_alike(types((1, 2, 4, 1), (0, 1, 1, 1), (0, 0, 3, 5)), ratio=True) == Fraction(1, 6)


def test_without_a_population_there_is_no_rate() -> None:
    assert weighed_alike([], ratio=False) is None
    assert weighed_alike(types((0, 0, 2, 3)), ratio=True) is None
