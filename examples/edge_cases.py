"""Five small systems that an average hides, and what denotary says of each.

    python edge_cases.py

Every text has the same one right code. The systems answer all of them rightly, one or all of them wrongly, or raise
twice.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import denotary as dn
from denotary.certify import certify
from denotary.files import encode_toml
from denotary.registry import freeze as freeze_registry
from denotary.suites import freeze as freeze_suite
from denotary.words import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

RIGHT, WRONG = "greeting.hello", "greeting.goodbye"
REVIEW = {"by": "the example", "on": "2026-11-30", "status": "approved"}


def write_lines(path: Path, records: Iterable[dict[str, Any]]) -> None:
    """Write a JSON Lines file."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def write_registry(folder: Path) -> None:
    """Write and freeze a registry of two concepts."""
    folder.mkdir()
    header = {"schema": "denotary.registry/1", "name": "greetings", "version": "1.0.0", "review": "reviewed"}
    (folder / "registry.toml").write_bytes(encode_toml(header))
    concepts = (
        {"code": code, "definitions": {"en": code}, "semantic_type": "act"} for code in (RIGHT, WRONG)
    )
    write_lines(
        folder / "concepts.jsonl", ({**c, "consequence_tier": "C1", "owner": "example"} for c in concepts)
    )
    expression = {"language": "en", "script": "Latn", "review": REVIEW}
    texts = ({"id": code, "text": code.partition(".")[2], "codes": [code]} for code in (RIGHT, WRONG))
    write_lines(folder / "expressions.jsonl", ({**text, **expression} for text in texts))
    freeze_registry(folder)


def write_suite(folder: Path, size: int) -> None:
    """Write and freeze a suite of independent texts that have one right code."""
    folder.mkdir()
    registry = {"name": "greetings", "version": "1.0.0", "path": "../registry"}
    manifest = {
        "schema": "denotary.suite/1",
        "name": "greetings",
        "version": "1.0.0",
        "instrument": "identity",
    }
    (folder / "suite.toml").write_bytes(
        encode_toml({**manifest, "role": "public-diagnostic", "registry": registry})
    )
    envelope = {
        "benchmark_version": "1.0.0",
        "registry_version": "1.0.0",
        "gold": {"disposition": "SINGLE", "acceptable_concept_codes": [RIGHT]},
        "construction": {"primary_family": "domain_shift", "generation_method": "numbered"},
        "annotation": {"review": "generated"},
        "security": {"visibility": "public"},
    }
    shown = {"language": "en", "script": "Latn", "domain": "example"}
    names = (f"hello-{number}" for number in range(size))
    write_lines(
        folder / "cases.jsonl",
        ({"record_id": n, "semantic_seed_id": n, "input": {"text": n, **shown}, **envelope} for n in names),
    )
    freeze_suite(folder)


def answering(code: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a system that gives one code to every text."""
    return lambda request: {
        "record_id": request["record_id"],
        "decision": {"type": "concept", "concept_code": code, "confidence": 0.9},
        "candidates": [{"concept_code": code, "score": 1.0}],
        "registry_version_returned": request["registry_version"],
    }


def raising(request: dict[str, Any]) -> dict[str, Any]:
    """Raise on two of ten texts, and be right on the others."""
    if request["text"] in {"hello-3", "hello-7"}:
        raise ValueError
    return answering(RIGHT)(request)


def once_wrong(request: dict[str, Any]) -> dict[str, Any]:
    """Be wrong on one text, and right on the others."""
    return answering(WRONG if request["text"] == "hello-3" else RIGHT)(request)


def main() -> None:
    """Certify each system and print what its report says of the risk."""
    for name, size, system in (
        ("1,000 of 1,000 right", 1_000, answering(RIGHT)),
        ("999 of 1,000 right", 1_000, once_wrong),
        ("10 of 10 right", 10, answering(RIGHT)),
        ("2 of 10 raise, 8 right", 10, raising),
        ("10 of 10 wrong", 10, answering(WRONG)),
    ):
        with tempfile.TemporaryDirectory() as root:
            write_registry(Path(root) / "registry")
            write_suite(Path(root) / "suite", size)
            suite = dn.load_suite(Path(root) / "suite")
            judged = certify(dn.systems.python(system), suite, "c1", Path(root) / "out")
        row = next(r for r in judged.measurement.rows if (r.measure, r.slice) == ("assignment_risk", "all"))
        print(
            f"{name + ':':24} risk {row.numerator} of {row.denominator:,}, at most {percent(row.bound, 'up')} at 95 %, "
            f"{judged.decision}, exit code {int(judged.exit_code)}"
        )


if __name__ == "__main__":
    main()
