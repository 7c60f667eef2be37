"""The verdict as JUnit XML: one test case a gate and slice, so that a CI page shows gates like tests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from denotary.verdicts.records import GateResult, Verdict

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot carry."""


def junit(verdict: Verdict) -> bytes:
    """Return the XML. FAIL is a failure, INSUFFICIENT an error, everything set aside is skipped."""
    outcomes = [_outcome(result) for result in verdict.gates]
    counts = {kind: str(outcomes.count(kind)) for kind in ("failure", "error", "skipped")}
    totals = {
        "tests": str(len(outcomes)),
        "failures": counts["failure"],
        "errors": counts["error"],
        "skipped": counts["skipped"],
    }
    root = ET.Element("testsuites", {"name": "denotary", **totals})
    suite = ET.SubElement(root, "testsuite", {"name": _clean(f"policy {verdict.policy}"), **totals})
    properties = ET.SubElement(suite, "properties")
    for name in ("decision", "reason", "qualification"):
        ET.SubElement(properties, "property", {"name": name, "value": _clean(getattr(verdict, name))})
    for result, outcome in zip(verdict.gates, outcomes, strict=True):
        _add_case(suite, verdict.policy, result, outcome)
    ET.indent(root)
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _outcome(result: GateResult) -> str:
    return {"PASS": "passed", "FAIL": "failure", "INSUFFICIENT": "error"}.get(result.verdict, "skipped")


def _add_case(suite: ET.Element, policy: str, result: GateResult, outcome: str) -> None:
    case = ET.SubElement(
        suite,
        "testcase",
        {"classname": _clean(f"denotary.{policy}.{result.gate}"), "name": _clean(result.slice)},
    )
    if outcome == "passed":
        return
    told = ET.SubElement(case, outcome, {"message": _clean(f"{result.verdict}: {result.reason}")})
    if outcome != "skipped":
        told.set("type", result.verdict)
        told.text = _clean(result.needed)


def _clean(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
