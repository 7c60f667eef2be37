"""What every black box looks like to a run: requests in, raw replies out, failures as three exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import msgspec

from denotary.records import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MAX_REPLY = 1_000_000
"""Longest reply to one request in bytes; a longer one is ``invalid_output`` with problem ``too_large``."""

LONGEST_NAME = 60
"""Longest name of an exception that is kept as part of a problem's code."""


class Request(msgspec.Struct, frozen=True):
    """One call. ``payload`` holds everything that the system sees, ``record_id`` (opaque) included."""

    call_id: str
    """The evaluator's own id of the call; only a replayed file of answers sees it."""
    payload: dict[str, Any]

    def __repr__(self) -> str:
        return f"<Request {self.call_id}>"


class Reply(msgspec.Struct, frozen=True):
    """What came back for one request, before it is decoded."""

    raw: bytes
    """The reply as JSON text: a callable's object encoded, the own item of a batch's body."""

    def __repr__(self) -> str:
        return f"<Reply {len(self.raw)} bytes>"


class CallFailure(Exception):  # noqa: N818 - a failed call is an outcome of a case, not an error of denotary
    """A call failed for good. ``problem`` is a short code such as ``http_500`` or ``connection_lost``."""

    def __init__(self, problem: str, *, outcome: str = "error") -> None:
        super().__init__(problem)
        self.problem = problem
        self.outcome = outcome
        """``error``, ``timeout``, or ``invalid_output`` for a reply that is no answer, such as half a body."""


class TransientFailure(CallFailure):
    """A call failed and may be tried again, no sooner than after ``retry_after`` seconds."""

    def __init__(self, problem: str, *, retry_after: float | None = None) -> None:
        super().__init__(problem)
        self.retry_after = retry_after


class ConnectFailure(TransientFailure):
    """Nothing answered at all. If it holds before any case was answered, the run ends with exit code 69."""


def raised(error: BaseException) -> CallFailure:
    """Return the failure for what a black box raised, without its message, which may quote the case."""
    name = type(error).__name__
    return CallFailure(f"raised_{name}" if name.isidentifier() and len(name) <= LONGEST_NAME else "raised")


@runtime_checkable
class Preparing(Protocol):
    """A blocking system that may work ahead for many requests at once. What it answers must not depend on it."""

    def prepare(self, requests: Sequence[Request], note: Callable[[str], None]) -> None:
        """Work ahead for requests that will come one by one. What it raises is passed over: each call shows it.

        Args:
            requests: of the whole plan in its order, also where a run goes on and some will not come.
            note: is told how far it is, in lines for people.
        """


class SystemDescriptor(Record, frozen=True, kw_only=True, omit_defaults=False):
    """What the evaluator knows of a system without asking it; part of the run's identity."""

    kind: str
    """``python``, ``http``, ``command``, ``replay``, ``exact``, ``semantic`` or ``encoder``."""
    spec: str
    """The specification as given, without secrets: no query string, no user info."""
    decision_rule: str = "denotary-contract/1"
    """How a decision is read off the reply, for systems that do not speak the contract themselves."""
    expresses: tuple[str, ...] = ("concept", "abstain", "clarify", "reject")


class System(Protocol):
    """A black box that answers asynchronously. One object serves one run; it may be asked concurrently."""

    descriptor: SystemDescriptor
    batch_size: int
    """Largest number of requests in one ``ask``; 1 for systems without a batch form."""

    async def open(self) -> None:
        """Start whatever the system needs (a process, a connection pool)."""

    async def ask(self, requests: Sequence[Request]) -> Sequence[Reply | CallFailure]:
        """Return one reply or failure per request, in their order. The caller bounds the time.

        Raises:
            CallFailure: the whole call failed.
        """

    async def close(self) -> None:
        """Release it all; must not raise."""


@runtime_checkable
class BlockingSystem(Protocol):
    """A black box that is a plain function, called from worker threads; one that hangs is left behind.

    It is called once a call, whatever it raises: what runs in this process has no connection that could be lost.
    """

    descriptor: SystemDescriptor

    def call(self, request: Request) -> Reply:
        """Return the reply to one request. Several threads may call at once; the caller bounds the time.

        Raises:
            CallFailure: there is no reply, or what came is no reply.
        """


@runtime_checkable
class Declaring(Protocol):
    """A system that knows its own parts, as lanes of the reference resolver do, or what its protocol can say."""

    descriptor: SystemDescriptor

    @property
    def components(self) -> Mapping[str, str | tuple[str, ...]]:
        """What each part is, with digests, and which refusals can be expressed, by field of a run's identity."""
