"""A frozen suite that breaks the rules certifies nothing: a lock says that nobody edited it, no more."""

import json
from pathlib import Path
from typing import Any

import pytest

from denotary import systems
from denotary.certify import certify, judge, verify
from denotary.certify.planning import plan
from denotary.errors import Problem
from denotary.measures import measure
from denotary.resolver import exact_lane_system
from denotary.runs.records import Identity
from denotary.suites import check, freeze, freezing, load_suite
from denotary.suites.suite import Suite

IDENTITY = Identity(languages=("en", "de"))
SAID = "qualification only: the suite breaks the rules of this version (1 error: run denotary suite check)"


@pytest.fixture
def lax(suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Suite:
    """The conformance suite, frozen anew with one error as if the rules of freezing had been laxer."""
    manifest = suite.root / "suite.toml"
    lines = manifest.read_text().replace('version = "1.0.0"', 'version = "1.0.1"', 1)
    manifest.write_text('rare_languages = ["English"]\n' + lines)
    monkeypatch.setattr(freezing, "_refuse_errors", lambda suite: None)
    freeze(suite.root)
    return load_suite(suite.root)


def test_a_suite_frozen_with_an_error_does_not_promote(lax: Suite, tmp_path: Path) -> None:
    assert [problem.code for problem in check(lax) if problem.severity == "error"] == ["rare_languages"]
    system = systems.python(exact_lane_system(lax.registry))
    judged = certify(system, lax, "registry-exact", tmp_path / "out", identity=IDENTITY)
    assert (judged.decision, judged.verdict.qualification) == ("INSUFFICIENT", SAID)
    assert {gate.verdict for gate in judged.verdict.gates} == {"EXPLORATORY"}
    assert verify(tmp_path / "out") == []


def test_the_plan_says_so_before_anything_is_asked(lax: Suite) -> None:
    made = plan("registry-exact", lax, languages=IDENTITY.languages)
    assert SAID in list(made.sentences())
    assert not any(made.claims.values())


def test_certify_checks_a_suite_once(suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[Suite] = []

    def counted(asked: Suite) -> list[Problem]:
        checked.append(asked)
        return check(asked)

    monkeypatch.setattr("denotary.certify.soundness.check", counted)
    system = systems.python(exact_lane_system(suite.registry))
    judged = certify(system, suite, "registry-exact", tmp_path / "out", identity=IDENTITY)
    assert (judged.decision, checked) == ("PROMOTE", [suite])


def test_verify_checks_the_rules_again(lax: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = systems.python(exact_lane_system(lax.registry))
    with monkeypatch.context() as patched:
        patched.setattr("denotary.certify.soundness.check", lambda suite: [])
        judged = certify(system, lax, "registry-exact", tmp_path / "out", identity=IDENTITY)
    assert judged.decision == "PROMOTE"
    assert any("certificate.json" in line for line in verify(tmp_path / "out"))


def test_a_sound_suite_says_that_it_is(promoted: Any) -> None:
    facts = json.loads((promoted.out / "certificate.json").read_bytes())["predicate"]["facts"]
    (found,) = [fact for fact in facts if fact["name"] == "suite_sound"]
    assert (found["holds"], found["detail"]) == (True, "the suite keeps the rules of this version")


def test_the_fact_is_stated_once_however_often_a_run_is_judged(promoted: Any) -> None:
    again = judge(promoted.judged.measurement, "registry-exact")
    assert again.measurement.facts == promoted.judged.measurement.facts
    assert "suite_sound" not in {fact.name for fact in measure(again.run).facts}
