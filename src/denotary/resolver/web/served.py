"""What one process serves: an open lane, what it knows of its concepts, earlier snapshots, and the limits."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denotary.registry.index import Snapshot
    from denotary.registry.model import Registry
    from denotary.registry.records import Concept, Expression
    from denotary.resolver.exact import ExactLane


@dataclass(frozen=True, slots=True)
class Limits:
    """What a caller may not exceed.

    Attributes:
        body: longest request body in bytes; longer ones get 413.
        batch: most items of one request; more get 413.
        rate: requests a second that one client address may make on average, with bursts of twice as many; more get
            429 with ``Retry-After``. 0 for no limit.
        connections: open connections and requests in work; more get 503.
        read: seconds in which a request's headers must have come, and then its body; a body that has not gets 408, and
            the connection is closed.
        grace: seconds that requests in work have after the process was told to stop.
    """

    body: int = 1 << 20
    batch: int = 1000
    rate: float = 0.0
    connections: int = 1000
    read: float = 30.0
    grace: float = 10.0

    def __post_init__(self) -> None:
        for name in ("body", "batch", "connections"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}; expected at least 1")
        # A comparison that NaN cannot pass.
        if not (0 <= self.rate < float("inf") and 0 <= self.grace < float("inf")):
            raise InputError("rate and grace are numbers of at least 0")
        if not 0 < self.read < float("inf"):
            raise InputError(f"read is {self.read}; expected seconds above 0")


@dataclass(frozen=True)
class Served:
    """The state of one service.

    Attributes:
        lane: the exact lane, open.
        registry: the registry behind it, where definitions and expressions can be looked up; None for a compiled file,
            which has neither.
        earlier: snapshots that the loaded one can be compared with, by version.
        limits: what a caller may not exceed.
        counts: answers by disposition and responses by route and status, for the metrics.
    """

    lane: ExactLane
    registry: Registry | None = None
    earlier: Mapping[str, Registry] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    counts: Counter[tuple[str, ...]] = field(default_factory=Counter)

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot that answers."""
        return self.lane.snapshot

    def concept(self, code: str) -> Concept | None:
        """Return a concept, or None if there is no such code or nothing to look it up in."""
        return self.registry.concepts.get(code) if self.registry else None

    @cached_property
    def expressions(self) -> dict[str, Expression]:
        """The expressions that may resolve, by id."""
        return {item.id: item for item in self.registry.authorised} if self.registry else {}

    @cached_property
    def _names(self) -> dict[str, str]:
        """For each concept the text that stands for it: the first that means it alone, English before others."""
        best: dict[str, tuple[bool, str, str]] = {}
        for item in self.expressions.values():
            if len(item.codes) == 1:
                key = (item.language != "en", item.id, item.text)
                best[item.codes[0]] = min(best.get(item.codes[0], key), key)
        return {code: text for code, (_, _, text) in best.items()}

    def name(self, code: str) -> str:
        """Return the text that stands for a concept, its code where there is none."""
        return self._names.get(code, code)

    @cached_property
    def _by_start(self) -> list[tuple[str, str]]:
        texts = {(item.text.casefold(), code) for item in self.expressions.values() for code in item.codes}
        return sorted(
            texts | {(code.casefold(), code) for code in (self.registry.concepts if self.registry else ())}
        )

    def suggest(self, prefix: str, limit: int) -> list[str]:
        """Return at most ``limit`` codes whose code or expression begins so, whatever the case; for search boxes."""
        start = prefix.casefold()
        found: dict[str, None] = {}
        for text, code in self._by_start[bisect_left(self._by_start, (start, "")) :]:
            if not text.startswith(start) or len(found) >= limit:
                break
            found[code] = None
        return list(found)
