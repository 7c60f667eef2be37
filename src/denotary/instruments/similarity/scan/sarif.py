"""A scan as SARIF 2.1.0, which code-scanning pages show beside the line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from denotary.instruments.similarity.scan.script_tree import EXTRA
from denotary.instruments.similarity.scan.sources import printable
from denotary.sarif import sarif_log
from denotary.words import plural

if TYPE_CHECKING:
    from denotary.instruments.similarity.scan.records import Found, Site

RULE: Final = "similarity-gate"
ABOUT: Final = (
    "A decision hangs on a similarity score and a cutoff. Such a score may follow the wording more than the meaning: "
    "audit it on matched pairs, and keep tests of texts that are worded alike and mean the opposite, and the other "
    "way round."
)


ROOT: Final = "The root of the repository, or the working directory of a scan outside any repository."
BASE: Final = "%SRCROOT%"
"""What every path is relative to. Its own address is left to who reads the log: it differs from machine to machine."""


def prefix(scanned: Path) -> str:
    """Return what to put before the paths of a scan, so that they start where code-scanning pages expect it.

    That is the repository which holds the scanned folder or file, and outside any repository the working directory.
    What lies in neither keeps its paths. The result is empty or ends in a slash.
    """
    folder = scanned.resolve() if scanned.is_dir() else scanned.resolve().parent
    repository = next((place for place in (folder, *folder.parents) if (place / ".git").exists()), None)
    root = repository or Path.cwd()
    if folder == root or not folder.is_relative_to(root):
        return ""
    return f"{printable(folder.relative_to(root).as_posix())}/"


def sarif(found: Found, *, version: str, before: str = "") -> bytes:
    """Return the log as canonical JSON.

    Args:
        found: what a scan found.
        version: of denotary.
        before: what every path is written after, of :func:`prefix`.
    """
    rule = {
        "id": RULE,
        "name": "SimilarityGate",
        "shortDescription": {"text": "Decision by a similarity cutoff"},
        "fullDescription": {"text": ABOUT},
        "defaultConfiguration": {"level": "note"},
    }
    unread = [
        {"level": "warning", "message": {"text": f"{before}{path} was not read: {reason}"}}
        for path, reason in (*found.skipped, *found.cells)
    ]
    unread += [
        {
            "level": "note",
            "message": {"text": f"{plural(count, 'file')} {end} not read: the language is not known"},
        }
        for end, count in found.others
    ]
    if found.extra:
        text = f"{plural(found.lacking, 'file')} not read: {EXTRA}"
        unread.append({"level": "note", "message": {"text": text}})
    return sarif_log(
        [rule],
        [_result(_placed(site, before)) for site in found.sites],
        version=version,
        originalUriBaseIds={BASE: {"description": {"text": ROOT}}},
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
    cell = f"cell {site.cell}, line {site.line}: " if site.cell else ""
    return f"{cell}{compared}: {side}, true of texts that score as {site.fires}{tests}"


def _placed(site: Site, before: str) -> Site:
    """Return a gate with its paths written after the prefix."""
    return replace(
        site,
        path=before + site.path,
        origin=site.origin and before + site.origin,
        tests=tuple(before + test for test in site.tests),
    )


def _result(site: Site) -> dict[str, Any]:
    place = {
        "artifactLocation": {"uri": quote(site.path), "uriBaseId": BASE},
        # A notebook that is not laid out by lines is named as a whole: the line of a cell is none of its file.
        "region": {"startLine": (site.file_line or 1) if site.cell else site.line},
    }
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
