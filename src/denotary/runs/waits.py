"""How long to wait before a call is tried again."""

from __future__ import annotations

import asyncio
from hashlib import sha256

FIRST_WAIT = 0.5
"""Seconds before the second attempt, on average; doubled for each further one."""
LONGEST_WAIT = 30.0
LONGEST_ASKED = 120.0
"""Longest wait that a server is granted, so that a hostile one cannot stop a run."""


def backoff(call_id: str, attempt: int) -> float:
    """Return the seconds to wait after an attempt (counted from 1): exponential, spread by half either way.

    The spread is a hash of call and attempt: calls that failed together are not sent together again.
    """
    spread = int.from_bytes(sha256(f"{attempt}:{call_id}".encode()).digest()[:4]) / 2**32
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (attempt - 1)) * (0.5 + spread)


class Gate:
    """Holds every sender back while a server has asked for a pause."""

    def __init__(self) -> None:
        self._opens = 0.0

    def close_for(self, seconds: float) -> None:
        """Keep the gate closed for that long from now, or for :data:`LONGEST_ASKED` if it is less."""
        self._opens = max(self._opens, asyncio.get_running_loop().time() + min(seconds, LONGEST_ASKED))

    async def passed(self) -> None:
        """Wait until the gate is open."""
        clock = asyncio.get_running_loop().time
        while (left := self._opens - clock()) > 0:  # noqa: ASYNC110 - it may be closed again meanwhile
            await asyncio.sleep(left)
