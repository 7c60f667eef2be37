"""A scan as SARIF 2.1.0, which code-scanning pages show beside the line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from denotary.sarif import sarif_log

if TYPE_CHECKING:
    from denotary.instruments.similarity.scan.records import Found, Site

RULE: Final = "similarity-gate"
ABOUT: Final = (
    "A decision hangs on a similarity score and a cutoff. Such a score may follow the wording more than the meaning: "
    "audit it on matched pairs, and keep tests of texts that are worded alike and mean the opposite, and the other "
    "way round."
)


def sarif(found: Found, *, version: str) -> bytes:
    """Return the log as canonical JSON.

    Args:
        found: what a scan found.
        version: of denotary.
    """
    rule = {
        "id": RULE,
        "name": "SimilarityGate",
        "shortDescription": {"text": "Decision by a similarity cutoff"},
        "fullDescription": {"text": ABOUT},
        "defaultConfiguration": {"level": "note"},
    }
    unread = [
        {"level": "warning", "message": {"text": f"{path} was not read: {reason}"}}
        for path, reason in found.skipped
    ]
    return sarif_log(
        [rule],
        [_result(site) for site in found.sites],
        version=version,
        invocations=[{"executionSuccessful": True, "toolExecutionNotifications": unread}],
    )


def message(site: Site) -> str:
    """Return what a finding says."""
    number = "" if site.value is None else f" (= {site.value:g})"
    side = "inclusive" if site.inclusive else "strict"
    tests = (
        f"; polarity case in {', '.join(site.tests)}"
        if site.tests
        else "; no polarity case seen in the tests beside it"
    )
    compared = f"{site.score} {site.operator} {site.cutoff}{number}"
    return f"{compared}: {side}, true of texts that score as {site.fires}{tests}"


def _result(site: Site) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": quote(site.path)}, "region": {"startLine": site.line}}
    return {
        "ruleId": RULE,
        "ruleIndex": 0,
        "level": "note",
        "message": {"text": message(site)},
        "locations": [{"physicalLocation": place}],
        "properties": {
            "value": site.value,
            "operator": site.operator,
            "scale": site.scale,
            "origin": site.origin,
        },
    }
