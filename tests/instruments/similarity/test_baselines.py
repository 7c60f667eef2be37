"""Lexical baselines against sums written out by hand."""

import math

import numpy as np
import pytest

from denotary.instruments.similarity.baselines import (
    BASELINES,
    bm25,
    character_grams,
    length_difference,
    token_jaccard,
)


def test_token_jaccard_is_the_overlap() -> None:
    assert token_jaccard(["a b c", "x"], ["b c d", "x"]).tolist() == [0.5, 1.0]


def test_character_grams_by_hand() -> None:
    # " ab " has " ab", "ab "; " abc " has " ab", "abc", "bc ": one shared.
    assert character_grams(["ab"], ["abc"])[0] == pytest.approx(1 / math.sqrt(2 * 3))
    assert character_grams(["", "", "ab"], ["...", "ab", "AB"]).tolist() == pytest.approx([1.0, 0.0, 1.0])


def test_length_difference_by_hand() -> None:
    assert length_difference(["a b c d", "", "a"], ["a b c", "", ""]).tolist() == [0.75, 1.0, 0.0]


def test_bm25_by_hand() -> None:
    # Three texts of 2, 2 and 1 words, mean 5/3; "b" stands in two of them, "a" and "c" in one each.
    first, second = ["a b", "a b"], ["b c", "x"]
    total, mean = 3, 5 / 3

    def idf(n: int) -> float:
        return math.log(1 + (total - n + 0.5) / (n + 0.5))

    norm = 1.2 * (0.25 + 0.75 * 2 / mean)
    shared, own = idf(2) * 2.2 / (1 + norm), (idf(1) + idf(2)) * 2.2 / (1 + norm)
    assert bm25(first, second).tolist() == pytest.approx([shared / own, 0.0])
    assert bm25(["", "a"], ["", "a"]).tolist() == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize("name", BASELINES)
def test_every_baseline_lies_between_0_and_1_and_is_symmetric(name: str) -> None:
    first = ["the pump fails", "stop", "do not stop the pump", ""]
    second = ["the pump never fails", "halt now", "the pump", "x"]
    one, other = BASELINES[name](first, second), BASELINES[name](second, first)
    assert one == pytest.approx(other)
    assert np.all((one >= 0) & (one <= 1))
