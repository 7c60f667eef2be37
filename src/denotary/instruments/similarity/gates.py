"""A gate: a score, a cutoff, its comparison and its direction. What it approves it treats as the same.

A rule is written as the gate's own code has it: ``score>=0.8``, ``score>0.95``, ``distance<=0.4``. ``distance`` is
one less the score, as drift guards read it. What the rule says of a pair is when the gate *approves*.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from denotary.statistics.checks import FloatArray

_RULE: Final = re.compile(
    r"\s*(score|distance)\s*(>=|<=|>|<)\s*([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)\s*", re.IGNORECASE
)
_COMPARE: Final[Mapping[str, Callable[[FloatArray, float], NDArray[np.bool_]]]] = {
    ">=": np.greater_equal,
    ">": np.greater,
    "<=": np.less_equal,
    "<": np.less,
}


@dataclass(frozen=True, slots=True)
class Gate:
    """When a pair is approved.

    Attributes:
        name: of the component, or the rule itself.
        quantity: ``score``, or ``distance`` for one less the score.
        comparison: ``>=``, ``>``, ``<=`` or ``<``.
        cutoff: the constant compared with.
    """

    name: str
    quantity: str
    comparison: str
    cutoff: float

    @property
    def rule(self) -> str:
        """The rule as text, such as ``score>=0.8``."""
        short = f"{self.cutoff:g}"
        return (
            f"{self.quantity}{self.comparison}{short if float(short) == self.cutoff else repr(self.cutoff)}"
        )

    @property
    def approves_high(self) -> bool:
        """Whether higher scores are approved: not so for a gate that fires on likeness."""
        return (self.comparison[0] == ">") == (self.quantity == "score")

    def approves(self, scores: FloatArray) -> NDArray[np.bool_]:
        """Return which pairs the gate approves, shape (N,)."""
        values = scores if self.quantity == "score" else 1.0 - scores
        return _COMPARE[self.comparison](values, self.cutoff)


def gate(rule: str, name: str = "") -> Gate:
    """Return the gate of a rule.

    Raises:
        InputError: it is no rule.
    """
    found = _RULE.fullmatch(rule)
    try:
        cutoff = float(found[3]) if found else float("nan")
    except ValueError:
        cutoff = float("nan")
    if found is None or np.isnan(cutoff):
        raise InputError(
            f"{rule!r} is no rule of a gate",
            hint="write when it approves: score>=0.8, score>0.95 or distance<=0.4",
        )
    made = Gate(name, found[1].lower(), found[2], cutoff)
    return made if name else Gate(made.rule, made.quantity, made.comparison, made.cutoff)


SHIPPED: Final = tuple(gate(f"score>={cutoff:.2f}") for cutoff in (0.30, 0.40, 0.80, 0.85, 0.95))
"""Operating points found in shipped components, on the cosine scale."""
DRIFT_GUARD: Final = gate("distance<=0.4", "drift guard")
"""A drift guard that fires where one less the cosine exceeds 0.4: it approves what does not fire."""
REDUNDANCY: Final = gate("score>0.95", "redundancy filter")
"""A filter that drops a document as redundant."""
GRADER: Final = gate("score>=0.8", "answer grader")
"""A grader that accepts an answer as right."""
