"""Probes, what came back, and what it shows. No text of a registry stands in what came back: expressions go by id."""

from __future__ import annotations

from typing import Any

import msgspec

from denotary.records import Record


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """One question. Its repr shows its id alone."""

    id: str
    family: str
    operator: str
    """What was done to the text."""
    payload: dict[str, Any]
    """What the system sees, but for the record id."""
    base: str = ""
    """Id of the probe that this one is held against."""
    expression: str = ""
    """Id of the expression that the text was made from."""
    alone: bool = True
    """Whether it is asked by itself; otherwise with its whole family in one batch."""

    def __repr__(self) -> str:
        return f"<Probe {self.id}>"


class Shown(Record, frozen=True, kw_only=True):
    """One line of ``probes.jsonl``: what one probe came to."""

    id: str
    family: str
    operator: str
    base: str = ""
    expression: str = ""
    status: str
    """``answered``, or why there is no answer."""
    type: str = ""
    code: str | None = None
    reason: str | None = None
    confidence: float | None = None
    registry_version: str | None = None

    @property
    def decision(self) -> tuple[Any, ...]:
        """What two answers must share to be the same."""
        return self.status, self.type, self.code, self.reason, self.confidence

    @property
    def assigned(self) -> bool:
        """Whether a code was asserted."""
        return self.type == "concept"
