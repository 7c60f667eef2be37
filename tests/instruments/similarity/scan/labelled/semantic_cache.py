"""A cache of answers in front of a language model."""

import os
import time
from typing import Any, Optional

import redis
from pydantic import BaseModel, Field
from pydantic_settings import BaseSettings

SIMILARITY_THRESHOLD = float(os.getenv("CACHE_SIMILARITY_THRESHOLD", "0.9"))
DISTANCE_LIMIT = float(os.environ.get("CACHE_MAX_DISTANCE", 0.15))
TTL_SECONDS = 3600


class CacheSettings(BaseSettings):
    cache_threshold: float = Field(default=0.87, ge=0.0, le=1.0)
    distance_threshold: float = Field(0.2, description="largest distance of a hit")
    ttl: int = 600
    max_entries: int = 10_000


settings = CacheSettings()


class CacheEntry(BaseModel):
    prompt: str
    answer: str
    vector: list[float]
    created: float


class SemanticCache:
    SCORE_FLOOR = 0.75

    def __init__(self, index: Any, embed: Any, score_threshold: Optional[float] = None) -> None:
        self.index = index
        self.embed = embed
        self.score_threshold = score_threshold if score_threshold is not None else 0.82
        self.hits = 0
        self.misses = 0

    def lookup(self, prompt: str) -> Optional[str]:
        vector = self.embed(prompt)
        results = self.index.search(vector, k=1)
        if not results:
            return None
        entry, score = results[0]
        if score < SIMILARITY_THRESHOLD:  # gate 0.9 < unlike
            self.misses += 1
            return None
        if time.time() - entry.created > TTL_SECONDS:  # no
            return None
        self.hits += 1
        return entry.answer

    def lookup_distance(self, prompt: str) -> Optional[str]:
        hit = self.index.nearest(self.embed(prompt))
        if hit.distance <= DISTANCE_LIMIT:  # gate 0.15 <= alike
            return hit.answer
        return None

    def lookup_configured(self, prompt: str) -> Optional[str]:
        entry, similarity = self.index.top(self.embed(prompt))
        if similarity >= settings.cache_threshold:  # gate 0.87 >= alike
            return entry.answer
        return None

    def lookup_vector_distance(self, prompt: str) -> Optional[str]:
        rows = self.index.query(self.embed(prompt))
        rows = [r for r in rows if r["vector_distance"] < settings.distance_threshold]  # gate 0.2 < alike
        rows.sort(key=lambda r: r["vector_distance"])
        if len(rows) > 1 and rows[0]["created"] > rows[1]["created"]:  # no
            return rows[0]["answer"]
        return rows[0]["answer"] if len(rows) > 0 else None  # no

    def accept(self, score: float) -> bool:
        return score > self.SCORE_FLOOR  # gate 0.75 > alike

    def accept_local(self, cosine_score: float) -> bool:
        return cosine_score >= self.score_threshold  # gate 0.82 >= alike

    def hit_rate(self) -> float:
        total = self.hits + self.misses
        if total == 0:  # no
            return 0.0
        return self.hits / total

    def evict(self) -> None:
        if len(self.index) >= settings.max_entries:  # no
            self.index.pop_oldest()
        if self.hit_rate() < 0.1:  # no
            self.index.clear()

    def healthy(self, client: redis.Redis) -> bool:
        started = time.perf_counter()
        client.ping()
        latency = time.perf_counter() - started
        return latency < 0.25  # no


class DistanceCache(SemanticCache):
    def __init__(self, index: Any, embed: Any, *, max_distance: float = 0.12, retries: int = 3) -> None:
        super().__init__(index, embed)
        self.max_distance = max_distance
        self.retries = retries

    def get(self, prompt: str) -> Optional[str]:
        attempt = 0
        while attempt < self.retries:  # no
            try:
                answer, dist = self.index.nearest_pair(self.embed(prompt))
            except ConnectionError:
                attempt += 1
                continue
            if dist > self.max_distance:  # gate 0.12 > unlike
                return None
            return answer
        return None

    def blended(self, prompt: str, other: str) -> bool:
        dense = self.embed.similarity(prompt, other)
        sparse = self.index.bm25_overlap(prompt, other)
        combined_score = 0.7 * dense + 0.3 * sparse
        return combined_score > 0.65  # gate 0.65 > alike


def should_store(answer: str, logprob: float, temperature: float) -> bool:
    if temperature > 0.7:  # no
        return False
    if logprob < -1.5:  # no
        return False
    return 20 <= len(answer) <= 4000  # no
