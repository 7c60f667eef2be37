"""A small corpus whose overlaps are exactly balanced, and encoders that read only wording or only meaning."""

from collections.abc import Callable, Sequence
from zlib import crc32

import numpy as np
import pytest

from denotary.instruments.similarity.anchors import Anchor
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.pairs import of_anchors

MUTATIONS = ("negation", "quantity_unit")


def make_anchor(number: int, task: str, mutation: str = "negation") -> Anchor:
    """Ten words of their own; the word ``keep`` or ``drop`` at the end carries the decision in every text."""
    base = [f"{task[0]}{number}x{i}" for i in range(10)]

    def cell(kept: int, mark: str, decision: str) -> str:
        return " ".join([*base[:kept], *(f"{mark}{number}y{i}" for i in range(9 - kept)), decision])

    return Anchor(
        anchor=f"{task}-{number}",
        task=task,  # type: ignore[arg-type]
        register="legal",
        mutation=mutation,  # type: ignore[arg-type]
        text=" ".join([*base[:9], "keep"]),
        same_close=cell(8, "a", "retain"),
        same_distant=cell(1, "b", "retain"),
        opposite_close=cell(8, "c", "drop"),
        opposite_distant=cell(1, "d", "drop"),
    )


class MeaningEncoder:
    """Reads the last word alone: the decision."""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.array(
            [[1.0, 0.1] if not text.endswith("drop") else [0.1, 1.0] for text in texts], dtype=np.float32
        )


class WordingEncoder:
    """A bag of hashed words that does not see the last word."""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        found = np.zeros((len(texts), 512), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.split()[:-1]:
                found[row, crc32(word.encode()) % 512] += 1
        return found


@pytest.fixture
def corpus_of() -> Callable[[int], Corpus]:
    def build(anchors: int) -> Corpus:
        made = [
            (make_anchor(i + 1000 * (half == "B"), task, MUTATIONS[i % 2]), half)
            for task in ("distinctness", "constraint")
            for half in "AB"
            for i in range(anchors)
        ]
        return Corpus("sample", "0" * 64, of_anchors(made), split="instruction")

    return build


@pytest.fixture
def corpus(corpus_of: Callable[[int], Corpus]) -> Corpus:
    return corpus_of(12)


@pytest.fixture
def meaning() -> MeaningEncoder:
    return MeaningEncoder()


@pytest.fixture
def wording() -> WordingEncoder:
    return WordingEncoder()
