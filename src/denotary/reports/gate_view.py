"""Gate results set in words: the table of gates, what stops the release, what more is needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from denotary import words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.verdicts.records import GateResult, Policy, Verdict


@dataclass(frozen=True, slots=True)
class GateLine:
    """One gate in one slice, every cell as it is printed.

    Attributes:
        verdict: the verdict's name, as in its shape.
        order: place of the verdict, what needs attention first.
        evidence: units against the gate's minimum, and the method of the bound.
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
    limit: str
    evidence: str
    reason: str
    needed: str


class Judgement(Protocol):
    """What a report on one system and one on two have in common: a policy and its verdict."""

    @property
    def policy(self) -> Policy:
        """The policy that was judged."""

    @property
    def verdict(self) -> Verdict:
        """The decision and every gate."""

    @property
    def unit_kind(self) -> str:
        """What an independent unit is called."""


def gate_lines(report: Judgement) -> list[GateLine]:
    """Return every gate result of a report, in the order of the policy."""
    reasons = {gate.id: gate.why for gate in report.policy.gates}
    return [
        _line(gate, reasons.get(gate.gate, ""), gate.unit_kind or report.unit_kind)
        for gate in report.verdict.gates
    ]


def _line(gate: GateResult, why: str, unit_kind: str) -> GateLine:
    return GateLine(
        gate=gate.gate,
        title=gate.title,
        why=words.sentence_case(why),
        slice=gate.slice,
        slice_name=words.slice_name(gate.slice),
        verdict=gate.verdict.lower(),
        verdict_name=words.VERDICTS[gate.verdict],
        order=words.VERDICT_ORDER.index(gate.verdict),
        counted=_counted(gate),
        units=words.plural(gate.units, unit_kind) if gate.units else "",
        value=words.gate_value(gate),
        interval=words.gate_interval(gate),
        bound=words.gate_bound(gate),
        limit=words.gate_limit(gate),
        evidence="; ".join(filter(None, (_evidence(gate, unit_kind), _method(gate)))),
        # Why the corpus cannot certify stands on the first line of the page; here it would hide the reason.
        reason=words.sentence_case(gate.reason.partition("; qualification only: ")[0]),
        # The slice stands beside it already.
        needed=words.sentence_case(gate.needed.replace(f" in {words.slice_name(gate.slice)}", "")),
    )


def _counted(gate: GateResult) -> str:
    # Systematic confusion is found in cases of every kind, so it can fail without a case of its measure.
    if gate.denominator == 0:
        return words.NOTHING if gate.verdict == "FAIL" else "no case"
    return words.gate_counted(gate)


def _method(gate: GateResult) -> str:
    if gate.bound is None:
        return ""
    return gate.bound_method + (f", \N{GREEK SMALL LETTER ALPHA} {gate.alpha:.4g}" if gate.alpha else "")


def _evidence(gate: GateResult, unit_kind: str) -> str:
    if gate.underlying and gate.underlying != gate.verdict:
        return f"by its value alone: {words.VERDICTS[gate.underlying].lower()}"
    if gate.minimum_units <= 1 or gate.verdict == "NOT_APPLICABLE":
        return ""
    compared = "at least" if gate.units >= gate.minimum_units else "fewer than"
    return f"{compared} the {words.plural(gate.minimum_units, unit_kind)} it requires"


@dataclass(frozen=True, slots=True)
class Open:
    """A gate that is not passed, named once.

    Attributes:
        title: its title, with the slice if a single one is open and not the whole.
        text: why, and what is needed; empty if several slices are open and not the whole.
        where: the single slices that are open, with their counts.
    """

    title: str
    text: str
    where: str


def open_gates(lines: Sequence[GateLine], verdict: str, most: int = 6) -> list[Open]:
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
    text = ""
    if told:
        text = told[0].reason
        if verdict == "insufficient" and told[0].needed:
            text = f"{text} Needed: {told[0].needed}"
    rest = [line for line in parts if line not in told]
    # Without its slice, a claim that fails in one language would seem to lack any case because another has none.
    single = f" ({told[0].slice_name})" if told and not whole else ""
    return Open(
        group[0].title + single,
        text,
        _where(rest, most, "Also" if text else "Failures in" if verdict == "fail" else "In"),
    )


def _where(lines: Sequence[GateLine], most: int, intro: str) -> str:
    """Return ``Failures in language de (5 of 32), en (34 of 202); concept … and 3 more.``, each axis named once."""
    if not lines:
        return ""
    axes: dict[str, list[str]] = {}
    for line in lines[:most]:
        axis, _, group = line.slice_name.partition(" ")
        counts = f" ({line.counted})" if line.counted != words.NOTHING else ""
        axes.setdefault(axis, []).append(f"{group.rpartition('.')[2]}{counts}")
    named = "; ".join(f"{axis} {', '.join(groups)}" for axis, groups in axes.items())
    more = f" and {len(lines) - most:,} more" if len(lines) > most else ""
    return f"{intro} {named}{more}."


def limits(gates: Sequence[GateResult], axis: str = "") -> Mapping[str, float]:
    """Return measure to limit, for gates over all cases or over slices of an axis."""
    return {
        gate.measure: gate.limit
        for gate in gates
        if gate.limit is not None and (gate.slice.startswith(f"{axis}=") if axis else gate.slice == "all")
    }
