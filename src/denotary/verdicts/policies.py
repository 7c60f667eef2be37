"""Loading policies and waivers, and refusing those that could not mean what they say."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from denotary.errors import InputError, Problem, did_you_mean
from denotary.files import read_bytes, read_toml
from denotary.records import Record
from denotary.suites.instrument import instrument as find_instrument
from denotary.suites.instrument import instruments
from denotary.verdicts.policy_lint import lint_policy
from denotary.verdicts.records import EXACT, Gate, Policy, Waiver

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from denotary.measures.records import Measure
    from denotary.suites.instrument import Instrument

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

_SLICE: Final = re.compile(r"all|[a-z_]+:[a-z_]+|[a-z_]+=\S+")


class WaiverFile(Record, frozen=True):
    """A file of waivers: ``[[waiver]]`` tables."""

    waiver: tuple[Waiver, ...] = ()


def shipped_policy(name_or_path: str | Path, instrument: Instrument) -> Path | None:
    """Return the file of a policy that an instrument ships under this name, or None if it ships none."""
    path = instrument.policies / f"{name_or_path}.toml"
    named = isinstance(name_or_path, str) and "/" not in name_or_path
    return path if named and path.is_file() else None


def policy_path(name_or_path: str | Path, instrument: Instrument) -> Path:
    """Return the file of a policy: a shipped one by its name, any other by its path.

    Raises:
        InputError: neither a shipped policy nor a file.
    """
    path = shipped_policy(name_or_path, instrument) or Path(name_or_path)
    if path.is_file():
        return path
    if others := [name for name in instruments() if shipped_policy(name_or_path, find_instrument(name))]:
        raise InputError(
            f"policy {str(name_or_path)!r} is of the instrument {others[0]}, and the suite of {instrument.name}",
            hint="choose a policy of the suite's instrument, or a suite of the policy's",
        )
    raise _no_policy(name_or_path, [file.stem for file in instrument.policies.glob("*.toml")])


def _no_policy(name_or_path: str | Path, known: Iterable[str]) -> InputError:
    hint = f"{did_you_mean(str(name_or_path), known)} Or give the path of a TOML file"
    return InputError(f"no policy {str(name_or_path)!r}", hint=hint)


def check_policy(name_or_path: str | Path, instrument: Instrument) -> list[Problem]:
    """Return everything that is wrong with a policy or told of it, each with its file.

    Raises:
        InputError: the file is absent or not a policy.
    """
    path = policy_path(name_or_path, instrument)
    policy = read_toml(path, Policy)
    errors = [Problem("error", "policy", problem) for problem in _problems(policy, instrument.name)]
    found = [*errors, *lint_policy(policy, instrument)]
    return [replace(problem, path=str(path)) for problem in found]


def policy_owner(name_or_path: str | Path) -> str:
    """Return the name of the instrument whose policy this is: a shipped name by who ships it, a file by its content.

    Raises:
        InputError: it is neither, or two instruments ship a policy of that name.
    """
    owners = [name for name in instruments() if shipped_policy(name_or_path, find_instrument(name))]
    if len(owners) > 1:
        raise InputError(f"{' and '.join(owners)} both ship a policy {str(name_or_path)!r}; say whose")
    if owners:
        return owners[0]
    if Path(name_or_path).is_file():
        return read_toml(Path(name_or_path), Policy).instrument
    known = [file.stem for name in instruments() for file in find_instrument(name).policies.glob("*.toml")]
    raise _no_policy(name_or_path, known)


def load_policy(name_or_path: str | Path, instrument: Instrument) -> Policy:
    """Return a policy, checked.

    Args:
        name_or_path: name of a policy shipped with the instrument, or a path.
        instrument: the instrument whose measures the policy reads.

    Raises:
        InputError: the file is absent, not a policy, or asks for something that could never block a release.
    """
    path = policy_path(name_or_path, instrument)
    policy = read_toml(path, Policy)
    for problem in _problems(policy, instrument.name):
        raise InputError(problem, path=path)
    _refuse_borrowed_name(policy, path, instrument)
    for found in lint_policy(policy, instrument):
        if found.severity == "error":
            raise InputError(
                found.message,
                path=path,
                hint="drop the tier, or ask for as much; denotary policy check lists all that is less",
            )
    return policy


def _refuse_borrowed_name(policy: Policy, path: Path, instrument: Instrument) -> None:
    """Refuse another policy under the id of a shipped one: its verdict would read like the shipped one's."""
    shipped = next((file for file in instrument.policies.glob("*.toml") if file.stem == policy.id), None)
    if shipped is not None and read_bytes(shipped) != read_bytes(path):
        raise InputError(
            f"the id {policy.id!r} is that of a policy which denotary ships, and this is not that policy",
            path=path,
            hint=f"give it an id of its own, or say --policy {policy.id} for the shipped one",
        )


def refuse_unfit_measures(
    policy: Policy, measures: Sequence[Measure], path: Path, *, regressions: Sequence[Measure] = ()
) -> None:
    """Refuse a policy whose gates could not be decided, or would be decided the wrong way round.

    Args:
        policy: the policy.
        measures: those of the instrument.
        path: the policy's file, for the message.
        regressions: the instrument's events over pairs of cases. In a policy on two runs, gates of kind ``paired``
            compare the measures, and all others read these events.

    Raises:
        InputError: a gate names no such measure or a diagnostic one, or bounds a harm from below or a merit
            from above.
    """
    known = {measure.id: measure for measure in measures}
    events = {measure.id: measure for measure in regressions} if policy.design == "paired" else known
    for gate in policy.gates:
        readable = known if gate.kind == "paired" else events
        for name in filter(None, (gate.measure, gate.at_best)):
            if name not in (known if name == gate.at_best else readable):
                kind = f" for a gate of kind {gate.kind!r}" if policy.design == "paired" else ""
                raise InputError(
                    f"there is no measure {name!r}{kind}",
                    path=path,
                    record=f"gate {gate.id}",
                    hint=did_you_mean(name, readable),
                )
        if gate.measure:
            _refuse_unfit(gate, readable[gate.measure], path)


def _refuse_unfit(gate: Gate, measure: Measure, path: Path) -> None:
    if measure.diagnostic:
        raise InputError(
            f"{gate.measure} is a diagnostic, which no gate may read",
            path=path,
            record=f"gate {gate.id}",
            hint="gate on a rate that a decision can break; a diagnostic describes how it came about",
        )
    # An increase in harm is bounded from above, whichever direction is better.
    side = "lower" if measure.direction == "higher" and gate.kind != "paired" else "upper"
    if gate.side != side:
        raise InputError(
            f"{gate.measure} is better {measure.direction}; side {gate.side!r} would pass the worst",
            path=path,
            record=f"gate {gate.id}",
            hint=f'expected side = "{side}"',
        )


def refuse_design(policy: Policy, design: str) -> None:
    """Refuse a policy on one run where two are compared, and the other way round.

    Raises:
        InputError: it is.
    """
    if policy.design == design:
        return
    if policy.design == "paired":
        raise InputError(
            f"policy {policy.id} compares two runs",
            hint=f"denotary compare BASE NEW --policy {policy.id} --out FOLDER",
        )
    raise InputError(
        f"policy {policy.id} judges one run and compares nothing",
        hint='give a policy with design = "paired", such as the shipped one: --policy regression',
    )


def load_waivers(path: Path | str) -> tuple[Waiver, ...]:
    """Return the waivers of a TOML file.

    Raises:
        InputError: the file is absent or malformed, a field is blank, or ``until`` is no ISO date.
    """
    waivers = read_toml(Path(path), WaiverFile).waiver
    for waiver in waivers:
        if not (waiver.gate and waiver.who.strip() and waiver.why.strip()):
            raise InputError("a waiver names its gate, who grants it and why", path=path, record=waiver.gate)
        iso_date(waiver.until, f"waiver of gate {waiver.gate!r}: until")
    return waivers


def supports(role: str, policy: Policy) -> bool:
    """Return whether evidence from a corpus of this role may promote under a policy."""
    if role not in policy.roles or role not in TRACKS:
        return False
    only = TRACKS[role]
    return policy.track == only if only else policy.track not in TRACKS.values()


def iso_date(text: str, what: str) -> date:
    """Return an ISO date (``2031-01-31``).

    Raises:
        InputError: not an ISO date.
    """
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"{what} is {text!r}; expected an ISO date such as 2031-01-31") from error


def _problems(policy: Policy, instrument: str) -> Iterator[str]:
    if policy.instrument != instrument:
        yield f"the policy is for instrument {policy.instrument!r}, not {instrument!r}"
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
        yield from (f"gate {gate.id!r}: {problem}" for problem in _gate_problems(gate, policy.design))
    # What evidence says is about the corpus and the run, whatever the system decides.
    if all(gate.kind == "evidence" for gate in policy.gates):
        yield "the policy has no gate that reads a measure, so no answer could block a release"


def _number_problems(policy: Policy) -> Iterator[str]:
    if not LEAST_CONFIDENCE <= policy.confidence < 1.0:
        yield f"confidence is {policy.confidence}; expected a number in [{LEAST_CONFIDENCE}, 1)"
    if policy.looks < 1:
        yield f"looks is {policy.looks}; expected 1 or more"
    if policy.repeat_core != "all" and policy.repeat_core < 0:
        yield f"repeat_core is {policy.repeat_core}; expected a number of cases, or all"


def _gate_problems(gate: Gate, design: str) -> Iterator[str]:
    if gate.kind == "paired" and design != "paired":
        yield "kind 'paired' needs a policy with design = \"paired\""
    if gate.kind in {"bound", "zero", "paired"} and not gate.measure:
        yield f"kind {gate.kind!r} needs a measure"
    if gate.kind in {"evidence", "systematic"} and not gate.fact:
        yield f"kind {gate.kind!r} needs a fact"
    yield from _limit_problems(gate)
    if gate.minimum_units < 1:
        yield f"minimum_units is {gate.minimum_units}; an empty denominator never passes: expected 1 or more"
    if not gate.slices:
        yield "slices is empty, so nothing would be checked"
    for name in gate.slices:
        if _SLICE.fullmatch(name) is None:
            yield f"slice {name!r} is none of all, AXIS:GROUP, AXIS=VALUE"


def _limit_problems(gate: Gate) -> Iterator[str]:
    between = gate.limit is not None and 0.0 < gate.limit < 1.0
    if gate.kind in {"bound", "paired"} and not between:
        yield f"limit is {gate.limit}; kind {gate.kind!r} needs one between 0 and 1"
    if gate.kind == "zero" and gate.limit is not None and not between:
        yield f"limit is {gate.limit}; kind 'zero' takes none, or one between 0 and 1 that clean evidence excludes"
    if gate.kind in {"evidence", "systematic"} and gate.limit is not None:
        yield f"kind {gate.kind!r} takes no limit"
