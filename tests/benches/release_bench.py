"""Runs to compare: a small registry, suites and systems that answer by text."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from denotary import systems
from denotary.certify import Compared
from denotary.files import encode_jsonl, encode_toml
from denotary.registry import freeze as freeze_registry
from denotary.runs import Identity, ask
from denotary.suites import freeze as freeze_suite
from denotary.suites import load_suite

Case = Callable[..., dict[str, Any]]
Answers = dict[str, Any]

IDENTITY = Identity(system="s", system_version="1", languages=("en",), semantic_model="m", tokenizer="t")


def concept(code: str | None, confidence: float | None = 0.8) -> Any:
    decision = {"type": "concept", "concept_code": code} if code else {"type": "abstain"}
    return {"decision": decision | {"confidence": confidence}, "registry_version_returned": "1.0.0"}


def resolver(answers: Answers, version: str = "1.0.0") -> Callable[[dict[str, Any]], Any]:
    """A system that answers by text: a code, None to refuse, or a whole reply; an exception is raised."""

    def resolve(request: dict[str, Any]) -> Any:
        said = answers.get(request["text"], "x.alpha")
        if isinstance(said, Exception):
            raise said
        reply = said if isinstance(said, dict) else concept(said)
        return reply | {"registry_version_returned": version}

    return resolve


class Bench:
    """A registry, a suite and runs of it, in one folder."""

    def __init__(self, root: Path, registry: Callable[..., Path], case: Case) -> None:
        self.root, self._registry, self.case = root, registry, case

    def registry(self, name: str = "registry", version: str = "1.0.0", **lists: Any) -> Path:
        folder = self._registry(self.root / name, **lists)
        header = folder / "registry.toml"
        header.write_text(header.read_text().replace('"1.0.0"', f'"{version}"'))
        freeze_registry(folder)
        return folder

    def suite(
        self, cases: Iterable[Any], name: str = "suite", registry: str = "registry", **manifest: Any
    ) -> Path:
        folder = self.root / name
        folder.mkdir()
        snapshot = json.loads((self.root / registry / "registry.lock").read_text())["version"]
        pin = {"name": "small", "version": snapshot, "path": f"../{registry}"}
        usual = {
            "schema": "denotary.suite/1", "name": "small-suite", "version": "1.0.0", "instrument": "identity",
            "role": "public-diagnostic",
        }  # fmt: skip
        (folder / "suite.toml").write_bytes(encode_toml({**usual, **manifest, "registry": pin}))
        (folder / "cases.jsonl").write_bytes(encode_jsonl(cases))
        freeze_suite(folder)
        return folder

    def run(self, name: str, answers: Any, suite: str = "suite", **options: Any) -> Path:
        identity = options.pop("identity", IDENTITY)
        found = load_suite(self.root / suite)
        made = resolver(answers, found.registry.version)
        ask(systems.python(made), found, self.root / name, identity=identity, **options)
        return self.root / name


def texts(case: Case, number: int = 12, **parts: Any) -> list[Any]:
    return [case(f"c{n:02}", text=f"text {n}", **parts) for n in range(number)]


def gate(compared: Compared, name: str) -> Any:
    return next(result for result in compared.verdict.gates if result.gate == name)


def underlying(compared: Compared, name: str) -> str:
    result = gate(compared, name)
    return str(result.underlying or result.verdict)


def row(compared: Compared, measure: str, name: str = "all") -> Any:
    return next(r for r in compared.measurement.comparisons if (r.measure, r.slice) == (measure, name))
