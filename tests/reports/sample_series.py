"""Series of the invented cases: curve, bins, confusions, neighbours, floors and cards."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from sample_cases import CODES, LANGUAGES, LOST, PAIRS, THRESHOLD, assigned

from denotary.measures.records import Row, Series
from denotary.statistics import binomial

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from denotary.reports.model import CaseView

BOUNDARY = ("hard_negative", "minimal_contrast", "negation_contradiction")


def series(found: Sequence[CaseView], risk: Row) -> tuple[Series, ...]:
    """Return curves and confusions."""
    given = sorted((c for c in found if assigned(c)), key=lambda c: -(c.confidence or 0))
    curve = ("threshold", "coverage", "risk", "bound")
    point = (THRESHOLD, len(given) / len(found), risk.value, risk.bound)
    return (
        _series("risk_coverage", curve, _curve(found, given)),
        _series("operating_point", curve, [point]),
        *_bins(given),
        _series("confusion", ("expected", "answered", "kind", "cases", "units"), _confusion(found)),
        _series("neighbours", ("target", "neighbour", "type", "cases", "confused"), _neighbours(found)),
        _series("floors", ("axis", "group", "floor", "have", "need"), _floors(found)),
        *_cards(found),
    )


def _series(
    name: str, columns: tuple[str, ...], data: Iterable[tuple[Any, ...]], slice_: str = "all"
) -> Series:
    return Series(instrument="identity", series=name, slice=slice_, columns=columns, rows=tuple(data))


def _curve(found: Sequence[CaseView], given: Sequence[CaseView]) -> Iterable[tuple[Any, ...]]:
    wrong = lost = sum(c.outcome in LOST for c in found)
    for index, case in enumerate(given, 1):
        wrong += case.outcome == "wrong"
        if index % 8 == 0 or index == len(given):
            total = index + lost
            yield case.confidence, index / len(found), wrong / total, binomial.upper_bound(wrong, total)


def _bins(given: Sequence[CaseView]) -> tuple[Series, Series]:
    reliability, errors = [], []
    for low, high in ((step / 10, (step + 1) / 10) for step in range(10)):
        inside = [c for c in given if low <= (c.confidence or 0) < high]
        right, n = sum(c.outcome == "right" for c in inside), len(inside)
        errors.append((low, high, n - right, right))
        if inside:
            ends = (float(end[0]) for end in binomial.wilson([right], [n]))
            reliability.append((low, high, n, sum(c.confidence or 0 for c in inside) / n, right / n, *ends))
    columns = ("low", "high", "cases", "confidence", "accuracy", "accuracy_low", "accuracy_high")
    return _series("reliability", columns, reliability), _series(
        "error_confidence", ("low", "high", "wrong", "right"), errors
    )


def _confusion(found: Sequence[CaseView]) -> list[tuple[Any, ...]]:
    counts: Counter[tuple[str, str, str]] = Counter()
    for case in found:
        expected = case.codes[0] if case.expected == "SINGLE" else case.expected
        kind = "code" if assigned(case) else "unanswered" if case.outcome in LOST else "refusal"
        counts[expected, case.answer if kind == "code" else case.answer_kind, kind] += 1
    place = {code: index for index, code in enumerate(CODES)}
    ordered = sorted(counts.items(), key=lambda item: (place.get(item[0][0], 99), item[0]))
    return [(*key, n, n) for key, n in ordered]


def _neighbours(found: Sequence[CaseView]) -> Iterable[tuple[Any, ...]]:
    for a, b, kind in PAIRS:
        about = [c for c in found if c.codes == (CODES[a],)] if (a, b) not in ((9, 8), (5, 4)) else []
        yield CODES[a], CODES[b], kind, len(about), sum(c.answer == CODES[b] for c in about)


def _floors(found: Sequence[CaseView]) -> Iterable[tuple[Any, ...]]:
    groups = [("language", name, [c for c in found if c.language == name]) for name in LANGUAGES]
    groups += [("concept", code, [c for c in found if code in c.codes]) for code in CODES]
    for axis, group, own in groups:
        yield (
            axis,
            group,
            "known single",
            sum(c.expected == "SINGLE" for c in own),
            100 if axis == "language" else 50,
        )
        yield (
            axis,
            group,
            "neighbour or contrast",
            sum(c.family in BOUNDARY for c in own),
            50 if axis == "language" else 30,
        )
        yield (
            axis,
            group,
            "refusal",
            sum(c.expected != "SINGLE" for c in own),
            50 if axis == "language" else 20,
        )


def _cards(found: Sequence[CaseView]) -> Iterable[Series]:
    for name in LANGUAGES:
        facts = [
            ("level", "L1 exact only"),
            ("cases", f"{sum(c.language == name for c in found)}"),
            ("native-authored", "0 %"),
        ]
        yield _series("scorecard", ("item", "value"), facts, f"language={name}")
    for code in CODES:
        attracted = sum(c.outcome == "wrong" and c.answer == code for c in found)
        facts = [
            ("consequence tier", "C3"),
            ("evidence", "INSUFFICIENT EVALUATION EVIDENCE"),
            ("cases", "–"),
            ("false attraction", f"{attracted}"),
        ]
        yield _series("scorecard", ("item", "value"), facts, f"concept={code}")
