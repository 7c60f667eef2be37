"""``denotary compare`` from end to end: runs asked on the command line, three exit codes, verification, refusals."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.certify.comparison_writing import NAMES
from denotary.files import encode_jsonl, encode_toml
from denotary.instruments.identity import INSTRUMENT

Cli = Callable[..., Any]
Case = Callable[..., dict[str, Any]]

IDENTITY = {"system": "marks", "languages": ["en"], "semantic_model": "none"}


def reviewed(people: int, tier: str) -> dict[str, Any]:
    names = [f"reviewer-{n}" for n in range(people)]
    return {
        "review": "reviewed", "adjudication_status": "approved", "depth_tier": tier,
        "independent_votes": [("x.alpha", "x.beta")[n % 2] for n in range(people)], "reviewers": names,
        "adjudicated_by": [{"who": f"member-{number}", "role": "independent"} for number in range(3)],
    }  # fmt: skip


def regression_cases(case: Case) -> list[Any]:
    """A reviewed corpus just large enough for tolerances of 5 points, with every kind of case that a gate asks."""
    deep, board = reviewed(5, "A2"), reviewed(7, "A3")
    note = {
        "code": "x.beta",
        "type": "sibling",
        "reason": "another durable name",
        "non_identity_judged": True,
    }
    near: dict[str, Any] = {"primary_family": "hard_negative", "neighbours": [note]}
    single: dict[str, Any] = {"disposition": "SINGLE", "acceptable_concept_codes": ["x.alpha"]}
    unknown: dict[str, Any] = {"disposition": "UNKNOWN_REGISTRY"}
    ambiguous: dict[str, Any] = {
        "disposition": "AMBIGUOUS",
        "acceptable_concept_codes": ["x.alpha", "x.beta"],
    }

    def made(word: str, number: int, gold: Any, construction: dict[str, Any], note: Any = deep) -> Any:
        return case(
            f"{word}-{number}", gold, text=f"{word} {number}", construction=construction, annotation=note
        )

    shadow = {"primary_family": "shadow_concept_unknown", "tags": ["registry_absent"]}
    spoof = {"primary_family": "malicious_input", "tags": ["identifier_spoof"]}
    return [
        *(made("one", n, single | {"forbidden_neighbor_codes": ["x.beta"]}, near) for n in range(60)),
        *(made("one", n, single, {"tags": ["morphology"]}) for n in range(60, 130)),
        *(made("unknown", n, unknown, shadow) for n in range(90)),
        *(
            made("ambiguous", n, ambiguous, {"primary_family": "underspecified_short"}, board)
            for n in range(90)
        ),
        made("unknown", 1000, unknown, spoof),
        case("exact", text="one gift", construction={"primary_family": "reviewed_exact"}, annotation=deep),
    ]


def own_policy() -> str:
    """The shipped policy under a name of its own, with tolerances of 5 points."""
    shipped = (INSTRUMENT.policies / "regression.toml").read_text(encoding="utf-8")
    looser = shipped.replace('id = "regression"', 'id = "own"', 1)
    return looser.replace("limit = 0.005", "limit = 0.05").replace("limit = 0.01\n", "limit = 0.05\n")


@pytest.fixture
def corpus(tmp_path: Path, make_suite: Any, case: Case, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: ``suite`` (a reviewed regression corpus), ``own.toml`` and ``identity.toml``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "black_boxes")
    make_suite(regression_cases(case), role="regression", review="reviewed")
    done = cli("suite", "freeze", "suite")
    assert done.code == 0, done
    (tmp_path / "own.toml").write_text(own_policy(), encoding="utf-8")
    (tmp_path / "identity.toml").write_bytes(encode_toml(IDENTITY))
    return tmp_path


def asked(cli: Cli, *names: str) -> None:
    for name in names:
        done = cli(
            "ask", "--suite", "suite", "--out", name, "-q", "--system", f"python:releases:{name}",
            "--identity", "identity.toml", "--repeat-core", "20",
        )  # fmt: skip
        assert done.code == 0, done


def test_a_release_that_is_as_good_is_promoted(corpus: Path, cli: Cli) -> None:
    asked(cli, "approved", "same")
    done = cli("compare", "approved", "same", "--policy", "own.toml", "--out", "out")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("PROMOTE")
    assert "Recertification    Recertification is demanded; undeclared: embedding model" in done.out
    assert {path.name for path in (corpus / "out").iterdir()} == {*NAMES, "runs.toml"}
    told = "verified: every figure was rebuilt from the raw run; signature: none\n"
    assert cli("verify", "out") == (0, told, "")
    content = json.loads((corpus / "out/comparison.json").read_bytes())["predicate"]
    assert {gate["verdict"] for gate in content["gates"]} == {"PASS"}
    assert content["policy"]["shipped"] is False
    # The shipped tolerances take more evidence than this corpus holds.
    shipped = cli("compare", "approved", "same", "--out", "shipped")
    assert (shipped.code, shipped.out[:12]) == (2, "INSUFFICIENT")


def test_a_release_that_got_worse_is_blocked(corpus: Path, cli: Cli) -> None:
    asked(cli, "approved", "bolder")
    done = cli("compare", "approved", "bolder", "--policy", "own.toml", "--out", "out")
    assert done.code == 1
    assert done.out.startswith("BLOCK")
    assert (
        "FAIL               No increase in codes on unknown meanings. An increase of at least +" in done.out
    )
    assert (
        "moved              Unknown false assignment rate: +9.89 pp (9 worse, 0 better of 91 seeds"
        in done.out
    )
    back = cli("compare", "bolder", "approved", "--policy", "own.toml", "--out", "back", "--json")
    assert back.code == 0
    assert json.loads(back.out)["predicate"]["decision"] == "PROMOTE"
    assert (corpus / "out/junit.xml").read_text(encoding="utf-8").count("<failure") == 3


def test_json_is_the_statement_and_quiet_is_silent(corpus: Path, cli: Cli) -> None:
    asked(cli, "approved", "same")
    done = cli("compare", "approved", "same", "--out", "out", "--json")
    assert done.out.encode() == (corpus / "out/comparison.json").read_bytes()
    again = cli("compare", "approved", "same", "--out", "out", "--quiet")
    assert (again.out, again.err) == ("", "")


def test_orders_that_cannot_be_carried_out(corpus: Path, cli: Cli) -> None:
    asked(cli, "approved")
    (corpus / "mine").mkdir()
    (corpus / "mine/notes").write_text("x", encoding="utf-8")
    (corpus / "map.jsonl").write_bytes(encode_jsonl([{"from_version": "0.9.0"}]))
    for arguments, told in (
        (("approved", "missing", "--out", "out"), "Directory 'missing' does not exist"),
        (("approved", "suite", "--out", "out"), "run.toml"),
        (
            ("approved", "approved", "--policy", "c3", "--out", "out"),
            "policy c3 judges one run and compares nothing",
        ),
        (("approved", "approved", "--out", "mine"), "nothing that compare wrote"),
        (("approved", "approved", "--migration", "map.jsonl", "--out", "out"), "map.jsonl:1"),
        (("approved", "approved", "--today", "soon", "--out", "out"), "today is 'soon'"),
    ):
        done = cli("compare", *arguments)
        assert (done.code, done.out) == (64, ""), arguments
        assert told in done.err, arguments
        assert not (corpus / "out").exists()
    single = cli("certify", "--suite", "suite", "--system", "exact", "--policy", "regression", "--out", "x")
    assert (single.code, single.out) == (64, "")
    assert "policy regression compares two runs" in single.err
    assert "denotary compare BASE NEW --policy regression --out FOLDER" in single.err


def test_verification_finds_what_was_edited_and_takes_moved_runs(corpus: Path, cli: Cli) -> None:
    asked(cli, "approved", "same")
    cli("compare", "approved", "same", "--out", "out", "--quiet")
    (corpus / "approved").rename(corpus / "kept")
    lost = cli("verify", "out")
    assert (lost.code, lost.out[-13:]) == (1, "NOT VERIFIED\n")
    assert cli("verify", "out", "--base", "kept").code == 0
    page = corpus / "out/report.html"
    page.write_bytes(page.read_bytes() + b" ")
    assert cli("verify", "out", "--base", "kept").code == 1


def test_the_plan_says_how_many_units_must_come_out_alike(corpus: Path, cli: Cli) -> None:
    done = cli("plan", "--policy", "regression", "--suite", "suite", "--json")
    found = {item["gate"]: item for item in json.loads(done.out)["prospects"]}
    assert found["unknown"]["needs"][0]["units"] == 787
    assert (found["unknown"]["have"], found["unknown"]["feasible"]) == (91, False)
    assert found["unknown"]["method"] == "order-free betting, unit-weighted, paired"
    assert found["critical_seeds"]["have"] == 130
    assert "≤ +0.5 pp" in cli("plan", "--policy", "regression", "--suite", "suite").out
    own = json.loads(cli("plan", "--policy", "own.toml", "--suite", "suite", "--json").out)
    # No language is advertised to the plan, so the claim in each has no slice to hold in.
    assert {item["gate"] for item in own["prospects"] if item.get("feasible") is False} == {"worst_language"}
