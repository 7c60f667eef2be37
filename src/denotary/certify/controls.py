"""What is known of review and of leakage controls, counted over the cases."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from denotary.suites.depth import judges
from denotary.verdicts.decision import REVIEW_FACT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.measures.measurement import Measurement
    from denotary.suites.records import Case
    from denotary.suites.suite import Suite

GROUPING_KEYS: Final = (
    "semantic_seed_id",
    "author",
    "generation_template",
    "source_document",
    "concept_neighbourhood",
    "translation_family",
    "perturbation_lineage",
    "attack_family",
)
"""No value of these may cross from training or calibration into certification."""


def review(suite: Suite, measurement: Measurement) -> dict[str, Any]:
    """Return how the gold of the cases was judged, as counts of cases."""
    notes = [case.annotation for case in suite.cases]
    known = next((fact for fact in measurement.facts if fact.name == REVIEW_FACT), None)
    return {
        "sufficient": known.holds if known else None,
        "detail": known.detail if known else "nothing is known of the review",
        "by_review": _counted(note.review for note in notes),
        "by_adjudication": _counted(note.adjudication_status for note in notes),
        "by_depth": _counted(note.depth_tier or "none" for note in notes),
        "by_reviewers": _counted(str(judges(note)) for note in notes),
    }


def leakage(suite: Suite) -> dict[str, Any]:
    """Return the declared controls, and for each grouping key whether the cases record it at all."""
    return {
        "controls": dict(sorted(suite.manifest.controls.items())),
        "keys": {key: _key(key, suite.cases) for key in GROUPING_KEYS},
        "disclosed": len(suite.disclosed),
    }


def _key(key: str, cases: tuple[Case, ...]) -> dict[str, Any]:
    """A key that no case records separates nothing, and neither does one that has a single value."""
    values = [
        case.semantic_seed_id if key == "semantic_seed_id" else getattr(case.construction, key)
        for case in cases
    ]
    recorded = [value for value in values if value]
    distinct = len(set(recorded))
    if not recorded:
        state = "not controlled"
    elif distinct == 1:
        state = "not separable"
    else:
        state = "recorded" if len(recorded) == len(values) else "recorded in part"
    return {"cases": len(recorded), "values": distinct, "state": state}


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))
