"""FHIR, Annif, Rasa and gilda: recorded shapes of their published interfaces."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from denotary import systems
from denotary.errors import InputError

SYSTEM = "http://loinc.org"
REFUSED = {"type": "abstain", "reason": "not_expressible"}


def expansion(*codes: str) -> dict[str, Any]:
    contains = [{"system": SYSTEM, "code": code, "display": code} for code in codes]
    return {"resourceType": "ValueSet", "expansion": {"contains": contains}}


def verdict(result: int, issue: str = "", version: str = "") -> dict[str, Any]:
    parameters: list[Any] = [{"name": "result", "valueBoolean": bool(result)}]
    if version:
        parameters.append({"name": "version", "valueString": version})
    if issue:
        coding = {"system": "http://hl7.org/fhir/tools/CodeSystem/tx-issue-type", "code": issue}
        issues = [{"severity": "warning", "code": "invalid", "details": {"coding": [coding]}}]
        parameters.append(
            {"name": "issues", "resource": {"resourceType": "OperationOutcome", "issue": issues}}
        )
    return {"resourceType": "Parameters", "parameter": parameters}


@pytest.mark.parametrize(
    ("verdicts", "decision"),
    [
        ({"a": verdict(1, version="2.77"), "b": verdict(0)}, ("a", "2.77")),
        ({"a": verdict(1, "invalid-display"), "b": verdict(1)}, ("b", None)),
        ({"a": verdict(1), "b": verdict(1)}, ("ambiguous", None)),
        ({"a": verdict(0), "b": verdict(0)}, ("not_expressible", None)),
    ],
)
def test_fhir_asserts_the_one_code_whose_display_is_accepted(
    fake: Any, answers: Any, verdicts: Any, decision: Any
) -> None:
    def reply(_: str, path: str, __: bytes) -> tuple[int, Any]:
        query = parse_qs(urlsplit(path).query)
        assert query["displayLanguage"] == ["sv"]
        if "/ValueSet/$expand" in path:
            assert query["filter"] == ["blod & co"]
            return 200, expansion("a", "b")
        assert query["display"] == ["blod & co"]
        assert query["url"] == [SYSTEM]
        return 200, verdicts[query["code"][0]]

    fake.reply = reply
    (given,) = answers(systems.fhir(fake.url, value_set="http://vs"), "blod & co", language="sv")
    said = given["decision"].get("concept_code") or given["decision"]["reason"]
    assert (said, given.get("registry_version_returned")) == decision
    assert [item["concept_code"] for item in given["candidates"]] == ["a", "b"]


def test_fhir_candidates_are_the_codes_that_can_be_chosen_on_every_level(fake: Any, answers: Any) -> None:
    """``contains`` nests; an entry without a code, or an abstract one, groups others (ValueSet.expansion, R4)."""
    a, b, c = expansion("a", "b", "c")["expansion"]["contains"]
    group = {"display": "no code: a group", "contains": [{**a, "abstract": True, "contains": [b]}]}

    def reply(_: str, path: str, __: bytes) -> tuple[int, Any]:
        if "/ValueSet/$expand" in path:
            return 200, {"resourceType": "ValueSet", "expansion": {"contains": [group, c]}}
        return 200, verdict("code=c" in path)

    fake.reply = reply
    (given,) = answers(systems.fhir(fake.url, value_set="http://vs"), "x")
    assert [item["concept_code"] for item in given["candidates"]] == ["b", "c"]
    assert given["decision"]["concept_code"] == "c"
    assert fake.headers[0]["Accept"].startswith("application/fhir+json")
    fake.asked.clear()
    (given,) = answers(systems.fhir(fake.url, value_set="http://vs", count=1), "x")
    assert [item["concept_code"] for item in given["candidates"]] == ["b"]
    assert len(fake.asked) == 2


def test_fhir_takes_not_found_for_a_refusal_and_other_errors_for_errors(fake: Any, answers: Any) -> None:
    system = systems.fhir(fake.url, value_set="http://vs")
    fake.reply = lambda *_: (404, {"resourceType": "OperationOutcome"})
    assert answers(system, "x")[0]["decision"] == REFUSED
    fake.reply = lambda *_: (401, {})
    assert answers(system, "x") == [("error", "http_401")]


def test_annif_single_and_batch_read_alike(fake: Any, answers: Any) -> None:
    results = [{"uri": "u1", "label": "l", "notation": None, "score": 0.25}, {"uri": "u2", "score": 0.75}]

    def reply(_: str, path: str, body: bytes) -> tuple[int, Any]:
        if path.startswith("/projects/p%2Fq/suggest-batch"):
            sent = json.loads(body)["documents"]
            return 200, [{"document_id": d["document_id"], "results": results} for d in reversed(sent)]
        assert parse_qs(body.decode()) == {"text": ["x"], "limit": ["10"]}
        return 200, {"results": results}

    fake.reply = reply
    single = systems.annif(fake.url, project="p/q", threshold=0.75)
    batch = systems.annif(fake.url, project="p/q", threshold=0.75, batch_size=32)
    assert answers(single, "x")[0] == answers(batch, "x", "y")[0]
    assert answers(single, "x")[0]["decision"] == {
        "type": "concept",
        "concept_code": "u2",
        "confidence": 0.75,
    }
    assert answers(systems.annif(fake.url, project="p/q", threshold=0.76), "x")[0]["decision"] == REFUSED


def test_annif_cannot_assert_a_subject_without_a_notation(fake: Any, answers: Any) -> None:
    """Annif's description lets a notation be null, and Annif 1.4.3 gives null where the vocabulary has none."""
    cat = {"uri": "u1", "label": "cat", "notation": None, "score": 0.75}
    dog = {"uri": "u2", "label": "dog", "notation": "42", "score": 0.5}
    system = systems.annif(fake.url, project="p", threshold=0.5, field="notation")
    fake.reply = lambda *_: (200, {"results": [cat, dog]})
    (given,) = answers(system, "x")
    assert given["decision"] == REFUSED
    assert given["candidates"] == [{"concept_code": "42", "score": 0.5}]
    fake.reply = lambda *_: (200, {"results": [dog]})
    assert answers(system, "x")[0]["decision"]["concept_code"] == "42"


def test_annif_takes_no_more_than_32() -> None:
    with pytest.raises(InputError, match="1 to 32"):
        systems.annif("http://h", project="p", threshold=0, batch_size=33)


@pytest.mark.parametrize(
    ("intent", "code"),
    [
        ({"name": "greet", "confidence": 0.9}, "i:greet"),
        ({"name": "greet", "confidence": 0.4}, None),
        ({"name": "nlu_fallback", "confidence": 1.0}, None),
        ({"name": None, "confidence": 0.0}, None),
        (None, None),
    ],
)
def test_rasa_fallback_is_a_refusal_whatever_its_confidence(
    fake: Any, answers: Any, intent: Any, code: Any
) -> None:
    fake.reply = lambda *_: (
        200,
        {"text": "x", "intent": intent, "intent_ranking": [{"name": "nlu_fallback", "confidence": 1.0}]},
    )
    (given,) = answers(systems.rasa(fake.url, threshold=0.5, prefix="i:"), "x")
    assert given["decision"].get("concept_code") == code
    assert given["candidates"] == []
    assert fake.asked[0][1] == "/model/parse"
    fake.reply = lambda *_: (200, {"intent": None})
    assert answers(systems.rasa(fake.url), "x") == [("invalid_output", "no_decision")]


def matches(*scores: float) -> list[Any]:
    return [
        {"term": {"db": "MESH", "id": f"D{n}", "text": "t"}, "score": score, "match": {"exact": True}}
        for n, score in enumerate(scores)
    ]


def test_gilda_over_http_single_and_multi(fake: Any, answers: Any) -> None:
    fake.reply = lambda _, path, body: (
        200,
        [matches(0.75)] * len(json.loads(body)) if path == "/ground_multi" else matches(0.75),
    )
    one = answers(systems.gilda(fake.url), "AD")
    two = answers(systems.gilda(fake.url, batch_size=5), "AD", "AD")
    assert one[0]["decision"] == {"type": "concept", "concept_code": "MESH:D0", "confidence": 0.75}
    assert two[0] == one[0]


def test_gilda_ties_are_an_option_of_the_rule(fake: Any, answers: Any) -> None:
    fake.reply = lambda *_: (200, matches(0.75, 0.75))
    assert (
        answers(systems.gilda(fake.url, code="id", prefix="mesh:"), "x")[0]["decision"]["concept_code"]
        == "mesh:D0"
    )
    tied = answers(systems.gilda(fake.url, ties="ambiguous"), "x")[0]["decision"]
    assert tied == {"type": "abstain", "reason": "ambiguous"}
    with pytest.raises(InputError, match="ties"):
        systems.gilda(fake.url, ties="none")  # type: ignore[arg-type]


def test_gilda_itself(answers: Any) -> None:
    gilda = pytest.importorskip("gilda")
    from gilda.process import normalize

    terms: dict[str, Any] = {}
    for text, identifier in (("背景", "D1"), ("Mercury", "D2"), ("mercury", "D3")):
        term = gilda.Term(normalize(text), text, "MESH", identifier, text, "name", "test")
        terms.setdefault(normalize(text), []).append(term)
    system = systems.gilda(gilda.make_grounder(terms))
    decisions = [given["decision"] for given in answers(system, "北京", "nothing at all")]
    # Both transliterate to "Bei Jing": gilda's own fold, which a rule must not hide.
    assert decisions[0]["concept_code"] == "MESH:D1"
    assert decisions[1] == REFUSED
