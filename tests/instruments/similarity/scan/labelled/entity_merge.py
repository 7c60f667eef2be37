"""Merges records of customers that name the same firm."""

import itertools

import jellyfish
import numpy as np
import pandas as pd
from rapidfuzz.distance import JaroWinkler
from thefuzz import fuzz

NAME_MATCH = 0.93
ADDRESS_RATIO = 80
CONFIG = {"embedding_threshold": 0.84, "max_block": 200}


def same_name(a: str, b: str) -> bool:
    return jellyfish.jaro_winkler_similarity(a, b) >= NAME_MATCH  # gate 0.93 >= alike


def same_address(a: str, b: str) -> bool:
    return fuzz.partial_ratio(a, b) >= ADDRESS_RATIO  # gate 80 >= alike


def same_vector(u: np.ndarray, v: np.ndarray) -> bool:
    similarity = float(u @ v)
    return similarity > CONFIG["embedding_threshold"]  # gate 0.84 > alike


def same_vector_get(u: np.ndarray, v: np.ndarray, options: dict) -> bool:
    similarity = float(u @ v)
    return similarity > options.get("threshold", 0.77)  # gate 0.77 > alike


def candidate_pairs(frame: pd.DataFrame, threshold: float = 0.9) -> pd.DataFrame:
    pairs = pd.DataFrame(itertools.combinations(frame["name"], 2), columns=["left", "right"])
    pairs["similarity"] = [JaroWinkler.similarity(a, b) for a, b in pairs.itertuples(index=False)]
    pairs = pairs[pairs["similarity"] >= threshold]  # gate 0.9 >= alike
    return pairs.sort_values("similarity", ascending=False)


def strong(pairs: pd.DataFrame) -> pd.DataFrame:
    return pairs.loc[pairs.cosine_sim > 0.97]  # gate 0.97 > alike


def weak(pairs: pd.DataFrame) -> pd.DataFrame:
    return pairs[pairs["levenshtein_distance"] <= 3]  # gate 3 <= alike


def adults(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame[frame["age"] >= 18]  # no
    return frame[frame["revenue"] > 0.0]  # no


def merge_decision(left: dict, right: dict) -> str:
    name_sim = jellyfish.jaro_similarity(left["name"], right["name"])
    if name_sim > 0.95:  # gate 0.95 > alike
        return "merge"
    elif name_sim > 0.8:  # gate 0.8 > alike
        return "review"
    return "keep"


class EntityResolver:
    merge_threshold = 0.89
    block_size = 64

    def should_merge(self, a, b) -> bool:
        score = self.score(a, b)
        return score >= self.merge_threshold  # gate 0.89 >= alike

    def score(self, a, b) -> float:
        return 0.6 * fuzz.ratio(a.name, b.name) / 100 + 0.4 * float(a.vector @ b.vector)

    def block(self, records: list) -> list:
        if len(records) > self.block_size:  # no
            return [records[: self.block_size]]
        return [records]

    def nearest(self, record, others) -> object:
        best, best_sim = None, 0.0
        for other in others:
            sim = self.score(record, other)
            if sim > best_sim:  # no
                best, best_sim = other, sim
        if best_sim < 0.5:  # gate 0.5 < unlike
            return None
        return best


def stores_near(a: tuple[float, float], b: tuple[float, float]) -> bool:
    distance_km = ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 * 111
    return distance_km < 2.5  # no


def price_gap(a: float, b: float) -> bool:
    return abs(a - b) / max(a, b) < 0.05  # no


def credit_ok(credit_score: int) -> bool:
    return credit_score >= 650  # no


def churn_risk(row: pd.Series) -> bool:
    return row["churn_probability"] > 0.6  # no


def completeness(record: dict) -> bool:
    filled = sum(1 for v in record.values() if v)
    return filled / len(record) >= 0.8  # no


def newer(left: dict, right: dict) -> dict:
    return left if left["updated"] >= right["updated"] else right  # no


def valid_threshold(value: float) -> float:
    if value < 0 or value > 1:  # no
        raise ValueError("a threshold lies in [0, 1]")
    return value
