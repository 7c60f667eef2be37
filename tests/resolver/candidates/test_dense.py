"""The dense index: integer scores, proved against int64, the same in any block, batch and thread."""

from typing import Any

import numpy as np
import pytest

from denotary.errors import InputError
from denotary.resolver.candidates import DenseIndex
from denotary.resolver.candidates import dense as module
from denotary.resolver.candidates.dense import MOST, exact_type, integers

NAMED = {"registry": "bench 1 sha256:0", "encoder": "e"}


def draw(seed: int, rows: int, dimension: int = 384) -> Any:
    return np.random.default_rng(seed).normal(size=(rows, dimension))


def index(rows: int = 3000, concepts: int = 1000, dimension: int = 384) -> DenseIndex:
    codes = sorted(f"c{at % concepts:05}" for at in range(rows))
    return DenseIndex.build(codes, draw(1, rows, dimension), **NAMED)


@pytest.mark.parametrize("dimension", [1, 384, 1040, 1041, 3072])
def test_the_largest_products_are_exact_integers_in_any_order(dimension: int) -> None:
    """All components at 127 give the largest partial sums there are; random ones are compared with int64."""
    kind = exact_type(dimension)
    assert kind is (np.float32 if dimension <= 1040 else np.float64)
    top = np.full((3, dimension), 127, dtype=np.int8)
    top[1, ::2] = -127
    source = np.random.default_rng(2)
    noise = source.integers(-127, 128, size=(200, dimension), dtype=np.int8)
    both = np.vstack([top, noise])
    expected = both.astype(np.int64) @ both.astype(np.int64).T
    for order in (np.arange(dimension), source.permutation(dimension)):
        mixed: Any = both[:, order].astype(kind)
        assert ((mixed @ mixed.T).astype(np.int64) == expected).all()


def test_scores_are_those_of_int64_and_the_order_is_score_then_code() -> None:
    made, asked = index(), draw(3, 20)
    whole = integers(asked / np.linalg.norm(asked, axis=1, keepdims=True), made.scale).astype(np.int64)
    products = whole @ made.rows.astype(np.int64).T
    codes = sorted(f"c{at % 1000:05}" for at in range(3000))
    for row, found in zip(products, made.search_batch(asked, 30), strict=True):
        best: dict[str, int] = {}
        for code, score in zip(codes, row.tolist(), strict=True):
            best[code] = max(score, best.get(code, score))
        expected = sorted(best.items(), key=lambda item: (-item[1], item[0]))[:30]
        assert [(hit.code, hit.score) for hit in found] == expected


def test_block_batch_and_single_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = draw(4, 37)
    expected = index().search_batch(asked)
    assert expected == [index().search(vector) for vector in asked]
    for rows, texts in ((1, 5), (7, 1), (100, 37), (10_000, 1000)):
        monkeypatch.setattr(module, "ROWS", rows)
        monkeypatch.setattr(module, "TEXTS", texts)
        assert index().search_batch(asked) == expected


def test_equal_scores_are_told_apart_by_the_code() -> None:
    same = np.ones((40, 8))
    made = DenseIndex.build([f"c{at:02}" for at in range(40)], same, **NAMED)
    assert [hit.code for hit in made.search(np.ones(8), 5)] == ["c00", "c01", "c02", "c03", "c04"]
    assert len(made.search(np.ones(8), 500)) == 40


def test_a_score_over_the_unit_is_a_cosine() -> None:
    made, asked = index(), draw(5, 10)
    known = draw(1, 3000)
    cosines = (asked / np.linalg.norm(asked, axis=1, keepdims=True)) @ (
        known / np.linalg.norm(known, axis=1, keepdims=True)
    ).T
    codes = np.asarray(sorted(f"c{at % 1000:05}" for at in range(3000)))
    best = np.stack([cosines[:, codes == code].max(axis=1) for code in np.unique(codes)], axis=1)
    assert made.scores(asked) / made.unit == pytest.approx(best, abs=0.02)


def test_nothing_zeros_and_too_many_are_clear() -> None:
    empty = DenseIndex.build([], np.zeros((0, 4)), **NAMED)
    assert empty.search_batch(np.ones((2, 4))) == [[], []]
    zero = DenseIndex.build(["a"], np.zeros((1, 4)), **NAMED)
    assert [(hit.code, hit.score) for hit in zero.search(np.zeros(4))] == [("a", 0.0)]
    with pytest.raises(InputError, match="order of the codes"):
        DenseIndex.build(["b", "a"], np.ones((2, 4)), **NAMED)
    many = [f"{at:06}" for at in range(MOST + 1)]
    with pytest.raises(InputError, match="searched exactly"):
        DenseIndex.build(many, np.ones((MOST + 1, 1)), **NAMED)
    assert index().identity.hash != DenseIndex.build(["a"], np.ones((1, 4)), **NAMED).identity.hash
