"""Write the JSON Schemas of every file format from the types, or check that the published ones still match.

python tools/schemas.py            # writes schemas/*.json
python tools/schemas.py --check    # exit code 1 if one differs, is missing or is left over
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from denotary.annotation.records import Excluded, Judgement, JudgingReport, Revised
from denotary.certify.comparison_writing import Places
from denotary.certify.signing import Envelope
from denotary.files import write_atomic
from denotary.instruments.identity.answers import SystemAnswer
from denotary.instruments.identity.cases import IdentityCase
from denotary.instruments.identity.probing import Probed, Shown
from denotary.instruments.identity.recipes.records import Nomination, Recipe
from denotary.instruments.similarity.anchors import Anchor
from denotary.instruments.similarity.answers import GateAnswer
from denotary.instruments.similarity.cases import SimilarityCase
from denotary.instruments.similarity.corpus_records import (
    CorpusAnchor,
    CorpusManifest,
    RejectedAnchor,
    UserPair,
)
from denotary.instruments.similarity.projection import ProjectionCheck
from denotary.instruments.similarity.repairs.judge_files import JudgeFile
from denotary.instruments.similarity.repairs.records import (
    FittedRepair,
    RegisteredPlan,
    RepairPlan,
    RepairReport,
)
from denotary.instruments.similarity.results import Audit, PairRow, ShippedGate
from denotary.measures.records import (
    Comparison,
    ComparisonRow,
    Fact,
    Rate,
    Ratio,
    Row,
    Series,
    Statistic,
)
from denotary.registry.records import (
    Ambiguity,
    Concept,
    Expression,
    Migration,
    RegistryHeader,
    RegistryLock,
)
from denotary.resolver.conformance.records import ConformanceManifest, Vector
from denotary.resolver.semantic.records import Calibration, Example, Model
from denotary.runs.records import Answer, Call, Identity, RawCall, RunHeader
from denotary.runs.sealing import Seal
from denotary.runs.triage import Judgement as CauseJudgement
from denotary.suites.building import CaseCandidate
from denotary.suites.correcting import Correction
from denotary.suites.quotas import QuotaRow
from denotary.suites.records import LedgerEntry, Manifest, SuiteLock
from denotary.suites.split_records import SplitCheck, SplitEvidence
from denotary.systems.adapters.rules import DecisionRule
from denotary.systems.adapters.template import Template
from denotary.systems.base import SystemDescriptor
from denotary.text.perturb.records import Variant
from denotary.verdicts.records import Policy, Verdict, Waiver

FOLDER = Path(__file__).parents[1] / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

TYPES: dict[str, Any] = {
    "registry": RegistryHeader,
    "concept": Concept,
    "expression": Expression,
    "ambiguity": Ambiguity,
    "migration": Migration,
    "registry-lock": RegistryLock,
    "suite": Manifest,
    "suite-lock": SuiteLock,
    "ledger-entry": LedgerEntry,
    "quota-row": QuotaRow,
    "correction": Correction,
    "split-check": SplitCheck,
    "split-evidence": SplitEvidence,
    "case": IdentityCase,
    "judgement": Judgement,
    "excluded-item": Excluded,
    "revised-item": Revised,
    "judging-report": JudgingReport,
    "system-answer": SystemAnswer,
    "similarity-case": SimilarityCase,
    "similarity-answer": GateAnswer,
    "similarity-audit": Audit,
    "similarity-pair-score": PairRow,
    "similarity-corpus": CorpusManifest,
    "similarity-corpus-anchor": CorpusAnchor,
    "similarity-rejected-anchor": RejectedAnchor,
    "similarity-anchor": Anchor,
    "similarity-pair": UserPair,
    "system-descriptor": SystemDescriptor,
    "decision-rule": DecisionRule,
    "template": Template,
    "probes": Probed,
    "probe-answer": Shown,
    "identity": Identity,
    "run": RunHeader,
    "call": Call,
    "answer": Answer,
    "raw-call": RawCall,
    "cause-judgement": CauseJudgement,
    "measure": Rate | Ratio | Statistic | Comparison,
    "row": Row,
    "comparison-row": ComparisonRow,
    "fact": Fact,
    "series": Series,
    "policy": Policy,
    "waiver": Waiver,
    "verdict": Verdict,
    "variant": Variant,
    "signed-certificate": Envelope,
    "recipe": Recipe,
    "case-candidate": CaseCandidate,
    "nomination": Nomination,
    "comparison-runs": Places,
    "conformance": ConformanceManifest,
    "conformance-vector": Vector,
    "similarity-shipped-gate": ShippedGate,
    "similarity-judge": JudgeFile,
    "similarity-repair": FittedRepair,
    "repair-plan": RepairPlan,
    "repair-plan-lock": RegisteredPlan,
    "repair-report": RepairReport,
    "projection-check": ProjectionCheck,
    "semantic-example": Example,
    "semantic-model": Model,
    "semantic-calibration": Calibration,
    "seal": Seal,
}
"""Record type by the name of its schema. Each is one line of a JSON Lines file, or one TOML or JSON file."""


def schema(name: str) -> bytes:
    """Return one schema as JSON, keys sorted, indented for readers."""
    content = {"$schema": DIALECT, "$id": f"{name}.schema.json", **msgspec.json.schema(TYPES[name])}
    return json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False).encode() + b"\n"


def differing() -> list[str]:
    """Return the names of schemas that are missing, left over or not what the types say."""
    wanted = {f"{name}.schema.json": schema(name) for name in TYPES}
    found = {path.name: path.read_bytes() for path in FOLDER.glob("*.json")} if FOLDER.is_dir() else {}
    return sorted(name for name in {*wanted, *found} if wanted.get(name) != found.get(name))


def main(arguments: list[str]) -> int:
    """Write or check the schemas; return the exit code."""
    if arguments == ["--check"]:
        names = differing()
        for name in names:
            print(f"schemas/{name}: differs from the types; run python tools/schemas.py")
        return 1 if names else 0
    for path in FOLDER.glob("*.json") if FOLDER.is_dir() else ():
        if path.name.removesuffix(".schema.json") not in TYPES:
            path.unlink()
    for name in TYPES:
        write_atomic(FOLDER / f"{name}.schema.json", schema(name))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
