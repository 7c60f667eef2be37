"""Parts of the semantic lane's page: difference checks, semantic-router's answers, what more texts would do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from denotary.resolver.semantic.certifying import certified
from denotary.resolver.semantic.checks import Checks, expressions
from denotary.statistics import planning
from denotary.statistics.strata import share_p_value

if TYPE_CHECKING:
    from pathlib import Path

    from semantic_lane import Data, Scored

DELTA, STARTS, DRAWS = 0.05, 3, 10
GRID = np.linspace(0.0, 1.0, 1001)


def with_checks(data: Data, scored: Scored) -> tuple[Scored, str]:
    """Return the answers without those that the typed difference checks refuse, and a sentence that counts them."""
    wordings = {
        str(code): {
            "en": expressions(
                [data.texts[at] for at in np.flatnonzero((data.role == "fit") & (data.intent == code))], "en"
            )
        }
        for code in range(data.classes)
    }
    checks = Checks(wordings)
    asked = np.flatnonzero(data.role != "fit")
    refused = np.zeros(len(data.texts), dtype=np.bool_)
    refused[asked] = [bool(checks.against(data.texts[at], str(scored.answer[at]), "en")) for at in asked]
    test = data.role == "test"
    groups = (scored.right, ~scored.right & ~scored.unknown, scored.unknown)
    counts = [(int((test & refused & group).sum()), int((test & group).sum())) for group in groups]
    sentence = (
        f"Of the test texts, whatever their confidence, the checks refuse {counts[0][0]:,} of {counts[0][1]:,} right "
        "answers, "
        f"{counts[1][0]} of {counts[1][1]} wrong ones, and {counts[2][0]} of {counts[2][1]:,} answers to unknown texts."
    )
    kept = np.where(refused, -1.0, scored.confidence)
    return type(scored)(kept, scored.right & ~refused, scored.unknown, scored.answer), sentence


def router(data: Data, path: Path, make: type[Scored]) -> Scored:
    """Return what ``routed.py`` found; texts that it did not ask about have no confidence."""
    found = json.loads(path.read_text(encoding="utf-8"))
    pairs = [found.get(text, ("-1", -1.0)) for text in data.texts]
    answer = np.asarray([int(code) for code, _ in pairs], dtype=np.int64)
    unknown = data.intent < 0
    return make(
        np.asarray([score for _, score in pairs]), (answer == data.intent) & ~unknown, unknown, answer
    )


def tuned(calibration: Scored) -> float:
    """Return the threshold with the best accuracy, as :func:`accuracy` counts it."""
    rates = [accuracy(calibration, threshold) for threshold in GRID]
    return float(GRID[int(np.argmax(rates))])


def accuracy(scored: Scored, threshold: float) -> float:
    """Return the accuracy as semantic-router's ``evaluate`` counts it."""
    accepted = scored.confidence >= threshold
    return float(np.where(scored.unknown, ~accepted, accepted & scored.right).mean())


def needed(pool: Scored, known: int, share: float, limit: float) -> list[str]:
    """Return rows: with how many unknown calibration texts a threshold qualifies at a declared share, and how wide."""
    lines = []
    rows, others = np.flatnonzero(~pool.unknown), np.flatnonzero(pool.unknown)
    for size in (100, 300, 600, 1000):
        draw, covered = np.random.default_rng(1), []
        for _ in range(DRAWS):
            chosen = np.concatenate(
                [draw.choice(rows, known, replace=False), draw.choice(others, size, replace=False)]
            )
            part = pool.part(chosen)
            at = certified(
                part.confidence,
                part.right,
                part.unknown,
                limit=limit,
                unknown_limit=None,
                delta=DELTA,
                share=share,
            )
            covered.append(0.0 if at is None else float((pool.confidence[rows] >= at).mean()))
        lines.append(
            f"| {limit:.1%} | {size:,} | {np.mean(np.asarray(covered) > 0):.0%} | {np.mean(covered):.3f} |"
        )
    return lines


def best_case(known: int, unknown: int, share: float) -> str:
    """Return what the calibration texts could show at a share if not a single answer were bad, as a sentence."""
    parts = []
    for limit in (0.01, 0.005):
        p = share_p_value(0, known, 0, unknown, coverage=0.7, limit=limit, share=share)
        parts.append(f"{p:.3f} for {limit:.1%}")
    return (
        f"Had {unknown} unknown and {known:,} known calibration texts not a single bad answer at a coverage of 0.70, "
        f"the exact p-value at a share of {share:.1%} would be {' and '.join(parts)}"
    )


def plan(tested: Scored, limit: float) -> list[str]:
    """Return rows: at a known coverage the risk, and how many calibration texts would show it with power 0.8."""
    lines = []
    known = np.sort(tested.confidence[~tested.unknown])[::-1]
    for coverage in (0.1, 0.2, 0.3, 0.4, 0.5):
        at = known[int(coverage * known.size) - 1]
        accepted = tested.confidence >= at
        bad, asserted = int((~tested.right & accepted).sum()), int(accepted.sum())
        risk = bad / asserted
        units = planning.units_for_power(limit, risk, 0.8, DELTA / STARTS) if risk < limit else None
        texts = (
            "-" if units is None else f"{units[0]:,} accepted, about {units[0] / accepted.mean():,.0f} in all"
        )
        lines.append(f"| {limit:.1%} | {coverage:.1f} | {risk:.2%}, {bad} of {asserted:,} | {texts} |")
    return lines
