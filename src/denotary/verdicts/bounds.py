"""The one-sided bound that a gate compares with its limit, and the observed value beyond which it fails.

A row's types (how many units have so many events, such a population, such a planned size) are the only
input. Where every unit holds one case the bound is exact binomial (Clopper and Pearson 1934); where units
have siblings it is the order-free betting bound of :mod:`denotary.statistics.betting`, whose estimand weighs
units alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from denotary.measures.records import UnitType
from denotary.measures.weighing import weighed_alike

if TYPE_CHECKING:
    from denotary.measures.records import Row

Side = Literal["upper", "lower"]


@dataclass(frozen=True, slots=True)
class Failures:
    """The units of one row with events turned into failures: what a claim of either side is judged on.

    Attributes:
        types: distinct units with a population, numerators counting failures.
        ratio: whether the denominator depends on the answers.
    """

    types: tuple[UnitType, ...]
    ratio: bool

    @property
    def failures(self) -> int:
        """Number of cases that failed."""
        return sum(item.numerator * item.count for item in self.types)

    @property
    def cases(self) -> int:
        """Number of cases in the denominator."""
        return sum(item.denominator * item.count for item in self.types)

    @property
    def units(self) -> int:
        """Number of independent units with a case in the denominator."""
        return sum(item.count for item in self.types)

    @property
    def single(self) -> bool:
        """Whether every unit holds one case, so that the exact binomial bound is valid."""
        return all(item.size == 1 for item in self.types)

    def with_clean_units(self, number: int) -> Failures:
        """Return the same with that many more units of one case that did not fail."""
        return Failures((*self.types, UnitType(numerator=0, denominator=1, size=1, count=number)), self.ratio)


def failures(row: Row, side: Side) -> Failures:
    """Return a row's units, failures being events (side ``upper``) or their absence (side ``lower``)."""
    kept = (item for item in row.types if item.denominator > 0 and item.count > 0)
    return Failures(tuple(kept if side == "upper" else map(_complement, kept)), row.ratio)


def _complement(item: UnitType) -> UnitType:
    return UnitType(
        numerator=item.denominator - item.numerator,
        denominator=item.denominator,
        size=item.size,
        count=item.count,
    )


def upper_bound(units: Failures, alpha: float) -> tuple[float, str]:
    """Return the one-sided upper bound of the failure rate, never below the observed rate, and its method.

    Args:
        units: at least one unit with a population.
        alpha: chance that the true rate lies above the bound.
    """
    from denotary.measures.bounds import BETTING, EXACT
    from denotary.statistics import betting, binomial

    if units.single:
        return binomial.upper_bound(units.failures, units.cases, alpha), EXACT
    return max(betting.upper_ratio(*columns(units), alpha=alpha), units.failures / units.cases), BETTING


def columns(units: Failures) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return numerators, denominators, sizes and counts of the types, as the betting bound takes them."""
    # For a rate the whole unit is the population, so that its share of failures is what is bounded.
    sizes = (item.size if units.ratio else item.denominator for item in units.types)
    return (
        [item.numerator for item in units.types],
        [item.denominator for item in units.types],
        list(sizes),
        [item.count for item in units.types],
    )


def observed(units: Failures) -> Fraction:
    """Return the observed failure rate: the worse of the case-weighted and the unit-weighted one.

    The bound speaks of the unit-weighted rate, a reader recomputes the case-weighted one; a release must
    not pass with either beyond the limit.
    """
    by_case = Fraction(units.failures, units.cases)
    alike = weighed_alike(units.types, ratio=units.ratio)
    return by_case if alike is None else max(by_case, alike)


def failure_limit(limit: float, side: Side) -> Fraction:
    """Return a gate's limit as the largest failure rate that it tolerates, exactly as its decimals say."""
    exact = Fraction(repr(limit))
    return exact if side == "upper" else 1 - exact
