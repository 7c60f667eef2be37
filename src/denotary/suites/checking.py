"""What is wrong with a suite: the rules that hold for every instrument, then the instrument's own."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, Literal

from denotary.errors import Problem
from denotary.suites.board import board_problem
from denotary.suites.firewall import is_canary
from denotary.suites.keys import shown
from denotary.suites.loading import CASES, MANIFEST, safe_name
from denotary.suites.quotas import quota
from denotary.suites.records import MOST_LOOKS
from denotary.suites.turns import turn_problems
from denotary.suites.versions import version_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.suites.records import Case, Role, Visibility
    from denotary.suites.suite import Suite

TEMPLATE_SHARE = 0.05
"""Largest share of a suite's cases that one generation template may supply without a word."""
FEW = 3
"""A template or unit of so few cases is never called dominant, however small the suite."""

_PRIMARY: Final = re.compile(r"(?!und)[a-z]{2,3}")

MAY_BE_SEEN: dict[Role, tuple[Visibility, ...]] = {
    "registry-exact-conformance": ("public",),
    "public-diagnostic": ("public",),
    "calibration": ("public", "sealed"),
    "sealed-certification": ("sealed",),
    "regression": ("public", "regression"),
}
"""Which visibilities the cases of a corpus of each role may have."""


def check(suite: Suite) -> list[Problem]:
    """Return every problem of a suite by file, line and rule; without an error it is fit for freezing.

    No problem quotes the text of a case; records are named by their id.
    """
    instrument = suite.instrument
    own = (*_manifest(suite), *_rare_languages(suite), *_canary(suite), *_shares(suite))
    problems = [*own, *instrument.check_suite(suite)]
    spent = suite.spent
    for line, case in zip(suite.lines, suite.cases, strict=True):
        found = (*_case(case, suite, spent), *instrument.check(case, suite))
        problems.extend(_placed(problem, case, line) for problem in found)
    problems.extend(_turns(suite))
    return sorted(problems, key=_order)


def _placed(problem: Problem, case: Case, line: int) -> Problem:
    return Problem(problem.severity, problem.code, problem.message, CASES, line, safe_name(case.record_id))


def _order(problem: Problem) -> tuple[str, int, str, str, str]:
    return (problem.path or "", problem.line or 0, problem.code, problem.record or "", problem.message)


def _manifest(suite: Suite) -> Iterator[Problem]:
    manifest = suite.manifest

    def wrong(code: str, message: str, severity: Literal["error", "warning"] = "error") -> Problem:
        return Problem(severity, code, message, MANIFEST)

    if version_key(manifest.version) is None:
        yield wrong("version_format", "version must be MAJOR.MINOR.PATCH, such as 1.0.0")
    if not 1 <= manifest.looks <= MOST_LOOKS:
        yield wrong("looks", f"looks must be 1 to {MOST_LOOKS:,}, found {manifest.looks}")
    if manifest.unknown_share is not None and not 0 <= manifest.unknown_share <= 1:
        yield wrong("unknown_share", f"unknown_share must lie in [0, 1], found {manifest.unknown_share}")
    if not suite.cases:
        yield wrong("no_cases", f"{CASES} holds no case")
    if manifest.review == "reviewed" and any(case.annotation.review != "reviewed" for case in suite.cases):
        yield wrong("review", "the manifest says reviewed, but not every case is")
    for row in quota(suite):
        if row.short:
            message = f"{row.key}: {row.minimum} demanded, {row.present} present, {row.short} short"
            yield wrong("quota_short", message, "warning")


def _rare_languages(suite: Suite) -> Iterator[Problem]:
    for name in suite.manifest.rare_languages:
        if _PRIMARY.fullmatch(name) is None:
            message = f"rare_languages must be primary subtags such as cy, found {safe_name(name)}"
            yield Problem("error", "rare_languages", message, MANIFEST)


def _canary(suite: Suite) -> Iterator[Problem]:
    canary = suite.manifest.canary
    if canary is None and suite.manifest.role == "sealed-certification":
        message = "no canary: a corpus that took the cases in could not be recognised"
        yield Problem("warning", "canary", message, MANIFEST)
    elif canary is not None and not is_canary(canary):
        message = "canary must be a UUID in lower case; denotary suite canary writes one"
        yield Problem("error", "canary", message, MANIFEST)


def _shares(suite: Suite) -> Iterator[Problem]:
    """A template or unit that dominates. An exhaustive suite is no sample, so shares say nothing there."""
    if suite.manifest.role == "registry-exact-conformance":
        return
    templates = Counter(case.construction.generation_template for case in suite.cases)
    severity: Literal["error", "warning"] = (
        "error" if suite.manifest.role == "sealed-certification" else "warning"
    )
    limit = max(FEW - 1, TEMPLATE_SHARE * len(suite.cases))
    for template, count in sorted((item for item in templates.items() if item[0]), key=str):
        if count > limit:
            message = f"template {shown(str(template))} supplies {count} of {len(suite.cases)} cases"
            yield Problem(severity, "template_share", message, CASES)
    for unit, count in sorted(Counter(suite.units).items()):
        if count > limit:
            message = f"unit {shown(unit)} holds {count} of {len(suite.cases)} cases (> 5 %)"
            yield Problem("warning", "unit_share", message, CASES)


def _case(case: Case, suite: Suite, spent: frozenset[str]) -> Iterator[Problem]:
    yield from _versions(case, suite)
    yield from _lineage(case, suite)
    yield from _annotation(case)
    visible = MAY_BE_SEEN[suite.manifest.role]
    if case.security.visibility not in visible:
        expected = " or ".join(visible)
        message = f"{case.security.visibility} case in a {suite.manifest.role} suite; expected {expected}"
        yield Problem("error", "visibility", message)
    if suite.manifest.role == "sealed-certification" and case.record_id in spent:
        message = (
            "was disclosed, or its unit was, so it is no fresh evidence; "
            "move it to a regression suite, add a fresh sibling"
        )
        yield Problem("error", "disclosed", message)


def _turns(suite: Suite) -> Iterator[Problem]:
    lines = dict(zip(suite.by_id, suite.lines, strict=True))
    for name, code, message in turn_problems(suite.by_id):
        yield _placed(Problem("error", code, message), suite.by_id[name], lines[name])
    for case in suite.cases:
        if case.turn > 0 and not case.depends_on:
            message = (
                f"is turn {case.turn} and depends on no earlier one, so it is asked without what came before"
            )
            yield _placed(Problem("warning", "turn_alone", message), case, lines[case.record_id])


def _annotation(case: Case) -> Iterator[Problem]:
    note = case.annotation
    if note.reviewers and len(note.reviewers) != len(note.independent_votes):
        message = (
            f"{len(note.reviewers)} reviewers for {len(note.independent_votes)} votes; expected one a vote"
        )
        yield Problem("error", "reviewers", message)
    problem = board_problem(note.adjudicated_by) if note.adjudicated_by else None
    if problem is not None:
        yield Problem("error", "adjudication", f"the adjudication {problem}")


def _versions(case: Case, suite: Suite) -> Iterator[Problem]:
    written, now = version_key(case.benchmark_version), version_key(suite.version)
    if written is None or (now is not None and written > now):
        yield Problem(
            "error",
            "benchmark_version",
            f"benchmark_version must be a version up to the suite's {suite.version}",
        )
    if case.registry_version != suite.registry.version:
        yield Problem("error", "registry_version", f"registry_version must be {suite.registry.version}")


def _lineage(case: Case, suite: Suite) -> Iterator[Problem]:
    parent = case.parent_record_id
    if parent is None:
        return
    if _is_circular(case, suite):
        yield Problem("error", "parent_circle", "the chain of parents leads back to the record")
    elif parent not in suite.by_id:
        yield Problem("warning", "parent_elsewhere", f"parent {shown(parent)} is not in this suite")
    if not case.lineage:
        yield Problem(
            "warning", "no_lineage", "has a parent, but lineage does not say how it was made from it"
        )


def _is_circular(case: Case, suite: Suite) -> bool:
    seen = {case.record_id}
    current: Case | None = case
    while current is not None and current.parent_record_id is not None:
        if current.parent_record_id in seen:
            return True
        seen.add(current.parent_record_id)
        current = suite.by_id.get(current.parent_record_id)
    return False
