"""A verdict as Markdown, JUnit XML and SARIF, with hostile text in every free field."""

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from denotary.certify import junit, markdown, sarif
from denotary.verdicts.records import Gate, GateResult, Policy, Verdict, Waiver

HOSTILE = "`x` | <img src=q> *a* @team #1\n[b](http://e) \u202e\x00\x1b"


def result(verdict: str, gate: str, **more: Any) -> GateResult:
    fields: dict[str, Any] = {
        "gate": gate,
        "title": f"Title of {gate}",
        "measure": "risk",
        "slice": "all",
        "verdict": verdict,
        "reason": f"because of {gate}",
    }
    return GateResult(**(fields | more))


VERDICT = Verdict(
    policy="c3",
    decision="BLOCK",
    reason="Title of b",
    qualification="qualification only: public",
    gates=(
        result(
            "PASS", "a", numerator=0, denominator=3000, units=3000, value=0.0, bound=0.0009982, limit=0.001
        ),
        result("FAIL", "b", slice="language=de", needed="mend it"),
        result("INSUFFICIENT", "c", needed="2,995 more seeds"),
        result("EXPLORATORY", "d", underlying="PASS"),
        result("WAIVED", "e", underlying="FAIL"),
        result("NOT_APPLICABLE", "f"),
        result("NOT_EXPRESSIBLE", "g", reason=HOSTILE, slice=f"language={HOSTILE}"),
    ),
    waivers=(Waiver(gate="e", who="board", why="contained", until="2031-01-31"),),
    waivers_ignored=("the waiver of a is ignored: it expired",),
    instead=("claim a lower tier",),
)
POLICY = Policy(
    schema="denotary.policy/1",
    id="c3",
    title="Tier | C3",
    instrument="identity",
    track="t",
    gates=tuple(
        Gate(id=name, title=f"Title of {name}", kind="zero", measure="risk", why=f"why {name}")
        for name in "abcdefg"
    ),
)


def summary(verdict: Verdict = VERDICT) -> str:
    return markdown(
        verdict, POLICY, subject=HOSTILE, suite="suite 1.0.0", registry="registry 1.0.0", operating=HOSTILE
    )


def test_the_first_line_of_the_summary_carries_decision_qualification_and_waiver() -> None:
    first = summary().splitlines()[0]
    assert first.startswith("### Block the release")
    for told in (
        "Title of b",
        "Qualification only: public",
        "it expired",
        "board",
        "2031-01-31",
        "contained",
    ):
        assert told in first.replace("\\", "")


def test_the_summary_has_a_row_for_every_gate_what_needs_attention_first() -> None:
    table = [line for line in summary().splitlines() if line.startswith("| ")]
    assert len({line.replace("\\|", "").count("|") for line in table}) == 1
    verdicts = [re.split(r"(?<!\\)\|", line)[9].split(":")[0].strip() for line in table[2:]]
    assert verdicts == [
        "Fail",
        "Insufficient evidence",
        "Exploratory",
        "Waived",
        "Not expressible",
        "Not applicable",
        "Pass",
    ]
    assert "0 of 3,000" in table[-1]
    assert "0.0999 %" in table[-1]  # the bound 0.09982 %, rounded up


def test_the_summary_says_what_a_pass_would_take_and_what_to_do_instead() -> None:
    text = summary()
    for told in ("2,995 more seeds", "mend it", "claim a lower tier", "never a looser limit", "it expired"):
        assert told in text
    plain = summary(Verdict(policy="c3", decision="PROMOTE", reason="1 gate passed", gates=VERDICT.gates[:1]))
    assert "What a pass would take" not in plain
    assert "cannot be had" not in plain


def test_a_lower_gate_shows_its_misses() -> None:
    kept = result(
        "PASS", "a", side="lower", numerator=990, denominator=1000, units=1000, value=0.99, limit=0.95
    )
    text = summary(Verdict(policy="c3", gates=(kept,)))
    assert "| 10 of 1,000 |" in text
    assert "≥ 95 %" in text


def test_hostile_text_cannot_break_the_summary() -> None:
    text = summary()
    assert "\x1b" not in text
    assert "\x00" not in text
    assert "\u202e" not in text
    for raw in ("<img", "@team", "#1", "| <", "[b](", " `x`", "http://"):
        assert raw not in text
    assert set(re.findall(r"<[^>]*>", text)) == {"<!-- -->"}


def test_junit_counts_what_it_lists() -> None:
    root = ET.fromstring(junit(VERDICT))
    (suite,) = root
    cases = suite.findall("testcase")
    assert [len(case) and case[0].tag for case in cases] == [
        0, "failure", "error", "skipped", "skipped", "skipped", "skipped"
    ]  # fmt: skip
    for element in (root, suite):
        counts = {name: element.get(name) for name in ("tests", "failures", "errors", "skipped")}
        assert counts == {"tests": "7", "failures": "1", "errors": "1", "skipped": "4"}
    assert cases[1].get("classname") == "denotary.c3.b"
    assert cases[1].get("name") == "language=de"
    assert (cases[1][0].get("message"), cases[1][0].text) == ("FAIL: because of b", "mend it")
    properties = {item.get("name"): item.get("value") for item in suite.iter("property")}
    assert properties["decision"] == "BLOCK"


def test_characters_that_xml_cannot_carry_are_replaced() -> None:
    written = junit(VERDICT)
    assert b"\x00" not in written
    assert b"\x1b" not in written
    message = ET.fromstring(written)[0].findall("testcase")[6][0].get("message") or ""
    assert "<img src=q>" in message
    assert message.count("\N{REPLACEMENT CHARACTER}") == 2


def test_sarif_has_a_rule_a_gate_and_a_result_a_slice() -> None:
    log = json.loads(sarif(VERDICT, POLICY, version="1.2.3"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("denotary", "1.2.3")
    assert [rule["id"] for rule in driver["rules"]] == list("abcdefg")
    assert [driver["rules"][item["ruleIndex"]]["id"] for item in run["results"]] == list("abcdefg")
    kinds = [item["kind"] for item in run["results"]]
    assert kinds == ["pass", "fail", "open", "review", "fail", "notApplicable", "notApplicable"]
    # SARIF 2.1.0, 3.27.10: a level other than none belongs to kind "fail" alone.
    assert all((item["level"] == "error") == (item["kind"] == "fail") for item in run["results"])
    assert [item["ruleId"] for item in run["results"] if "suppressions" in item] == ["e"]
    assert run["results"][2]["message"]["text"] == "because of c. Needed: 2,995 more seeds"
    assert run["properties"]["decision"] == "BLOCK"


@pytest.mark.parametrize(
    "make", [lambda: summary().encode(), lambda: junit(VERDICT), lambda: sarif(VERDICT, POLICY, version="1")]
)
def test_the_same_verdict_gives_the_same_bytes(make: Any) -> None:
    assert make() == make()
