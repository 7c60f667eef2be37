"""semantic-router's answers to CLINC150 and Banking77, asked through the adapter, for the page of the semantic lane.

    python routed.py CLINC150 BANKING77 CACHE

Needs ``semantic-router`` beside the extra ``encoders``. Its encoder is the lane's own, so that the rows of the
page differ in the decision alone; each distinct text is encoded once. The router is calibrated by its own ``fit`` on
the calibration texts and has no threshold, so that each answer carries its confidence and a threshold can be laid on
it afterwards, as its own rule does. Writes ``clinc-routed.json`` and ``banking-routed.json`` into CACHE: per text its
route and the confidence; half a minute of one core.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from semantic_lane import banking, clinc, vectors
from semantic_router import IndexedRouter, Route
from semantic_router.encoders import DenseEncoder
from semantic_router.index.local import LocalIndex
from semantic_router.linear import top_scores

import denotary as dn
from denotary.systems.base import Request

if TYPE_CHECKING:
    from semantic_lane import Data


class Kept(DenseEncoder):  # type: ignore[misc]
    """Vectors that are there already, by text, as an encoder of semantic-router."""

    name: str = "all-MiniLM-L6-v2-int8"
    known: dict[str, list[float]]

    def __call__(self, docs: list[Any]) -> list[list[float]]:
        """Return one vector a text."""
        return [self.known[text] for text in docs]


class Measured(LocalIndex):  # type: ignore[misc]
    """The router's local index for vectors of unit length that are all there before the first question.

    The same cosines, in single precision; the original measures every stored vector again at each question.
    """

    single: Any = None

    def query(self, vector: Any, top_k: int = 5, **_others: Any) -> tuple[Any, list[str]]:
        """Return the nearest stored vectors' cosines and routes."""
        if self.single is None:
            self.single = np.asarray(self.index, dtype=np.float32)
        scores, at = top_scores(self.single @ np.asarray(vector, dtype=np.float32), top_k)
        return scores, [self.routes[row] for row in at]


def routed(data: Data, known: dict[str, list[float]]) -> dict[str, tuple[str, float]]:
    """Return route and confidence of each calibration and test text, after the router's own ``fit``."""
    fit, calibration = data.role == "fit", data.role == "calibration"
    utterances: dict[str, list[str]] = {}
    for at in np.flatnonzero(fit & (data.intent >= 0)):
        utterances.setdefault(f"{data.intent[at]:03}", []).append(data.texts[at])
    routes = [Route(name=name, utterances=own) for name, own in utterances.items()]
    router = IndexedRouter(Kept(known=known), routes, index=Measured())
    rows = np.flatnonzero(calibration)
    labels = [f"{data.intent[at]:03}" if data.intent[at] >= 0 else None for at in rows]
    router.fit([data.texts[at] for at in rows], labels)
    system = dn.systems.semantic_router(router)
    found = {}
    for text in sorted({data.texts[at] for at in np.flatnonzero(~fit)}):
        reply = system.call(Request(call_id=text, payload={"record_id": "r", "text": text}))
        decision = json.loads(reply.raw)["decision"]
        found[text] = (decision["concept_code"], decision["confidence"])
    return found


def main(arguments: list[str]) -> None:
    """Ask about both data sets."""
    cache = Path(arguments[2])
    for name, data in (("banking", banking(Path(arguments[1]))), ("clinc", clinc(Path(arguments[0])))):
        rows = vectors(data, cache / f"{name}.json")
        known = {text: row.tolist() for text, row in zip(data.texts, rows, strict=True)}
        answers = routed(data, known)
        (cache / f"{name}-routed.json").write_text(json.dumps(answers, sort_keys=True), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
