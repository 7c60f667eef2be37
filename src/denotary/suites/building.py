"""Candidates: cases that were generated, and wait beside the suite until a person accepts them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from denotary.files import encode_jsonl, read_records, write_atomic
from denotary.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

CANDIDATES = "candidates.jsonl"
"""File of a suite's folder; no part of what freezing fixes."""


class CaseCandidate(Record, frozen=True):
    """One line of ``candidates.jsonl``. Its repr shows no text."""

    candidate: str
    """Its id, which becomes the case's record id."""
    status: Literal["candidate", "accepted", "rejected"]
    recipe: str
    """Name and digest of the recipe that made it: ``name sha256:digest``."""
    mechanism: str
    """Which step of the recipe made it: ``perturb``, ``contrast``, ``ambiguity``, ``unknown`` …"""
    case: dict[str, Any]
    """The case as it would stand in ``cases.jsonl``, but for what it needs."""
    needs: tuple[str, ...] = ()
    """Parts of the case that nobody can derive, such as ``gold``: who accepts must give them."""
    proposed: dict[str, Any] = msgspec.field(default_factory=dict)
    """What could be said of those parts, for the person who decides."""
    who: str | None = None
    """Role or pseudonym of who accepted or rejected it."""
    why: str | None = None

    def __repr__(self) -> str:
        return f"<CaseCandidate {self.candidate} {self.status}>"

    __str__ = __repr__


def read_candidates(root: Path) -> tuple[CaseCandidate, ...]:
    """Return the candidates of a suite's folder in the order of the file; none if there is no file.

    Raises:
        InputError: a line is no candidate.
    """
    path = root / CANDIDATES
    return read_records(path, CaseCandidate) if path.exists() else ()


def write_candidates(root: Path, candidates: Iterable[CaseCandidate]) -> None:
    """Write the candidates of a suite's folder."""
    write_atomic(root / CANDIDATES, encode_jsonl(candidates))


def merged(old: Iterable[CaseCandidate], new: Iterable[CaseCandidate], recipe: str) -> list[CaseCandidate]:
    """Return the candidates after a recipe was built: what was decided stays decided.

    Candidates that wait from an earlier build of the recipe of this name, and that it makes no more, go.

    Args:
        old: those of the file, in its order.
        new: those that the recipe makes.
        recipe: the recipe's name.
    """
    made = {item.candidate: item for item in new}
    kept: dict[str, CaseCandidate] = {}
    for item in old:
        decided = item.status != "candidate"
        if decided or not item.recipe.startswith(f"{recipe} "):
            kept[item.candidate] = item
        elif item.candidate in made:
            kept[item.candidate] = made[item.candidate]
    return [*kept.values(), *(item for name, item in made.items() if name not in kept)]
