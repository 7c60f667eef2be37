"""The one loop that all adapted services share: what cannot be sent is refused, what came is read by the protocol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from denotary.systems.adapters.reading import parsed
from denotary.systems.adapters.rules import refusals, unsendable
from denotary.systems.base import MAX_REPLY, CallFailure, Reply, TransientFailure
from denotary.systems.wire import Wire, Wired

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from denotary.systems.adapters.rules import DecisionRule
    from denotary.systems.base import Request, SystemDescriptor

    Send = Callable[["Exchange"], Awaitable[Any]]

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request of HTTP.

    Attributes:
        method: of HTTP.
        url: absolute, query string included.
        body: None for a request without one.
        kind: media type of the body.
    """

    method: str
    url: str
    body: bytes | None = None
    kind: str = JSON

    @classmethod
    def json(cls, url: str, content: Any) -> Exchange:
        """Return a ``POST`` of a JSON body."""
        return cls("POST", url, msgspec.json.encode(content))


class Dialogue(Protocol):
    """How a protocol asks and reads."""

    @property
    def batch_size(self) -> int:
        """Most requests in one exchange."""

    async def ask(
        self, send: Send, requests: Sequence[dict[str, Any]]
    ) -> Sequence[dict[str, Any] | CallFailure]:
        """Return one answer of the contract, or a failure, per request, in their order.

        Raises:
            CallFailure: the whole exchange failed.
        """


class AdaptedSystem(Wired):
    """A service that speaks a protocol of its own.

    Args:
        dialogue: the protocol.
        descriptor: what the run's identity says of it, decision rule included.
        headers: sent with each request, for example an authorisation; never recorded.
        limit: longest reply to one request in bytes.
    """

    def __init__(
        self,
        dialogue: Dialogue,
        descriptor: DecisionRule,
        *,
        headers: Mapping[str, str] | None = None,
        limit: int = MAX_REPLY,
    ) -> None:
        super().__init__(Wire({"Accept": JSON, **(headers or {})}))
        self.descriptor: SystemDescriptor = descriptor
        self.components: Mapping[str, str | tuple[str, ...]] = {
            "expresses": refusals(descriptor.dispositions)
        }
        self.batch_size = dialogue.batch_size
        self._dialogue = dialogue
        self._limit = limit

    async def ask(self, requests: Sequence[Request]) -> Sequence[Reply | CallFailure]:
        """Return one reply or failure per request.

        Raises:
            CallFailure: the whole exchange failed.
        """
        found: dict[int, dict[str, Any] | CallFailure] = {}
        sent: list[int] = []
        for place, request in enumerate(requests):
            refused = unsendable(request.payload, self.descriptor)
            if refused is None:
                sent.append(place)
            else:
                found[place] = refused
        if sent:

            async def send(exchange: Exchange) -> Any:
                size = self._limit * len(sent)
                body = await self._wire.send(
                    exchange.method, exchange.url, exchange.body, exchange.kind, size
                )
                return parsed(body)

            given = await self._apart(send, [requests[place].payload for place in sent])
            found.update(zip(sent, given, strict=True))
        return [_reply(found[place]) for place in range(len(requests))]

    async def _apart(
        self, send: Send, payloads: Sequence[dict[str, Any]]
    ) -> Sequence[dict[str, Any] | CallFailure]:
        """Ask a batch; one that is refused as a whole is asked again one by one, to find what was refused."""
        try:
            return await self._dialogue.ask(send, payloads)
        except TransientFailure:
            raise
        except CallFailure:
            if len(payloads) == 1:
                raise
        given: list[dict[str, Any] | CallFailure] = []
        for payload in payloads:
            try:
                given += await self._dialogue.ask(send, [payload])
            except TransientFailure:
                raise
            except CallFailure as failure:
                given.append(failure)
        return given


def _reply(given: dict[str, Any] | CallFailure) -> Reply | CallFailure:
    return given if isinstance(given, CallFailure) else Reply(msgspec.json.encode(given))


def each(read: Callable[[], dict[str, Any]]) -> dict[str, Any] | CallFailure:
    """Return what one item of a batch says, or why it says nothing: a broken item costs the others nothing."""
    try:
        return read()
    except CallFailure as failure:
        return failure
