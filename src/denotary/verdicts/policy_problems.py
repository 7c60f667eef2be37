"""What makes a policy none: names and numbers out of range, and gates that could not be decided or never block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from denotary.suites.records import MOST_LOOKS
from denotary.verdicts.records import EXACT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.verdicts.records import Gate, Policy

TRACKS: Final = {
    "registry-exact-conformance": EXACT,
    "sealed-certification": None,
    "regression": "non-regression",
}
"""Roles that may support a promotion, and the only track they may support it in (None: any other track).

A public or calibration corpus supports none, whatever a policy says.
"""

LEAST_CONFIDENCE: Final = 0.5
"""A claim that is as likely wrong as right is none."""
NEAREST: Final = 1e-9
"""How near to 0 and 1 a confidence or a limit may be. Beyond it a claim takes billions of units, and a number that is
rounded to 1 leaves nothing to spend."""
MOST: Final = 1_000_000_000
"""Of cases and units: more than can be asked."""

_SLICE: Final = re.compile(r"all|[a-z_]+:[a-z_]+|[a-z_]+=\S+")
_SHOWN: Final = 40
_NAME: Final = re.compile(r"[^\W_][\w.-]{0,79}")
"""No separator of paths, no blank, no control character: an id stands in tables, file names and waivers."""


def supports(role: str, policy: Policy) -> bool:
    """Return whether evidence from a corpus of this role may promote under a policy."""
    if role not in policy.roles or role not in TRACKS:
        return False
    only = TRACKS[role]
    return policy.track == only if only else policy.track not in TRACKS.values()


def policy_problems(policy: Policy, instrument: str) -> Iterator[str]:
    """Yield what is wrong with a policy: what could not be decided, or could never block a release.

    Args:
        policy: the policy.
        instrument: name of the instrument whose measures it would read.
    """
    if policy.instrument != instrument:
        yield f"the policy is for instrument {policy.instrument!r}, not {instrument!r}"
    for what, name in (("id", policy.id), ("track", policy.track)):
        yield from _name_problems(what, name)
    yield from _number_problems(policy)
    for role in policy.roles:
        if role not in TRACKS:
            yield f"role {role!r} supports no promotion; expected {', '.join(TRACKS)}"
        elif not supports(role, policy):
            yield f"role {role!r} supports no claim of track {policy.track!r}"
    seen: set[str] = set()
    for gate in policy.gates:
        if gate.id in seen:
            yield f"gate {gate.id!r} stands there twice"
        seen.add(gate.id)
        yield from _name_problems("id of a gate", gate.id)
        yield from (f"gate {gate.id!r}: {problem}" for problem in _gate_problems(gate, policy.design))
    # What evidence says is about the corpus and the run, whatever the system decides.
    if all(gate.kind == "evidence" for gate in policy.gates):
        yield "the policy has no gate that reads a measure, so no answer could block a release"


def _name_problems(what: str, name: str) -> Iterator[str]:
    if _NAME.fullmatch(name) is None:
        shown = repr(name) if len(name) <= _SHOWN else f"{name[:_SHOWN]!r}…"
        yield f"{what} is {shown}; expected letters, digits, '.', '_' and '-', at most 80, the first a letter or digit"


def _short(number: int) -> str:
    return str(number) if abs(number) <= MOST * MOST else "beyond all bounds"


def _number_problems(policy: Policy) -> Iterator[str]:
    if not LEAST_CONFIDENCE <= policy.confidence <= 1.0 - NEAREST:
        yield f"confidence is {policy.confidence}; expected {LEAST_CONFIDENCE} to {1.0 - NEAREST}, such as 0.95"
    if not 1 <= policy.looks <= MOST_LOOKS:
        yield f"looks is {_short(policy.looks)}; expected 1 to {MOST_LOOKS:,}, the decisions that may be taken"
    if policy.repeat_core != "all" and not 0 <= policy.repeat_core <= MOST:
        yield f"repeat_core is {_short(policy.repeat_core)}; expected 0 to {MOST:,} cases, or all"


def _gate_problems(gate: Gate, design: str) -> Iterator[str]:
    if gate.kind == "paired" and design != "paired":
        yield "kind 'paired' needs a policy with design = \"paired\""
    if gate.kind in {"bound", "zero", "paired"} and not gate.measure:
        yield f"kind {gate.kind!r} needs a measure"
    if gate.kind in {"evidence", "systematic"} and not gate.fact:
        yield f"kind {gate.kind!r} needs a fact"
    yield from _limit_problems(gate)
    if not 1 <= gate.minimum_units <= MOST:
        why = "an empty denominator never passes" if gate.minimum_units < 1 else "nobody can ask as many"
        yield f"minimum_units is {_short(gate.minimum_units)}; {why}: expected 1 to {MOST:,}"
    if not gate.slices:
        yield "slices is empty, so nothing would be checked"
    for name in gate.slices:
        if _SLICE.fullmatch(name) is None:
            yield f"slice {name!r} is none of all, AXIS:GROUP, AXIS=VALUE"


def _limit_problems(gate: Gate) -> Iterator[str]:
    between = gate.limit is not None and NEAREST <= gate.limit <= 1.0 - NEAREST
    span = f"{NEAREST:g} to {1.0 - NEAREST}"
    if gate.kind in {"bound", "paired"} and not between:
        yield f"limit is {gate.limit}; kind {gate.kind!r} needs one between 0 and 1, of {span}"
    if gate.kind == "zero" and gate.limit is not None and not between:
        yield f"limit is {gate.limit}; kind 'zero' takes none, or one of {span} that clean evidence excludes"
    if gate.kind in {"evidence", "systematic"} and gate.limit is not None:
        yield f"kind {gate.kind!r} takes no limit"
