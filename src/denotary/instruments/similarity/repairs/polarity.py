"""The polarity-aware gate: cosine, overlap and typed signs, one model where texts are worded alike and one where not.

It abstains on pairs whose probability lies too near a half. How near is chosen on the half that it is fitted on, by
probabilities that were cross-fitted over anchors: the narrowest band that reaches ``TARGET`` on decided pairs, but
never one that decides less than ``LEAST`` of them. Texts that are worded alike and hold their words in another order
for a reason that is not known are never approved.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.instruments.similarity.operating import balanced_accuracy
from denotary.instruments.similarity.overlap import overlap
from denotary.instruments.similarity.repairs import linear
from denotary.instruments.similarity.repairs.base import Frozen, Scored, fitted_on
from denotary.instruments.similarity.repairs.records import FittedRepair
from denotary.instruments.similarity.repairs.signs import signs, worded_alike
from denotary.instruments.similarity.repairs.simple import both_kinds, decided
from denotary.text.differences import data_hash
from denotary.text.lexicon import lexicon_hash
from denotary.text.profiles import profile, profiles_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.instruments.similarity.configurations import Configuration
    from denotary.instruments.similarity.corpus import Corpus
    from denotary.instruments.similarity.repairs.judges import Judge
    from denotary.statistics.checks import BoolArray, FloatArray, IntArray

PENALTY = 20.0
FOLDS = 5
TARGET = 0.90
"""Balanced accuracy on decided pairs that the band of abstention aims at."""
LEAST = 0.80
"""Share of pairs that is decided at least."""
_REGIMES = ("alike", "otherwise")
_SURE = 8.0
"""Log-odds of a judge beyond which it is not believed any more."""


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Signs of N pairs, which of them are worded alike, where a judge failed, and where the order is not explained."""

    rows: list[dict[str, float]]
    alike: BoolArray
    failed: BoolArray
    unclear: BoolArray


@dataclass(frozen=True, slots=True)
class Polarity:
    """The gate before its fit.

    Attributes:
        configuration: gives the cosine, also of parts of texts.
        judge: a second voice, heard as one sign more; the gate works without one.
    """

    configuration: Configuration
    judge: Judge | None = None
    name: str = "polarity-aware gate"
    folds: int = field(default=FOLDS)

    def fit(self, half: Corpus) -> Frozen:
        """Fit both models and the band of abstention on the pairs of a half."""
        same = both_kinds(half)
        pairs = self._read(list(half.pairs.first), list(half.pairs.second))
        parameters = _weights(pairs, same, np.ones(len(same), dtype=np.bool_))
        parameters["band"] = _band(_cross_fitted(pairs, same, half.pairs.codes % self.folds), same)
        record = FittedRepair(
            schema="denotary.similarity-repair/1",
            name=self.name,
            kind="polarity",
            settings=self._settings(),
            parameters=parameters,
            fitted_on=fitted_on(half),
        )
        return self.load(record)

    def load(self, record: FittedRepair) -> Frozen:
        """Return the frozen gate of a record.

        Raises:
            InputError: the word lists or the judge are others than those of the fit.
        """
        if record.settings != self._settings():
            changed = sorted(
                name
                for name in record.settings.keys() | self._settings().keys()
                if record.settings.get(name) != self._settings().get(name)
            )
            raise InputError(
                f"the repair {record.name} was fitted with another {', '.join(changed)}", hint="fit it again"
            )

        def score(first: Sequence[str], second: Sequence[str]) -> Scored:
            pairs = self._read(first, second)
            odds = _odds(record.parameters, pairs)
            unsure = (np.abs(odds) < record.parameters["band"]) | (pairs.unclear & (odds > 0))
            abstained = unsure & ~pairs.failed
            return Scored(decided(linear.sigmoid(odds), abstained), abstained, pairs.failed)

        return Frozen(record, score)

    def _settings(self) -> dict[str, str]:
        judge = {} if self.judge is None else {f"judge {k}": v for k, v in self.judge.identity.items()}
        return {
            **self.configuration.settings,
            "differences": data_hash(),
            "lexicon": lexicon_hash(),
            "profiles": profiles_hash(),
            **judge,
        }

    def _read(self, first: Sequence[str], second: Sequence[str]) -> _Pairs:
        rows = [signs(a, b) for a, b in zip(first, second, strict=True)]
        cosines = self.configuration.scores(first, second)
        for row, cosine, a, b in zip(rows, cosines, first, second, strict=True):
            row |= {"cosine": float(cosine), "overlap": overlap(a, b)}
        _add_order(rows, first, second, self.configuration)
        failed = np.zeros(len(rows), dtype=np.bool_)
        if self.judge is not None:
            heard = self.judge.judge(first, second)
            failed = heard.failed
            odds = np.clip(_log_odds(heard.scores), -_SURE, _SURE)
            for row, value in zip(rows, odds, strict=True):
                row["judge"] = float(value)
        alike = np.array([worded_alike(a, b) for a, b in zip(first, second, strict=True)], dtype=np.bool_)
        unclear = np.array(["role_order.unclear" in row for row in rows], dtype=np.bool_)
        return _Pairs(rows, alike, failed, unclear & alike)


def _add_order(
    rows: list[dict[str, float]], first: Sequence[str], second: Sequence[str], configuration: Configuration
) -> None:
    """Add whether what comes first in one text is like what comes first in the other, or like what comes later."""
    places, left, right = [], [], []
    for place, (a, b) in enumerate(zip(first, second, strict=True)):
        one, two = profile(a).sequence, profile(b).sequence
        if one and two:
            places.append(place)
            left += [one[0], one[1], one[0], one[1]]
            right += [two[0], two[1], two[1], two[0]]
    if not places:
        return
    likeness = configuration.scores(left, right).reshape(-1, 4)
    gaps = likeness[:, 0] + likeness[:, 1] - likeness[:, 2] - likeness[:, 3]
    for place, gap in zip(places, gaps, strict=True):
        rows[place] |= {"temporal_order.gap": float(gap), "temporal_order.sign": float(np.sign(gap))}


def _log_odds(scores: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        odds: FloatArray = np.log(scores) - np.log1p(-scores)
    return odds


def _weights(pairs: _Pairs, same: BoolArray, at: BoolArray) -> dict[str, float]:
    """Return the weights of both models, named after them; a regime with one kind of pair alone has none."""
    found: dict[str, float] = {}
    for regime, alike in zip(_REGIMES, (True, False), strict=True):
        chosen = np.flatnonzero(at & (pairs.alike == alike))
        if len(set(same[chosen])) > 1:
            weights = linear.fit([pairs.rows[place] for place in chosen], same[chosen], PENALTY)
            found |= {f"{regime}/{name}": weight for name, weight in weights.items()}
    return found


def _odds(parameters: dict[str, float], pairs: _Pairs) -> FloatArray:
    found = np.zeros(len(pairs.rows))
    for regime, alike in zip(_REGIMES, (True, False), strict=True):
        chosen = np.flatnonzero(pairs.alike == alike)
        weights = {
            name.removeprefix(f"{regime}/"): weight
            for name, weight in parameters.items()
            if name.startswith(f"{regime}/")
        }
        found[chosen] = linear.log_odds(weights, [pairs.rows[place] for place in chosen])
    return found


def _cross_fitted(pairs: _Pairs, same: BoolArray, folds: IntArray) -> FloatArray:
    """Return the log-odds of each pair from models that saw no pair of its anchor."""
    found = np.zeros(len(same))
    for fold in np.unique(folds):
        here = folds == fold
        found[here] = _odds(_weights(pairs, same, ~here), pairs)[here]
    return found


def _band(odds: FloatArray, same: BoolArray) -> float:
    """Return the log-odds below which, on either side, the gate abstains."""
    distance, band = np.abs(odds), 0.0
    for share in np.arange(100, round(100 * LEAST) - 1, -1) / 100.0:
        band = float(np.quantile(distance, 1.0 - share))
        at = distance >= band
        if balanced_accuracy(odds[at] > 0, same[at]) >= TARGET:
            break
    return float(f"{band:.6g}")
