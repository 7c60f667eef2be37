"""The files of the conformance suite: its manifest, and one vector a line."""

from __future__ import annotations

from typing import Any, Literal

from denotary.records import Record


class ConformanceManifest(Record, frozen=True):
    """``conformance.toml``: which suite this is."""

    schema: Literal["denotary.conformance/1"]
    name: str
    version: str
    """Changes with every vector that is added, removed or corrected."""
    title: str = ""


class Vector(Record, frozen=True):
    """One line of ``vectors.jsonl``: a request, and what its answer must hold."""

    id: str
    """``section.name``; never used again for something else."""
    section: str
    request: dict[str, Any]
    """Keys of the contract; values may be templates."""
    expected: dict[str, Any] | Literal["error"]
    """What the answer must hold, with templates; ``error``: a failed call, and no answer."""
    source: str
    """The rule, standard or report that the expectation follows from."""
    times: int = 1
    """How often the request is asked; all answers must be the same bytes."""
