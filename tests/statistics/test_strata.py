"""The p-value at a declared share: never below a tail that is counted out, and near the closed form."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from denotary.errors import InputError
from denotary.statistics.strata import share_p_value

LIMIT, SHARE = 0.2, 0.3


def tail(seen: float, known: int, unknown: int, rates: tuple[float, float]) -> float:
    """P(the statistic is at most as observed), outcome by outcome."""
    found = 0.0
    for bad, false in product(range(known + 1), range(unknown + 1)):
        if (1 - SHARE) * bad / known + SHARE * false / unknown <= seen + 1e-12:
            found += binom.pmf(bad, known, rates[0]) * binom.pmf(false, unknown, rates[1])
    return float(found)


@pytest.mark.parametrize(("wrong", "false"), [(0, 0), (1, 0), (0, 1), (2, 1), (3, 4)])
def test_no_truth_at_the_limit_has_a_larger_tail(wrong: int, false: int) -> None:
    known, unknown, coverage = 22, 11, 0.6
    found = share_p_value(wrong, known, false, unknown, coverage=coverage, limit=LIMIT, share=SHARE)
    seen = (1 - SHARE) * wrong / known + SHARE * false / unknown
    tails = []
    for rate in np.linspace(0, 1, 41):
        # The risk is (1 - s) w + s f over (1 - s) a + s f; at the limit that gives w for every f.
        other = LIMIT * coverage - SHARE * (1 - LIMIT) * rate / (1 - SHARE)
        tails.append(tail(seen, known, unknown, (max(other, 0.0), float(rate))))
    assert max(tails) <= found + 1e-12
    assert found <= 1.5 * max(tails) + 0.01


def test_without_an_error_it_is_the_chance_of_none_where_that_is_largest() -> None:
    found = share_p_value(0, 2500, 0, 100, coverage=0.78, limit=0.01, share=0.1)
    f = np.linspace(0, 0.01 * 0.9 * 0.78 / (0.1 * 0.99), 2001)
    rest = 0.01 * 0.78 - 0.1 * 0.99 * f / 0.9
    exact = ((1 - f) ** 100 * (1 - rest) ** 2500).max()
    assert exact <= found <= 1.5 * exact


def test_more_errors_and_a_larger_share_of_unknown_texts_only_raise_it() -> None:
    def at(wrong: int = 2, false: int = 1, share: float = 0.1, limit: float = 0.02) -> float:
        return share_p_value(wrong, 2500, false, 200, coverage=0.78, limit=limit, share=share)

    assert at() < min(at(wrong=9), at(false=5), at(share=0.2), at(limit=0.01))


def test_nothing_accepted_or_no_text_of_a_kind_excludes_nothing() -> None:
    assert share_p_value(0, 10, 0, 10, coverage=0.0, limit=0.1, share=0.1) == 1.0
    assert share_p_value(0, 0, 0, 10, coverage=0.5, limit=0.1, share=0.1) == 1.0
    assert share_p_value(0, 10, 0, 0, coverage=0.5, limit=0.1, share=0.1) == 1.0


def test_a_part_larger_than_its_whole_is_refused() -> None:
    with pytest.raises(InputError, match="false"):
        share_p_value(0, 10, 3, 2, coverage=0.5, limit=0.1, share=0.1)
