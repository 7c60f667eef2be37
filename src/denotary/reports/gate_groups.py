"""The table of gates: one row a gate, told by its worst slice, and its slices behind it, worst first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from denotary import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.reports.gate_view import GateLine
    from denotary.verdicts.records import GateResult

MOST_LINES = 150
"""Most gate results that are printed one by one."""
_ALWAYS = 6
"""Slices of each gate that are printed before those of another, however bad."""


@dataclass(frozen=True, slots=True)
class GateGroup:
    """One gate with its slices.

    Attributes:
        worst: its worst slice, which stands for it.
        slices: number of its slices.
        tally: its slices by verdict, in words.
        lines: the slices that are printed, worst first; empty if it is asked in one slice only.
        verdicts_left_out: the verdicts of the slices that are not printed.
    """

    worst: GateLine
    slices: int
    tally: str
    lines: tuple[GateLine, ...]
    verdicts_left_out: tuple[str, ...]

    @property
    def left_out(self) -> int:
        """Number of slices that are not printed."""
        return self.slices - len(self.printed)

    @property
    def printed(self) -> tuple[GateLine, ...]:
        """Every result of this gate that is printed."""
        return self.lines or (self.worst,)


def excess(gate: GateResult) -> float:
    """Return how far the observed value lies beyond the limit, negative within it, -inf where one is absent."""
    if gate.value is None or gate.limit is None:
        return float("-inf")
    return gate.value - gate.limit if gate.side == "upper" else gate.limit - gate.value


def gate_groups(
    gates: Sequence[GateResult], lines: Sequence[GateLine], most: int = MOST_LINES
) -> list[GateGroup]:
    """Return one group a gate, in the order of the policy.

    Within a gate what needs attention most is first, among equals all cases, then the largest excess over the limit,
    then the fewest units.

    Args:
        gates: the results.
        lines: the same, as they are printed.
        most: most results that are printed one by one; of more, each gate keeps its ``_ALWAYS`` worst and the one
            over all cases, and then the worst verdicts are kept, as many of one gate as of another.
    """
    groups: dict[str, list[int]] = {}
    for place in sorted(range(len(gates)), key=lambda i: (lines[i].order, *_badness(gates[i]), i)):
        groups.setdefault(gates[place].gate, []).append(place)
    kept = _kept(lines, groups, most)
    found = []
    for name in dict.fromkeys(gate.gate for gate in gates):
        places = groups[name]
        shown = tuple(lines[i] for i in places if i in kept) if len(places) > 1 else ()
        tally = words.tally_sentence([gates[i] for i in places])
        rest = dict.fromkeys(lines[i].verdict for i in places[1:] if i not in kept)
        found.append(GateGroup(lines[places[0]], len(places), tally, shown, tuple(rest)))
    return found


def _badness(gate: GateResult) -> tuple[bool, float, int]:
    return gate.slice != "all", -excess(gate), gate.units


def _kept(lines: Sequence[GateLine], groups: dict[str, list[int]], most: int) -> set[int]:
    ranked = sorted(
        (rank > 0, rank >= _ALWAYS and lines[place].slice != "all", lines[place].order, rank, place)
        for places in groups.values()
        for rank, place in enumerate(places)
    )
    return {place for *_, place in ranked[:most]}
