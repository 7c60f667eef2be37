"""What a result does not show, one sentence each; generated, so that none is forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from denotary.suites.depth import DEPTHS, lower_certification
from denotary.verdicts.policy_lint import lint_policy
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from denotary.certify.judged import Judged
    from denotary.registry import Registry
    from denotary.suites.suite import Suite

UNANSWERED: Final = ("invalid_output", "error", "timeout", "not_run")


def limitations(judged: Judged) -> Iterator[str]:
    """Yield the limits of a result, the gravest first."""
    suite, registry = judged.run.suite, judged.run.suite.registry
    if judged.verdict.qualification:
        yield judged.verdict.qualification
    if not judged.shipped:
        yield f"policy {judged.policy.id} is not one that denotary ships; its limits are its author's"
        yield from (problem.message for problem in lint_policy(judged.policy, suite.instrument))
    yield from judged.verdict.waivers_ignored
    yield from _run_limits(judged)
    yield from _tier_limits(judged, registry)
    yield from _suite_limits(suite)
    risk = any(row.measure == "assignment_risk" for row in judged.measurement.rows)
    if risk and suite.manifest.unknown_share is None:
        yield "assignment risk is stated at the suite's own share of unknown meanings; no share was declared"
    yield f"the result holds for registry {judged.measurement.snapshot_id} alone, not for another version"
    yield "the bounds speak of inputs such as the suite's cases; other inputs may be harder"
    if any("unit-weighted" in result.bound_method for result in judged.verdict.gates):
        unit = judged.measurement.unit_kind
        yield f"where a {unit} holds several cases, the bound weighs {unit}s alike, not cases"


def _run_limits(judged: Judged) -> Iterator[str]:
    if not judged.run.complete:
        yield "the run is not complete; calls that were not made count as failures"
    outcomes = judged.measurement.outcomes
    unanswered = sum(outcomes.get(name, 0) for name in UNANSWERED)
    if unanswered:
        total = sum(outcomes.values())
        yield f"{plural(unanswered, 'case')} of {total:,} got no answer and count as failures"
    later = sum(bool(case.depends_on) for case in judged.run.suite.cases)
    if later and _reads_one_text(judged.run.header.system):
        turns = plural(later, "later turn")
        yield f"{turns} of dialogues asked without what came before: this kind of system is shown one text at a time"
    identity = msgspec.structs.asdict(judged.run.header.identity)
    undeclared = sorted(name for name, value in identity.items() if not value)
    if undeclared:
        yield f"undeclared components count as changed in every comparison: {', '.join(undeclared)}"
    languages = judged.run.header.identity.languages
    named = ", ".join(languages) if languages else "no language"
    yield f"languages claimed: {named}; nothing is claimed for any other"


def _reads_one_text(system: Mapping[str, Any]) -> bool:
    """Whether a system has no place for a history: an adapter, which declares a rule, or a lane of the resolver."""
    return "rule_hash" in system or system["kind"] in {"exact", "semantic"}


def _tier_limits(judged: Judged, registry: Registry) -> Iterator[str]:
    tier = judged.policy.tier
    above = sorted(
        concept.code
        for concept in registry.concepts.values()
        if tier and concept.status == "active" and concept.consequence_tier > tier
    )
    if above:
        shown = ", ".join(above[:5]) + (" …" if len(above) > 5 else "")  # noqa: PLR2004 - a sentence, no list
        count = plural(len(above), "concept")
        yield f"{count} of a tier above {tier} may not be assigned under this policy: {shown}"


def _suite_limits(suite: Suite) -> Iterator[str]:
    for mechanism, reason in sorted(suite.manifest.mechanisms_not_exercised.items()):
        yield f"failure mechanism {mechanism} is exercised by no case: {reason}"
    spent = len(suite.spent)
    if spent:
        yield f"{plural(spent, 'case')} of the suite lie in disclosed units and are no fresh evidence"
    for language, count in lower_certification(suite.cases).items():
        yield (
            f"lower certification in language {language}: {plural(count, 'case')} rest on depth A-R, "
            f"{DEPTHS['A-R'].fewest} reviewers in place of more"
        )
    yield from suite.manifest.notes
