"""Gate results set in words: the table of gates, what stops the release, what more is needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from denotary.reports import words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.reports.model import Report
    from denotary.reports.shapes import GateResultLike


@dataclass(frozen=True, slots=True)
class GateLine:
    """One gate in one slice, every cell as it is printed.

    Attributes:
        verdict: the verdict's name, as in its shape.
        order: place of the verdict, what needs attention first.
        evidence: evidence status against the gate's minimum.
    """

    gate: str
    title: str
    why: str
    slice: str
    slice_name: str
    verdict: str
    verdict_name: str
    order: int
    counted: str
    units: str
    value: str
    interval: str
    bound: str
    method: str
    limit: str
    evidence: str
    reason: str
    needed: str


def gate_lines(report: Report) -> list[GateLine]:
    """Return every gate result of a report, in the order of the policy."""
    reasons = {gate.id: gate.why for gate in report.policy.gates}
    return [_line(gate, reasons.get(gate.gate, ""), report.unit_kind) for gate in report.verdict.gates]


def _line(gate: GateResultLike, why: str, unit_kind: str) -> GateLine:
    share = gate.numerator is not None
    upper = gate.side == "upper"
    return GateLine(
        gate=gate.gate,
        title=gate.title,
        why=words.sentence_case(why),
        slice=gate.slice,
        slice_name=words.slice_name(gate.slice),
        verdict=gate.verdict.lower(),
        verdict_name=words.VERDICTS[gate.verdict],
        order=words.VERDICT_ORDER.index(gate.verdict),
        counted=words.fraction(_failures(gate), gate.denominator),
        units=words.plural(gate.units, unit_kind) if gate.units else "",
        value=words.percent(gate.value) if share else words.number(gate.value),
        interval=words.interval(gate.low, gate.high, share=share) if gate.low is not None else "",
        bound=words.bound(gate.bound, upper=upper, share=share),
        method=_method(gate),
        limit=words.bound(gate.limit, upper=upper, share=share),
        evidence=_evidence(gate, unit_kind),
        # Why the corpus cannot certify stands on the first line of the page; here it would hide the reason.
        reason=words.sentence_case(gate.reason.partition("; qualification only: ")[0]),
        needed=words.sentence_case(gate.needed),
    )


def _failures(gate: GateResultLike) -> int | None:
    """Return what counts against the gate: the events, or for a lower bound the cases without the event."""
    if gate.numerator is None or gate.denominator is None:
        return None
    return gate.numerator if gate.side == "upper" else gate.denominator - gate.numerator


def _method(gate: GateResultLike) -> str:
    if gate.bound is None:
        return ""
    return gate.bound_method + (f", α = {gate.alpha:.4g}" if gate.alpha else "")


def _evidence(gate: GateResultLike, unit_kind: str) -> str:
    if gate.underlying and gate.underlying != gate.verdict:
        return f"by its value alone: {words.VERDICTS[gate.underlying].lower()}"
    if gate.minimum_units <= 1:
        return ""
    compared = "meets" if gate.units >= gate.minimum_units else "below"
    return f"evidence {compared} the minimum of {words.plural(gate.minimum_units, unit_kind)}"


@dataclass(frozen=True, slots=True)
class Open:
    """A gate that is not passed, named once.

    Attributes:
        title: its title.
        text: why over all cases, or what is needed; empty if only slices are open.
        slices: (slice, counts) of the single slices that are open.
        more: slices beyond those.
    """

    title: str
    text: str
    slices: tuple[tuple[str, str], ...]
    more: int


def open_gates(lines: Sequence[GateLine], verdict: str, most: int = 8) -> list[Open]:
    """Return the gates with a verdict in any slice, in the order of the policy."""
    found: dict[str, list[GateLine]] = {}
    for line in lines:
        if line.verdict == verdict:
            found.setdefault(line.gate, []).append(line)
    return [_open(group, verdict, most) for group in found.values()]


def _open(group: Sequence[GateLine], verdict: str, most: int) -> Open:
    whole = [line for line in group if line.slice == "all"]
    parts = [line for line in group if line.slice != "all"]
    told = whole or (parts if len(parts) == 1 else [])
    text = told[0].reason if told and verdict == "fail" else (told[0].needed or told[0].reason) if told else ""
    return Open(
        title=group[0].title,
        text=text,
        slices=tuple((line.slice_name, line.counted) for line in parts[:most] if line not in told),
        more=max(0, len(parts) - most),
    )


def limits(gates: Sequence[GateResultLike], axis: str = "") -> Mapping[str, float]:
    """Return measure to limit, for gates over all cases or over slices of an axis."""
    return {
        gate.measure: gate.limit
        for gate in gates
        if gate.limit is not None and (gate.slice.startswith(f"{axis}=") if axis else gate.slice == "all")
    }
