"""Watches that an agent's plan stays near its goal, and a model's inputs near what it was trained on."""

from __future__ import annotations

import logging

import numpy as np
from scipy.spatial.distance import cosine as cosine_distance
from scipy.spatial.distance import euclidean
from scipy.stats import ks_2samp

log = logging.getLogger(__name__)

DRIFT_LIMIT = 0.4
WARN_DRIFT = 0.25


class GoalGuard:
    """Stops a plan that left its goal."""

    def __init__(self, goal: np.ndarray, max_drift: float = DRIFT_LIMIT, window: int = 5) -> None:
        self.goal = goal / np.linalg.norm(goal)
        self.max_drift = max_drift
        self.window = window
        self.history: list[float] = []

    def step(self, vector: np.ndarray) -> bool:
        drift = 1.0 - float(self.goal @ vector)
        self.history.append(drift)
        if drift > self.max_drift:  # gate 0.4 > unlike
            log.warning("plan left the goal")
            return False
        if len(self.history) > self.window:  # no
            self.history.pop(0)
        return True

    def soft(self, vector: np.ndarray) -> str:
        d = cosine_distance(self.goal, vector)
        if d >= WARN_DRIFT:  # gate 0.25 >= unlike
            return "warn"
        return "ok"

    def inline(self, vector: np.ndarray) -> bool:
        return 1 - np.dot(self.goal, vector) < 0.3  # gate 0.3 < alike

    def far(self, vector: np.ndarray) -> bool:
        return euclidean(self.goal, vector) > 1.1  # gate 1.1 > unlike

    def reversed_operands(self, vector: np.ndarray) -> bool:
        return 0.6 <= cosine_similarity(self.goal, vector)  # gate 0.6 >= alike

    def walrus(self, vector: np.ndarray) -> float | None:
        if (sim := cosine_similarity(self.goal, vector)) < 0.55:  # gate 0.55 < unlike
            return sim
        return None


def cosine_similarity(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.dot(a, b) / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-12))


def constraint_kept(original: str, rewritten: str, embed) -> bool:
    semantic_similarity = cosine_similarity(embed(original), embed(rewritten))
    keep = semantic_similarity >= 0.86 and len(rewritten) <= 2 * len(original)  # gate 0.86 >= alike
    return keep


def topic_shift(turns: list[np.ndarray], threshold: float = 0.5) -> list[int]:
    cuts = []
    for i in range(1, len(turns)):
        if cosine_similarity(turns[i - 1], turns[i]) < threshold:  # gate 0.5 < unlike
            cuts.append(i)
    return cuts


def breakpoints(distances: list[float], percentile: float = 95.0) -> list[int]:
    limit = np.percentile(distances, percentile)
    return [i for i, distance in enumerate(distances) if distance > limit]  # gate ? > unlike


def feature_drift(reference: np.ndarray, current: np.ndarray, alpha: float = 0.05) -> bool:
    return ks_2samp(reference, current).pvalue < alpha  # no


def psi_drift(psi: float) -> bool:
    return psi > 0.2  # no


def clock_drift(local: float, remote: float) -> bool:
    clock_skew = abs(local - remote)
    return clock_skew > 0.5  # no


def stuck(losses: list[float], min_delta: float = 1e-4) -> bool:
    return max(losses) - min(losses) < min_delta  # no


def budget_gone(tokens_used: int, limit: int = 100_000) -> bool:
    return tokens_used >= limit  # no


def lr_at(step: int, warmup: int = 500, base: float = 3e-4) -> float:
    if step < warmup:  # no
        return base * step / warmup
    return base * 0.5 ** (step / 10_000)


def geofence(lat: float, lon: float, home: tuple[float, float], radius_km: float = 5.0) -> bool:
    return haversine_km((lat, lon), home) <= radius_km  # no


def haversine_km(a: tuple[float, float], b: tuple[float, float]) -> float:
    dlat, dlon = np.radians(b[0] - a[0]), np.radians(b[1] - a[1])
    h = np.sin(dlat / 2) ** 2 + np.cos(np.radians(a[0])) * np.cos(np.radians(b[0])) * np.sin(dlon / 2) ** 2
    return float(6371.0 * 2 * np.arcsin(np.sqrt(h)))


def cpu_hot(temperature: float) -> bool:
    return temperature > 85.0  # no


def anomaly(z_score: float) -> bool:
    return z_score > 3.0  # no
