"""An HTTP endpoint as the system under test: single requests, or batches as ``{"items": [...]}``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from denotary.errors import InputError
from denotary.systems.base import MAX_REPLY, CallFailure, Reply, SystemDescriptor
from denotary.systems.batches import items_of
from denotary.systems.wire import Wire, Wired, public_url

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.systems.base import Request


def http(
    url: str,
    *,
    batch_size: int = 1,
    headers: Mapping[str, str] | None = None,
    limit: int = MAX_REPLY,
    connect_timeout: float = 10.0,
) -> HttpSystem:
    """Return an HTTP endpoint as a system.

    Args:
        url: where to ``POST``; redirects are refused and proxy settings of the environment are not used, so
            that what is asked is what the run names.
        batch_size: largest number of requests in one ``POST``; 1 sends the single form.
        headers: sent with each request, for example an authorisation; never recorded.
        limit: longest reply to one request in bytes.
        connect_timeout: seconds until an endpoint that does not accept the connection counts as unreachable.

    Raises:
        InputError: the URL is not an absolute http or https one, or the batch size is below 1.
    """
    shown = public_url(url)
    if batch_size < 1:
        raise InputError(f"expected a batch size of at least 1, found {batch_size}")
    wire = Wire(headers, connect_timeout=connect_timeout)
    return HttpSystem(url, SystemDescriptor(kind="http", spec=shown), batch_size, wire, limit)


class HttpSystem(Wired):
    """An HTTP endpoint; built by :func:`http`."""

    def __init__(
        self, url: str, descriptor: SystemDescriptor, batch_size: int, wire: Wire, limit: int
    ) -> None:
        super().__init__(wire)
        self.descriptor = descriptor
        self.batch_size = batch_size
        self._url = url
        self._limit = limit

    async def ask(self, requests: Sequence[Request]) -> Sequence[Reply | CallFailure]:
        """Return one reply or failure per request, from one ``POST``.

        Raises:
            CallFailure: the whole ``POST`` failed.
        """
        if self.batch_size == 1:
            (request,) = requests
            return [Reply(await self._post(request.payload, self._limit))]
        body = await self._post(
            {"items": [request.payload for request in requests]}, self._limit * len(requests)
        )
        return items_of(body, [request.payload["record_id"] for request in requests], self._limit)

    async def _post(self, content: dict[str, Any], limit: int) -> bytes:
        body = msgspec.json.encode(content)
        return await self._wire.send("POST", self._url, body, "application/json", limit)
