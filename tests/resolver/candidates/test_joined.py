"""Candidates of letters and vectors joined: features by their definitions, order by (score, code)."""

from typing import Any

import numpy as np
import pytest

from denotary.resolver.candidates import Candidates, DenseIndex

TEXTS = [
    ("close", "close account"),
    ("close", "shut account"),
    ("open", "open account"),
    ("sell", "sell the house"),
]
VECTORS = np.asarray([[1.0, 0.0, 0.1], [0.9, 0.3, 0.0], [0.0, 1.0, 0.0], [0.1, 0.0, 1.0]])


@pytest.fixture(scope="module")
def candidates() -> Candidates:
    rows = DenseIndex.build([code for code, _ in TEXTS], VECTORS, registry="r", encoder="e")
    return Candidates(TEXTS, rows.rows, rows.scale, registry="r", encoder="e", engine="fts5")


def cosine(one: Any, two: Any) -> float:
    return float(one @ two / np.linalg.norm(one) / np.linalg.norm(two))


def test_features_are_what_they_are_called(candidates: Candidates) -> None:
    asked = np.asarray([0.8, 0.5, 0.2])
    similar = candidates.similarities(asked[np.newaxis])[0]
    found = {
        row["concept_code"]: row
        for row in candidates.features("closed accounts", similar, {"close": 0.7, "open": 0.3}, 3)
    }
    assert list(found) == ["close", "open", "sell"]
    assert found["sell"]["score"] is None
    assert found["sell"]["lexical"] is None
    nearest = {"close": max(cosine(asked, VECTORS[at]) for at in (0, 1)), "open": cosine(asked, VECTORS[2])}
    unit = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    for code, expected in nearest.items():
        assert found[code]["nearest"] == pytest.approx(expected, abs=0.01)
    assert found["close"]["prototype"] == pytest.approx(cosine(asked, unit[0] + unit[1]), abs=0.01)
    for name in ("nearest", "prototype", "lexical"):
        ahead = found["close"][name] - found["open"][name]
        assert found["close"][f"{name}_margin"] == pytest.approx(ahead, abs=1e-3)
        assert found["open"][f"{name}_margin"] == pytest.approx(-ahead, abs=1e-3)


def test_each_index_adds_its_own_best(candidates: Candidates) -> None:
    similar = candidates.similarities(np.asarray([[0.0, 1.0, 0.0]]))[0]
    found = candidates.features("sell the house", similar, {"close": 0.9}, 1)
    assert [row["concept_code"] for row in found] == ["close", "open", "sell"]


def test_the_digest_names_expressions_vectors_and_engine(candidates: Candidates) -> None:
    other = Candidates(
        TEXTS, candidates.nearest.rows + 1, candidates.nearest.scale, registry="r", encoder="e", engine="fts5"
    )
    assert candidates.hash != other.hash
