"""Measures and rows of the invented cases, counted here and bounded by the statistics room."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import msgspec
from sample_cases import CODES, LOST, assigned

from denotary.measures.records import Rate, Ratio, Row, Statistic, UnitType
from denotary.statistics import betting, binomial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from denotary.measures.records import Direction, Measure
    from denotary.reports.model import CaseView

    Test = Callable[[CaseView], bool]
    Entry = tuple[str, str, str, Direction, str, Test, Test]


def harm(case: CaseView) -> bool:
    """Tell whether the case counts as harm: a wrong code, or no answer at all."""
    return case.outcome == "wrong" or case.outcome in LOST


def gold(name: str) -> Test:
    """Return the test for a disposition."""
    return lambda case: case.expected == name


def top(k: int) -> Test:
    """Return the test for a gold code among the first k candidates."""
    return lambda case: bool(set(case.codes) & {code for code, _ in case.candidates[:k]})


def outcome(name: str) -> Test:
    """Return the test for an outcome."""
    return lambda case: case.outcome == name


def every(_: CaseView) -> bool:
    """Hold for every case."""
    return True


def known_neighbour(case: CaseView) -> bool:
    """Tell whether the case has one right code, which has a neighbour."""
    return case.expected == "SINGLE" and bool(case.neighbours)


TABLE: tuple[Entry, ...] = (
    ("recall_at_1", "Recall@1", "retrieval", "higher", "First is not asserted.", top(1), gold("SINGLE")),
    (
        "recall_at_5",
        "Recall@5",
        "retrieval",
        "higher",
        "Five candidates are no decision.",
        top(5),
        gold("SINGLE"),
    ),
    (
        "intrusion",
        "Hard-negative intrusion",
        "retrieval",
        "lower",
        "A rank does no harm.",
        outcome("wrong"),
        known_neighbour,
    ),
    (
        *(
            "assignment_risk",
            "AssignmentRisk",
            "identity",
            "lower",
            "It depends on the share of unknown inputs.",
        ),
        *(harm, lambda c: assigned(c) or c.outcome in LOST),
    ),
    ("faar", "FAAR", "identity", "lower", "A system that refuses everything has a low FAAR.", harm, every),
    (
        "known",
        "Correct known coverage",
        "identity",
        "higher",
        "Only cases with a right code.",
        outcome("right"),
        gold("SINGLE"),
    ),
    (
        *("hncr", "Hard-negative confusion", "identity", "lower", "Only designated neighbours count."),
        *(lambda c: c.answer in {n[0] for n in c.neighbours}, known_neighbour),
    ),
    (
        "assignment_coverage",
        "Assignment coverage",
        "selective",
        "higher",
        "Coverage rises by guessing.",
        assigned,
        every,
    ),
    (
        *("kind_accuracy", "Right kind of refusal", "selective", "higher", "Only refusals are looked at."),
        *(outcome("refused_rightly"), lambda c: c.outcome.startswith("refused")),
    ),
    (
        "unanswered",
        "Unanswered",
        "selective",
        "lower",
        "The causes differ.",
        lambda c: c.outcome in LOST,
        every,
    ),
    (
        "unknown_far",
        "UnknownFAR",
        "open_world",
        "lower",
        "It depends on how near they lie.",
        harm,
        gold("UNKNOWN_REGISTRY"),
    ),
    (
        "ambiguity_forced",
        "Ambiguity forced",
        "open_world",
        "lower",
        "Not the kind of refusal.",
        harm,
        gold("AMBIGUOUS"),
    ),
    (
        "mixed_collapse",
        "Mixed collapse",
        "open_world",
        "lower",
        "Either concept counts alike.",
        harm,
        gold("MIXED"),
    ),
    (
        *("negation_collapse", "Negation collapse", "robustness", "lower", "Only written negation is tried."),
        *(harm, lambda c: c.family == "negation_contradiction"),
    ),
    (
        *("contrast", "Whole contrast right", "robustness", "higher", "It hides which member failed."),
        *(outcome("right"), lambda c: c.family == "minimal_contrast"),
    ),
    (
        *("exact_errors", "Reviewed expressions broken", "robustness", "lower", "Nothing beyond the list."),
        *(harm, lambda c: c.family == "reviewed_exact"),
    ),
)


BESIDE = {"faar": ("assignment_risk", "unknown_far"), "assignment_coverage": ("assignment_risk",)}
"""Measures without which another is no headline."""


def measures() -> tuple[Measure, ...]:
    """Return the declared measures."""
    found: list[Measure] = []
    for id_, title, panel, direction, hides, _, _ in TABLE:
        shared: dict[str, Any] = {
            "id": id_,
            "title": title,
            "panel": panel,
            "direction": direction,
            "hides": hides,
        }
        ratio = id_ == "assignment_risk"
        found.append(
            Ratio(**shared, numerator="wrong", denominator="assigned")
            if ratio
            else Rate(
                **shared,
                event="event",
                among="among",
                diagnostic=id_ == "intrusion",
                beside=BESIDE.get(id_, ()),
            )
        )
    statistic = Statistic(
        id="brier",
        title="Brier score",
        panel="calibration",
        direction="lower",
        hides="It mixes calibration with sharpness.",
        function="brier(confidence, right)",
        among="TRUE",
    )
    return (*found, statistic)


def slices(found: Sequence[CaseView]) -> dict[str, list[CaseView]]:
    """Return the cases of every slice."""
    groups: dict[str, list[CaseView]] = {"all": list(found)}
    for case in found:
        for axis, value in (
            ("language", case.language),
            ("concept", case.codes[:1]),
            ("family", case.family),
        ):
            if value:
                groups.setdefault(f"{axis}={value if isinstance(value, str) else value[0]}", []).append(case)
    return dict(sorted(groups.items(), key=lambda item: (item[0] != "all", item[0])))


def rows(found: Sequence[CaseView]) -> tuple[Row, ...]:
    """Return every measure in every slice."""
    grouped = slices(found)
    made = [_row(entry, name, members) for entry in TABLE for name, members in grouped.items()]
    hncr = next(entry for entry in TABLE if entry[0] == "hncr")
    made += [_row(hncr, f"pair={CODES[0]} → {CODES[1]}", found[:90])]
    return (*made, *_across([row for row in made if row.measure == "faar"]), _brier(found))


def _across(found: Sequence[Row]) -> list[Row]:
    """Return the mean over languages and the worst language of a measure where lower is better."""
    languages = [row for row in found if row.slice.startswith("language=")]
    kept = [row for row in languages if row.status == "SUFFICIENT"]
    left_out = f"{len(languages) - len(kept)} of {len(languages)} languages are left out for want of evidence"
    worst = max(languages, key=lambda row: row.value or 0.0)
    blank = {"types": (), "low": None, "high": None}
    mean = sum(row.value or 0.0 for row in kept) / len(kept) if kept else None
    bound = max(row.bound or 0.0 for row in languages)
    return [
        msgspec.structs.replace(
            worst, slice="language:macro", numerator=None, denominator=None, value=mean, bound=None,
            note=left_out, **blank,
        ),
        msgspec.structs.replace(
            worst, slice="language:worst", bound=bound, note=f"worst: {worst.slice}", **blank
        ),
    ]  # fmt: skip


def _types(members: Iterable[CaseView], event: Test, among: Test, *, ratio: bool) -> list[UnitType]:
    units: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for case in members:
        inside = among(case)
        for place, add in enumerate((inside and event(case), inside, ratio or inside)):
            units[case.unit][place] += add
    counted = Counter(tuple(counts) for counts in units.values() if counts[1])
    return [UnitType(k, n, m, count) for (k, n, m), count in sorted(counted.items())]


def _sums(types: Iterable[UnitType]) -> tuple[int, int]:
    return sum(t.numerator * t.count for t in types), sum(t.denominator * t.count for t in types)


def _row(entry: Entry, name: str, members: Sequence[CaseView]) -> Row:
    id_, _, panel, direction, hides, event, among = entry
    ratio = id_ == "assignment_risk"
    types = _types(members, event, among, ratio=ratio)
    answered = _sums(_types((c for c in members if c.outcome not in LOST), event, among, ratio=ratio))
    k, n = _sums(types)
    low, high = (float(end[0]) for end in binomial.wilson([k], [n])) if n else (None, None)
    bound, method = _bound(types, ratio=ratio, lower=direction == "lower")
    return Row(
        instrument="identity",
        measure=id_,
        slice=name,
        numerator=k,
        denominator=n,
        answered_numerator=answered[0],
        answered_denominator=answered[1],
        units=sum(t.count for t in types),
        unit_kind="seed",
        value=k / n if n else None,
        low=low,
        high=high,
        interval="Wilson 95 %",
        bound=bound,
        bound_method=method,
        status="SUFFICIENT" if n >= 50 else "INSUFFICIENT",
        direction=direction,
        hides=hides,
        panel=panel,
        ratio=ratio,
        types=tuple(types),
    )


def _bound(types: list[UnitType], *, ratio: bool, lower: bool) -> tuple[float | None, str]:
    if not types:
        return None, ""
    if all(t.size == 1 for t in types):
        k, n = _sums(types)
        return (binomial.upper_bound(k, n) if lower else binomial.lower_bound(k, n)), "exact binomial"
    flat = [t for t in types for _ in range(t.count)]
    events, population, sizes = (
        [getattr(t, name) for t in flat] for name in ("numerator", "denominator", "size")
    )
    if ratio:
        return betting.upper_ratio(events, population, sizes), "order-free betting, unit-weighted"
    shares = [k / n for k, n in zip(events, population, strict=True)]
    found = betting.upper_mean(shares) if lower else betting.lower_mean(shares)
    return found, "order-free betting, unit-weighted"


def _brier(found: Sequence[CaseView]) -> Row:
    stated = [(c.confidence or 0.0, c.outcome == "right") for c in found if assigned(c)]
    value = sum((p - right) ** 2 for p, right in stated) / len(stated)
    return Row(
        instrument="identity",
        measure="brier",
        slice="all",
        numerator=None,
        denominator=None,
        answered_numerator=None,
        answered_denominator=None,
        units=len(stated),
        unit_kind="seed",
        value=value,
        low=value * 0.9,
        high=value * 1.12,
        interval="cluster bootstrap 95 %",
        bound=value * 1.1,
        bound_method="cluster bootstrap",
        status="SUFFICIENT",
        direction="lower",
        hides="It mixes calibration with sharpness.",
        panel="calibration",
    )
