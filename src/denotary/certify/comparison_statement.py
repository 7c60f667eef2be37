"""The statement on two runs: an in-toto statement that says what was compared, on which cases, and what was not.

Like a certificate it is canonical JSON without time, path or host, and names every input by its digest.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from denotary.canonical import digest, sha256
from denotary.certify.comparison_limits import limitations
from denotary.certify.controls import review
from denotary.certify.recertification import sentence
from denotary.certify.statement import (
    STATEMENT,
    corpus_content,
    header_content,
    identity_block,
    named_gates,
    run_inputs,
    subject_content,
    system_name,
    tool,
    whole,
)
from denotary.files import encode_jsonl
from denotary.measures.scoring import corpus_of
from denotary.verdicts.decision import spent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.certify.comparing import Compared
    from denotary.measures.measurement import Measurement
    from denotary.runs import Run

PREDICATE: Final = "urn:denotary:comparison:1"
_LISTED: Final = ("FAIL", "INSUFFICIENT", "EXPLORATORY", "WAIVED")


def statement(compared: Compared) -> dict[str, Any]:
    """Return the statement on a comparison.

    Raises:
        IntegrityError: a suite or registry is not frozen, so that nothing names its content.
    """
    return {
        "_type": STATEMENT,
        "predicateType": PREDICATE,
        "subject": [
            {"name": name, "digest": {"sha256": value}}
            for name, value in (
                *_subjects("base", compared.base),
                *_subjects("new", compared.new),
                ("policy", sha256(compared.policy_source)),
            )
        ],
        "predicate": _predicate(compared),
    }


def _subjects(side: str, run: Run) -> Iterator[tuple[str, str]]:
    yield f"{side}: {system_name(run.header)}", digest(subject_content(run.header))
    yield f"{side} answers", sha256(encode_jsonl(run.answers))
    yield f"{side} plan", run.header.plan
    yield f"{side} suite", run.header.suite.hash
    yield f"{side} registry", run.header.registry.hash


def _predicate(compared: Compared) -> dict[str, Any]:
    verdict, measurement = compared.verdict, compared.measurement
    return {
        "tool": tool(),
        "decision": verdict.decision,
        "reason": verdict.reason,
        "qualification": verdict.qualification,
        "instead": verdict.instead,
        "policy": {
            "shipped": compared.shipped,
            "sha256": sha256(compared.policy_source),
            "content": whole(compared.policy),
        },
        "base": _side(compared.base, measurement),
        "new": _side(compared.new, measurement),
        "alignment": _alignment(compared),
        "recertification": {
            "demanded": compared.recertify,
            "why": sentence(compared.components),
            "components": [msgspec.structs.asdict(item) for item in compared.components],
        },
        **{series.series: [list(row) for row in series.rows] for series in measurement.series},
        "gates": [msgspec.structs.asdict(result) for result in verdict.gates],
        **{name.lower(): named_gates(verdict.gates, name) for name in _LISTED},
        "waivers": {
            "today": compared.today,
            "given": [whole(waiver) for waiver in compared.waivers],
            "in_force": [waiver.gate for waiver in verdict.waivers],
            "ignored": verdict.waivers_ignored,
        },
        "facts": [msgspec.structs.asdict(fact) for fact in measurement.facts],
        "review": review(compared.new.suite, measurement),
        "prespecification": _prespecification(compared),
        "limitations": list(limitations(compared)),
        "inputs": [{"name": name, "sha256": value} for name, value in sorted(inputs(compared))],
    }


def _side(run: Run, measurement: Measurement) -> dict[str, Any]:
    identity = identity_block(run)
    own = replace(measurement, suite=corpus_of(run.suite), snapshot_id=run.suite.registry.snapshot_id)
    return {
        "system": run.header.system,
        "identity": identity,
        "undeclared": sorted(name for name, value in identity.items() if not value),
        "corpus": corpus_content(run, own),
        "run": header_content(run.header),
        "complete": run.complete,
    }


def _alignment(compared: Compared) -> dict[str, Any]:
    alignment, mapped = compared.alignment, compared.alignment.migration
    return {
        "pairs": len(compared.pairs),
        "units": len(set(alignment.unit.tolist())),
        "changed": alignment.changed,
        "unmapped": alignment.unmapped,
        "base_alone": alignment.base_alone,
        "new_alone": alignment.new_alone,
        "unexplained": alignment.unexplained,
        "migration": None
        if mapped is None
        else {
            "from": mapped.old,
            "to": mapped.new,
            "sha256": mapped.digest,
            "steps": [whole(step) for step in mapped.steps.values() if step.change != "unchanged"],
            "unchanged": sum(step.change == "unchanged" for step in mapped.steps.values()),
            "added": mapped.added,
        },
    }


def _prespecification(compared: Compared) -> dict[str, Any]:
    from denotary.statistics.betting import DIFFERENCE
    from denotary.statistics.paired_ratios import CELLS, NUISANCE

    policy, rows = compared.policy, compared.measurement.comparisons
    looks = compared.measurement.suite.looks
    return {
        "confidence": policy.confidence,
        "looks": max(policy.looks, looks),
        "alpha_per_gate": spent(policy, looks),
        "between_gates": "every gate must pass by itself, so no correction between gates is due",
        "design": "paired: both systems on the same cases; no test of two samples is made",
        "prespecified": sum(row.prespecified for row in rows),
        "post_hoc": sum(not row.prespecified for row in rows),
        "families": sorted({row.family for row in rows if row.family}),
        "within_families": "Holm",
        "betting": {"fractions": DIFFERENCE.fractions, "weights": DIFFERENCE.weights},
        "ratios": {"alpha_for_the_other_ratio": NUISANCE, "cells": CELLS},
        "advertised": {name: list(values) for name, values in sorted(compared.measurement.required.items())},
    }


def inputs(compared: Compared) -> Iterator[tuple[str, str]]:
    """Yield the name and SHA-256 of everything that the statement rests on."""
    for side, run in (("base", compared.base), ("new", compared.new)):
        yield from ((f"{side}: {name}", value) for name, value in run_inputs(run))
    yield "policy", sha256(compared.policy_source)
    yield "waivers", digest([whole(waiver) for waiver in compared.waivers])
    if compared.migrations is not None:
        yield "migration.jsonl", sha256(encode_jsonl(compared.migrations))
    yield "rows.jsonl", sha256(compared.measurement.rows_jsonl())
    yield "comparisons.jsonl", sha256(encode_jsonl(compared.measurement.comparisons))
