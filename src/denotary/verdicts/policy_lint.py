"""What an own policy asks less of than the shipped one of its tier or track: refused under the tier's name, else told.

A tier is a promise to whoever acts on a code, and its limits are those of the shipped policies. So they are compared
with those files, gate by gate, and no number stands here twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from denotary.errors import Problem
from denotary.files import read_toml
from denotary.verdicts.records import Policy
from denotary.words import percent, plural, slice_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.suites.instrument import Instrument
    from denotary.verdicts.records import Gate

CUSTOMARY: Final = 0.9
"""A confidence below this is told, whatever else the policy says."""


def lint_policy(policy: Policy, instrument: Instrument) -> list[Problem]:
    """Return what a policy asks less of than a shipped one.

    Under a tier's name that is an error: its verdict would read like the tier's. Without one it is a warning against
    the mildest shipped policy of the track.

    Args:
        policy: the policy.
        instrument: ships the policies that it is compared with.
    """
    shipped = [read_toml(path, Policy) for path in sorted(instrument.policies.glob("*.toml"))]
    kin = [other for other in shipped if other.track == policy.track]
    # Whatever the track is called: a tier under another name of its track would else be held to nothing.
    named = [other for other in shipped if policy.tier and other.tier == policy.tier]
    problems = []
    if policy.confidence < CUSTOMARY:
        message = f"confidence is {policy.confidence:g}: a bound may be too low {_odds(policy.confidence)}"
        problems.append(Problem("warning", "confidence", message))
    if policy.tier and not named:
        message = f"no shipped policy is of tier {policy.tier}; its limits are nowhere stated"
        problems.append(Problem("warning", "tier", message))
    # Where no code may be asserted there is no limit on its risk, and nothing to compare an assigning policy with.
    assigning = [other for other in kin if other.tier != "C0"]
    for other in (named or assigning)[:1]:
        severity: Literal["error", "warning"] = "error" if named else "warning"
        below = f"than {other.id}" + (f", whose tier {policy.tier} it names" if named else "")
        problems += [Problem(severity, code, f"{text} {below}") for code, text in _short(policy, other)]
    return problems


def laxest_limit(instrument: Instrument, measure: str) -> float:
    """Return the largest share that a shipped policy on one run tolerates of a harm among all cases.

    Args:
        instrument: ships the policies.
        measure: id of the harm; a policy must limit it.
    """
    shipped = [read_toml(path, Policy) for path in instrument.policies.glob("*.toml")]
    gates = [gate for policy in shipped if policy.design == "single" for gate in policy.gates]
    mine = [
        gate for gate in gates if gate.measure == measure and gate.side == "upper" and "all" in gate.slices
    ]
    return max(gate.limit for gate in mine if gate.limit is not None)


def _odds(confidence: float) -> str:
    return f"{percent(1.0 - confidence)} of the time"


def _short(policy: Policy, other: Policy) -> Iterator[tuple[str, str]]:
    if policy.confidence < other.confidence:
        yield "confidence", f"confidence {policy.confidence:g} is lower, not {other.confidence:g},"
    for gate in other.gates:
        for name in gate.slices:
            yield from _gate_short(gate, name, [own for own in policy.gates if _covers(own, gate, name)])


def _covers(own: Gate, gate: Gate, name: str) -> bool:
    return (own.kind, own.measure, own.fact, own.side) == (
        gate.kind,
        gate.measure,
        gate.fact,
        gate.side,
    ) and (name in own.slices)


def _gate_short(gate: Gate, name: str, own: Sequence[Gate]) -> Iterator[tuple[str, str]]:
    what = gate.measure or gate.fact
    where = (
        "" if name == "all" else f" in each {slice_name(name)}" if ":" in name else f" in {slice_name(name)}"
    )
    if not own:
        yield "gate", f"no gate of kind {gate.kind!r} reads {what}{where}, which is less"
        return
    if gate.limit is not None:
        limits = [item.limit for item in own if item.limit is not None]
        if not limits:
            yield (
                "limit",
                f"no limit of {what}{where} is excluded where {percent(gate.limit)} is due, which is less",
            )
            return
        strictest = min(limits) if gate.side == "upper" else max(limits)
        looser = strictest > gate.limit if gate.side == "upper" else strictest < gate.limit
        if looser:
            yield (
                "limit",
                f"limit {percent(strictest)} of {what}{where} is looser, not {percent(gate.limit)},",
            )
    units = max(item.minimum_units for item in own)
    if units < gate.minimum_units:
        yield (
            "units",
            f"{plural(units, 'unit')} for {what}{where} where {gate.minimum_units:,} are due, fewer",
        )
    if any(item.allow_not_expressible for item in own) and not gate.allow_not_expressible:
        yield "not_expressible", f"{what}{where} may be set aside, which is less"
