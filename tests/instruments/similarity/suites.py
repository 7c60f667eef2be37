"""Similarity suites for tests: a corpus of balanced anchors, judged by three people each and sealed, or as it comes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from denotary.files import encode_toml
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.suite_building import build_suite
from denotary.suites import Suite, freeze, load_suite
from denotary.suites.records import Role

CANARY = "7b1c6f0e-3f0d-4a6c-9a44-6a1a4f8d2b11"


def sealed_suite(corpus: Corpus, root: Path, role: Role = "sealed-certification") -> Suite:
    """Return a suite that could certify, or another one: reviewed by three."""
    build_suite(corpus, root, role=role)
    for name in ("suite.lock", "ledger.jsonl", "records.sha256"):
        (root / name).unlink()
    lines = [json.loads(line) for line in (root / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["annotation"] = {
            "review": "reviewed",
            "adjudication_status": "approved",
            "depth_tier": "A1",
            "independent_votes": [line["gold"]["decision"]] * 3,
            "reviewers": ["r1", "r2", "r3"],
        }
    (root / "cases.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    manifest: dict[str, Any] = {
        "schema": "denotary.suite/1",
        "name": "sealed-pairs",
        "version": "1.0.0",
        "instrument": "similarity",
        "role": role,
        "review": "reviewed",
        "canary": CANARY,
        "registry": {"name": "similarity", "version": "1.0.0", "path": "bundled:similarity"},
    }
    (root / "suite.toml").write_bytes(encode_toml(manifest))
    freeze(root)
    return load_suite(root)


def reads_meaning(payload: dict[str, Any]) -> dict[str, Any]:
    """Act unless the second text ends with the word that turns the decision."""
    same = not payload["text2"].endswith("drop")
    return {"score": float(same), "decision": {"type": "act" if same else "do_not_act"}}


def reads_wording(payload: dict[str, Any]) -> dict[str, Any]:
    """Act where most words are shared."""
    first, second = set(payload["text1"].split()), set(payload["text2"].split())
    score = len(first & second) / len(first | second)
    return {"score": score, "decision": {"type": "act" if score >= 0.5 else "do_not_act"}}


Answering = Callable[[dict[str, Any]], dict[str, Any]]
