"""The records of a run's folder."""

from __future__ import annotations

from typing import Any, Literal

from denotary.errors import InputError
from denotary.records import Record
from denotary.text.languages import canonical_tag

Status = Literal["answered", "invalid_output", "error", "timeout", "not_run"]


class Call(Record, frozen=True, kw_only=True):
    """One line of ``plan.jsonl``.

    ``call_id`` is ``record_id#repeat``; the id that the system sees is an opaque one made from it.
    """

    call_id: str
    case_id: str
    repeat: int
    payload: dict[str, Any]
    """What the system is sent beside its id, and, of a later turn, beside the history."""
    turn: int = 0
    """Place in its dialogue, counted from 0."""
    depends_on: tuple[str, ...] = ()
    """Calls of earlier turns and the same repeat: this one is sent once their answers are on the disk."""

    def __repr__(self) -> str:
        return f"<Call {self.call_id}>"


class Answer(Record, frozen=True, kw_only=True):
    """One line of ``answers.jsonl`` (in order of arrival) and ``sealed.jsonl`` (in order of the plan).

    It holds no times.
    """

    call_id: str
    case_id: str
    repeat: int
    status: Status
    problem: str | None = None
    """Short code of what went wrong, for every status but ``answered``."""
    body: dict[str, Any] | None = None
    """The decoded answer, in the canonical form of the instrument."""


class RawCall(Record, frozen=True, kw_only=True):
    """One line of ``calls.jsonl``: what was sent or came back, with times; never part of a result."""

    event: Literal["asked", "answered", "not_asked"]
    """``not_asked``: an earlier turn has no answer, so these calls are never sent."""
    call_ids: tuple[str, ...]
    sent: tuple[str | None, ...] = ()
    """Of calls that are asked, in the order of ``call_ids``: SHA-256 of the canonical JSON of a payload with a history,
    None for one that stands in the plan; empty if all do."""
    raw: tuple[str | None, ...] = ()
    """Replies in the order of ``call_ids``, None for a failed call.

    Bytes that are not UTF-8, or that begin with ``base64:`` themselves, are kept as ``base64:…``.
    """
    seconds: float | None = None
    attempts: int = 1
    reasked: bool = False
    problems: tuple[str | None, ...] = ()
    """Why a call has no reply, as ``status:problem``, in the order of ``call_ids``; empty if all have one."""


class Identity(Record, frozen=True, kw_only=True):
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
    """Least confidence at which the system asserts a code, as a number."""
    tokenizer: str = ""
    normalisation: str = ""
    language_detection: str = ""
    index: str = ""
    index_parameters: str = ""
    candidate_generator: str = ""
    preprocessing: str = ""
    truncation: str = ""
    calibration: str = ""
    """How the threshold was chosen, with the SHA-256 of what it was chosen on."""
    threshold_fixed_on: str = ""
    """ISO date on which the threshold was fixed: before ``test_date``, or it may have been chosen on the cases."""
    languages: tuple[str, ...] = ()
    """Advertised languages: each must pass every language gate by itself."""
    test_date: str = ""
    """ISO date on which the cases were opened to the system, given by the user; denotary never reads the clock for a
    result."""
    fitted_on: tuple[str, ...] = ()
    """Halves of the suite's corpus that anything of the system was fitted or chosen on, a cutoff included; ``none`` if
    on none. What it does there is no evidence."""
    expresses: tuple[str, ...] = ()
    """Kinds of refusal the system can express, such as ``AMBIGUOUS``; ``none`` if it only abstains. An adapted system
    states it itself, from its disposition map. Another kind is not held against it: see ``not_expressible``."""

    def __post_init__(self) -> None:
        """Refuse a language that no case can be in: nothing could ever be shown of it.

        Raises:
            InputError: a language tag is not well-formed.
        """
        for tag in self.languages:
            try:
                canonical_tag(tag)
            except InputError as error:
                raise InputError(
                    f"identity: languages: {error.message}: {tag!r:.40}", hint=error.hint
                ) from None


class SuitePin(Record, frozen=True, kw_only=True):
    """A suite or registry that a run was made with: where (relative to the run's folder) and which."""

    path: str
    name: str
    version: str
    hash: str


class RunHeader(Record, frozen=True, kw_only=True, omit_defaults=False):
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
    seed: int = 0
    """Chooses the repeated cases and the order of the repeats."""
    timeout: float = 30.0
    attempts: int = 3
    tool: str = ""
    """Name and version of denotary that made the run."""
