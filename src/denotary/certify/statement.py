"""The certificate: an in-toto statement that says what was claimed, on what evidence, and what was not.

It is canonical JSON and holds no time, path or host, so that equal inputs give equal bytes. It names the
answers by the digests of plan and sealed answers, and never the raw log, which holds times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

import denotary
from denotary.canonical import digest, sha256
from denotary.certify.controls import leakage, review
from denotary.certify.limitations import limitations
from denotary.certify.tool import tool_digest
from denotary.files import encode_jsonl
from denotary.verdicts.decision import spent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.certify.judged import Judged
    from denotary.measures.measurement import Measurement
    from denotary.runs import Run
    from denotary.runs.records import RunHeader
    from denotary.verdicts.records import GateResult

STATEMENT: Final = "https://in-toto.io/Statement/v1"
PREDICATE: Final = "urn:denotary:certificate:1"
_LISTED: Final = ("FAIL", "INSUFFICIENT", "EXPLORATORY", "WAIVED")


def certificate(judged: Judged) -> dict[str, Any]:
    """Return the certificate of a judged run.

    Raises:
        IntegrityError: suite or registry is not frozen, so that nothing names its content.
    """
    run = judged.run
    return {
        "_type": STATEMENT,
        "predicateType": PREDICATE,
        "subject": [
            {"name": name, "digest": {"sha256": value}}
            for name, value in (
                (system_name(run.header), digest(subject_content(run.header))),
                ("answers", sha256(encode_jsonl(run.answers))),
                ("plan", run.header.plan),
                ("suite", run.header.suite.hash),
                ("registry", run.header.registry.hash),
                ("policy", sha256(judged.policy_source)),
            )
        ],
        "predicate": _predicate(judged),
    }


def _predicate(judged: Judged) -> dict[str, Any]:
    run, verdict = judged.run, judged.verdict
    identity = identity_block(run)
    return {
        "tool": tool(),
        "decision": verdict.decision,
        "reason": verdict.reason,
        "qualification": verdict.qualification,
        "instead": verdict.instead,
        "policy": {
            "shipped": judged.shipped,
            "sha256": sha256(judged.policy_source),
            "content": whole(judged.policy),
        },
        "system": run.header.system,
        "identity": identity,
        "undeclared": sorted(name for name, value in identity.items() if not value),
        "corpus": corpus_content(run, judged.measurement),
        "run": header_content(run.header),
        "complete": run.complete,
        "outcomes": dict(judged.measurement.outcomes),
        "gates": [msgspec.structs.asdict(result) for result in verdict.gates],
        **{name.lower(): named_gates(verdict.gates, name) for name in _LISTED},
        "standings": [msgspec.structs.asdict(standing) for standing in judged.standings],
        "waivers": {
            "today": judged.today,
            "given": [whole(waiver) for waiver in judged.waivers],
            "in_force": [waiver.gate for waiver in verdict.waivers],
            "ignored": verdict.waivers_ignored,
        },
        "facts": [msgspec.structs.asdict(fact) for fact in judged.measurement.facts],
        "review": review(run.suite, judged.measurement),
        "leakage": leakage(run.suite),
        "prespecification": _prespecification(judged),
        "limitations": list(limitations(judged)),
        "inputs": [{"name": name, "sha256": value} for name, value in sorted(inputs(judged))],
    }


def tool() -> dict[str, str]:
    """Return which denotary computed a result."""
    return {"name": "denotary", "version": denotary.__version__, "sha256": tool_digest()}


def identity_block(run: Run) -> dict[str, Any]:
    """Return a field for each component whose change demands recertification; an empty one is undeclared.

    A system that is asked through an adapter has its decision rule among them, by sentence and by digest.
    """
    lock = run.suite.registry.lock
    declared = msgspec.structs.asdict(run.header.identity)
    if "rule_hash" in run.header.system:
        rule = {name: run.header.system[name] for name in ("decision_rule", "rule_hash")}
        declared = {**declared, **rule}
    if lock is None:  # pragma: no cover - a run is made against frozen registries only
        return declared
    return {
        "benchmark": run.suite.identifier,
        "registry": lock.snapshot_id,
        "concept_set": lock.concept_set_hash,
        "definitions": lock.definitions_hash,
        "expression_evidence": lock.expressions_hash,
        "ambiguity_declarations": lock.ambiguities_hash,
        **declared,
    }


def inputs(judged: Judged) -> Iterator[tuple[str, str]]:
    """Yield the name and SHA-256 of everything that the certificate rests on."""
    yield from run_inputs(judged.run)
    yield "policy", sha256(judged.policy_source)
    yield "waivers", digest([whole(waiver) for waiver in judged.waivers])
    yield "rows.jsonl", sha256(judged.measurement.rows_jsonl())


def run_inputs(run: Run) -> Iterator[tuple[str, str]]:
    """Yield the name and SHA-256 of everything that a run consists of, suite and registry included."""
    suite, registry = run.suite.lock, run.suite.registry.lock
    for folder, lock in (("suite", suite), ("registry", registry)):
        if lock is not None:
            yield f"{folder} lock", lock.hash
            yield from ((f"{folder}/{name}", value) for name, value in lock.files.items())
    yield "suite/ledger.jsonl", sha256(encode_jsonl(run.suite.ledger))
    yield "run header", digest(header_content(run.header))
    yield "run/plan.jsonl", run.header.plan
    yield "run/sealed.jsonl", sha256(encode_jsonl(run.answers))


def corpus_content(run: Run, measurement: Measurement) -> dict[str, Any]:
    """Return what is known of a suite, as far as it decides what a result may support."""
    suite = run.suite
    return {
        "suite": measurement.suite.identifier,
        "registry": measurement.snapshot_id,
        "role": measurement.suite.role,
        "review": measurement.suite.review,
        "looks": measurement.suite.looks,
        "visibility": dict(measurement.suite.visibility),
        "cases": len(suite.cases),
        "units": len(set(suite.units)),
        "unit_kind": measurement.unit_kind,
        "unknown_share": suite.manifest.unknown_share,
    }


def _prespecification(judged: Judged) -> dict[str, Any]:
    from denotary.statistics.betting import RISK

    policy, looks = judged.policy, judged.measurement.suite.looks
    return {
        "confidence": policy.confidence,
        "looks": max(policy.looks, looks),
        "alpha_per_gate": spent(policy, looks),
        "between_gates": "every gate must pass by itself, so no correction between gates is due",
        "between_looks": "the looks declared by suite or policy share alpha equally",
        "exact": "one-sided Clopper-Pearson bound where every unit holds one case",
        "betting": {"fractions": RISK.fractions, "weights": RISK.weights},
        "advertised": {name: list(values) for name, values in sorted(judged.measurement.required.items())},
    }


def header_content(header: RunHeader) -> dict[str, Any]:
    """Return the run's header without the places where suite and registry lie."""
    content: dict[str, Any] = msgspec.to_builtins(header)
    for pin in ("suite", "registry"):
        content[pin].pop("path", None)
    return content


def subject_content(header: RunHeader) -> dict[str, Any]:
    """Return what a system's digest is taken over: what its owner declares, and what the evaluator asked."""
    return {"identity": msgspec.structs.asdict(header.identity), "system": header.system}


def system_name(header: RunHeader) -> str:
    """Return how the system is called in headings."""
    named = f"{header.identity.system} {header.identity.system_version}".strip()
    return named or f"{header.system['kind']} system (not named)"


def named_gates(gates: tuple[GateResult, ...], verdict: str) -> list[str]:
    """Return the gates with a verdict, each with its slice."""
    return [f"{result.gate} [{result.slice}]" for result in gates if result.verdict == verdict]


def whole(record: msgspec.Struct) -> Any:
    """Return a record with its defaults spelled out, so that a reader needs no other text."""
    return msgspec.to_builtins({name: getattr(record, name) for name in record.__struct_fields__})
