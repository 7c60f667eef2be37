"""From gates to a decision: what a corpus may support, waivers, and the one rule that promotes or blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from denotary.errors import InputError, did_you_mean
from denotary.verdicts.gates import Evidence, judge_gate
from denotary.verdicts.policies import iso_date
from denotary.verdicts.policy_problems import TRACKS, supports
from denotary.verdicts.records import Verdict
from denotary.words import WITHOUT_WAIVER, plural

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence
    from datetime import date

    from denotary.measures.measurement import Measurement
    from denotary.measures.records import Fact
    from denotary.verdicts.records import Decision, Gate, GateResult, Policy, Waiver

REVIEW_FACT = "review_sufficient"
"""The fact that every case which a gate counts was reviewed to the depth its tier demands."""
SOUND_FACT = "suite_sound"
"""The fact that the suite keeps the rules of this version, whatever was checked when it was frozen."""


def judge(
    measurement: Measurement,
    policy: Policy,
    *,
    waivers: Sequence[Waiver] = (),
    today: date | str | None = None,
) -> Verdict:
    """Return the decision of a policy on a measurement.

    Args:
        measurement: what measuring the run yielded.
        policy: the gates.
        waivers: gates set aside by somebody, for a reason, until a day.
        today: the day on which waivers are checked; without it none is in force.

    Raises:
        InputError: the policy is for another instrument, or a waiver names no gate of the policy.
        IntegrityError: a row's counts are not those of its units.
    """
    if policy.instrument != measurement.instrument:
        raise InputError(
            f"policy {policy.id!r} is for instrument {policy.instrument!r}, "
            f"the run was made with {measurement.instrument!r}"
        )
    evidence = Evidence(measurement, alpha=spent(policy, measurement.suite.looks))
    in_force, ignored = sort_waivers(waivers, policy, today)
    qualification = qualify(measurement.suite.role, measurement.facts, policy)
    gates = tuple(
        _waived(_explored(result, qualification), in_force)
        for gate in policy.gates
        for result in judge_gate(gate, evidence)
    )
    proofs = frozenset(gate.id for gate in policy.gates if gate.kind == "evidence")
    decision, reason = decide(gates, qualification, proofs)
    return Verdict(
        policy=policy.id,
        decision=decision,
        reason=reason,
        qualification=qualification,
        gates=gates,
        waivers=tuple(in_force.values()),
        waivers_ignored=ignored,
        instead=() if decision == "PROMOTE" else policy.instead,
    )


def spent(policy: Policy, suite_looks: int) -> float:
    """Return what each gate may spend: (1 - confidence) / looks, the larger number of looks counting."""
    from denotary.statistics.planning import alpha_per_look

    # Rounded to 15 digits: 1 - 0.95 is 0.050000000000000044 in binary, and a reader expects 0.05.
    return alpha_per_look(round(1.0 - policy.confidence, 15), max(policy.looks, suite_looks))


def qualify(role: str, facts: Iterable[Fact], policy: Policy) -> str:
    """Return why a corpus cannot certify under a policy, or an empty string if it can.

    Args:
        role: the role of the corpus.
        facts: among them those on the review of its cases and on the rules that it keeps.
        policy: says which roles may promote.
    """
    reasons, known = [], {fact.name: fact for fact in facts}
    if role not in TRACKS:
        reasons.append(f"a {role} corpus can block a release and never certify one")
    elif not supports(role, policy):
        wanted = " or ".join(policy.roles) or "none"
        reasons.append(f"a {role} corpus does not support policy {policy.id} (supported by: {wanted})")
    review, sound = known.get(REVIEW_FACT), known.get(SOUND_FACT)
    if review is None:
        reasons.append("nothing is known of the review of its cases")
    elif not review.holds:
        reasons.append(review.detail)
    if sound is not None and not sound.holds:
        reasons.append(sound.detail)
    return f"qualification only: {'; '.join(reasons)}" if reasons else ""


def decide(
    gates: Sequence[GateResult], qualification: str, proofs: Container[str] = ()
) -> tuple[Decision, str]:
    """Return the decision and its reason: any FAIL blocks, anything unproven withholds, else promote.

    Args:
        gates: every gate in each of its slices.
        qualification: why the corpus cannot certify, or an empty string.
        proofs: ids of gates that speak of corpus and run, whatever the system decides. They alone promote nothing: with
            every other gate waived or not applicable, no answer of the system was judged.
    """
    by_verdict: dict[str, list[GateResult]] = {}
    for result in gates:
        by_verdict.setdefault(result.verdict, []).append(result)
    if failed := by_verdict.get("FAIL"):
        return "BLOCK", f"failed: {_names(failed)}"
    if unproven := by_verdict.get("INSUFFICIENT"):
        return "INSUFFICIENT", f"not shown by this much evidence: {_names(unproven)}"
    if qualification:
        return "INSUFFICIENT", qualification
    if exploratory := by_verdict.get("EXPLORATORY"):
        return "INSUFFICIENT", f"exploratory evidence only: {_names(exploratory)}"
    passed = by_verdict.get("PASS", [])
    if all(result.gate in proofs for result in passed):
        only = f" that reads an answer passed, only {_names(passed)}" if passed else " passed"
        return "INSUFFICIENT", f"no gate{only}"
    waived = by_verdict.get("WAIVED")
    aside = f"; waived: {_names(waived)}" if waived else ""
    return "PROMOTE", f"passed: {_names(passed)}{aside}"


def _names(results: Sequence[GateResult]) -> str:
    """Return the gates of some results, each once, with the slice or the number of slices."""
    slices: dict[str, list[str]] = {}
    for result in results:
        slices.setdefault(result.gate, []).append(result.slice)
    return ", ".join(_name(gate, found) for gate, found in slices.items())


def _name(gate: str, slices: Sequence[str]) -> str:
    if len(slices) > 1:
        return f"{gate} ({plural(len(slices), 'slice')})"
    return gate if slices[0] == "all" else f"{gate} [{slices[0]}]"


def _explored(result: GateResult, qualification: str) -> GateResult:
    """Turn a PASS that its corpus or review does not support into EXPLORATORY."""
    if result.verdict != "PASS" or not qualification:
        return result
    return msgspec.structs.replace(
        result, verdict="EXPLORATORY", underlying="PASS", reason=f"{result.reason}; {qualification}"
    )


def _waived(result: GateResult, waivers: Mapping[str, Waiver]) -> GateResult:
    """Set aside a gate that did not pass. What the corpus cannot support is not for a waiver to supply."""
    waiver = waivers.get(result.gate)
    if waiver is None or result.verdict not in {"FAIL", "INSUFFICIENT"}:
        return result
    reason = f"waived by {waiver.who} until {waiver.until} ({waiver.why}){WITHOUT_WAIVER}{result.reason}"
    return msgspec.structs.replace(result, verdict="WAIVED", underlying=result.verdict, reason=reason)


def sort_waivers(
    waivers: Sequence[Waiver], policy: Policy, today: date | str | None
) -> tuple[dict[str, Waiver], tuple[str, ...]]:
    """Return the waivers in force by gate, and one sentence for each that is not.

    Raises:
        InputError: a waiver names no gate of the policy, two are for one gate, or ``today`` is no date.
    """
    gates = {gate.id: gate for gate in policy.gates}
    day = iso_date(today, "today") if isinstance(today, str) else today
    in_force: dict[str, Waiver] = {}
    ignored = []
    for waiver in waivers:
        if waiver.gate not in gates:
            raise InputError(
                f"a waiver names gate {waiver.gate!r}, which policy {policy.id!r} does not have",
                hint=did_you_mean(waiver.gate, gates),
            )
        if waiver.gate in in_force:
            raise InputError(f"two waivers are in force for gate {waiver.gate!r}; expected one")
        why = why_ignored(waiver, policy, gates[waiver.gate], day)
        if why:
            ignored.append(f"the waiver of {waiver.gate} is ignored: {why}")
        else:
            in_force[waiver.gate] = waiver
    return in_force, tuple(ignored)


def why_ignored(waiver: Waiver, policy: Policy, gate: Gate, day: date | None) -> str:
    """Return why a waiver is not in force, or an empty string if it is."""
    missing = [name for name in ("who", "why") if not getattr(waiver, name).strip()]
    if missing:
        return f"it does not say {' and '.join(missing)}"
    try:
        until = iso_date(waiver.until, "until")
    except InputError as error:
        return error.message
    if not policy.may_waive(gate):
        return "what a release has to prove once and for all cannot be set aside"
    if day is None:
        return "no date was given to check it against"
    return f"it expired on {waiver.until} (granted by {waiver.who})" if day > until else ""
