"""In a draft a text may stand where a name belongs; no command that shows a suite prints it."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
COMMANDS = (
    ("suite", "show", "draft"),
    ("plan", "--policy", "c5", "--suite", "draft"),
    ("plan", "--policy", "registry-exact", "--suite", "draft"),
    ("plan", "--policy", "c3", "--suite", "draft", "--require-feasible"),
    ("suite", "quota", "draft"),
    ("suite", "diff", "draft", "draft"),
)


@pytest.fixture(params=["", " and more words of it"], ids=["one word", "words"])
def sealed(request: pytest.FixtureRequest, canary: str, workspace: Path, case: Any, suite_files: Any) -> str:
    """A text in every column of a draft that should hold a name."""
    text: str = canary + request.param
    unknown = {"disposition": "UNKNOWN_REGISTRY"}
    cases = [
        case("plain"),
        case("gold", text),
        case("family", construction={"primary_family": text}),
        case("language", input={"language": text}),
        case("near", unknown, construction={"concept_neighbourhood": text}),
        case("neighbour", {"disposition": "SINGLE", "acceptable_concept_codes": ["x.alpha"],
                           "forbidden_neighbor_codes": [text]}),
    ]  # fmt: skip
    suite_files(workspace / "draft", cases)
    return text


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_no_text_is_printed_in_the_place_of_a_name(
    cli: Cli, sealed: str, canary: str, command: tuple[str, ...], form: tuple[str, ...]
) -> None:
    done = cli(*command, *form)
    assert done.code in {0, 1, 2}
    assert done.out
    assert canary.lower() not in (done.out + done.err).lower()


def test_what_stands_there_is_named_by_its_digest(cli: Cli, sealed: str) -> None:
    name = f"sha256:{sha256(sealed.encode()).hexdigest()}"
    assert f"{name} 1" in json.loads(cli("suite", "show", "draft", "--json").out)["families"]
    floors = json.loads(cli("plan", "--policy", "c5", "--suite", "draft", "--json").out)["floors"]
    assert {floor["group"] for floor in floors if floor["axis"] == "concept"} == {"x.alpha", name}
    assert {floor["group"] for floor in floors if floor["axis"] == "language"} == {"en", "und"}


def test_a_quota_that_is_not_known_is_answered_without_a_text(
    cli: Cli, workspace: Path, case: Any, suite_files: Any, canary: str
) -> None:
    cases = [case("a", input={"domain": f"{canary} words"})]
    suite_files(workspace / "draft", cases, quotas={"famly:negation": 1})
    done = cli("suite", "quota", "draft")
    assert (done.code, canary in done.err) == (64, False)
    assert "no such quota: famly:negation" in done.err
