"""What a comparison does not show, one sentence each; generated, so that none is forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.certify.limitations import UNANSWERED
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.certify.comparing import Compared


def limitations(compared: Compared) -> Iterator[str]:
    """Yield the limits of a comparison, the gravest first."""
    if compared.verdict.qualification:
        yield compared.verdict.qualification
    if not compared.shipped:
        yield f"policy {compared.policy.id} is not one that denotary ships; its tolerances are its author's"
    yield from compared.verdict.waivers_ignored
    yield from _alignment_limits(compared)
    yield from _run_limits(compared)
    yield "not being worse than the base says nothing of being good enough: that is for a certificate"
    post_hoc = sum(not row.prespecified for row in compared.measurement.comparisons)
    if post_hoc:
        yield (
            f"{plural(post_hoc, 'comparison')} were not declared beforehand: they describe, and among so many some "
            "differ by chance"
        )
    yield (
        "a paired bootstrap interval describes and gates nothing; a p-value of 1 is no equivalence, for which the "
        "upper bound of the increase stands"
    )
    yield "the bounds speak of inputs such as the suite's cases; other inputs may have become worse"
    unit = compared.measurement.unit_kind
    yield f"where a {unit} holds several cases, tests and bounds weigh {unit}s alike, not cases"


def _alignment_limits(compared: Compared) -> Iterator[str]:
    found = compared.alignment
    for ids, what in (
        (found.changed, "have other content in the two suites"),
        (found.unmapped, "name a concept whose meaning was not carried over"),
        (found.base_alone, "stand in the base's suite alone"),
        (found.new_alone, "stand in the release's suite alone"),
    ):
        if ids:
            yield f"{plural(len(ids), 'case')} {what} and are not compared; they are named in comparison.json"
    if found.migration is not None:
        yield (
            f"the registries differ: {found.migration.old} and {found.migration.new}; codes are compared through the "
            "migration map"
        )


def _run_limits(compared: Compared) -> Iterator[str]:
    if not compared.new.complete:
        yield "the run of the release is not complete; calls that were not made count as its failures"
    for side, table in (("base", compared.pairs.base), ("release", compared.pairs.new)):
        outcomes = table.outcomes()
        lost = sum(outcomes.get(name, 0) for name in UNANSWERED)
        if lost:
            yield f"{plural(lost, 'case')} got no answer from the {side} and count as its failures"
