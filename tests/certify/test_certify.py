"""The main job end to end, on a small registry."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary import systems
from denotary.certify import certify, documents, judge, verify
from denotary.certify.planning import Plan
from denotary.errors import ExitCode, InfeasibleError, InputError
from denotary.measures import measure
from denotary.resolver import exact_lane_system
from denotary.suites.suite import Suite
from denotary.verdicts.records import Waiver

Make = Callable[..., Any]
RESULTS = (
    "rows.jsonl",
    "verdict.json",
    "certificate.json",
    "summary.md",
    "junit.xml",
    "gates.sarif",
    "policy.toml",
)


def test_an_exact_lane_that_conforms_is_promoted(promoted: Any) -> None:
    judged = promoted.judged
    assert (judged.decision, judged.exit_code) == ("PROMOTE", ExitCode.PROMOTE)
    assert {result.verdict for result in judged.verdict.gates} == {"PASS"}
    written = {path.name for path in promoted.out.iterdir()}
    assert written == {*RESULTS, "report.html", "run"}
    assert json.loads((promoted.out / "verdict.json").read_bytes())["decision"] == "PROMOTE"
    assert b"bread dough" not in (promoted.out / "certificate.json").read_bytes()


def test_one_wrong_code_blocks_the_release(tmp_path: Path, make: Make) -> None:
    lanes: list[Any] = []

    def resolver(request: dict[str, Any]) -> dict[str, Any]:
        if not lanes:
            lanes.append(exact_lane_system(tmp_path / "registry"))
        answer: dict[str, Any] = lanes[0](request)
        if (request["text"], request["language"]) == ("Brotteig", "de"):
            answer["decision"]["concept_code"] = "bread.loaf"
        return answer

    found = make(tmp_path, resolver=resolver)
    assert (found.judged.decision, found.judged.exit_code) == ("BLOCK", ExitCode.BLOCK)
    assert "conformance" in found.judged.verdict.reason
    assert verify(found.out) == []


def test_without_repeats_determinism_is_not_shown(tmp_path: Path, make: Make) -> None:
    found = make(tmp_path, repeats=1)
    assert (found.judged.decision, found.judged.exit_code) == ("INSUFFICIENT", ExitCode.INSUFFICIENT)
    assert [gate.gate for gate in found.judged.verdict.gates if gate.verdict != "PASS"] == ["determinism"]
    assert verify(found.out) == []


def test_a_part_of_the_list_does_not_show_that_repeated_look_ups_agree(tmp_path: Path, make: Make) -> None:
    found = make(tmp_path, repeat_core=90)
    (gate,) = [gate for gate in found.judged.verdict.gates if gate.verdict != "PASS"]
    assert (gate.gate, gate.verdict) == ("determinism", "INSUFFICIENT")
    assert gate.reason == "90 of 91 listed texts asked more than once"
    assert found.judged.decision == "INSUFFICIENT"


def test_the_whole_list_is_asked_again_however_long_it_is(promoted: Any) -> None:
    cases = len(promoted.judged.run.suite.cases)
    assert promoted.judged.run.header.repeat_core == cases
    (gate,) = [gate for gate in promoted.judged.verdict.gates if gate.gate == "determinism"]
    assert (gate.verdict, gate.denominator) == ("PASS", cases)


def test_equal_inputs_give_equal_bytes_wherever_they_lie(tmp_path: Path, make: Make, promoted: Any) -> None:
    other = make(tmp_path / "elsewhere", concurrency=1)
    for name in RESULTS:
        assert (other.out / name).read_bytes() == (promoted.out / name).read_bytes(), name
    for path in (*other.out.glob("*.*"), other.out / "run/run.toml"):
        assert str(tmp_path).encode() not in path.read_bytes(), path.name


def test_a_second_call_resumes_and_writes_the_same(tmp_path: Path, make: Make) -> None:
    first = make(tmp_path)
    before = {path: path.read_bytes() for path in first.out.rglob("*") if path.is_file()}

    suite = first.judged.run.suite
    again = certify(
        systems.python(exact_lane_system(suite.registry)),
        suite,
        "registry-exact",
        first.out,
        identity=first.judged.run.header.identity,
    )
    assert again.verdict == first.judged.verdict
    assert {path: path.read_bytes() for path in first.out.rglob("*") if path.is_file()} == before


def test_the_plan_is_told_before_the_first_call(suite: Suite, tmp_path: Path) -> None:
    seen: list[Any] = []
    lane = exact_lane_system(suite.registry)

    def resolver(request: dict[str, Any]) -> dict[str, Any]:
        seen.append("call")
        return lane(request)

    certify(systems.python(resolver), suite, "c3", tmp_path / "out", planned=seen.append)
    assert isinstance(seen[0], Plan)
    assert seen.count("call") == len(suite.cases) + min(500, len(suite.cases))


def test_a_claim_out_of_reach_stops_before_the_first_call_if_asked(suite: Suite, tmp_path: Path) -> None:
    def never(request: dict[str, Any]) -> dict[str, Any]:
        raise AssertionError(request)

    with pytest.raises(InfeasibleError, match="cannot be shown with this suite") as caught:
        certify(systems.python(never), suite, "c3", tmp_path / "out", only_if_feasible=True)
    assert caught.value.exit_code == ExitCode.INSUFFICIENT
    assert not (tmp_path / "out").exists()


def test_a_conformance_suite_cannot_certify_generalization(promoted: Any) -> None:
    found = judge(measure(promoted.judged.run, resamples=0), "c1")
    assert found.decision == "INSUFFICIENT"
    assert "registry-exact-conformance corpus does not support policy c1" in found.verdict.qualification
    assert "PASS" not in {result.verdict for result in found.verdict.gates}


def test_waivers_reach_the_first_line_and_survive_verification(tmp_path: Path, make: Make) -> None:
    waiver = Waiver(gate="determinism", who="release board", why="one spelling", until="2031-12-31")
    late = Waiver(gate="retrieval", who="release board", why="old", until="2030-12-31")
    proof = Waiver(gate="exact_non_regression", who="release board", why="one text", until="2031-12-31")
    lanes: list[Any] = []

    def resolver(request: dict[str, Any]) -> dict[str, Any]:
        if not lanes:
            lanes.append(exact_lane_system(tmp_path / "registry"))
        answer: dict[str, Any] = lanes[0](request)
        if request["text"] == "bread.oven":
            answer["decision"] = {"type": "concept", "concept_code": "bread.oven"}
        return answer

    found = make(tmp_path, resolver=resolver, policy="c1", waivers=[waiver, late, proof], today="2031-02-01")
    assert found.judged.verdict.waivers == (waiver,)
    assert found.judged.verdict.reason == "failed: exact_non_regression"
    first = (found.out / "summary.md").read_text().splitlines()[0]
    for told in (
        "release board",
        "one spelling",
        "2031-12-31",
        "expired on 2030-12-31",
        "without the waiver it is not shown",
    ):
        assert told in first
    assert "once and for all cannot be set aside" in first
    assert verify(found.out) == []


def test_a_code_that_the_exact_lane_invents_blocks_whatever_was_signed(tmp_path: Path, make: Make) -> None:
    waiver = Waiver(gate="no_invented_code", who="release board", why="one spelling", until="2031-12-31")
    lanes: list[Any] = []

    def resolver(request: dict[str, Any]) -> dict[str, Any]:
        if not lanes:
            lanes.append(exact_lane_system(tmp_path / "registry"))
        answer: dict[str, Any] = lanes[0](request)
        if request["text"] == "bread.oven":
            answer["decision"] = {"type": "concept", "concept_code": "bread.oven"}
        return answer

    found = make(tmp_path, resolver=resolver, waivers=[waiver], today="2031-02-01")
    assert found.judged.decision == "BLOCK"
    first = (found.out / "summary.md").read_text().splitlines()[0]
    assert "once and for all cannot be set aside" in first
    assert verify(found.out) == []


def test_a_policy_that_is_not_shipped_is_marked(promoted: Any, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_bytes((promoted.out / "policy.toml").read_bytes())
    assert judge(promoted.judged.measurement, own).shipped
    own.write_bytes(own.read_bytes().replace(b'id = "registry-exact"', b'id = "own"'))
    changed = judge(promoted.judged.measurement, own)
    assert not changed.shipped
    sentence = "policy own is not one that denotary ships; its limits are its author's"
    assert sentence in json.loads(documents(changed)["certificate.json"])["predicate"]["limitations"]


def test_an_unknown_policy_is_refused_before_anything_is_asked(suite: Suite, tmp_path: Path) -> None:
    def never(request: dict[str, Any]) -> dict[str, Any]:
        raise AssertionError(request)

    with pytest.raises(InputError, match="no policy 'c9'"):
        certify(systems.python(never), suite, "c9", tmp_path / "out")


def test_a_judged_run_writes_its_report_and_certificate(promoted: Any, tmp_path: Path) -> None:
    promoted.judged.certificate(tmp_path / "c.json")
    promoted.judged.report(str(tmp_path / "r.html"))
    assert (tmp_path / "c.json").read_bytes() == (promoted.out / "certificate.json").read_bytes()
    assert (tmp_path / "r.html").read_bytes() == (promoted.out / "report.html").read_bytes()
