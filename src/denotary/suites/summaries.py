"""What a suite holds, in one flat mapping."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from denotary.suites.disclosing import siblings_wanted
from denotary.suites.keys import hidden, shown
from denotary.suites.quotas import quota

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from denotary.suites.records import Case
    from denotary.suites.suite import Suite


def summary(suite: Suite) -> dict[str, Any]:
    """Return names, sizes and counts of a suite; counts by sort are lists of ``name number``."""
    sizes = Counter(suite.units)
    return {
        "name": suite.name,
        "version": suite.version,
        "title": suite.manifest.title,
        "hash": suite.lock.hash if suite.lock else None,
        "instrument": suite.manifest.instrument,
        "role": suite.manifest.role,
        "review": suite.manifest.review,
        "registry": f"{suite.registry.name} {suite.registry.version}",
        "registry_hash": suite.registry.hash if suite.registry.is_frozen else None,
        "cases": len(suite.cases),
        "units": len(sizes),
        "largest_unit": max(sizes.values(), default=0),
        "units_of_one_case": sum(size == 1 for size in sizes.values()),
        "gold": _counts(_gold(suite)),
        "families": _tally(map(_family(suite), suite.cases)),
        "languages": _tally(case.language_slice for case in suite.cases),
        "reviews": _tally(case.annotation.review for case in suite.cases),
        "visibility": _tally(case.security.visibility for case in suite.cases),
        "quotas_short": [f"{row.key} {row.short}" for row in quota(suite) if row.short],
        "mechanisms_not_exercised": sorted(suite.manifest.mechanisms_not_exercised),
        "ledger_entries": len(suite.ledger),
        "disclosed": len(suite.disclosed),
        "siblings_wanted": len(siblings_wanted(suite)),
        "canary": suite.manifest.canary,
    }


def _gold(suite: Suite) -> dict[str, int]:
    prefix = "gold:"
    counts = suite.instrument.quota_counts(suite)
    return {key.removeprefix(prefix): count for key, count in counts.items() if key.startswith(prefix)}


def _family(suite: Suite) -> Callable[[Case], str]:
    """Return what names a case's family: in a draft a text may stand where the name of a family belongs."""
    prefix = "family:"
    known = {key for key in suite.instrument.quota_counts(suite) if key.startswith(prefix)}

    def named(case: Case) -> str:
        name = case.construction.primary_family
        if not known:
            return shown(name)
        return name if f"{prefix}{name}" in known else hidden(name)

    return named


def _tally(values: Iterable[str]) -> list[str]:
    return _counts(Counter(values))


def _counts(counts: dict[str, int]) -> list[str]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [f"{name} {count}" for name, count in ordered if count]
