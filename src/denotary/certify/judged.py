"""A run that was measured and judged: everything that certificate, report and projections are made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from denotary.canonical import sha256
from denotary.certify.soundness import with_soundness
from denotary.errors import ExitCode
from denotary.files import read_bytes
from denotary.verdicts import judge as decide
from denotary.verdicts import load_policy, policy_path
from denotary.verdicts.policies import refuse_design, refuse_unfit_measures

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from denotary.measures.measurement import Measurement
    from denotary.measures.records import Fact
    from denotary.runs import Run
    from denotary.suites.suite import Suite
    from denotary.verdicts.records import Decision, Policy, Standing, Verdict, Waiver

EXIT_CODES = {
    "PROMOTE": ExitCode.PROMOTE,
    "BLOCK": ExitCode.BLOCK,
    "INSUFFICIENT": ExitCode.INSUFFICIENT,
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict with what it rests on.

    Attributes:
        run: the answers.
        measurement: what measuring them yielded.
        policy: what was asked.
        policy_source: the bytes of the policy's file.
        shipped: whether the policy is one that the instrument ships.
        waivers: every waiver that was given, in force or not.
        today: the ISO date on which waivers were checked; empty if none was given.
        verdict: the decision and every gate.
    """

    run: Run
    measurement: Measurement
    policy: Policy
    policy_source: bytes
    shipped: bool
    waivers: tuple[Waiver, ...]
    today: str
    verdict: Verdict

    @property
    def decision(self) -> Decision:
        """PROMOTE, BLOCK or INSUFFICIENT."""
        return self.verdict.decision

    @property
    def exit_code(self) -> ExitCode:
        """The exit code that carries the decision."""
        return EXIT_CODES[self.verdict.decision]

    @property
    def standings(self) -> tuple[Standing, ...]:
        """What each group may be claimed for, such as the tier of each language."""
        instrument = self.run.suite.instrument
        return tuple(instrument.standings(self.measurement, self.policy, self.verdict))

    def report(self, path: Path | str) -> None:
        """Write the HTML report, with the root causes that persons set in the run's folder since."""
        from denotary.certify.reporting import report
        from denotary.reports import html

        _write(path, html(report(self, set_causes=True)).encode())

    def certificate(self, path: Path | str) -> None:
        """Write the certificate."""
        from denotary.certify.writing import documents

        _write(path, documents(self)["certificate.json"])


def _write(path: Path | str, content: bytes) -> None:
    from pathlib import Path

    from denotary.files import write_atomic

    write_atomic(Path(path), content)


def judge(
    measurement: Measurement,
    policy: str | Path,
    *,
    waivers: Sequence[Waiver] = (),
    today: str = "",
) -> Judged:
    """Judge what ``measure(run)`` returned, on a suite that is checked once more by the rules of this version.

    Args:
        measurement: rows, facts, and the run they were made from.
        policy: name of a shipped policy, or a path.
        waivers: gates set aside by somebody, for a reason, until a day.
        today: ISO date on which waivers are checked.

    Raises:
        InputError: the policy or a waiver cannot be read.
    """
    read = read_policy(policy, measurement.run.suite, "single")
    return judge_by(read, measurement, waivers=waivers, today=today)


def judge_by(
    read: PolicyFile,
    measurement: Measurement,
    *,
    waivers: Sequence[Waiver],
    today: str,
    sound: Callable[[], Fact] | None = None,
) -> Judged:
    """Judge by a policy that was read; see :func:`judge`.

    Args:
        read: the policy.
        measurement: rows, facts, and the run they were made from.
        waivers: gates set aside by somebody, for a reason, until a day.
        today: ISO date on which waivers are checked.
        sound: gives the fact ``suite_sound`` of the run's suite, where it was checked before.
    """
    measurement = with_soundness(measurement, measurement.run.suite, read.policy, sound)
    return Judged(
        run=measurement.run,
        measurement=measurement,
        policy=read.policy,
        policy_source=read.source,
        shipped=read.shipped,
        waivers=tuple(waivers),
        today=today,
        verdict=decide(measurement, read.policy, waivers=waivers, today=today or None),
    )


class PolicyFile(NamedTuple):
    """A policy, the bytes of its file, and whether the instrument ships it."""

    policy: Policy
    source: bytes
    shipped: bool


def read_policy(policy: str | Path, suite: Suite, design: str) -> PolicyFile:
    """Return a policy that fits a suite's instrument and design.

    Args:
        policy: name of a shipped policy, or a path.
        suite: names the instrument whose measures the policy reads.
        design: ``single`` for one run, ``paired`` for two.

    Raises:
        InputError: the policy cannot be read, or could not be decided.
    """
    instrument = suite.instrument
    path = policy_path(policy, instrument)
    loaded, source = load_policy(path, instrument), read_bytes(path)
    refuse_design(loaded, design)
    refuse_unfit_measures(loaded, instrument.measures(suite), path, regressions=instrument.regressions(suite))
    shipped = instrument.policies / f"{loaded.id}.toml"
    return PolicyFile(loaded, source, shipped.is_file() and sha256(read_bytes(shipped)) == sha256(source))
