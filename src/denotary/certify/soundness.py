"""Whether a suite keeps the rules of this version: a lock shows that it was not edited, never that it was sound.

A suite may have been frozen under older and laxer rules, or by other code. So it is checked once more where a run is
judged, and whoever verifies a certificate checks it again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from denotary.measures.records import Fact
from denotary.suites.checking import check
from denotary.verdicts.decision import SOUND_FACT
from denotary.verdicts.policy_problems import supports
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.measures.measurement import Measurement
    from denotary.suites.suite import Suite
    from denotary.verdicts.records import Policy


def with_soundness(
    measurement: Measurement, suite: Suite, policy: Policy, known: Callable[[], Fact] | None = None
) -> Measurement:
    """Return a measurement with the fact ``suite_sound``, unless the suite's role cannot certify by the policy anyway.

    A fact of that name from an instrument does not count: the rules of all instruments are among those checked.

    Args:
        measurement: what was measured.
        suite: the suite that was asked.
        policy: says which roles can certify.
        known: gives the fact of this same suite, where it may have been checked before; by default it is checked here.
    """
    if not supports(suite.manifest.role, policy):
        return measurement
    others = (fact for fact in measurement.facts if fact.name != SOUND_FACT)
    return replace(measurement, facts=(*others, soundness(suite) if known is None else known()))


def soundness(suite: Suite) -> Fact:
    """Return whether ``denotary suite check`` finds no error in a suite. Costs what the check costs."""
    errors = sum(problem.severity == "error" for problem in check(suite))
    if errors:
        detail = f"the suite breaks the rules of this version ({plural(errors, 'error')}: run denotary suite check)"
        return Fact(name=SOUND_FACT, holds=False, detail=detail)
    return Fact(name=SOUND_FACT, holds=True, detail="the suite keeps the rules of this version")
