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
        line: line of the comparison, counted from 1; in a notebook, in its cell.
        score: source of the score, as it is written.
        operator: the comparison with the score on its left.
        cutoff: source of the cutoff, as it is written.
        value: the number behind the cutoff where it could be followed; None otherwise.
        origin: where that number stands, as in ``place``; empty where it stands in the comparison, or is not known.
        scale: ``similarity`` if more is more alike, ``distance`` if less is.
        language: of the source.
        tests: tests beside it, relative paths, that hold a pair of like texts of which one turns the meaning round.
        cell: number of the cell of a notebook, of all kinds of cells, from 1; 0 in other files.
        file_line: line of a notebook's file; 0 in other files, and where a line of code has no line of its own.
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
    cell: int = 0
    file_line: int = 0

    @property
    def place(self) -> str:
        """Where it stands: ``path:line``, in a notebook ``path:cell 3:line``."""
        return f"{self.path}:cell {self.cell}:{self.line}" if self.cell else f"{self.path}:{self.line}"

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
        others: how many files hold code in a language that is not read, by the end of their names.
        cells: cells of notebooks that were not read, as in ``Site.place``, with the reason.
        extra: how many files were not read because the extra ``scan`` is not installed, by the end of their names.
    """

    sites: tuple[Site, ...]
    files: int
    skipped: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, int], ...] = ()
    cells: tuple[tuple[str, str], ...] = ()
    extra: tuple[tuple[str, int], ...] = ()

    @property
    def lacking(self) -> int:
        """How many files were not read because the extra ``scan`` is not installed."""
        return sum(count for _, count in self.extra)
