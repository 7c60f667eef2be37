"""What is known of review and of leakage controls, counted over the cases."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from denotary.suites.depth import judges, lower_certification
from denotary.suites.split_recording import recorded_splits
from denotary.suites.split_records import STATES
from denotary.suites.splitting import Pool, key_states
from denotary.verdicts.decision import REVIEW_FACT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from denotary.measures.measurement import Measurement
    from denotary.suites.keys import Key
    from denotary.suites.split_records import SplitEvidence
    from denotary.suites.suite import Suite


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
        "lower_certification": lower_certification(suite.cases),
    }


def leakage(suite: Suite) -> dict[str, Any]:
    """Return the declared controls, the split checks that stand, and how far each grouping key separates.

    What the checks found of a key counts, the weakest first; without one, what the cases of the suite alone show.
    """
    splits = recorded_splits(suite)
    return {
        "controls": dict(sorted(suite.manifest.controls.items())),
        "split_checks": [msgspec.to_builtins(split) for split in splits],
        "keys": _keys(suite, splits),
        "disclosed": len(suite.disclosed),
    }


def _keys(suite: Suite, splits: Sequence[SplitEvidence]) -> dict[Key, dict[str, Any]]:
    alone = {item.key: item for item in key_states(Pool.of([suite]), ())}
    found: dict[Key, dict[str, Any]] = {}
    for key, item in alone.items():
        states = [split.keys[key] for split in splits if key in split.keys] or [item.state]
        found[key] = {"cases": item.recorded, "values": item.values, "state": min(states, key=STATES.index)}
    return found


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))
