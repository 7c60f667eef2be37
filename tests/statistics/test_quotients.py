"""The quotient against fractions of whole numbers, one at a time."""

from fractions import Fraction
from math import isnan

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from denotary.statistics.quotients import quotient

COUNTS = st.integers(0, 2**40)


@given(st.lists(st.tuples(COUNTS, COUNTS), max_size=20))
def test_it_is_the_fraction_and_does_not_exist_of_nothing(pairs: list[tuple[int, int]]) -> None:
    top, bottom = (np.array([pair[side] for pair in pairs], dtype=np.float64) for side in (0, 1))
    for (over, under), found in zip(pairs, quotient(top, bottom), strict=True):
        assert isnan(found) if under == 0 else found == float(Fraction(over, under))
