"""Configurations: metrics against numpy, each text encoded once, and mistakes that are named."""

import sys
from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pytest

from denotary.errors import InputError
from denotary.instruments.similarity.configurations import BATCH, Configuration, baselines, encoded, named

TEXTS = ["a", "bb", "ccc", "a"]
OTHER = ["bb", "bb", "a", "dddd"]


class Lengths:
    """Three components from the text's length; remembers what it was asked."""

    identity = SimpleNamespace(window=4)

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        return np.array([[len(t), 1.0, len(t) % 2] for t in texts], dtype=np.float32)

    def truncated(self, texts: Sequence[str]) -> int:
        return sum(len(text) > 4 for text in texts)


def vectors(texts: list[str]) -> np.ndarray:
    return np.array([[len(t), 1.0, len(t) % 2] for t in texts])


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("dot", lambda a, b: a @ b),
        ("cosine", lambda a, b: a @ b / np.sqrt((a @ a) * (b @ b))),
        ("euclidean", lambda a, b: -np.sqrt(((a - b) ** 2).sum())),
    ],
)
def test_metrics(metric: str, expected: object) -> None:
    encoder = Lengths()
    found = encoded(encoder, "lengths", metric=metric).scores(TEXTS, OTHER)
    wanted = [expected(a, b) for a, b in zip(vectors(TEXTS), vectors(OTHER), strict=True)]  # type: ignore[operator]
    assert found == pytest.approx(wanted)
    assert sorted(encoder.asked) == ["a", "bb", "ccc", "dddd"]


def test_preparing_tells_every_text_once_and_scores_ask_no_more() -> None:
    encoder, told = Lengths(), list[int]()
    made = encoded(encoder, "lengths")
    assert made.prepare is not None
    many = [f"{i:05}" for i in range(BATCH + 3)]
    made.prepare([*TEXTS, *many, *TEXTS], told.append)
    assert told == [BATCH, 6]
    assert sorted(encoder.asked) == sorted({*TEXTS, *many})
    made.scores(TEXTS, many[:4])
    assert len(encoder.asked) == BATCH + 6


def test_prefix_and_dimension_are_part_of_the_configuration() -> None:
    encoder = Lengths()
    made = encoded(encoder, "lengths", prefix="q: ", dimension=2)
    assert made.scores(["a"], ["bb"])[0] == pytest.approx(
        np.array([4, 1]) @ np.array([5, 1]) / np.sqrt(17 * 26)
    )
    assert encoder.asked == ["q: a", "q: bb"]
    assert made.name == "lengths prefix='q:' dimension=2"
    assert made.settings == {"encoder": "lengths", "prefix": "q: ", "dimension": "2", "metric": "cosine"}
    assert made.cut is not None
    assert made.cut(["a", "bb"]).tolist() == [False, True]


def test_a_vector_without_length_is_like_nothing() -> None:
    zero = SimpleNamespace(encode=lambda texts: np.zeros((len(texts), 2)))
    found = encoded(zero, "zero")
    assert found.scores(["a"], ["b"]).tolist() == [0.0]
    assert found.cut is None


def test_an_encoder_or_a_baseline_is_had_by_name() -> None:
    assert named("bm25").lexical
    made = named("hash-words", dimension=64)
    assert made.settings["dimension"] == "64"
    assert len(made.settings["identity"]) == 64
    assert made.scores([" ".join("abcdefgh")], [" ".join("abcdefgh")]) == pytest.approx([1.0])
    assert len(baselines()) == 5


def test_dot_and_euclidean_read_the_lengths_of_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    function = SimpleNamespace(encode=lambda texts: vectors(texts).tolist(), __file__=None)
    monkeypatch.setitem(sys.modules, "own_lengths", function)
    spec = "python:own_lengths:encode"
    wanted = {
        "dot": [a @ b for a, b in zip(vectors(TEXTS), vectors(OTHER), strict=True)],
        "euclidean": [-np.linalg.norm(a - b) for a, b in zip(vectors(TEXTS), vectors(OTHER), strict=True)],
    }
    for metric, expected in wanted.items():
        made = named(spec, metric=metric)
        assert made.scores(TEXTS, OTHER) == pytest.approx(expected)
        assert made.settings["vectors"] == "as the encoder gives them"
    assert "vectors" not in named(spec).settings
    assert named("hash-words", metric="dot").settings["vectors"] == "of unit length"


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda: named("bm25", prefix="x"), "neither prefix"),
        (lambda: named("nothing-known"), "no encoder"),
        (lambda: encoded(Lengths(), "l", metric="cosinus"), "no metric named 'cosinus'"),
        (lambda: encoded(Lengths(), "l", dimension=0), "at least 1"),
        (lambda: encoded(Lengths(), "l", dimension=4).scores(["a"], ["b"]), "the encoder has 3"),
        (
            lambda: encoded(SimpleNamespace(encode=lambda t: np.zeros(len(t))), "l").scores(["a"], ["b"]),
            "an array of shape",
        ),
        (
            lambda: Configuration("nan", "", lambda a, b: np.full(len(a), np.nan)).scores(["a"], ["b"]),
            "nan gave 1 scores that are not finite",
        ),
        (lambda: Configuration("short", "", lambda a, b: np.zeros(3)).scores(["a"], ["b"]), "for 1 pairs"),
    ],
)
def test_mistakes_are_named(attempt: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        attempt()  # type: ignore[operator]


def test_batches_are_the_same_however_many_threads_encode_them() -> None:
    texts = [f"{'x' * (n % 7)}{n}" for n in range(3 * BATCH)]
    found = []
    for threads in (1, 4):
        batches: set[tuple[str, ...]] = set()

        class Noting(Lengths):
            def encode(self, texts: Sequence[str], batches: set[tuple[str, ...]] = batches) -> np.ndarray:
                batches.add(tuple(texts))
                return super().encode(texts)

        configuration = encoded(Noting(), "lengths")
        assert configuration.prepare is not None
        done: list[int] = []
        configuration.prepare(texts, done.append, threads=threads)
        found.append((batches, done, configuration.scores(texts, texts[::-1]).tolist()))
    assert found[0] == found[1]
    assert len(found[0][0]) == 3
