"""What a policy costs, and what a suite can claim at best: known before a single call is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from denotary.certify.population import Population
from denotary.errors import InfeasibleError, InputError
from denotary.measures.records import Floor
from denotary.records import Record
from denotary.runs.records import Identity
from denotary.suites.instrument import instrument as find_instrument
from denotary.verdicts import load_policy, policy_path, prospect
from denotary.verdicts.decision import spent
from denotary.verdicts.policies import policy_owner, refuse_unfit_measures
from denotary.verdicts.prospects import Prospect, claimed
from denotary.words import plural, slice_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from denotary.suites.suite import Suite
    from denotary.verdicts.records import Policy


class Plan(Record, frozen=True):
    """What every gate of a policy needs.

    ``qualification`` says why the corpus cannot certify whatever its answers, as its role and review have it.
    ``claims`` says for each shipped policy of the same track whether a system without a failure would be promoted
    here, as far as the suite decides. What is about a suite is empty without one.
    """

    policy: str
    title: str
    confidence: float
    looks: int
    alpha: float
    prospects: tuple[Prospect, ...]
    suite: str | None = None
    role: str | None = None
    qualification: str = ""
    claims: dict[str, bool] = msgspec.field(default_factory=dict)
    floors: tuple[Floor, ...] = ()

    @property
    def infeasible(self) -> tuple[Prospect, ...]:
        """Gates and slices in which not even a system without a failure would pass."""
        return tuple(item for item in self.prospects if item.feasible is False)

    def notes(self) -> Iterator[str]:
        """Yield what the numbers of units do not say: why the corpus cannot certify, and what bars a gate."""
        if self.qualification:
            yield self.qualification
        barred: dict[str, dict[str, None]] = {}
        for item in self.infeasible:
            if item.barred:
                barred.setdefault(item.barred, {})[item.gate] = None
        yield from (f"{why}: {', '.join(gates)}" for why, gates in barred.items())

    def sentences(self) -> Iterator[str]:
        """Yield what cannot be claimed, and why, one sentence each."""
        if self.qualification:
            yield from self.qualification.split("; ")
        yield from map(_shortfall, self.infeasible)


def _shortfall(item: Prospect) -> str:
    where = "" if item.slice == "all" else f" in {slice_name(item.slice)}"
    if item.barred:
        return f"{item.title}{where}: {item.barred}"
    needed = item.needs[0].units if item.needs else item.minimum_units
    best = "" if item.at_best is None else f"; at best it shows {claimed(item, item.at_best)}"
    return (
        f"{item.title}{where}: the suite has {plural(item.have or 0, 'unit')} "
        f"where {needed:,} are needed without a failure{best}"
    )


def plan(
    policy: str | Path,
    suite: Suite | None = None,
    *,
    instrument: str | None = None,
    languages: Sequence[str] = (),
    fitted_on: Sequence[str] = (),
    assigned_share: float | None = None,
    repeats: int = 2,
    repeat_core: int | Literal["all"] | None = None,
) -> Plan:
    """Return what a policy needs, and what a suite can claim at best.

    Args:
        policy: name of a shipped policy, or a path.
        suite: the suite that is meant to support the claim.
        instrument: whose policy it is, where neither suite nor policy says so.
        languages: languages that will be advertised.
        fitted_on: what the system will be declared to be fitted on (``runs.records.Identity``).
        assigned_share: expected share of cases that are given a code; by default what a perfect system would
            do on the suite, and 1 without a suite.
        repeats: how often the cases of the core will be asked.
        repeat_core: how many cases that will be; by default as many as the policy says.

    Raises:
        InputError: the policy cannot be read, what is declared does not fit the suite, or the share is not in (0, 1].
    """
    if assigned_share is not None and not 0.0 < assigned_share <= 1.0:
        raise InputError(f"assigned share is {assigned_share}; expected a number above 0 and at most 1")
    owner = suite.instrument if suite is not None else find_instrument(instrument or policy_owner(policy))
    loaded = load_policy(policy, owner)
    if suite is None:
        return _plan(loaded, loaded.looks, _general(loaded, assigned_share or 1.0))
    regressions = owner.regressions(suite)
    refuse_unfit_measures(loaded, owner.measures(suite), policy_path(policy, owner), regressions=regressions)
    core = repeat_core if repeat_core is not None else default_core(loaded, suite)
    declared = Identity(languages=tuple(languages), fitted_on=tuple(fitted_on))
    return plan_for(loaded, Population(suite, declared, assigned_share, repeats, core, loaded.design))


def plan_for(policy: Policy, population: Population) -> Plan:
    """Return what a suite that is to be asked can claim at best under a policy, and what each gate needs."""
    suite, owner = population.suite, population.suite.instrument
    kin = (load_policy(path.stem, owner) for path in sorted(owner.policies.glob("*.toml")))
    return _plan(
        policy,
        max(policy.looks, suite.manifest.looks),
        population.prospects(policy),
        suite=f"{suite.name} {suite.version}",
        role=suite.manifest.role,
        qualification=population.qualification(policy),
        claims={other.id: population.supports(other) for other in kin if other.track == policy.track},
        floors=population.floors,
    )


def default_core(policy: Policy, suite: Suite) -> int | Literal["all"]:
    """Return how many cases of a suite a policy wants asked more than once; all if it has fewer."""
    core = policy.repeat_core
    return core if core == "all" else min(core, len(suite.cases))


def require_feasible(made: Plan) -> None:
    """Stop where a suite cannot support the claim even if the system makes no mistake.

    Raises:
        InfeasibleError: the sentences of the plan say what is missing.
    """
    reasons = ";\n  ".join(made.sentences())
    if reasons:
        raise InfeasibleError(
            f"policy {made.policy} cannot be shown with this suite: {reasons}",
            hint="more cases, a lower tier, or the exact lane only; never a looser limit",
        )


def _plan(policy: Policy, looks: int, prospects: Iterable[Prospect], **more: Any) -> Plan:
    return Plan(
        policy=policy.id,
        title=policy.title,
        confidence=policy.confidence,
        looks=looks,
        alpha=spent(policy, looks),
        prospects=tuple(prospects),
        **more,
    )


def _general(policy: Policy, assigned_share: float) -> Iterator[Prospect]:
    """Yield what each gate needs in any slice of its kind, no suite being given."""
    alpha = spent(policy, policy.looks)
    for gate in policy.gates:
        for name in gate.slices:
            share = assigned_share if gate.at_best else 1.0
            yield prospect(gate, name, alpha=alpha, assigned_share=share)
