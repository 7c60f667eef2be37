"""Finding the records of a registry by their text: what an index offers, and the one that lives in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from denotary.errors import InputError
from denotary.registry.records import Ambiguity, Expression
from denotary.text import Rejection, coarse, normalise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.registry.model import Registry

TextRecord: TypeAlias = Expression | Ambiguity
"""A record that gives a text to concepts."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Which frozen registry an index was made from.

    Attributes:
        name: the registry's name.
        version: its version.
        hash: its SHA-256 in hexadecimal.
        profile: the identity profile.
        unicode: the Unicode version it was frozen under.
        languages: tags that at least one record has.
    """

    name: str
    version: str
    hash: str
    profile: str
    unicode: str
    languages: frozenset[str]

    @property
    def id(self) -> str:
        """``name version sha256:hash``."""
        return f"{self.name} {self.version} sha256:{self.hash}"


class Index(Protocol):
    """Read-only; safe to use from several threads."""

    snapshot: Snapshot

    def find(self, text: str) -> tuple[TextRecord, ...]:
        """Return the records of a text in NFC, in all languages, sorted by language and id."""

    def lookalikes(self, key: str, limit: int) -> tuple[str, ...]:
        """Return at most ``limit`` texts with this coarse key, sorted."""

    def is_code(self, text: str) -> bool:
        """Whether a text is the code of a concept."""

    def close(self) -> None:
        """Release what the index holds."""


def snapshot_of(registry: Registry) -> Snapshot:
    """Return the snapshot of a frozen registry.

    Raises:
        InputError: the registry is a draft.
    """
    lock = registry.lock
    if lock is None:
        raise InputError(
            f"registry {registry.name} {registry.version} is a draft; only a frozen one may answer",
            path=registry.root,
            hint="freeze it: denotary registry freeze FOLDER",
        )
    tags = frozenset(record.language for record in text_records(registry))
    return Snapshot(lock.name, lock.version, lock.hash, lock.profile, lock.unicode, tags)


def text_records(registry: Registry) -> Iterator[TextRecord]:
    """Yield every record with a text to look at: expressions that no review rejected, and declared ambiguities."""
    yield from registry.standing
    yield from registry.ambiguities


def records_by_text(registry: Registry) -> dict[str, tuple[TextRecord, ...]]:
    """Return the records of :func:`text_records` by text in NFC, each group sorted by language and id."""
    found: dict[str, tuple[TextRecord, ...]] = {}
    for record in text_records(registry):
        normal = normalise(record.text)
        if isinstance(normal, Rejection):
            raise InputError(f"the profile refuses the text: {normal}", path=registry.root, record=record.id)
        others = found.get(normal.text, ())
        found[normal.text] = tuple(sorted((*others, record), key=lambda item: (item.language, item.id)))
    return found


class MemoryIndex:
    """An index in memory: a dictionary by text, and one by coarse key for the texts that differ from it."""

    def __init__(self, registry: Registry) -> None:
        """Build the index.

        Raises:
            InputError: the registry is a draft.
        """
        self.snapshot = snapshot_of(registry)
        # A group of one stands as itself: that saves memory, and a hit one look at cold memory.
        self._records = {
            text: group[0] if len(group) == 1 else group for text, group in records_by_text(registry).items()
        }
        self._codes = frozenset(registry.concepts)
        self._folded: dict[str, list[str]] = {}
        for text in self._records:
            key = coarse(text)
            if key != text:
                self._folded.setdefault(key, []).append(text)

    def find(self, text: str) -> tuple[TextRecord, ...]:
        """Return the records of a text in NFC, in all languages, sorted by language and id."""
        found = self._records.get(text, ())
        return found if isinstance(found, tuple) else (found,)

    def lookalikes(self, key: str, limit: int) -> tuple[str, ...]:
        """Return at most ``limit`` texts with this coarse key, sorted."""
        same = [key] if key in self._records else []
        return tuple(sorted([*same, *self._folded.get(key, ())])[:limit])

    def is_code(self, text: str) -> bool:
        """Whether a text is the code of a concept."""
        return text in self._codes

    def close(self) -> None:
        """Release nothing: the index is memory."""
