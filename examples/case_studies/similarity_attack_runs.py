"""The attacks on encoders, the corpus and the rule of the verdict: each gives one number, with what it is of."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import similarity_attack_scores as made
from similarity_attack_records import Outcome, worst
from similarity_encoders import vectors

from denotary.instruments.similarity.baselines import token_jaccard
from denotary.instruments.similarity.corpus import load_corpus
from denotary.instruments.similarity.overlap import words
from denotary.instruments.similarity.verdict import MEANING, WORDING
from denotary.statistics.clustered_auroc import separation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from similarity_encoders import Encoded

    from denotary.statistics.checks import BoolArray, FloatArray
    from denotary.statistics.clustered_auroc import Separation

ENCODERS = ("minilm", "e5")
PAGE = Path(__file__).parents[2] / "docs" / "case-studies" / "similarity-encoders.md"
WRONG = 0.25
"""Share of wrong labels that the label-noise attack supposes."""
QUICK = 500
"""Resamples of an interval that is computed hundreds of times."""
SHUFFLES, SIMULATED, SAMPLES, FEW = 200, 1_000, 200, 30


class Bench:
    """The corpus with what is computed of it once.

    Args:
        cache: folder in which vectors are kept.
    """

    def __init__(self, cache: Path) -> None:
        self.corpus = load_corpus()
        self.pairs = self.corpus.pairs
        self.vectors: dict[str, Encoded] = {name: vectors(name, self.pairs.texts, cache) for name in ENCODERS}
        self.scores = {name: self._cosines(name) for name in ENCODERS}
        self.scores["token-jaccard"] = token_jaccard(list(self.pairs.first), list(self.pairs.second))

    def sides(self, name: str) -> tuple[FloatArray, FloatArray]:
        """Return the vectors of the first and of the second texts, each of shape (N, D)."""
        rows = self.vectors[name]
        first, second = rows.encode(list(self.pairs.first)), rows.encode(list(self.pairs.second))
        return first.astype(np.float64), second.astype(np.float64)

    def _cosines(self, name: str) -> FloatArray:
        u, v = self.sides(name)
        norms = np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1)
        return np.asarray(np.einsum("nd,nd->n", u, v) / norms)


def label_noise(bench: Bench) -> Outcome:
    """Correct the published upper ends for wrong labels."""
    del bench
    seen = dict(made.published(PAGE.read_text(encoding="utf-8"), "reads wording"))
    ends = {name: made.corrected(high, WRONG) for name, high in seen.items()}
    own = {name: made.explaining(high, MEANING) for name, high in seen.items() if name.startswith("minilm,")}
    rows = [(name, f"{end:.3f}, published {seen[name]:.3f}") for name, end in worst(ends, 6)]
    rows += [(f"{name}: wrong labels that a true {MEANING:.2f} needs", f"{x:.1%}") for name, x in own.items()]
    return Outcome(max(ends.values()), rows)


def centred(bench: Bench) -> Outcome:
    """Take mean and principal directions of the other half away from the vectors of minilm."""
    pairs, (u, v) = bench.pairs, bench.sides("minilm")
    highs, rows = [], []
    for directions in (0, 1, 3):
        scores = np.zeros(len(pairs))
        for half in ("A", "B"):
            at, other = pairs.of(half=half), pairs.where(~pairs.of(half=half))
            basis = bench.vectors["minilm"].encode(other.texts).astype(np.float64)
            scores[at] = made.centred(u[at], v[at], basis, directions)
        for task in pairs.values("task"):
            found = made.decision(pairs, scores, pairs.of(task=task))
            highs.append(found.high)
            rows.append((f"mean and {directions} directions, {task}", made.shown(found)))
    return Outcome(max(highs), rows)


def probe(bench: Bench) -> Outcome:
    """Fit a regression on the vectors of both texts."""
    lows, rows = [], []
    for name in ENCODERS:
        for label, found in made.held_out(bench.pairs, _same_for_all(both(*bench.sides(name))), scaled=True):
            lows.append(found.low)
            rows.append((f"{name}, {label}", made.shown(found)))
    return Outcome(max(lows), rows)


def both(u: FloatArray, v: FloatArray) -> FloatArray:
    """Return what a probe sees of two vectors, whichever is first: differences and products, shape (N, 2 D)."""
    return np.hstack([np.abs(u - v), u * v])


def leave_one_out(bench: Bench) -> Outcome:
    """Give the verdicts again without each register, class and half."""
    pairs, changed, rows = bench.pairs, [], []
    left = [(column, value) for column in ("register", "mutation", "half") for value in pairs.values(column)]
    for name, scores in bench.scores.items():
        whole = made.reading(pairs, scores)
        others = []
        for column, value in left:
            at = ~pairs.of(**{column: value})
            said = made.reading(pairs.where(at), scores[at])
            others += [f"without {column} {value}: {said}"] if said != whole else []
        changed.append(len(others))
        rows.append((f"{name}, {whole}", "; ".join([f"{len(others)} of {len(left)}", *others])))
    return Outcome(float(max(changed)), rows)


def second_text_only(bench: Bench) -> Outcome:
    """Guess the decision from the second text."""
    return _highest(made.held_out(bench.pairs, lambda at: made.second_texts(bench.pairs, at), scaled=False))


def lengths(bench: Bench) -> Outcome:
    """Guess the decision from differences of length."""
    return _highest(made.held_out(bench.pairs, _same_for_all(made.lengths(bench.pairs)), scaled=True))


def other_overlaps(bench: Bench) -> Outcome:
    """Take overlap by other measures as a score."""
    pairs, far, rows = bench.pairs, [], []
    for name in made.OVERLAPS:
        scores = made.measured(name, pairs)
        for task in pairs.values("task"):
            for pole, near in (("close", pairs.close), ("distant", ~pairs.close)):
                found = made.decision(pairs, scores, pairs.of(task=task) & near)
                rows.append((f"{name}, {task}, {pole}", made.shown(found)))
                if name != made.OWN:
                    far.append(abs(found.value - 0.5))
    return Outcome(max(far), rows)


def rematched(bench: Bench) -> Outcome:
    """Keep anchors that are matched by two more measures."""
    pairs, moved, rows = bench.pairs, [], []
    kept = made.within(pairs, [made.measured(name, pairs) for name in made.MATCHED_TOO], 0.1)
    for name in ENCODERS:
        for task in pairs.values("task"):
            before = made.decision(pairs, bench.scores[name], pairs.of(task=task))
            after = made.decision(pairs, bench.scores[name], pairs.of(task=task) & kept)
            moved.append(abs(after.value - before.value))
            rows.append(
                (f"{name}, {task}, {after.anchors} anchors", f"{made.shown(before)} to {made.shown(after)}")
            )
        rows.append((name, made.reading(pairs.where(kept), bench.scores[name][kept])))
    return Outcome(max(moved), rows)


def any_cutoff(bench: Bench, name: str) -> Outcome:
    """Choose a cutoff and its direction in every stratum of one half."""
    pairs, scores, found, rows = bench.pairs, bench.scores[name], [], []
    for label, fit, judge in made.directions(pairs):
        for task in pairs.values("task"):
            for pole, near in (("close", pairs.close), ("distant", ~pairs.close)):
                at, other = fit & near & pairs.of(task=task), judge & near & pairs.of(task=task)
                inside, outside = made.chosen_cutoff(scores, pairs.same, at, other)
                found.append(outside)
                rows.append((f"{task}, {pole}, {label}", f"{outside:.3f}, in-sample {inside:.3f}"))
    return Outcome(max(found), rows)


def guard_cutoff(bench: Bench) -> Outcome:
    """Choose the distance that fires on 5 % of close restatements."""
    pairs, caught, rows = bench.pairs, [], []
    for name in ENCODERS:
        distance = 1.0 - bench.scores[name]
        for label, fit, judge in made.directions(pairs):
            for task in pairs.values("task"):
                close = pairs.close & pairs.of(task=task)
                cutoff = float(np.quantile(distance[fit & close & pairs.same], 0.95))
                fired = distance > cutoff
                share = float(fired[judge & close & ~pairs.same].mean())
                wrong = float(fired[judge & close & pairs.same].mean())
                caught.append(share)
                rows.append(
                    (
                        f"{name}, {task}, {label}, distance > {cutoff:.3f}",
                        f"{share:.3f}, fires on {wrong:.3f}",
                    )
                )
    return Outcome(max(caught), rows)


def shuffled(bench: Bench) -> Outcome:
    """Exchange decisions at random and count verdicts of meaning."""
    pairs = bench.pairs
    rng = np.random.Generator(np.random.Philox(0))
    group = 2 * pairs.codes + pairs.stratum
    count = dict.fromkeys(("e5", "a score that knew"), 0)
    for _ in range(SHUFFLES):
        flipped = rng.random(int(group.max()) + 1) < 0.5  # noqa: PLR2004 - a coin
        drawn = replace(pairs, same=pairs.same ^ flipped[group])
        for name, scores in (("e5", bench.scores["e5"]), ("a score that knew", pairs.same.astype(float))):
            count[name] += made.reading(drawn, scores, QUICK).startswith("reads meaning")
    rows = [(name, f"{times} of {SHUFFLES}") for name, times in count.items()]
    return Outcome(float(sum(count.values())), rows)


def borderline(bench: Bench) -> Outcome:
    """Simulate scores whose true AUROC lies on a limit of the verdict."""
    del bench
    from scipy.special import ndtri

    rng = np.random.Generator(np.random.Philox(1))
    same = np.tile([True, False, True, False], FEW)
    stratum, anchor = np.tile([1, 1, 0, 0], FEW), np.repeat(np.arange(FEW), 4)
    shares = {}
    for limit, label in (
        (MEANING, "lower end at 0.70 or above"),
        (WORDING, "upper end below 0.60"),
    ):
        times = 0
        for _ in range(SIMULATED):
            scores = rng.normal(size=4 * FEW) + math.sqrt(2.0) * float(ndtri(limit)) * same
            found = separation(scores, same, stratum, anchor, resamples=QUICK)
            times += found.low >= MEANING if limit == MEANING else found.high < WORDING
        shares[f"true AUROC {limit:.2f}, {label}"] = times / SIMULATED
    return Outcome(max(shares.values()), [(name, f"{share:.1%}") for name, share in shares.items()])


def thirty_anchors(bench: Bench) -> Outcome:
    """Draw 30 anchors a task and give the verdict."""
    pairs, shares, rows = bench.pairs, [], []
    by_task = [np.unique(pairs.codes[pairs.of(task=task)]) for task in pairs.values("task")]
    for name, scores in bench.scores.items():
        rng = np.random.Generator(np.random.Philox(2))
        whole, said = made.reading(pairs, scores), list[str]()
        for _ in range(SAMPLES):
            drawn = np.concatenate([rng.choice(codes, FEW, replace=False) for codes in by_task])
            at = np.isin(pairs.codes, drawn)
            said.append(made.reading(pairs.where(at), scores[at], QUICK))
        other = sum(one not in {whole, "undecided"} for one in said) / SAMPLES
        shares.append(other)
        rows.append(
            (
                f"{name}, {whole}",
                f"another verdict {other:.1%}, undecided {said.count('undecided') / SAMPLES:.1%}",
            )
        )
    return Outcome(max(shares), rows)


def near_duplicates(bench: Bench) -> Outcome:
    """Look for the anchors of half B in half A."""
    sets = {
        half: [set(words(text)) for text in sorted(set(bench.pairs.where(bench.pairs.of(half=half)).first))]
        for half in ("A", "B")
    }
    highest = np.array([max(len(b & a) / len(b | a) for a in sets["A"]) for b in sets["B"]])
    rows = [
        ("median, 99th percentile and largest of the highest", made.spread(highest)),
        *(
            (f"at {limit} or more", f"{int((highest >= limit).sum())} of {len(highest)}")
            for limit in (0.3, 0.5, 0.7)
        ),
    ]
    return Outcome(float((highest >= 0.5).mean()), rows)  # noqa: PLR2004 - the limit of the rule


def gate_swapped(bench: Bench) -> Outcome:
    """Exchange the texts of half B before the polarity-aware gate reads them."""
    from denotary.instruments.similarity.repairs.fitting import repair

    frozen = repair("polarity", encoder="minilm").fit(bench.corpus.half("A"))
    pairs = bench.corpus.half("B").pairs
    everywhere = np.ones(len(pairs), dtype=np.bool_)
    first, second = list(pairs.first), list(pairs.second)
    orders = {"as in the corpus": frozen.scores(first, second), "exchanged": frozen.scores(second, first)}
    found = {name: made.decision(pairs, scores, everywhere) for name, scores in orders.items()}
    lost = found["as in the corpus"].value - found["exchanged"].value
    return Outcome(lost, [(name, made.shown(one)) for name, one in found.items()])


def _same_for_all(rows: FloatArray) -> Callable[[BoolArray], FloatArray]:
    """Return numbers of pairs that do not depend on where they are fitted."""
    return lambda _: rows


def _highest(found: Iterator[tuple[str, Separation]]) -> Outcome:
    kept = list(found)
    return Outcome(max(one.high for _, one in kept), [(label, made.shown(one)) for label, one in kept])


ATTACKS: dict[str, Callable[[Bench], Outcome]] = {
    "label-noise": label_noise,
    "centred": centred,
    "probe": probe,
    "leave-one-out": leave_one_out,
    "second-text-only": second_text_only,
    "lengths": lengths,
    "other-overlaps": other_overlaps,
    "rematched": rematched,
    "any-cutoff-minilm": lambda bench: any_cutoff(bench, "minilm"),
    "any-cutoff-e5": lambda bench: any_cutoff(bench, "e5"),
    "guard-cutoff": guard_cutoff,
    "shuffled": shuffled,
    "borderline": borderline,
    "thirty-anchors": thirty_anchors,
    "near-duplicates": near_duplicates,
    "gate-swapped": gate_swapped,
}
