"""A Python callable as the system under test: it gets the payload as a dict and returns the answer.

The answer is a mapping or other JSON-like value, or JSON text. Whatever the callable does instead (raise,
leave, return something that is no JSON) is an outcome of the case.
"""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING, Any

import msgspec

from denotary.errors import InputError
from denotary.importing import import_callable
from denotary.systems.base import MAX_REPLY, CallFailure, Reply, SystemDescriptor, raised

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.systems.base import BlockingSystem, Request, System


def python(
    target: str | Callable[[dict[str, Any]], Any], *, limit: int = MAX_REPLY
) -> System | BlockingSystem:
    """Return a callable as a system.

    A plain function is called from several threads at once, as many as the run's concurrency; a coroutine
    function runs in an event loop of its own, so that one that blocks cannot stop the run.

    Args:
        target: the callable, or ``module:name`` (the current folder is on the import path).
        limit: longest reply in bytes.

    Raises:
        InputError: the module cannot be imported, or holds no such callable.
    """
    function = import_callable(target) if isinstance(target, str) else target
    if not callable(function):
        raise InputError(f"expected a callable as the system, found {type(function).__name__}")
    descriptor = SystemDescriptor(
        kind="python", spec=f"python:{target if isinstance(target, str) else name_of(target)}"
    )
    # A callable object is as asynchronous as its __call__.
    body = function if inspect.isroutine(function) else getattr(function, "func", type(function).__call__)
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(body):
        from denotary.systems.coroutines import CoroutineSystem

        return CoroutineSystem(function, descriptor, limit=limit)
    return FunctionSystem(function, descriptor, limit=limit)


class FunctionSystem:
    """A plain function as a system.

    Args:
        function: gets the payload, returns the answer.
        descriptor: what the run's identity says of it.
        limit: longest reply in bytes.
    """

    def __init__(
        self,
        function: Callable[[dict[str, Any]], Any],
        descriptor: SystemDescriptor,
        *,
        limit: int = MAX_REPLY,
    ) -> None:
        self.descriptor = descriptor
        self._function = function
        self._limit = limit

    def call(self, request: Request) -> Reply:
        """Return what the function answers, as JSON text.

        Raises:
            CallFailure: it raised, or returned something that is no JSON.
        """
        try:
            result = self._function(request.payload)
        except BaseException as error:  # noqa: BLE001 - whatever a black box raises is an outcome of its case
            raise raised(error) from None
        return reply_of(result, self._limit)


def reply_of(result: Any, limit: int) -> Reply:
    """Return a callable's result as a reply.

    Args:
        result: JSON text as ``str`` or ``bytes``, or anything that JSON can express.
        limit: longest reply in bytes.

    Raises:
        CallFailure: the result is no JSON, or too large.
    """
    try:
        raw = _encode(result)
    except Exception:  # noqa: BLE001 - a result may hold objects whose own code fails
        raise CallFailure("not_json", outcome="invalid_output") from None
    if len(raw) > limit:
        raise CallFailure("too_large", outcome="invalid_output")
    return Reply(raw)


def _encode(result: Any) -> bytes:
    if isinstance(result, (bytes, bytearray)):
        return bytes(result)
    if isinstance(result, str):
        return result.encode("utf-8", "surrogatepass")
    try:
        raw = msgspec.json.encode(result)
    except (TypeError, ValueError, UnicodeEncodeError):
        return _encode_slowly(result)
    # msgspec writes NaN and infinity as null, so that a wrong number would look like a missing one.
    return _encode_slowly(result) if b"null" in raw else raw


def _encode_slowly(result: Any) -> bytes:
    return json.dumps(result, default=_plain).encode()


def _plain(value: Any) -> Any:
    """Return a numeric scalar of an array library as a Python number, and a record as what it holds."""
    return value.item() if hasattr(value, "item") else msgspec.to_builtins(value)


def name_of(function: Any) -> str:
    """Return ``module:qualified name`` of a callable, or of its type where it has no name of its own."""
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{named.__module__}:{named.__qualname__}"
