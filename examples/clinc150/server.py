"""A third-party intent classifier behind HTTP: the black box of this example.

    python server.py OUT --port 8765

It is what a team would ship: TF-IDF of words, logistic regression, and a confidence threshold chosen on the
validation split for the best accuracy, out-of-scope queries included. It is trained on ``OUT/registry`` and tuned on
``OUT/threshold``; it never sees ``OUT/suite``. Before it listens, it declares itself in ``OUT/identity.toml``.
"""

from __future__ import annotations

import argparse
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def train(folder: Path) -> Pipeline:
    """Fit the classifier on the registry's expressions."""
    expressions = read_lines(folder / "registry" / "expressions.jsonl")
    model = make_pipeline(TfidfVectorizer(sublinear_tf=True), LogisticRegression(C=20.0, max_iter=100))
    return model.fit([e["text"] for e in expressions], [e["codes"][0] for e in expressions])


def best_threshold(model: Pipeline, folder: Path) -> float:
    """Return the confidence threshold with the best accuracy on the threshold suite, to four digits."""
    cases = read_lines(folder / "threshold" / "cases.jsonl")
    gold = np.array([(c["gold"].get("acceptable_concept_codes") or [""])[0] for c in cases])
    codes, confidence = predict(model, [c["input"]["text"] for c in cases])
    grid = np.unique(confidence.round(4))
    accuracy = [np.mean(np.where(confidence >= t, codes == gold, gold == "")) for t in grid]
    return float(grid[int(np.argmax(accuracy))])


def predict(model: Pipeline, texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the best code of each text and its probability."""
    probability = model.predict_proba(texts)
    best = probability.argmax(axis=1)
    return model.classes_[best], probability[np.arange(len(texts)), best]


def declare(folder: Path, threshold: float) -> None:
    """Write what the owner of the system declares of it, for ``denotary certify --identity``."""
    lock = json.loads((folder / "threshold" / "suite.lock").read_bytes())
    identity = {
        "system": "tfidf-logistic",
        "system_version": "1",
        "semantic_model": "multinomial logistic regression, C = 20",
        "tokenizer": "words of two characters or more, lower case",
        "confidence_transformation": "softmax",
        "acceptance_threshold": f"{threshold:.4f}",
        "calibration": f"best accuracy on {lock['name']} {lock['version']} sha256:{lock['hash']}",
        "languages": ["en"],
    }
    lines = (f"{name} = {json.dumps(value)}\n" for name, value in identity.items())
    (folder / "identity.toml").write_text("".join(lines), encoding="utf-8")


class Handler(BaseHTTPRequestHandler):
    """``POST /resolve`` with one request, or ``{"items": [...]}``."""

    protocol_version = "HTTP/1.1"
    # Without this, a small answer waits for the client's delayed acknowledgement: 40 ms a call.
    disable_nagle_algorithm = True
    model: ClassVar[Pipeline]
    threshold: ClassVar[float]

    def do_POST(self) -> None:
        """Answer a request."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        items = body.get("items", [body])
        answers = self.answer(items)
        reply = json.dumps({"items": answers} if "items" in body else answers[0]).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def answer(self, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers to some requests, in order."""
        probability = self.model.predict_proba([item["text"] for item in items])
        answers = []
        for item, row in zip(items, probability, strict=True):
            order = np.argsort(-row, kind="stable")[:10]
            candidates = [{"concept_code": self.model.classes_[i], "score": float(row[i])} for i in order]
            confidence = float(row[order[0]])
            decision: dict[str, Any] = (
                {"type": "concept", "concept_code": candidates[0]["concept_code"], "confidence": confidence}
                if confidence >= self.threshold
                else {"type": "abstain", "reason": "low_confidence", "confidence": confidence}
            )
            answers.append(
                {
                    "record_id": item["record_id"],
                    "decision": decision,
                    "candidates": candidates,
                    "registry_version_returned": item["registry_version"],
                    "system_version": "tfidf-logistic 1",
                }
            )
        return answers

    def log_message(self, *_: Any) -> None:
        """Log nothing: a log would hold the evaluator's texts."""


def main() -> None:
    """Train, choose the threshold, serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--port", type=int, default=8765)
    options = parser.parse_args()
    Handler.model = train(options.out)
    Handler.threshold = best_threshold(Handler.model, options.out)
    declare(options.out, Handler.threshold)
    print(
        f"threshold {Handler.threshold:.4f}; listening on http://127.0.0.1:{options.port}/resolve", flush=True
    )
    ThreadingHTTPServer(("127.0.0.1", options.port), Handler).serve_forever()


if __name__ == "__main__":
    main()
