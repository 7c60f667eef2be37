"""The rate of a row with its units weighed alike, which is what a bound over units with siblings speaks of."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.measures.records import UnitType


def weighed_alike(types: Iterable[UnitType], *, ratio: bool) -> Fraction | None:
    """Return the unit-weighted rate in [0, 1], exactly; None if no unit has a population.

    Of a rate it is the mean over units of events by population; of a ratio, whose population the answers make, the sum
    of events by planned size over the sum of populations by planned size.

    Args:
        types: of one row.
        ratio: whether the denominator depends on the answers.
    """
    kept = [item for item in types if item.denominator > 0 and item.count > 0]
    sizes = [item.size if ratio else item.denominator for item in kept]
    pairs = list(zip(kept, sizes, strict=True))
    asked = sum((Fraction(item.denominator * item.count, size) for item, size in pairs), start=Fraction(0))
    wrong = sum((Fraction(item.numerator * item.count, size) for item, size in pairs), start=Fraction(0))
    return wrong / asked if asked else None
