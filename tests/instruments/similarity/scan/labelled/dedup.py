"""Removes repeated support tickets before they reach the training set."""

from __future__ import annotations

import math
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from sklearn.metrics.pairwise import cosine_distances, cosine_similarity

DUPLICATE_THRESHOLD = 0.92
TITLE_CUTOFF = 0.8
MAX_ROWS = 50_000


@dataclass
class DedupConfig:
    similarity_threshold: float = 0.95
    max_length: int = 4096
    min_tokens: int = 5


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    norm = np.linalg.norm(a) * np.linalg.norm(b)
    if norm == 0.0:  # no
        return 0.0
    return float(a @ b / norm)


def is_duplicate(a: np.ndarray, b: np.ndarray) -> bool:
    return cosine(a, b) >= DUPLICATE_THRESHOLD  # gate 0.92 >= alike


def titles_match(left: str, right: str) -> bool:
    ratio = SequenceMatcher(None, left.lower(), right.lower()).ratio()
    return ratio > TITLE_CUTOFF  # gate 0.8 > alike


class Deduplicator:
    def __init__(self, config: DedupConfig, threshold: float = 0.88) -> None:
        if not 0.0 <= threshold <= 1.0:  # no
            raise ValueError("threshold must lie in [0, 1]")
        self.config = config
        self.threshold = threshold
        self.kept: list[np.ndarray] = []

    def add(self, vector: np.ndarray) -> bool:
        for other in self.kept:
            similarity = cosine(vector, other)
            if similarity > self.threshold:  # gate 0.88 > alike
                return False
        if len(self.kept) >= MAX_ROWS:  # no
            raise OverflowError("too many rows")
        self.kept.append(vector)
        return True

    def pairs(self, matrix: np.ndarray) -> list[tuple[int, int]]:
        sims = cosine_similarity(matrix)
        found = []
        for i in range(len(matrix)):
            for j in range(i + 1, len(matrix)):
                if sims[i, j] >= self.config.similarity_threshold:  # gate 0.95 >= alike
                    found.append((i, j))
        return found


def drop_near(matrix: np.ndarray, eps: float = 0.05) -> np.ndarray:
    distances = cosine_distances(matrix)
    close = np.argwhere(distances < eps)  # gate 0.05 < alike
    drop = {j for i, j in close if i < j}  # no
    return np.delete(matrix, sorted(drop), axis=0)


def shingle(text: str, k: int = 5) -> set[str]:
    if len(text) < k:  # no
        return {text}
    return {text[i : i + k] for i in range(len(text) - k + 1)}


def jaccard(a: set[str], b: set[str]) -> float:
    union = len(a | b)
    return len(a & b) / union if union > 0 else 1.0  # no


def near_copies(texts: list[str], min_jaccard: float = 0.7) -> list[int]:
    sets = [shingle(t) for t in texts]
    out = []
    for i, one in enumerate(sets):
        if any(jaccard(one, sets[j]) >= min_jaccard for j in range(i)):  # gate 0.7 >= alike
            out.append(i)
    return out


def hamming(a: int, b: int) -> int:
    return (a ^ b).bit_count()


def simhash_duplicates(hashes: list[int]) -> list[tuple[int, int]]:
    return [
        (i, j)
        for i, a in enumerate(hashes)
        for j, b in enumerate(hashes[:i])
        if hamming(a, b) <= 3  # gate 3 <= alike
    ]


def converged(previous: float, current: float) -> bool:
    return abs(previous - current) < 1e-6  # no


def keep_rate(kept: int, total: int) -> float:
    rate = kept / max(total, 1)
    if rate < 0.5:  # no
        print("more than half of the rows were removed")
    return rate


def same_number(a: float, b: float) -> bool:
    return math.isclose(a, b) or abs(a - b) <= 0.01  # no


def too_new(ticket: dict, config: DedupConfig) -> bool:
    if ticket["tokens"] < config.min_tokens:  # no
        return True
    return ticket["age_days"] < 2  # no
