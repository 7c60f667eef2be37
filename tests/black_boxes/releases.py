"""Releases of one resolver, for the tests that compare them: by the marks that the texts of a suite carry."""

from typing import Any

Request = dict[str, Any]

GOLD = {"one": "x.alpha", "two": "x.beta"}


def _reply(code: str | None, reason: str = "") -> dict[str, Any]:
    decision: dict[str, Any] = {"type": "concept", "concept_code": code} if code else {"type": "abstain"}
    if reason:
        decision["reason"] = reason
    return {"decision": decision | {"confidence": 0.8}, "registry_version_returned": "1.0.0"}


def approved(request: Request) -> dict[str, Any]:
    """Answer what each text says of itself: ``one …``, ``two …``, ``unknown …``, ``ambiguous …``."""
    word = request["text"].split()[0]
    if word in GOLD:
        return _reply(GOLD[word])
    return _reply(None, {"unknown": "UNKNOWN_REGISTRY", "ambiguous": "AMBIGUOUS"}.get(word, ""))


def same(request: Request) -> dict[str, Any]:
    """The same decisions, by other means."""
    return approved(request)


def bolder(request: Request) -> dict[str, Any]:
    """Give a code to every unknown text whose number ends in 3."""
    text = request["text"]
    return _reply("x.beta") if text.startswith("unknown") and text.endswith("3") else approved(request)
