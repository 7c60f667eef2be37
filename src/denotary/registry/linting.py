"""What makes a registry's answers wrong or unclear, found before it is frozen.

The rules are in ``rules_concepts``, ``rules_texts`` and ``rules_collisions``; this module runs them, applies
the waivers of the header, and adds the line of each record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.errors import Problem
from denotary.files import read_bytes
from denotary.registry.locks import AMBIGUITIES, CONCEPTS, EXPRESSIONS, HEADER
from denotary.registry.rules_collisions import collision_findings
from denotary.registry.rules_concepts import concept_findings, header_findings
from denotary.registry.rules_texts import text_findings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.registry.findings import Finding
    from denotary.registry.model import Registry

WAIVABLE: Final = frozenset({"whitespace", "ignorable", "mixed-script", "script"})
"""Rules that a text may break for a reason; the header names them as ``rule:record``."""


def lint(registry: Registry) -> list[Problem]:
    """Return what is wrong with a registry, in the order of its files and lines.

    An error keeps the registry from being frozen. A waived finding is a warning. Messages name records by id
    and never quote a text.
    """
    findings = [
        *header_findings(registry),
        *concept_findings(registry),
        *text_findings(registry),
        *collision_findings(registry),
    ]
    problems = [*_judged(registry, findings), *_idle_waivers(registry, findings)]
    lines = _lines(registry)
    placed = [
        Problem(
            severity=found.severity,
            code=found.code,
            message=found.message,
            path=found.path,
            line=lines.get((found.path, found.record)),
            record=found.record,
        )
        for found in problems
    ]
    files = {name: position for position, name in enumerate((HEADER, CONCEPTS, EXPRESSIONS, AMBIGUITIES))}
    return sorted(placed, key=lambda p: (files.get(p.path or "", 9), p.line or 0, p.code, p.message))


def _judged(registry: Registry, findings: list[Finding]) -> Iterator[Problem]:
    waived = set(registry.header.waivers)
    for finding in findings:
        is_waived = finding.rule in WAIVABLE and f"{finding.rule}:{finding.record}" in waived
        yield Problem(
            severity="warning" if is_waived else finding.severity,
            code=finding.rule,
            message=f"{finding.message} (waived)" if is_waived else finding.message,
            path=finding.file,
            record=finding.record,
        )


def _idle_waivers(registry: Registry, findings: list[Finding]) -> Iterator[Problem]:
    broken = {f"{finding.rule}:{finding.record}" for finding in findings}
    for waiver in registry.header.waivers:
        if waiver.partition(":")[0] not in WAIVABLE:
            rules = ", ".join(sorted(WAIVABLE))
            yield Problem("error", "waiver", f"{waiver!r:.80} waives no rule; waivable are {rules}", HEADER)
        elif waiver not in broken:
            yield Problem(
                "warning", "waiver", f"{waiver!r:.80} waives nothing that is found; remove it", HEADER
            )


def _lines(registry: Registry) -> dict[tuple[str | None, str | None], int]:
    # The records keep the order of their file, where blank lines may stand between them.
    named = {
        CONCEPTS: [concept.code for concept in registry.concepts.values()],
        EXPRESSIONS: [expression.id for expression in registry.expressions],
        AMBIGUITIES: [ambiguity.id for ambiguity in registry.ambiguities],
    }
    found: dict[tuple[str | None, str | None], int] = {}
    for name, records in named.items():
        path = registry.root / name
        if records and path.exists():
            numbered = enumerate(read_bytes(path).split(b"\n"), start=1)
            filled = (number for number, line in numbered if line.strip())
            found |= {(name, record): number for record, number in zip(records, filled, strict=False)}
    return found
