"""Policies, gates and verdicts as data."""

from __future__ import annotations

from typing import Final, Literal

from denotary.records import Record
from denotary.registry.records import Tier
from denotary.suites.records import DepthTier

GateVerdict = Literal[
    "PASS", "FAIL", "INSUFFICIENT", "EXPLORATORY", "NOT_APPLICABLE", "NOT_EXPRESSIBLE", "WAIVED"
]
Decision = Literal["PROMOTE", "BLOCK", "INSUFFICIENT"]

EXACT: Final = "registry-exact"
"""Track of claims about every listed text of a registry."""


class Gate(Record, frozen=True):
    """One claim that must hold by itself.

    ``kind``: ``bound`` compares a one-sided bound with the limit; ``zero`` fails on any event; ``systematic``
    fails where its fact is false (two or more units in one (gold, answered) pair); ``evidence`` asks for a
    declared fact, fails where the contrary was seen, and is INSUFFICIENT where nothing is known; ``paired``
    compares the one-sided bound of the increase in harm against another system with the limit, and fails where an
    increase is supported.
    """

    id: str
    title: str
    kind: Literal["bound", "zero", "systematic", "evidence", "paired"]
    measure: str = ""
    """Id of the measure that is read."""
    fact: str = ""
    """For ``evidence``: the fact's name; for ``zero``: a fact that must hold too, such as completeness."""
    slices: tuple[str, ...] = ("all",)
    """``all``, ``language:advertised``, ``concept:critical`` (consequence tier C3 and up)."""
    side: Literal["upper", "lower"] = "upper"
    """``upper``: the bound must not exceed the limit. ``lower``: it must reach it."""
    limit: float | None = None
    """For ``zero``, where it is free: not one event is tolerated, and their absence must exclude this rate."""
    minimum_units: int = 1
    """Fewer independent units are INSUFFICIENT, whatever the bound. A bare count: what a limit needs grows with the
    looks, this does not."""
    allow_not_expressible: bool = False
    """The gate is set aside, visibly, where the measure does not apply to the system, or where ``fact`` holds
    and there is nothing to ask (a registry that declares no ambiguity)."""
    at_best: str = ""
    """For a ratio: the rate whose population is what a perfect system would put into the denominator."""
    depth: DepthTier | None = None
    """Depth of annotation that the gate's cases need; the plan counts its judgements."""
    why: str = ""
    """What the gate protects against, printed in the report."""


class Policy(Record, frozen=True):
    """A policy file."""

    schema: Literal["denotary.policy/1"]
    id: str
    title: str
    instrument: str
    """Name of the instrument whose measures it reads."""
    track: str
    """The kind of claim; a role supports the claims of some tracks alone."""
    design: Literal["single", "paired"] = "single"
    """``paired``: the policy compares two runs, a release with the one before."""
    confidence: float = 0.95
    """Of each one-sided bound, before it is shared among the looks."""
    tier: Tier | None = None
    """Consequence tier whose concepts may be assigned under it."""
    roles: tuple[str, ...] = ()
    """Corpus roles whose evidence may promote; evidence of any role may block."""
    looks: int = 1
    """How many promotion decisions may be taken; each gate spends alpha / looks."""
    repeat_core: int | Literal["all"] = 500
    """Cases that are asked more than once unless the order says otherwise."""
    gates: tuple[Gate, ...] = ()
    instead: tuple[str, ...] = ()
    """What to do where the evidence cannot be had: never a looser limit."""

    def may_waive(self, gate: Gate) -> bool:
        """Whether somebody may set a gate aside: a rate, yes; an audit, a freeze or a whole list of look-ups, no.

        Nothing of the exact track: its claim is that every listed text conforms, which one exception makes untrue.
        """
        proof = gate.kind == "evidence" or (gate.kind == "zero" and bool(gate.fact))
        return not proof and self.track != EXACT


class Waiver(Record, frozen=True):
    """A gate set aside: who, why, until when. Printed on the first line of every report."""

    gate: str
    who: str
    why: str
    until: str
    """Last day on which it holds, ISO date."""


class GateResult(Record, frozen=True):
    """One gate in one slice, with everything that a reader needs to recompute it."""

    gate: str
    title: str
    measure: str
    slice: str
    verdict: GateVerdict
    reason: str
    """One plain sentence: why this verdict."""
    numerator: int | None = None
    denominator: int | None = None
    units: int = 0
    unit_kind: str = ""
    """What its units are called, where it is not what one of the cases is."""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    bound: float | None = None
    bound_method: str = ""
    alpha: float | None = None
    limit: float | None = None
    side: Literal["upper", "lower"] = "upper"
    minimum_units: int = 0
    """Units below which nothing passes: those that the policy demands or, if more, those with which the bound would
    reach the limit without a failure, at what the gate may spend."""
    none_tolerated: bool = False
    """Not one event is tolerated; ``limit`` is the rate that their absence must exclude."""
    needed: str = ""
    """What would be needed for a PASS: so many more units of which kind."""
    paired: bool = False
    """Two systems were compared: ``value``, ``low``, ``high``, ``bound`` and ``limit`` are increases in harm."""
    base_numerator: int | None = None
    base_denominator: int | None = None
    corpus: str = ""
    """Name, version and digest of the suite whose cases are counted."""
    evidence: str = ""
    """Status of the evidence in the slice, before the gate: ``SUFFICIENT``, ``INSUFFICIENT`` or ``NOT_APPLICABLE``;
    empty where the gate reads no measure."""
    underlying: GateVerdict | None = None
    """The verdict before EXPLORATORY or WAIVED replaced it."""


class Standing(Record, frozen=True):
    """What a group of cases may be claimed for, by the tiers of an instrument."""

    slice: str
    tier: str
    title: str
    reason: str
    evidence: dict[str, int]
    """The numbers behind it."""


class Verdict(Record, frozen=True, omit_defaults=False):
    """The decision on one policy. Its default is never the good one."""

    policy: str
    decision: Decision = "INSUFFICIENT"
    reason: str = "no gate was evaluated"
    qualification: str = ""
    """Why this corpus cannot certify, where that is so."""
    gates: tuple[GateResult, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    """Those in force."""
    waivers_ignored: tuple[str, ...] = ()
    """One sentence for each waiver that is not in force, and why."""
    instead: tuple[str, ...] = ()
