"""The records of a run's folder."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from denotary.registry.records import Record

Status = Literal["answered", "invalid_output", "error", "timeout", "not_run"]


class Call(Record):
    """One line of ``plan.jsonl``. ``call_id`` is ``record_id#repeat``; the id the system sees is an opaque one made from it."""

    call_id: str
    case_id: str
    repeat: int
    payload: dict[str, Any]
    turn: int = 0
    depends_on: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Call {self.call_id}>"


class Answer(Record):
    """One line of ``answers.jsonl`` (in order of arrival) and of ``sealed.jsonl`` (in order of the plan). It holds no times."""

    call_id: str
    case_id: str
    repeat: int
    status: Status
    problem: str | None = None
    """Short code of what went wrong, for every status but ``answered``."""
    body: dict[str, Any] | None = None
    """The decoded answer, in the canonical form of the instrument."""


class RawCall(Record):
    """One line of ``calls.jsonl``: what was sent and what came back, with times. Never part of a result's bytes."""

    event: Literal["asked", "answered"]
    call_ids: tuple[str, ...]
    raw: tuple[str | None, ...] = ()
    """Reply texts in the order of ``call_ids``; bytes that are not UTF-8 are kept as ``base64:…``."""
    seconds: float | None = None
    attempts: int = 1
    reasked: bool = False
    problems: tuple[str | None, ...] = ()


class Identity(Record):
    """What the system's owner declares, one field per component whose change demands recertification.

    An empty field is undeclared: it is printed as such and counts as changed.
    """

    system: str = ""
    system_version: str = ""
    semantic_model: str = ""
    embedding_model: str = ""
    reranker: str = ""
    prompt: str = ""
    confidence_transformation: str = ""
    acceptance_threshold: str = ""
    tokenizer: str = ""
    normalisation: str = ""
    language_detection: str = ""
    index: str = ""
    index_parameters: str = ""
    candidate_generator: str = ""
    preprocessing: str = ""
    truncation: str = ""
    calibration: str = ""
    languages: tuple[str, ...] = ()
    """Advertised languages: each must pass every language gate by itself."""
    test_date: str = ""
    """ISO date, given by the user; denotary never reads the clock for a result."""
    expresses: tuple[str, ...] = ()
    """Kinds of refusal the system can express, such as ``AMBIGUOUS`` or ``UNKNOWN_REGISTRY``; empty means it only abstains."""


class SuitePin(Record):
    """A suite or registry that a run was made with: where (relative to the run's folder) and which."""

    path: str
    name: str
    version: str
    hash: str


class RunHeader(Record):
    """``run.toml``."""

    schema: Literal["denotary.run/1"]
    instrument: str
    suite: SuitePin
    registry: SuitePin
    system: dict[str, Any]
    """The ``SystemDescriptor``."""
    identity: Identity
    plan: str
    """SHA-256 of ``plan.jsonl``."""
    repeats: int = 1
    repeat_core: int = 0
    """How many cases are asked ``repeats`` times."""
    timeout: float = 30.0
    attempts: int = 3
    tool: str = ""
    """Name and version of denotary that made the run."""
