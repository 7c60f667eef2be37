"""Worlds: which units a suite has in each advertised language and for each critical concept.

Two designs. ``single``: every unit is one case. ``siblings``: for each concept two parts translation families
of one case in every language, two parts of two cases in every language, and in each language one part of four
perturbations of one seed. Both grow with one whole number, the scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from denotary.statistics.planning import Bound

LANGUAGES: Final = ("ar", "de", "en")
"""Advertised languages."""

CONCEPTS: Final = ("x.critical.first", "x.critical.second", "x.ordinary")
"""Concepts; the first two are of consequence tier C3 or above."""

CRITICAL: Final = CONCEPTS[:2]

Design = Literal["single", "siblings"]

_SINGLE: Final = ((1, (1, 0, 0)), (1, (0, 1, 0)), (1, (0, 0, 1)))
_SIBLINGS: Final = ((2, (1, 1, 1)), (2, (2, 2, 2)), (1, (4, 0, 0)), (1, (0, 4, 0)), (1, (0, 0, 4)))


@dataclass(frozen=True, slots=True)
class Kind:
    """Units that are alike.

    Attributes:
        concept: the concept of their cases.
        sizes: planned cases in each language, shape (L,).
        units: how many there are.
    """

    concept: str
    sizes: tuple[int, ...]
    units: int

    def within(self, name: str) -> tuple[bool, ...]:
        """Return which languages' cases lie in a slice: ``all``, or by language, concept or answered code."""
        axis, _, label = name.partition("=")
        if axis == "language":
            return tuple(language == label for language in LANGUAGES)
        return (axis == "all" or self.concept == label,) * len(LANGUAGES)


def population(design: Design, scale: int) -> tuple[Kind, ...]:
    """Return the units of a design at a scale."""
    parts = _SINGLE if design == "single" else _SIBLINGS
    return tuple(Kind(concept, sizes, weight * scale) for concept in CONCEPTS for weight, sizes in parts)


def units_in(design: Design, name: str) -> int:
    """Return how many units a slice holds at scale 1."""
    return sum(
        kind.units
        for kind in population(design, 1)
        if any(inside and size for inside, size in zip(kind.within(name), kind.sizes, strict=True))
    )


def cases_in(design: Design, name: str) -> int:
    """Return how many cases a slice holds at scale 1."""
    return sum(
        kind.units * size
        for kind in population(design, 1)
        for inside, size in zip(kind.within(name), kind.sizes, strict=True)
        if inside
    )


def scale_for(design: Design, name: str, units: int) -> int:
    """Return the smallest scale at which a slice holds at least so many units."""
    return -(-units // units_in(design, name))


def bound_of(design: Design) -> Bound:
    """Return the bound that gates a design in the slice of all cases."""
    return "exact" if design == "single" else "betting"
