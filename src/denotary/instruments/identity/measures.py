"""The declared measures of the identity instrument, and the panels that they stand in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.instruments.identity.behaviour_measures import BEHAVIOUR
from denotary.instruments.identity.core_measures import CORE
from denotary.instruments.identity.robustness_measures import ROBUSTNESS

if TYPE_CHECKING:
    from denotary.measures.records import Measure
    from denotary.suites.suite import Suite

PANELS: Final = (
    "retrieval",
    "identity",
    "selective",
    "open_world",
    "robustness",
    "multilingual",
    "calibration",
    "conformance",
    "operation",
)
"""Panels in the order of a report; none is ever merged with another."""

MEASURES: Final[tuple[Measure, ...]] = (*CORE, *ROBUSTNESS, *BEHAVIOUR)
"""Every measure, in the order of its panel."""


def measures(suite: Suite) -> tuple[Measure, ...]:
    """Return the measures of a suite: the same for every identity suite."""
    del suite
    return MEASURES
