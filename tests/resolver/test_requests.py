"""Requests that are wrong are errors of the caller, and never an answer."""

from pathlib import Path
from typing import Any

import pytest

from denotary.errors import InputError, IntegrityError
from denotary.registry import Registry, load_registry
from denotary.resolver import ExactLane, exact_lane_system


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        ({}, "text"),
        ({"text": None}, "text"),
        ({"text": 7}, "text"),
        ({"text": ["secret"]}, "text"),
        ({"text": "secret", "text_b64": "AAAA"}, "either"),
        ({"text_b64": "s"}, "base64"),
        ({"text_b64": "c2VjcmV0*"}, "base64"),
        ({"text_b64": "\u00e9"}, "base64"),
        ({"text_b64": b"AAAA"}, "base64"),
        ({"text": "secret", "language": 7}, "language"),
        ({"text": "secret", "language": ["en"]}, "language"),
        ({"text": "secret", "language": ""}, "BCP 47"),
        ({"text": "secret", "language": "en_US"}, "BCP 47"),
        ({"text": "secret", "language_match": "loose"}, "language_match"),
        ({"text": "secret", "language": "en", "language_match": None}, "language_match"),
        ({"text": "secret", "language": "en", "language_match": ["exact"]}, "language_match"),
        ({"text": "secret", "registry_version": "1.3.0"}, "not loaded"),
        ({"text": "secret", "registry_version": ""}, "not loaded"),
        ({"text": "secret", "registry_version": 1}, "not loaded"),
        ({"text": "secret", "registry_version": ["1.4.0"]}, "not loaded"),
    ],
)
def test_a_malformed_request_is_an_error(lane: ExactLane, request_: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        lane.resolve(request_)
    assert "secret" not in str(caught.value)


def test_another_version_is_never_put_in_the_place_of_the_one_asked_for(
    lane: ExactLane, registry: Registry
) -> None:
    request = {"text": "planet Mercury", "language": "en"}
    for version in ("1.4.0", registry.snapshot_id):
        answer = lane.resolve(request | {"registry_version": version})
        assert answer["registry_version_returned"] == version
    assert lane.resolve(request | {"registry_version": None})["registry_version_returned"] == "1.4.0"
    other = registry.snapshot_id[:-1] + ("0" if registry.snapshot_id[-1] != "0" else "1")
    with pytest.raises(InputError, match="loaded is hard"):
        lane.resolve(request | {"registry_version": other})


def test_a_null_text_beside_bytes_is_no_text(lane: ExactLane) -> None:
    assert lane.resolve({"text": None, "text_b64": "R0FQ", "language": "en"})["disposition"] == "SINGLE"


def test_keys_that_are_not_known_are_passed_over(lane: ExactLane) -> None:
    known = {"text": "GAP", "language": "en"}
    assert lane.resolve(known | {"domain": "biology", "lanes": ["exact"]}) == lane.resolve(known)


def test_the_lane_is_opened_from_what_holds_a_registry(registry: Registry, compiled: Path) -> None:
    request = {"text": "GAP", "language": "en"}
    answers = []
    for source in (registry, registry.root, str(registry.root), compiled, str(compiled)):
        with ExactLane(source) as opened:
            answers.append(opened.resolve(request))
    assert all(answer == answers[0] for answer in answers)


def test_a_draft_answers_nothing(tmp_path: Path, make_registry: Any) -> None:
    folder = make_registry(tmp_path / "draft")
    for source in (folder, load_registry(folder)):
        with pytest.raises(InputError, match="draft"):
            ExactLane(source)


def test_an_edited_registry_answers_nothing(frozen_registry: Path) -> None:
    with (frozen_registry / "expressions.jsonl").open("ab") as handle:
        handle.write(b"\n")
    with pytest.raises(IntegrityError, match="differs"):
        exact_lane_system(frozen_registry)


def test_a_source_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere"):
        ExactLane(tmp_path / "nowhere")
    with pytest.raises(InputError, match="bundled:"):
        ExactLane("bundled:nothing")
