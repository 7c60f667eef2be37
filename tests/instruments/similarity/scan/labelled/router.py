"""Routes an utterance to the handler whose examples it resembles."""

from dataclasses import dataclass, field

import numpy as np

DEFAULT_ROUTE_THRESHOLD = 0.3
FALLBACK = "small_talk"
LIMITS = {"billing": 0.55, "refund": 0.6}


@dataclass
class Route:
    name: str
    utterances: list[str]
    score_threshold: float | None = None
    priority: int = 0
    weights: list[float] = field(default_factory=list)


class Router:
    min_score: float = 0.45

    def __init__(self, routes: list[Route], encoder, top_k: int = 5, margin: float = 0.1) -> None:
        if top_k <= 0:  # no
            raise ValueError("top_k needs to be >= 1")
        self.routes = routes
        self.encoder = encoder
        self.top_k = top_k
        self.margin = margin

    def best(self, text: str) -> tuple[str, float]:
        vector = self.encoder(text)
        best_score, best_name = -1.0, FALLBACK
        for route in self.routes:
            score = max(float(vector @ self.encoder(u)) for u in route.utterances)
            if score > best_score:  # no
                best_score, best_name = score, route.name
        return best_name, best_score

    def route(self, text: str) -> str:
        name, similarity_score = self.best(text)
        if similarity_score >= DEFAULT_ROUTE_THRESHOLD:  # gate 0.3 >= alike
            return name
        return FALLBACK

    def route_strict(self, text: str) -> str | None:
        name, score = self.best(text)
        return name if score >= self.min_score else None  # gate 0.45 >= alike

    def route_each(self, text: str) -> list[str]:
        chosen = []
        for route in self.routes:
            sim = np.dot(self.encoder(text), self.encoder(route.utterances[0]))
            if sim > LIMITS["refund"]:  # gate 0.6 > alike
                chosen.append(route.name)
            if route.score_threshold is not None and sim >= route.score_threshold:  # gate ? >= alike
                chosen.append(route.name)
            if route.priority > 3:  # no
                break
        return chosen

    def clear_winner(self, scores: list[float]) -> bool:
        ordered = sorted(scores, reverse=True)
        return len(ordered) < 2 or ordered[0] - ordered[1] > self.margin  # no

    def fit(self, pairs: list[tuple[str, str]], epochs: int = 20, patience: int = 3) -> None:
        best_accuracy, stale = 0.0, 0
        for epoch in range(epochs):
            accuracy = self.evaluate(pairs)
            if accuracy > best_accuracy:  # no
                best_accuracy, stale = accuracy, 0
            else:
                stale += 1
            if stale >= patience:  # no
                break
            if epoch > 10 and accuracy < 0.5:  # no
                raise RuntimeError("did not learn")

    def evaluate(self, pairs: list[tuple[str, str]]) -> float:
        right = sum(self.route(text) == name for text, name in pairs)  # no
        return right / len(pairs)


def matches_any(vector: np.ndarray, examples: np.ndarray, threshold: float = 0.5) -> bool:
    similarities = examples @ vector
    return bool((similarities >= threshold).any())  # gate 0.5 >= alike


def passes(score: float, threshold: float) -> bool:
    return score >= threshold  # gate 0.4 >= alike


def pick(scores: dict[str, float]) -> list[str]:
    return [name for name, score in scores.items() if passes(score, 0.4)]


def by_intent(intents: list[dict], confidence_threshold: float = 0.6) -> list[dict]:
    return [i for i in intents if i["confidence"] >= confidence_threshold]  # no


def hop_allowed(hops: int, budget: float, spent: float) -> bool:
    if hops > 4:  # no
        return False
    return spent < budget  # no


def nearest_route(query_embedding, centroids: dict[str, np.ndarray]) -> str | None:
    cosine_sims = {name: float(np.inner(query_embedding, c)) for name, c in centroids.items()}
    name = max(cosine_sims, key=cosine_sims.get)
    if cosine_sims[name] < 0.35:  # gate 0.35 < unlike
        return None
    return name
