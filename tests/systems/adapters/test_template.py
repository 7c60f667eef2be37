import json
from pathlib import Path
from typing import Any

import pytest

from denotary import systems
from denotary.errors import InputError
from denotary.systems.adapters.pointers import ABSENT, find, steps
from denotary.systems.adapters.rules import DecisionRule

HEAD = 'schema = "denotary.template/1"\n'


def written(folder: Path, url: str, rest: str) -> Path:
    path = folder / "service.toml"
    path.write_text(f'{HEAD}url = "{url}"\n{rest}', encoding="utf-8")
    return path


FULL = """
headers = { Authorization = "env:TEMPLATE_TOKEN", X = "y" }
body = { q = "{text}", deep = [{ lang = "<{language}>" }], n = 3 }
[answer]
code = "/hits/0/id"
score = "/hits/0/s"
scale = 10.0
threshold = 5.0
none = ["NIL"]
reason = "/why"
reasons = { "two of them" = "ambiguous" }
version = "/v"
candidates = { list = "/hits", code = "/id", score = "/s" }
"""


def test_a_reply_is_read_by_pointers(fake: Any, answers: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("TEMPLATE_TOKEN", "Bearer s3cret")
    system = systems.template(written(tmp_path, fake.url + "/x?a=b", FULL))
    fake.reply = lambda *_: (200, {"hits": [{"id": "c1", "s": 8}], "v": "1.0.0"})
    (given,) = answers(system, 'say "{language}" \\ <b>')
    assert given["decision"] == {"type": "concept", "concept_code": "c1", "confidence": 0.8}
    assert given["candidates"] == [{"concept_code": "c1", "score": 8.0}]
    assert given["registry_version_returned"] == "1.0.0"
    assert json.loads(fake.asked[0][2]) == {
        "q": 'say "{language}" \\ <b>',
        "deep": [{"lang": "<en>"}],
        "n": 3,
    }
    assert fake.headers[0]["Authorization"] == "Bearer s3cret"
    assert "s3cret" not in repr(system.descriptor)
    assert isinstance(system.descriptor, DecisionRule)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({"hits": []}, "not_expressible"),
        ({"hits": [{"id": "c", "s": 4.9}]}, "not_expressible"),
        ({"hits": [{"id": "NIL", "s": 9}]}, "not_expressible"),
        ({"hits": [{"id": None, "s": 9}]}, "bad"),
        ({"hits": [], "why": "two of them"}, "ambiguous"),
        ({"hits": [], "why": "other"}, "not_expressible"),
    ],
)
def test_refusals(fake: Any, answers: Any, tmp_path: Path, monkeypatch: Any, reply: Any, reason: str) -> None:
    monkeypatch.setenv("TEMPLATE_TOKEN", "t")
    fake.reply = lambda *_: (200, reply)
    (given,) = answers(systems.template(written(tmp_path, fake.url, FULL)), "x")
    if reason == "bad":
        assert given == ("invalid_output", "no_code")
    else:
        assert given["decision"] == {"type": "abstain", "reason": reason}


def test_get_with_a_query_and_a_match(fake: Any, answers: Any, tmp_path: Path) -> None:
    rest = 'method = "GET"\nquery = { q = "{text}" }\n[answer]\ncode = "/0/c"\nmatch = "/0/ok"\n'
    system = systems.template(written(tmp_path, fake.url + "/s", rest))
    fake.reply = lambda *_: (200, [{"c": "x", "ok": True}])
    assert answers(system, "a&b=c")[0]["decision"]["concept_code"] == "x"
    assert fake.asked[0][:2] == ("GET", "/s?q=a%26b%3Dc")
    fake.reply = lambda *_: (200, [{"c": "x", "ok": 1}])
    assert answers(system, "a")[0]["decision"]["type"] == "abstain"


def test_a_form(fake: Any, answers: Any, tmp_path: Path) -> None:
    rest = 'form = { t = "{text}" }\n[answer]\ncode = "/c"\n'
    fake.reply = lambda *_: (200, {"c": "x"})
    answers(systems.template(written(tmp_path, fake.url, rest)), "a b")
    assert fake.asked[0][2] == b"t=a+b"


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ('[answer]\ncode = "id"\n', "JSON Pointer"),
        ('[answer]\ncode = "/id"\nthreshold = 0.5\n', "threshold needs"),
        ('body = {}\nform = {}\n[answer]\ncode = "/id"\n', "not both"),
        ('headers = { A = "env:NO_SUCH_VARIABLE" }\n[answer]\ncode = "/id"\n', "NO_SUCH_VARIABLE"),
        ("", "answer"),
        ('[answer]\ncode = "/id"\nsurplus = 1\n', "surplus"),
    ],
)
def test_templates_that_cannot_be_used(tmp_path: Path, rest: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        systems.template(written(tmp_path, "http://h/", rest))


def test_pointers_as_the_standard_has_them() -> None:
    # Examples of RFC 6901, section 5.
    document = {"foo": ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8, " ": 7}
    expected = {
        "": document,
        "/foo": ["bar", "baz"],
        "/foo/0": "bar",
        "/": 0,
        "/a~1b": 1,
        "/m~0n": 8,
        "/ ": 7,
    }
    assert {pointer: find(document, steps(pointer, "x")) for pointer in expected} == expected
    assert find(document, steps("/foo/2", "x")) is ABSENT
    assert find(document, steps("/foo/-", "x")) is ABSENT
    assert find(7, steps("/a", "x")) is ABSENT
