"""Near-duplicate texts, against comparing the sets of n-grams of every pair."""

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denotary.suites.near_duplicates import near_duplicates

TEXTS = st.lists(st.text("ab c\u00e9\U0001f600", max_size=12), max_size=14, unique=True)
Row = tuple[int, int, float]


def by_hand(texts: list[str], sides: list[int], similarity: float, gram: int) -> list[Row]:
    sets = [{text[n : n + gram] for n in range(len(text) - gram + 1)} for text in texts]
    found = []
    for one, other in combinations(range(len(texts)), 2):
        together = sides[one] == sides[other] and sides[one] in {1, 2}
        if sets[one] and sets[other] and not together:
            value = len(sets[one] & sets[other]) / len(sets[one] | sets[other])
            if value >= similarity - 1e-9:
                found.append((one, other, round(value, 9)))
    return found


def listed(texts: list[str], sides: list[int], **options: float) -> list[Row]:
    found = near_duplicates(texts, sides, **options)  # type: ignore[arg-type]
    assert found.crowded == ()
    rows = zip(found.first.tolist(), found.second.tolist(), found.similarity.tolist(), strict=True)
    return [(one, other, round(value, 9)) for one, other, value in rows]


@settings(deadline=None, max_examples=300)
@given(TEXTS, st.data(), st.sampled_from([0.2, 0.5, 0.7, 0.9, 1.0]), st.integers(1, 5))
def test_it_finds_what_comparing_every_pair_finds(
    texts: list[str], data: st.DataObject, similarity: float, gram: int
) -> None:
    sides = [data.draw(st.integers(0, 3)) for _ in texts]
    assert listed(texts, sides, similarity=similarity, gram=gram) == by_hand(texts, sides, similarity, gram)


def test_longer_texts_with_errors_of_typing() -> None:
    draw = random.Random(7)
    words = ["".join(draw.choices("abcdefghij", k=draw.randint(2, 7))) for _ in range(60)]
    texts = ["".join(draw.choices(words, k=draw.randint(8, 14))) for _ in range(80)]
    for text in texts[:40]:
        at = draw.randrange(len(text))
        texts.append(text[:at] + draw.choice("xyz") + text[at + draw.randint(0, 1) :])
    texts = list(dict.fromkeys(texts))
    sides = [draw.choice([1, 2]) for _ in texts]
    expected = by_hand(texts, sides, 0.7, 5)
    assert len(expected) > 10
    assert listed(texts, sides, similarity=0.7, gram=5) == expected


def test_the_order_of_the_texts_changes_nothing_but_their_positions() -> None:
    texts = [f"the card number {n} was refused in a shop" for n in range(12)]
    found = listed(texts, [0] * 12, similarity=0.5, gram=5)
    turned = listed(texts[::-1], [0] * 12, similarity=0.5, gram=5)
    assert sorted((11 - other, 11 - one, value) for one, other, value in turned) == found


@pytest.mark.parametrize("limit", ["most_compared", "most_alike"])
def test_texts_that_were_not_compared_are_named(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("denotary.suites.near_duplicates._CHUNK", 8)
    texts = [f"the card number {n} was refused in a shop" for n in range(30)]
    options = {limit: 40}
    across = near_duplicates(texts, [1, 2] * 15, similarity=0.5, gram=5, **options)
    assert across.crowded
    named = {n for crowd in across.crowded for n in crowd}
    known = set(zip(across.first.tolist(), across.second.tolist(), strict=True))
    missed = {row[:2] for row in by_hand(texts, [1, 2] * 15, 0.5, 5)} - known
    assert missed
    assert all({one, other} <= named for one, other in missed)
    # On one side alone there is nothing to find, and so nothing that was left out.
    assert near_duplicates(texts, [1] * 30, similarity=0.5, gram=5, **options).crowded == ()
