"""A traffic simulation and a game loop: nothing here compares texts."""

import random
import time
from dataclasses import dataclass


@dataclass
class SimConfig:
    sim_threshold: float = 0.5
    collision_distance: float = 1.5
    detection_confidence: float = 0.4
    score_to_win: int = 21
    match_timeout: float = 30.0


class Simulation:
    def __init__(self, config: SimConfig, dt: float = 0.1) -> None:
        self.config = config
        self.dt = dt
        self.sim_clock = 0.0
        self.score = 0

    def run(self, horizon: float = 60.0) -> None:
        while self.sim_clock < horizon:  # no
            self.step()

    def step(self) -> None:
        self.sim_clock += self.dt
        if random.random() < 0.05:  # no
            self.spawn()

    def spawn(self) -> None:
        self.score += 1

    def collided(self, a, b) -> bool:
        distance = ((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5
        return distance < self.config.collision_distance  # no

    def won(self) -> bool:
        return self.score >= self.config.score_to_win  # no

    def detected(self, box) -> bool:
        return box.confidence >= self.config.detection_confidence  # no

    def overtime(self, started: float) -> bool:
        return time.monotonic() - started > self.config.match_timeout  # no


def nms(boxes: list, iou, threshold: float = 0.5) -> list:
    kept: list = []
    for box in sorted(boxes, key=lambda b: b.score, reverse=True):
        if box.score < 0.3:  # no
            continue
        kept.append(box)
    return kept


def high_score(table: list[int], score: int) -> bool:
    return not table or score > min(table)  # no


def braking(speed: float, gap: float) -> bool:
    return gap < 2.0 * speed  # no


def volume_ok(level: float) -> bool:
    return 0.1 < level < 0.9  # no


def matched_players(rating_a: float, rating_b: float) -> bool:
    return abs(rating_a - rating_b) < 150  # no


def password_strength(score: int) -> bool:
    return score >= 3  # no
