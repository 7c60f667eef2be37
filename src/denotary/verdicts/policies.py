"""Loading policies and waivers, and refusing those that could not mean what they say."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from denotary.errors import InputError, Problem, did_you_mean
from denotary.files import read_bytes, read_toml
from denotary.records import Record
from denotary.suites.instrument import instrument as find_instrument
from denotary.suites.instrument import instruments
from denotary.verdicts.policy_lint import lint_policy
from denotary.verdicts.policy_problems import policy_problems
from denotary.verdicts.records import Gate, Policy, Waiver

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from denotary.measures.records import Measure
    from denotary.suites.instrument import Instrument


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
    errors = [Problem("error", "policy", problem) for problem in policy_problems(policy, instrument.name)]
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


def paired_policy(instrument: Instrument) -> str:
    """Return the name of the policy on two runs that an instrument ships.

    Raises:
        InputError: it ships none.
    """
    for path in sorted(instrument.policies.glob("*.toml")):
        if read_toml(path, Policy).design == "paired":
            return path.stem
    raise InputError(
        f"the instrument {instrument.name} ships no policy on two runs", hint="give one: --policy FILE"
    )


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
    for problem in policy_problems(policy, instrument.name):
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


def iso_date(text: str, what: str) -> date:
    """Return an ISO date (``2031-01-31``).

    Raises:
        InputError: not an ISO date.
    """
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"{what} is {text!r}; expected an ISO date such as 2031-01-31") from error
