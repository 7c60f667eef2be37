"""Systems that answer anything but what they should; ``python:hostile:NAME`` in the tests of the command line."""

from __future__ import annotations

import json
import os
import re
import time
from typing import Any

Request = dict[str, Any]
ABSTAIN = {"type": "abstain"}


def abstains(request: Request) -> Any:
    return {"record_id": request["record_id"], "decision": ABSTAIN}


def by_text(request: Request) -> Any:
    """Decide by the text alone, so that equal runs give equal answers: abstain, right code, wrong code."""
    time.sleep(float(os.environ.get("SECONDS_A_CALL", "0")))
    choice = sum(request["text"].encode()) % 3
    code = ("", "x.alpha", "x.gamma")[choice]
    decision = {"type": "concept", "concept_code": code, "confidence": 0.75} if code else ABSTAIN
    return {"decision": decision, "registry_version_returned": "1.0.0"}


def hangs(request: Request) -> Any:
    time.sleep(3600)
    return abstains(request)


def html(request: Request) -> Any:
    return f"<!DOCTYPE html><html><body>{request['text']}</body></html>"


def half(request: Request) -> Any:
    return json.dumps(abstains(request))[:-3]


def twice_encoded(request: Request) -> Any:
    return json.dumps(json.dumps({"record_id": "0" * 24, "decision": ABSTAIN, "text": request["text"]}))


def prose(request: Request) -> Any:
    return f"I think that {request['text']} means nothing."


def nothing(_: Request) -> Any:
    return None


def wrong_id(request: Request) -> Any:
    return {"record_id": "0" * 24, "decision": ABSTAIN, "text": request["text"]}


def text_as_id(request: Request) -> Any:
    return {"record_id": request["text"], "decision": ABSTAIN}


def nan(request: Request) -> Any:
    return {"decision": {"type": "concept", "concept_code": "x.alpha", "confidence": float("nan")}}


def above_one(request: Request) -> Any:
    return {"decision": {"type": "concept", "concept_code": "x.alpha", "confidence": 1.5}}


def invents(_: Request) -> Any:
    return {"decision": {"type": "concept", "concept_code": "y.invented", "confidence": 0.9}}


def text_as_code(request: Request) -> Any:
    code = request["text"]
    return {"decision": {"type": "concept", "concept_code": code, "confidence": 0.9}}


def word_as_code(request: Request) -> Any:
    code = request["text"].split()[0]
    candidates = [{"concept_code": code, "score": 1.0}, {"concept_code": "x.alpha", "score": 0.5}]
    return {
        "decision": {"type": "concept", "concept_code": code, "confidence": 0.9},
        "candidates": candidates,
    }


def text_everywhere(request: Request) -> Any:
    text = request["text"]
    return {
        "decision": {"type": "abstain", "reason": text, "note": text},
        "candidates": [{"concept_code": text, "score": 1.0}],
        "registry_version_returned": text,
        "system_version": text,
        text: text,
    }


def text_as_type(request: Request) -> Any:
    return {"decision": {"type": request["text"]}}


def several_codes(_: Request) -> Any:
    return {"decision": {"type": "concept", "concept_code": ["x.alpha", "x.beta"]}}


def huge(request: Request) -> Any:
    return {"decision": {"type": "abstain", "reason": request["text"] + "x" * 1_000_000}}


def deep(request: Request) -> Any:
    return "[" * 100_000 + request["text"]


def raises(request: Request) -> Any:
    raise ValueError(request["text"])


def leaves(request: Request) -> Any:
    raise SystemExit(request["text"])


def interrupts(request: Request) -> Any:
    raise KeyboardInterrupt(request["text"])


def raises_named(request: Request) -> Any:
    raise type(request["text"].replace(" ", "_"), (Exception,), {})(request["text"])


class Explosive:
    """A result whose every use fails, with a text in the message."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"{name}: {self.__dict__.get('text')}")


def explosive(request: Request) -> Any:
    return Explosive(request["text"])


MEDLEY = (
    invents, text_as_code, html, half, prose, nothing, twice_encoded, wrong_id, nan, above_one, text_as_type,
    several_codes, huge, deep, raises, leaves, interrupts, explosive,
)  # fmt: skip


def number(request: Request) -> int | None:
    """Return the number, a letter, in a text of the twenty cases; the two reviewed expressions have none."""
    found = re.search(r"number([a-r]):", request["text"])
    return ord(found[1]) - ord("a") if found else None


def medley(request: Request) -> Any:
    """Behave otherwise in every case."""
    chosen = number(request)
    return abstains(request) if chosen is None else MEDLEY[chosen](request)
