"""gilda over the registry of the conformance vectors, as a black box.

    cd examples/conformance
    denotary conformance run python:gilda_resolver:resolve --level decision

Needs ``gilda``. Decision rule: its best match, or none. It knows every reviewed text of the registry, and each sense of
a text that has several, but for emoji, of which its own normalisation leaves nothing.
"""

from __future__ import annotations

from typing import Any

import gilda
from gilda.process import normalize

import denotary as dn


def _grounder() -> gilda.Grounder:
    registry = dn.load_registry("bundled:conformance")
    texts = [(item.text, code) for item in registry.authorised for code in item.codes]
    texts += [(item.text, code) for item in registry.ambiguities for code in item.codes]
    terms: dict[str, list[gilda.Term]] = {}
    for text, code in texts:
        key = normalize(text)
        if not key:
            continue
        terms.setdefault(key, []).append(gilda.Term(key, text, "K", code, text, "name", "conformance"))
    return gilda.make_grounder(terms)


GROUNDER = _grounder()


def resolve(request: dict[str, Any]) -> dict[str, Any]:
    """Answer a request of the contract with gilda's best match."""
    matches = GROUNDER.ground(request["text"])
    decision: dict[str, Any] = {"type": "abstain"}
    if matches:
        decision = {"type": "concept", "concept_code": matches[0].term.id, "confidence": matches[0].score}
    return {"record_id": request["record_id"], "decision": decision, "registry_version_returned": "1.0.0"}
