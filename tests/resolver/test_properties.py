"""Whatever is asked: one answer, alone or in a batch, from memory or disk, from any thread."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import unicodedata2
from hypothesis import given, settings
from hypothesis import strategies as st

from denotary.registry import Registry
from denotary.resolver import ExactLane, exact_lane_system

if TYPE_CHECKING:
    from denotary.registry.index import TextRecord

REASONS = {
    "ambiguous": "AMBIGUOUS",
    "underspecified": "UNDERSPECIFIED",
    "other_language_only": "ABSTAIN",
    "unknown_expression": "ABSTAIN",
    "invalid_input": "INVALID_INPUT",
}
CHANGES = [str, str.upper, str.title, lambda text: f"{text} ", lambda text: text.replace("-", "\u2010"),
           lambda text: unicodedata2.normalize("NFD", text), lambda text: f"{text}\u200b"]  # fmt: skip


def requests_of(registry: Registry) -> st.SearchStrategy[dict[str, Any]]:
    known = sorted(
        {item.text for item in registry.expressions} | {item.text for item in registry.ambiguities}
    )
    changed = st.builds(lambda text, change: change(text), st.sampled_from(known), st.sampled_from(CHANGES))
    texts = st.one_of(changed, st.text(max_size=30), st.sampled_from(sorted(registry.concepts)))
    languages = st.sampled_from([None, "en", "sv", "de", "zh", "fa", "en-GB", "en-US", "tlh", "und"])
    return st.fixed_dictionaries(
        {"text": texts, "language": languages},
        optional={"language_match": st.sampled_from(["exact", "extended"]), "record_id": st.text(max_size=4)},
    )


def encoded(answer: Any) -> bytes:
    return json.dumps(answer, sort_keys=True).encode()


@given(st.data())
@settings(deadline=None)
def test_batch_single_memory_disk_and_threads_give_the_same_bytes(
    registry: Registry, compiled: Path, data: st.DataObject
) -> None:
    asked = data.draw(st.lists(requests_of(registry), max_size=6))
    with ExactLane(compiled) as disk, ThreadPoolExecutor(4) as pool:
        memory = exact_lane_system(registry)
        singles = [encoded(memory(request)) for request in asked]
        assert [encoded(answer) for answer in ExactLane(registry).resolve_batch(asked)] == singles
        assert [encoded(answer) for answer in disk.resolve_batch(reversed(asked))][::-1] == singles
        assert [encoded(answer) for answer in pool.map(disk.resolve, asked)] == singles
        assert [encoded(answer) for answer in pool.map(memory, asked)] == singles


@given(st.data())
@settings(deadline=None, max_examples=300)
def test_a_code_is_given_for_its_own_text_in_its_own_language_and_nothing_else(
    registry: Registry, data: st.DataObject
) -> None:
    """An oracle that reads the registry's lists from end to end, and knows no index."""
    request = data.draw(requests_of(registry))
    text = unicodedata2.normalize("NFC", request["text"])
    language = None if request["language"] == "und" else request["language"]
    tags = {language}
    if request.get("language_match") == "extended" and language is not None:
        tags.add(language.split("-")[0])
    everything: list[TextRecord] = [*registry.authorised, *registry.ambiguities]
    records = [
        item
        for item in everything
        if unicodedata2.normalize("NFC", item.text) == text and (language is None or item.language in tags)
    ]
    codes = {code for item in records for code in item.codes}
    is_declared = any(item in registry.ambiguities for item in records)
    decision = exact_lane_system(registry)(request)["decision"]
    if len(codes) == 1 and not is_declared:
        assert decision == {"type": "concept", "concept_code": codes.pop()}
    else:
        assert decision["type"] in {"abstain", "reject"}
        assert "concept_code" not in decision
        assert (decision["reason"] in {"ambiguous", "underspecified"}) == bool(records)


@given(st.data())
@settings(deadline=None)
def test_every_answer_is_json_of_the_contract(registry: Registry, data: st.DataObject) -> None:
    request = data.draw(requests_of(registry))
    answer = exact_lane_system(registry)(request)
    shown = {key: value for key, value in answer.items() if key != "record_id"}
    assert msgspec.json.decode(msgspec.json.encode(shown)) == shown
    reason = answer["decision"].get("reason")
    assert answer["disposition"] == ("SINGLE" if reason is None else REASONS[reason])
    assert answer["provenance"]["authority"] == (answer["decision"]["type"] == "concept")
    assert (answer["provenance"]["expression_id"] is None) == (reason is not None)
    for item in answer["near_exact"]:
        assert reason in {"unknown_expression", "other_language_only"}
        assert item["transforms"]


@given(st.data())
@settings(deadline=None)
def test_an_answer_belongs_to_who_asked(registry: Registry, data: st.DataObject) -> None:
    """What a caller does to an answer changes no later one."""
    request = data.draw(requests_of(registry))
    resolve = exact_lane_system(registry)
    first = resolve(request)
    before = encoded(first)
    for part in first.values():
        if isinstance(part, (dict, list)):
            part.clear()
    assert encoded(resolve(request)) == before
