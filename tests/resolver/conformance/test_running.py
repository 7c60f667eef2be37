"""The reference lane passes every vector, in memory, compiled and over HTTP; faults of others are found."""

import unicodedata
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from denotary.errors import InputError, UnreachableError
from denotary.registry import compile_registry
from denotary.resolver import ExactLane
from denotary.resolver.conformance.running import LEVELS, ConformanceReport, run_conformance
from denotary.resolver.conformance.vectors import load_vectors
from denotary.systems import exact, http
from denotary.systems.base import SystemDescriptor
from denotary.systems.callables import FunctionSystem

SUITE = load_vectors()
LANE = ExactLane(SUITE.registry)
Ask = Callable[[dict[str, Any]], Any]


def run(resolve: Ask) -> ConformanceReport:
    return run_conformance(FunctionSystem(resolve, SystemDescriptor(kind="python", spec="test")), SUITE)


def failed(report: ConformanceReport, level: str = "decision") -> set[str]:
    return {result.section for result in report.results if result.levels[level] == "fail"}  # type: ignore[index]


def test_the_reference_lane_passes_every_vector_at_every_level() -> None:
    report = run_conformance(exact(SUITE.registry), SUITE)
    assert [result for result in report.results if set(result.levels.values()) != {"pass"}] == []
    assert len(report.results) == len(SUITE.vectors)
    assert report.digest == SUITE.digest


def test_so_does_its_compiled_form(tmp_path: Path) -> None:
    compile_registry(SUITE.registry, tmp_path / "registry.sqlite")
    report = run_conformance(exact(tmp_path / "registry.sqlite"), SUITE)
    assert [report.failed(level) for level in LEVELS] == [0, 0, 0]


def folding(fold: Callable[[str], str]) -> Ask:
    """A resolver that folds silently, as many do."""
    known: dict[str, str] = {}
    for item in SUITE.registry.authorised:
        known.setdefault(fold(unicodedata.normalize("NFC", item.text)), item.codes[0])

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        text = request.get("text")
        code = known.get(fold(unicodedata.normalize("NFC", text))) if isinstance(text, str) else None
        decision = {"type": "concept", "concept_code": code} if code else {"type": "abstain"}
        return {"record_id": request["record_id"], "decision": decision}

    return resolve


@pytest.mark.parametrize(
    ("fold", "section"),
    [(str.casefold, "case"), (lambda text: " ".join(text.split()), "space"),
     (lambda text: text.replace("-", ""), "dash"), (lambda text: unicodedata.normalize("NFKC", text), "width"),
     (lambda text: text.replace("\u200c", ""), "joiner"), (lambda text: text.strip(), "invalid")],
)  # fmt: skip
def test_a_silent_fold_is_found_in_its_section(fold: Callable[[str], str], section: str) -> None:
    assert section in failed(run(folding(fold)))
    # Language, ambiguity and versions are not looked at by any of them.
    assert {"language", "ambiguity", "version"} <= failed(run(folding(fold)))


def test_a_substituted_version_is_found() -> None:
    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        return LANE.resolve({key: value for key, value in request.items() if key != "registry_version"})

    assert failed(run(resolve)) == {"version"}


def test_an_answer_that_changes_is_found() -> None:
    number = count()

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        return LANE.resolve(request) | {"served": next(number)}

    assert failed(run(resolve)) == {"determinism"}


def test_a_resolver_of_the_bare_contract_is_told_apart_from_a_wrong_one() -> None:
    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        return {"decision": LANE.resolve(request)["decision"]}

    report = run(resolve)
    assert (report.failed("decision"), report.failed("reason"), report.failed("full")) == (0, 0, 0)
    assert {r.levels["full"] for r in report.results if r.section == "canonical"} == {"not_expressible"}


def test_wrong_reasons_fail_at_their_level_only() -> None:
    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        answer = LANE.resolve(request)
        if answer["decision"]["type"] == "abstain":
            answer["decision"] = {"type": "abstain", "reason": "unknown_registry"}
        return answer

    report = run(resolve)
    assert report.failed("decision") == 0
    assert failed(report, "reason") >= {"exact", "ambiguity", "language"}


@pytest.mark.parametrize("answer", ["no object", None, [], {"decision": "concept"}, {}])
def test_what_is_no_answer_fails(answer: Any) -> None:
    report = run(lambda _: answer)
    assert report.failed("decision") == len(SUITE.vectors)


def test_over_http_only_lone_surrogates_cannot_be_asked(serve: Any) -> None:
    def respond(payload: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        try:
            return 200, LANE.resolve(payload)
        except InputError:
            return 409, {}

    with serve(respond) as url:
        report = run_conformance(http(url), SUITE)
    assert [report.failed(level) for level in LEVELS] == [0, 0, 0]
    unsent = [r.id for r in report.results if r.levels["decision"] == "not_expressible"]
    assert unsent == ["invalid.high-surrogate", "invalid.low-surrogate"]


def test_nobody_at_the_address_is_an_error_of_its_own() -> None:
    with pytest.raises(UnreachableError, match="nothing answers"):
        run_conformance(http("http://127.0.0.1:9/resolve"), SUITE)
