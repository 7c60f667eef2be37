"""Root causes over a run: the cause that a person set stands before the one that a rule proposes."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from denotary.certify import certify, judge, judge_cause, triage, verify
from denotary.certify.reporting import report
from denotary.errors import InputError
from denotary.measures import measure
from denotary.reports.model import CauseLine
from denotary.runs import load_run
from denotary.runs.triage import TRIAGE
from denotary.systems import python

CODES = {"bread.loaf": "bread.dough", "bread.dough": "bread.oven"}
"""What the system gives instead of the right code."""


@pytest.fixture
def run(suite: Any, tmp_path: Path) -> Any:
    """The run of a system that takes loaves for dough and dough for ovens, and refuses what it does not know."""
    right = {(case.input.text, case.input.language): case.gold for case in suite.cases}

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        gold = right[request["text"], request["language"]]
        code = gold.acceptable_concept_codes[0] if gold.disposition == "SINGLE" else None
        decision = {"type": "concept", "concept_code": CODES.get(code, code)} if code else {"type": "abstain"}
        return {"decision": decision, "registry_version_returned": "1.0.0"}

    certify(python(resolve), suite, "registry-exact", tmp_path / "out", repeats=1)
    return load_run(tmp_path / "out/run")


def test_each_cause_is_counted_by_who_named_it(run: Any) -> None:
    found = triage(run)
    failed = [item for item in found.failures if item.counts]
    assert failed
    assert {item.kind for item in failed} == {"wrong_code"}
    before = found.causes()
    assert (before.failed, before.set, before.untriaged) == (len(failed), 0, 0)
    first, second, third = (item.case for item in failed[:3])
    judge_cause(run, first, "E04", who="reviewer-1", why="dough is not a loaf")
    judge_cause(run, second, "E29", who="reviewer-1", why="the gold is wrong")
    judge_cause(run, second, "E04", who="reviewer-2", why="it is right after all")
    judge_cause(run, third, "E31", who="reviewer-2", why="the proxy mixed up two replies")
    after = triage(run)
    assert after.judgements == 4
    assert [after.cause(item) for item in failed[:3]] == [("E04", "set"), ("E04", "set"), ("E31", "set")]
    lines = {line.code: line for line in after.causes().lines}
    assert (lines["E04"].set, lines["E04"].proposed, lines["E04"].cases) == (2, 0, 2)
    assert (lines["E31"].set, lines["E31"].outside, lines["E04"].outside) == (1, True, False)
    proposed = sum(line.proposed for line in lines.values())
    assert (after.causes().set, after.causes().proposed, proposed) == (3, len(failed) - 3, len(failed) - 3)
    # Units and languages, counted once more by hand.
    others = [item for item in failed[3:] if item.proposed == "E28"]
    assert lines["E28"] == CauseLine(
        "E28", "exact-path regression", 0, len(others), len(others), len({item.unit for item in others}),
        len({item.language for item in others}), 0, outside=False,
    )  # fmt: skip


def test_no_rate_depends_on_a_cause_and_the_certificate_still_verifies(run: Any, tmp_path: Path) -> None:
    rows = measure(run).rows
    case = triage(run).counted[0].case
    judge_cause(run, case, "E29", who="reviewer-1", why="the gold is wrong")
    assert (run.root / TRIAGE).exists()
    assert measure(load_run(run.root)).rows == rows
    assert verify(tmp_path / "out") == []


def test_the_report_shows_the_set_cause_and_the_certified_one_does_not(run: Any, tmp_path: Path) -> None:
    judged = judge(measure(run), "registry-exact")
    failure = triage(run).counted[0]
    judge_cause(run, failure.case, "E30", who="board", why="loaf and dough are not told apart")
    certified, since = report(judged), report(judged, set_causes=True)
    assert certified.cases is not None
    assert since.cases is not None
    view = next(item for item in since.cases if item.record_id == failure.case)
    assert (view.cause, view.cause_note) == ("E30", "board: loaf and dough are not told apart")
    assert view.root_causes == tuple((item.code, item.evidence) for item in failure.proposals)
    former = next(item for item in certified.cases if item.record_id == failure.case)
    assert former == replace(view, cause="", cause_note="")
    assert certified.causes is not None
    assert since.causes is not None
    assert (certified.causes.set, since.causes.set) == (0, 1)
    judged.report(tmp_path / "since.html")
    page = (tmp_path / "since.html").read_text()
    assert "the cause of 1 was set by a person" in page
    assert "the cause of 0 was set by a person" in (tmp_path / "out/report.html").read_text()


def test_the_list_is_plain_data_and_quotes_no_case(run: Any) -> None:
    found = triage(run)
    failure = found.counted[0]
    judge_cause(run, failure.case, "E04", who="reviewer-1", why="dough is not a loaf")
    found = triage(run)
    content = json.loads(msgspec.json.encode(found.content(found.failures)))
    assert [case["case"] for case in content["cases"]] == [item.case for item in found.failures]
    (case,) = [case for case in content["cases"] if case["by"] == "set"]
    assert (case["cause"], case["judgement"]["who"]) == ("E04", "reviewer-1")
    assert case["proposals"][0]["code"] == failure.proposed
    texts = {item.input.text for item in run.suite.cases}
    assert not any(text in json.dumps(content) for text in texts if len(text) > 9 and "." not in text)


def test_what_nobody_named_is_listed(run: Any) -> None:
    found = triage(run)
    bare = replace(found, failures=tuple(replace(item, proposals=()) for item in found.failures))
    assert [item.case for item in bare.untriaged] == [item.case for item in found.counted]
    last = bare.causes().lines[-1]
    assert (last.code, last.cases, bare.causes().untriaged) == ("", len(found.counted), len(found.counted))


def test_a_code_that_is_none_is_refused(run: Any) -> None:
    with pytest.raises(InputError, match="no root-cause code 'E32'"):
        judge_cause(run, triage(run).counted[0].case, "E32", who="a", why="b")
