"""The semantic lane on CLINC150 and Banking77: coverage that a threshold from calibration texts alone allows.

    python semantic_lane.py CLINC150 BANKING77 CACHE PAGE.md

CLINC150 holds ``data_full.json`` (CC BY 3.0), BANKING77 ``train.csv`` and ``test.csv`` (CC BY 4.0). Vectors are kept
in CACHE, where ``routed.py`` has put semantic-router's answers; without them its rows are left out. Needs the extra
``encoders``. Writes the page with every figure; about four minutes of one core.
"""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import lane_rows
import numpy as np

from denotary.encoders import load_encoder
from denotary.resolver.semantic.certifying import certified
from denotary.resolver.semantic.features import WEIGHT, NGrams
from denotary.resolver.semantic.fitting import PENALTY
from denotary.resolver.semantic.head import fit_head, probabilities
from denotary.statistics import binomial
from denotary.statistics.threshold import risk_at_share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

DELTA, LIMITS, SPLITS, RUNS, DECLARED_RUNS = 0.05, (0.01, 0.005), 200, 400, 100
SPLIT = (0.45, 0.1, 0.45)
SYNTHETIC_LIMIT, SYNTHETIC_SHARE, SYNTHETIC_SIZE = 0.09, 0.1, 3000


@dataclass(frozen=True, slots=True)
class Data:
    """Texts with their role (fit, calibration, test) and intent; intent -1 is none of the registry's."""

    texts: list[str]
    role: NDArray[np.str_]
    intent: NDArray[np.int64]

    @property
    def classes(self) -> int:
        """How many intents the registry holds."""
        return int(self.intent.max()) + 1


@dataclass(frozen=True, slots=True)
class Scored:
    """Confidence of the answer to each text, whether it is right, and whether the text has no intent."""

    confidence: Floats
    right: Bools
    unknown: Bools
    answer: NDArray[np.int64]

    def part(self, rows: NDArray[np.int64] | Bools) -> Scored:
        """Return some of the texts."""
        return Scored(self.confidence[rows], self.right[rows], self.unknown[rows], self.answer[rows])

    def counts(self, threshold: float | None) -> tuple[int, int, int]:
        """Return accepted known, wrong among them, and accepted unknown texts."""
        accepted = self.confidence >= (np.inf if threshold is None else threshold)
        known = accepted & ~self.unknown
        return int(known.sum()), int((known & ~self.right).sum()), int((accepted & self.unknown).sum())


def clinc(folder: Path) -> Data:
    """Return CLINC150 with its own splits; out-of-scope texts have no intent."""
    splits = json.loads((folder / "data_full.json").read_text(encoding="utf-8"))
    roles = {"train": "fit", "val": "calibration", "test": "test"}
    rows = [
        (text, roles[name.removeprefix("oos_")], label)
        for name in sorted(splits)
        for text, label in splits[name]
    ]
    labels = sorted({row[2] for row in rows} - {"oos"})
    return _data(rows, labels)


def banking(folder: Path) -> Data:
    """Return Banking77 with every fourth intent by name withheld; every tenth training text is for calibration."""
    rows = []
    for name in ("train", "test"):
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            found = [(row["text"], row["category"]) for row in csv.DictReader(file)]
        rows += [
            (t, name if name == "test" else ("calibration", "fit")[at % 10 > 0], c)
            for at, (t, c) in enumerate(found)
        ]
    names = sorted({row[2] for row in rows})
    kept = [name for at, name in enumerate(names) if at % 4]
    return _data([row for row in rows if row[1] != "fit" or row[2] in kept], kept)


def _data(rows: list[tuple[str, str, str]], labels: list[str]) -> Data:
    number = {label: at for at, label in enumerate(labels)}
    intents = np.asarray([number.get(row[2], -1) for row in rows], dtype=np.int64)
    return Data([row[0] for row in rows], np.asarray([row[1] for row in rows]), intents)


def vectors(data: Data, path: Path) -> Floats:
    """Return the vectors of all texts, each distinct text encoded once and kept in a file."""
    known: dict[str, list[float]] = {}
    if path.exists():
        kept = np.load(path.with_suffix(".npy"))
        known = dict(zip(json.loads(path.read_text(encoding="utf-8")), kept, strict=True))
    fresh = sorted(set(data.texts) - known.keys())
    if fresh:
        known.update(zip(fresh, load_encoder("minilm").encode(fresh), strict=True))
        path.write_text(json.dumps(list(known)), encoding="utf-8")
        np.save(path.with_suffix(".npy"), np.asarray(list(known.values()), dtype=np.float32))
    return np.asarray([known[text] for text in data.texts], dtype=np.float64)


def lane(data: Data, dense: Floats) -> Scored:
    """Return the semantic lane's answers: what ``fit`` learns and ``resolve`` scores, over vectors that are there."""
    fit = data.role == "fit"
    ngrams = NGrams.learn([text for text, chosen in zip(data.texts, fit, strict=True) if chosen])
    rows = np.hstack([dense, WEIGHT * ngrams.transform(data.texts), np.ones((len(dense), 1))])
    return _headed(data, rows, fit)


def plain(data: Data, dense: Floats) -> Scored:
    """Return a logistic head over the vectors alone that never saw an unknown text."""
    rows = np.hstack([dense, np.ones((len(dense), 1))])
    return _headed(data, rows, (data.role == "fit") & (data.intent >= 0))


def _headed(data: Data, rows: Floats, fit: Bools) -> Scored:
    labels = np.where(data.intent < 0, data.classes, data.intent)
    weights = fit_head(rows[fit], labels[fit], int(labels[fit].max()) + 1, PENALTY)
    return _scored(data, probabilities(rows, weights)[:, : data.classes])


def nearest(data: Data, dense: Floats) -> Scored:
    """Return the intent of the nearest training text, and its cosine as confidence."""
    known = np.flatnonzero((data.role == "fit") & (data.intent >= 0))
    cosine = np.round(dense @ dense[known].T, 6)
    at = cosine.argmax(axis=1)
    answer = data.intent[known][at]
    return Scored(cosine.max(axis=1), answer == data.intent, data.intent < 0, answer)


def _scored(data: Data, found: Floats) -> Scored:
    answer = found.argmax(axis=1)
    return Scored(found.max(axis=1), answer == data.intent, data.intent < 0, answer)


def choose(scored: Scored, limit: float, share: float | None = None) -> float | None:
    """Return the certified threshold."""
    return certified(
        scored.confidence,
        scored.right,
        scored.unknown,
        limit=limit,
        unknown_limit=None,
        delta=DELTA,
        share=share,
    )


def oracle(scored: Scored, limit: float) -> float:
    """Return the known coverage at the laxest threshold whose observed risk on these very texts keeps the limit."""
    order = np.argsort(-scored.confidence, kind="stable")
    bad = np.cumsum((~scored.right | scored.unknown)[order])
    kept = np.flatnonzero(bad / np.arange(1, len(order) + 1) <= limit)
    known = np.cumsum(~scored.unknown[order])
    return float(known[kept[-1]] / (~scored.unknown).sum()) if kept.size else 0.0


def risk_bound(scored: Scored, threshold: float, share: float) -> tuple[float, float]:
    """Return the assignment risk at a share of unknown texts, observed and its one-sided 95 % bound by strata."""
    known, wrong, false = scored.counts(threshold)
    m = int(scored.unknown.sum())
    n = len(scored.unknown) - m
    one, two, three = (part * DELTA for part in SPLIT)
    bound = risk_at_share(
        binomial.upper_bound(wrong, n, one),
        binomial.lower_bound(known, n, two),
        binomial.upper_bound(false, m, three),
        share,
    )
    return float(risk_at_share(wrong / n, known / n, false / m, share)), float(bound)


def results(data: Data, systems: dict[str, Scored]) -> list[str]:
    """Return the rows of the table of one data set at certified thresholds."""
    calibration, test = data.role == "calibration", data.role == "test"
    share = float((data.intent[calibration] < 0).mean())
    lines = [
        (
            "| system | limit | threshold | known coverage | risk, bound at the calibration share "
            "| risk, bound at the test share | UnknownFAR, bound | coverage with an oracle threshold |"
        ),
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, scored in systems.items():
        tested = scored.part(test)
        for limit in LIMITS:
            threshold = choose(scored.part(calibration), limit)
            names = (name, f"{limit:.1%}", f"{oracle(tested, limit):.3f}")
            lines.append(_row(names, tested, threshold, share))
    return lines


def as_it_comes(data: Data, routed: Scored) -> tuple[list[str], str]:
    """Return semantic-router's rows at its defaults and tuned, and what its own metric says of both."""
    calibration, tested = routed.part(data.role == "calibration"), routed.part(data.role == "test")
    share, own = float(calibration.unknown.mean()), lane_rows.tuned(calibration)
    names = {"semantic-router, defaults": 0.0, "semantic-router, best accuracy on calibration": own}
    lines = [_row((name, "none", "-"), tested, at, share) for name, at in names.items()]
    sentence = (
        f"semantic-router's own `evaluate` counts {lane_rows.accuracy(tested, 0.0):.3f} at its defaults and "
        f"{lane_rows.accuracy(tested, own):.3f} tuned."
    )
    return lines, sentence


def _row(names: tuple[str, str, str], tested: Scored, threshold: float | None, share: float) -> str:
    name, limit, best = names
    if threshold is None:
        return f"| {name} | {limit} | none qualifies | 0 | - | - | - | {best} |"
    known, wrong, false = tested.counts(threshold)
    m = int(tested.unknown.sum())
    there = risk_bound(tested, threshold, share)
    bound = binomial.upper_bound(wrong + false, known + false)
    return (
        f"| {name} | {limit} | {threshold:.6f} | {known / (len(tested.unknown) - m):.3f} "
        f"| {there[0]:.2%}, {there[1]:.2%} "
        f"| {(wrong + false) / (known + false):.2%}, {bound:.2%} "
        f"| {false / m:.1%}, {binomial.upper_bound(false, m):.1%} | {best} |"
    )


def shares(scored: Scored, data: Data) -> list[str]:
    """Return, per declared share of unknown texts, what the calibration texts certify."""
    calibration, test = scored.part(data.role == "calibration"), scored.part(data.role == "test")
    lines = [
        "| declared share of unknown texts | limit | threshold | known coverage | risk on test at that share, bound |",
        "| --- | --- | --- | --- | --- |",
    ]
    for share in (0.01, float(calibration.unknown.mean()), 0.1, float(test.unknown.mean())):
        for limit in LIMITS:
            threshold = choose(calibration, limit, share)
            if threshold is None:
                lines.append(f"| {share:.1%} | {limit:.1%} | none qualifies | 0 | - |")
                continue
            covered = test.counts(threshold)[0] / int((~test.unknown).sum())
            there = risk_bound(test, threshold, share)
            lines.append(
                f"| {share:.1%} | {limit:.1%} | {threshold:.6f} | {covered:.3f} | {there[0]:.2%}, {there[1]:.2%} |"
            )
    return lines


def resplits(scored: Scored, data: Data) -> list[str]:
    """Return, over random calibration sets, how often the risk on the pooled texts exceeds the limit."""
    pool = scored.part(data.role != "fit")
    known, unknown = np.flatnonzero(~pool.unknown), np.flatnonzero(pool.unknown)
    calibration = data.intent[data.role == "calibration"]
    sizes = int((calibration >= 0).sum()), int((calibration < 0).sum())
    share = sizes[1] / sum(sizes)
    lines = [
        "| limit | none qualified | risk above the limit | mean known coverage |",
        "| --- | --- | --- | --- |",
    ]
    for limit in LIMITS:
        draws, above, none, covered = np.random.default_rng(1), 0, 0, []
        for _ in range(SPLITS):
            rows = np.concatenate(
                [draws.choice(known, sizes[0], replace=False), draws.choice(unknown, sizes[1], replace=False)]
            )
            threshold = choose(pool.part(rows), limit)
            none += threshold is None
            accepted, wrong, false = pool.counts(threshold)
            risk = float(
                risk_at_share(wrong / known.size, accepted / known.size, false / unknown.size, share)
            )
            above += threshold is not None and risk > limit
            covered.append(accepted / known.size)
        lines.append(f"| {limit:.1%} | {none / SPLITS:.1%} | {above / SPLITS:.1%} | {np.mean(covered):.3f} |")
    return lines


def synthetic(runs: int, share: float | None) -> str:
    """Return how often the true risk exceeds the limit where the law is known, as a sentence."""
    none = above = 0
    for seed in range(runs):
        draw = np.random.default_rng(seed)
        unknown = draw.random(SYNTHETIC_SIZE) < SYNTHETIC_SHARE
        confidence = np.where(unknown, draw.random(SYNTHETIC_SIZE) ** 8, draw.random(SYNTHETIC_SIZE))
        right = ~unknown & (draw.random(SYNTHETIC_SIZE) >= (1 - confidence) / 5)
        at = choose(
            Scored(confidence, right, unknown, np.zeros(SYNTHETIC_SIZE, dtype=np.int64)),
            SYNTHETIC_LIMIT,
            share,
        )
        if at is None:
            none += 1
            continue
        wrong, false = (1 - SYNTHETIC_SHARE) * (1 - at) ** 2 / 10, SYNTHETIC_SHARE * (1 - at**0.125)
        above += (wrong + false) / ((1 - SYNTHETIC_SHARE) * (1 - at) + false) > SYNTHETIC_LIMIT
    found = f"in {above} ({above / runs:.1%}) the true risk exceeded the limit"
    return f"of {runs} runs, {none} had no threshold, and {found}"


def sizes(data: Data) -> str:
    """Return how many texts of each kind each role has."""
    parts = []
    for role in ("fit", "calibration", "test"):
        chosen = data.intent[data.role == role]
        parts.append(f"{role} {int((chosen >= 0).sum()):,} known and {int((chosen < 0).sum()):,} unknown")
    return "; ".join(parts)


def described(name: str, data: Data, cache: Path) -> tuple[dict[str, str], Scored]:
    """Return the parts of the page about one data set by their names in it, and the lane's answers."""
    dense, routed = vectors(data, cache / f"{name}.json"), cache / f"{name}-routed.json"
    plainly = lane(data, dense)
    checked, refused = lane_rows.with_checks(data, plainly)
    systems = {
        "semantic lane": checked,
        "semantic lane, checks off": plainly,
        "logistic head": plain(data, dense),
        "nearest neighbour": nearest(data, dense),
    }
    more: list[str] = []
    own = ""
    if routed.exists():
        systems["semantic-router"] = lane_rows.router(data, routed, Scored)
        more, own = as_it_comes(data, systems["semantic-router"])
    parts = {
        "sizes": sizes(data),
        "table": "\n".join(results(data, systems) + more),
        "refused": refused,
        "own": own,
        "shares": "\n".join(shares(checked, data)),
        "resplits": "\n".join(resplits(checked, data)),
    }
    return {f"{name}_{key}": text for key, text in parts.items()}, checked


def main(arguments: list[str]) -> None:
    """Write the page."""
    folders, cache, page = [Path(name) for name in arguments[:2]], Path(arguments[2]), Path(arguments[3])
    data = clinc(folders[0])
    parts, scored = described("clinc", data, cache)
    calibration, test = data.intent[data.role == "calibration"], data.intent[data.role == "test"]
    known, unknown, share = (
        int((calibration >= 0).sum()),
        int((calibration < 0).sum()),
        float((test < 0).mean()),
    )
    pool = scored.part(data.role != "fit")
    parts["clinc_best"] = lane_rows.best_case(known, unknown, share)
    rows = [line for limit in LIMITS for line in lane_rows.needed(pool, known, share, limit)]
    parts["clinc_needed"] = "\n".join(rows)
    data = banking(folders[1])
    found, scored = described("banking", data, cache)
    planned = [line for limit in LIMITS for line in lane_rows.plan(scored.part(data.role == "test"), limit)]
    parts |= {**found, "banking_plan": "\n".join(planned)}
    parts["synthetic"] = synthetic(RUNS, None)
    parts["synthetic_declared"] = synthetic(DECLARED_RUNS, SYNTHETIC_SHARE)
    template = Path(__file__).with_name("semantic_lane.md").read_text(encoding="utf-8")
    for key, text in parts.items():
        template = template.replace(f"{{{key}}}", text)
    page.write_text(template, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
