"""How far the answers to the same items agree, from the answers alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from denotary.annotation.records import Agreement, Coefficient
from denotary.statistics import bootstrap
from denotary.statistics.agreement import (
    agreement_interval,
    krippendorff_alpha,
    masi_distance,
    percent_agreement,
    vote_counts,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from denotary.statistics.checks import FloatArray, IntArray

    Name = Literal["percent", "alpha_disposition", "alpha_answer", "alpha_masi_codes"]
    Label = tuple[str, ...]

SET_VALUED = frozenset(("AMBIGUOUS", "MIXED"))
"""Dispositions that demand two codes or more."""
OPEN = "UNDERSPECIFIED"
"""The disposition whose codes are what the text might turn out to mean, as far as a judge can say; none need be
given."""
DECIMALS = 6
"""Digits after the point of every published value."""
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Item:
    """One item and what was answered on it.

    Attributes:
        unit: the independent unit of the item.
        answers: disposition and codes of each answer.
    """

    unit: str
    answers: tuple[tuple[str, frozenset[str]], ...]

    @property
    def dispositions(self) -> list[Label]:
        """The disposition of each answer."""
        return [(name,) for name, _ in self.answers]

    @property
    def codes(self) -> list[Label]:
        """The codes of each answer."""
        return [tuple(sorted(codes)) for _, codes in self.answers]

    @property
    def whole(self) -> list[Label]:
        """Each answer as it is compared: codes count but where they are optional."""
        return [(name,) if name == OPEN else (name, *sorted(codes)) for name, codes in self.answers]


def agreement(items: Sequence[Item]) -> Agreement:
    """Return how far the answers agree, with 95 % intervals over units from fixed streams of resamples.

    Percent agreement and two nominal alphas are of all items with two answers or more; the alpha with MASI
    distances is of the sets of codes of those among them on which some answer names a set.
    """
    pairs = [item for item in items if len(item.answers) >= _PAIR]
    sets = [item for item in pairs if any(name in SET_VALUED for name, _ in item.answers)]
    dispositions, whole = [item.dispositions for item in pairs], [item.whole for item in pairs]
    coefficients = [
        _coefficient("percent", pairs, _counts(whole)[0], kind="percent"),
        _coefficient("alpha_disposition", pairs, _counts(dispositions)[0]),
        _coefficient("alpha_answer", pairs, _counts(whole)[0]),
    ]
    if sets:
        counts, labels = _counts([item.codes for item in sets])
        distance = masi_distance([frozenset(label) for label in labels])
        coefficients.append(_coefficient("alpha_masi_codes", sets, counts, distance=distance))
    return Agreement(
        items=len(pairs),
        units=len({item.unit for item in pairs}),
        same_disposition=sum(len(set(labels)) == 1 for labels in dispositions),
        same_answer=sum(len(set(labels)) == 1 for labels in whole),
        coefficients=tuple(coefficients),
    )


def _counts(rows: Sequence[Sequence[Label]]) -> tuple[IntArray, list[Label]]:
    """Return how many answers of each label every item has, shape (N, L), and the labels in order."""
    labels = sorted({label for row in rows for label in row})
    code = {label: index for index, label in enumerate(labels)}
    items = [index for index, row in enumerate(rows) for _ in row]
    given = [code[label] for row in rows for label in row]
    return vote_counts(items, given, len(rows), len(labels)), labels


def _coefficient(
    name: Name,
    items: Sequence[Item],
    counts: IntArray,
    *,
    kind: str = "alpha",
    distance: FloatArray | None = None,
) -> Coefficient:
    units = sorted({item.unit for item in items})
    if (counts > 0).sum(axis=1).max(initial=0) <= 1:
        value = percent_agreement(counts) if kind == "percent" else krippendorff_alpha(counts, distance)
        return Coefficient(name=name, state=_unanimous(value, len(units)), value=_rounded(value))
    codes = {unit: index for index, unit in enumerate(units)}
    unit = [codes[item.unit] for item in items]
    found = agreement_interval(counts, kind, distance, unit=unit, resamples=bootstrap.RESAMPLES)
    return Coefficient(
        name=name,
        state=found.state.value,
        value=_rounded(found.value),
        low=_rounded(found.low),
        high=_rounded(found.high),
    )


def _unanimous(value: float, units: int) -> Literal["empty", "few_units", "degenerate"]:
    """Return what an interval would be worth that nobody need draw: no resample holds a disagreement."""
    if math.isnan(value):
        return "empty"
    return "degenerate" if units > 1 else "few_units"


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else round(value, DECIMALS)
