"""What a scan finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Operator = Literal["<", "<=", ">", ">="]
FLIPPED: dict[str, Operator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The same comparison with its sides changed over."""
TOO_DEEP = "nested too deeply"
"""Why a file is skipped whose expressions go deeper than can be followed."""


@dataclass(frozen=True, slots=True, order=True)
class Site:
    """One gate.

    Attributes:
        path: file, relative to the folder that was scanned, with forward slashes.
        line: line of the comparison, counted from 1.
        score: source of the score, as it is written.
        operator: the comparison with the score on its left.
        cutoff: source of the cutoff, as it is written.
        value: the number behind the cutoff where it could be followed; None otherwise.
        origin: where that number stands, ``path:line``; empty where it stands in the comparison, or is not known.
        scale: ``similarity`` if more is more alike, ``distance`` if less is.
        language: of the source.
        tests: tests beside it, relative paths, that hold a pair of like texts of which one turns the meaning round.
    """

    path: str
    line: int
    score: str
    operator: Operator
    cutoff: str
    value: float | None
    origin: str
    scale: Literal["similarity", "distance"]
    language: Literal["python", "javascript", "typescript"]
    tests: tuple[str, ...] = ()

    @property
    def inclusive(self) -> bool:
        """Whether a score that equals the cutoff is on the side of the operator."""
        return self.operator.endswith("=")

    @property
    def fires(self) -> Literal["alike", "unlike"]:
        """Whether the comparison is true of texts that are alike, by this score, or of texts that are not."""
        return "alike" if (self.operator[0] == ">") == (self.scale == "similarity") else "unlike"


@dataclass(frozen=True, slots=True)
class Found:
    """What a scan found, and what it could not read.

    Attributes:
        sites: gates, sorted by path and line.
        files: how many source files were read.
        skipped: files that were not read, with the reason.
    """

    sites: tuple[Site, ...]
    files: int
    skipped: tuple[tuple[str, str], ...]
