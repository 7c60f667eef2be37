"""Whatever a service sends is an outcome of the case; a run never stops for it."""

import json
from typing import Any

import pytest

from denotary import systems

URLS: dict[str, Any] = {
    "openrefine": systems.openrefine,
    "reconcile1": lambda url: systems.reconciliation(url, version="1.0-draft"),
    "fhir": lambda url: systems.fhir(url, value_set="http://v"),
    "annif": lambda url: systems.annif(url, project="p", threshold=0.5),
    "rasa": systems.rasa,
    "gilda": systems.gilda,
}
BODIES: dict[str, Any] = {
    "html": b"<!doctype html><h1>502</h1>",
    "empty": b"",
    "half": b'{"q0": {"res',
    "null": None,
    "number": 7,
    "text": "x",
    "deep": b"[" * 200_000,
    "wide number": b"[" + b"9" * 6000 + b"]",
    "not utf-8": b'{"a": "\xff\xfe"}',
    "other shape": {"q0": 1, "results": 1, "expansion": [], "intent": 3, "parameter": 1},
    "list of nulls": [None, None],
    "wrong items": {"q0": {"result": [1]}, "results": [1], "expansion": {"contains": [1]}, "intent": {}},
    "wrong ids": {
        "q0": {"result": [{"id": 5, "score": 1}]},
        "results": [{"candidates": [{"id": None}]}],
        "expansion": {"contains": [{"system": "s", "code": 4}]},
        "intent": {"name": ["x"], "confidence": 1},
    },
}


@pytest.mark.parametrize("name", list(URLS))
@pytest.mark.parametrize("body", list(BODIES))
def test_no_body_stops_a_run(fake: Any, answers: Any, name: str, body: str) -> None:
    fake.reply = lambda *_: (200, BODIES[body])
    (given,) = answers(URLS[name](fake.url), "text")
    if isinstance(given, dict):
        # An object that says nothing of candidates is at most a refusal, never a code.
        assert given["decision"]["type"] == "abstain"
    else:
        assert given[0] == "invalid_output"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_a_right_answer_in_another_encoding_than_utf_8_is_malformed(
    fake: Any, answers: Any, encoding: str
) -> None:
    body = json.dumps({"intent": {"name": "a", "confidence": 1.0}})
    fake.reply = lambda *_: (200, body.encode())
    (given,) = answers(systems.rasa(fake.url), "text")
    assert given["decision"]["concept_code"] == "a"
    fake.reply = lambda *_: (200, body.encode(encoding))
    assert answers(systems.rasa(fake.url), "text") == [("invalid_output", "not_json")]


@pytest.mark.parametrize("name", list(URLS))
def test_redirects_are_refused_and_huge_replies_cut(fake: Any, answers: Any, name: str) -> None:
    fake.reply = lambda *_: (302, {})
    assert answers(URLS[name](fake.url), "text") == [("error", "redirect_refused")]
    fake.reply = lambda *_: (200, b'"' + b"x" * 1_000_001 + b'"')
    assert answers(URLS[name](fake.url), "text") == [("invalid_output", "too_large")]


@pytest.mark.parametrize("score", [b"NaN", b"Infinity", b"1e999", b"true", b'"1"', b"-0.5", b"17"])
def test_scores_that_are_none(fake: Any, answers: Any, score: bytes) -> None:
    fake.reply = lambda *_: (200, b'{"results":[{"uri":"u","notation":"n","score":' + score + b"}]}")
    (given,) = answers(systems.annif(fake.url, project="p", threshold=-1), "text")
    assert given[0] == "invalid_output"
    assert given[1] in {"score_not_finite", "score_not_a_number", "confidence_out_of_range"}


def test_many_candidates_are_cut_to_what_is_kept(fake: Any, answers: Any) -> None:
    many = [{"uri": f"u{n}", "score": 0.5} for n in range(3000)]
    fake.reply = lambda *_: (200, {"results": many})
    (given,) = answers(systems.annif(fake.url, project="p", threshold=0.5), "text")
    assert len(given["candidates"]) == 1000
    assert given["decision"]["concept_code"] == "u0"


def test_a_lone_surrogate_in_an_id_is_no_code(fake: Any, answers: Any) -> None:
    fake.reply = lambda *_: (200, json.dumps({"q0": {"result": [{"id": "\ud800", "match": True}]}}).encode())
    assert answers(systems.openrefine(fake.url), "text") == [("invalid_output", "not_json")]
