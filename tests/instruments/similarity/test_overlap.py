"""Overlap against sets written out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.instruments.similarity.overlap import overlap, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't stop-gap 2.5 mg", ["don", "t", "stop", "gap", "2", "5", "mg"]),
        ("snake_case", ["snake", "case"]),
        ("Größe ÉTÉ", ["größe", "été"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("药物 x²", ["药物", "x²"]),
        ("... !", []),
    ],
)
def test_words_are_runs_of_letters_digits_and_marks(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("a b c", "b c d", 2 / 4), ("a a b", "a", 1 / 2), ("", "", 1.0), ("", "a", 0.0), ("A", "a", 1.0)],
)
def test_overlap_is_the_jaccard_index_of_the_sets(first: str, second: str, expected: float) -> None:
    assert overlap(first, second) == expected


@given(st.text(), st.text())
def test_overlap_is_symmetric_and_bounded(first: str, second: str) -> None:
    assert overlap(first, second) == overlap(second, first)
    assert 0 <= overlap(first, second) <= 1
    assert overlap(first, first) == 1
