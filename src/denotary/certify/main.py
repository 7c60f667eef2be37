"""The main job: plan, ask, measure, judge, certify."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

from denotary.certify.judged import Judged, judge_by, read_policy
from denotary.certify.planning import default_core, plan_for, require_feasible
from denotary.certify.population import Population
from denotary.certify.signing import Signer
from denotary.certify.writing import RUN, refuse_others, write_documents
from denotary.measures import measure
from denotary.runs import ask
from denotary.runs.records import Identity
from denotary.verdicts.decision import sort_waivers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from denotary.certify.planning import Plan
    from denotary.runs.progress import Watcher
    from denotary.suites.suite import Suite
    from denotary.systems.base import BlockingSystem, System
    from denotary.verdicts.records import Policy, Waiver


class Asking(TypedDict, total=False):
    """How a system is asked; what is left out is as ``runs.ask`` has it.

    ``concurrency`` calls are in flight at once, one attempt may take ``timeout`` seconds, a call is sent at most
    ``attempts`` times, ``seed`` chooses the repeated cases, and ``progress`` is told how the run goes.
    """

    concurrency: int
    timeout: float
    attempts: int
    seed: int
    progress: Watcher | None


def certify(
    system: System | BlockingSystem,
    suite: Suite,
    policy: str | Path,
    out: Path | str,
    *,
    identity: Identity | None = None,
    repeats: int = 2,
    repeat_core: int | Literal["all"] | None = None,
    waivers: Sequence[Waiver] = (),
    today: str = "",
    only_if_feasible: bool = False,
    planned: Callable[[Plan], None] | None = None,
    sign: Path | str | None = None,
    **asking: Unpack[Asking],
) -> Judged:
    """Ask a system every case of a suite, judge the answers by a policy, write what shows it, and return the verdict.

    The folder then holds the raw run (``run/``), rows, verdict, certificate, report, policy, and what other tools read.

    Args:
        system: the black box.
        suite: frozen, on a frozen registry.
        policy: name of a shipped policy, or a path.
        out: the output folder; a run that was interrupted there is resumed.
        identity: what the system's owner declares, advertised languages included.
        repeats: how often the cases of the core are asked.
        repeat_core: how many cases that are; by default as many as the policy says, or all if there are fewer.
        waivers: gates set aside by somebody, for a reason, until a day.
        today: ISO date on which waivers are checked.
        only_if_feasible: stop before asking if not even a system without a failure could pass.
        planned: is told, before anything is asked, what the suite can claim at best.
        sign: PEM file of an ed25519 private key; the certificate is signed with it.
        **asking: how the system is asked, see :class:`Asking`.

    Raises:
        InputError: policy, waivers, key or an argument cannot be used, or the folder holds other files.
        IntegrityError: suite or registry is not frozen, or the folder holds another run.
        InfeasibleError: the suite cannot support the claim, and ``only_if_feasible`` was asked.
        UnreachableError: the system could not be reached before any case was answered.
        StorageError: the folder cannot be written to.
    """
    declared = identity or Identity()
    read = read_policy(policy, suite, "single")
    signer = _checked(suite, read.policy, Path(out), waivers, today=today, sign=sign)
    core = repeat_core if repeat_core is not None else default_core(read.policy, suite)
    population = Population(suite, declared, None, repeats, core, read.policy.design)
    _announce(plan_for(read.policy, population), planned, only_if_feasible=only_if_feasible)
    run = ask(system, suite, Path(out) / RUN, identity=declared, repeats=repeats, repeat_core=core, **asking)
    judged = judge_by(read, measure(run), waivers=waivers, today=today, sound=lambda: population.sound)
    write_documents(judged, Path(out), signer=signer)
    return judged


def _checked(
    suite: Suite,
    policy: Policy,
    out: Path,
    waivers: Sequence[Waiver],
    *,
    today: str,
    sign: Path | str | None,
) -> Signer | None:
    """Refuse an order that is wrong in itself, at once and not after a night of asking; return who signs.

    Raises:
        InputError: waivers or key cannot be used, or the folder holds other files.
        IntegrityError: suite or registry is not frozen.
    """
    _ = suite.identifier, suite.registry.snapshot_id
    signer = None if sign is None else Signer.load(Path(sign))
    sort_waivers(waivers, policy, today or None)
    refuse_others(out)
    return signer


def _announce(made: Plan, planned: Callable[[Plan], None] | None, *, only_if_feasible: bool) -> None:
    """Tell what the suite can claim at best, and stop if that was asked for and is too little.

    Raises:
        InfeasibleError: not even a system without a failure could pass.
    """
    if planned is not None:
        planned(made)
    if only_if_feasible:
        require_feasible(made)
