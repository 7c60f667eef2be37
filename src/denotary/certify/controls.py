"""What is known of review and of leakage controls, counted over the cases."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from denotary.suites.depth import judges, lower_certification
from denotary.suites.keys import KEYS, value_of
from denotary.suites.split_recording import recorded_split
from denotary.verdicts.decision import REVIEW_FACT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.measures.measurement import Measurement
    from denotary.suites.keys import Key
    from denotary.suites.records import Case
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
    """Return the declared controls, the recorded split check, and for each key whether the cases record it at all."""
    split = recorded_split(suite)
    return {
        "controls": dict(sorted(suite.manifest.controls.items())),
        "split_check": None if split is None else msgspec.to_builtins(split),
        "keys": {key: _key(key, suite.cases) for key in KEYS},
        "disclosed": len(suite.disclosed),
    }


def _key(key: Key, cases: tuple[Case, ...]) -> dict[str, Any]:
    """A key that no case records separates nothing, and neither does one that has a single value."""
    recorded = [value for case in cases if (value := value_of(case, key)) is not None]
    distinct = len(set(recorded))
    if not recorded:
        state = "not controlled"
    elif distinct == 1:
        state = "not separable"
    else:
        state = "recorded" if len(recorded) == len(cases) else "recorded in part"
    return {"cases": len(recorded), "values": distinct, "state": state}


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))
