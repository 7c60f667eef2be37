"""A registry in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from denotary.registry.records import (
        Ambiguity,
        Concept,
        Expression,
        Migration,
        RegistryHeader,
        RegistryLock,
    )


@dataclass(frozen=True, slots=True, repr=False)
class Registry:
    """What a registry's folder holds; every code that a record names is in ``concepts``.

    Attributes:
        header: ``registry.toml``.
        concepts: concepts by code, in the order of the file.
        expressions: in the order of the file.
        ambiguities: in the order of the file.
        migrations: in the order of the file.
        lock: what ``registry.lock`` says, or None for a draft.
        root: the folder; no part of any result.
    """

    header: RegistryHeader
    concepts: Mapping[str, Concept]
    expressions: tuple[Expression, ...]
    ambiguities: tuple[Ambiguity, ...]
    migrations: tuple[Migration, ...]
    lock: RegistryLock | None
    root: Path = field(compare=False)

    def __repr__(self) -> str:
        state = "frozen" if self.is_frozen else "draft"
        return f"<Registry {self.name} {self.version}, {state}, {len(self.expressions)} expressions>"

    @property
    def name(self) -> str:
        """The registry's name."""
        return self.header.name

    @property
    def version(self) -> str:
        """The registry's version."""
        return self.header.version

    @property
    def is_frozen(self) -> bool:
        """Whether the snapshot is frozen, so that it has a hash."""
        return self.lock is not None

    @property
    def hash(self) -> str:
        """SHA-256 of the snapshot in hexadecimal.

        Raises:
            InputError: the registry is a draft.
        """
        return self._frozen().hash

    @property
    def snapshot_id(self) -> str:
        """The snapshot's name in every answer and report: ``name version sha256:hash``.

        Raises:
            InputError: the registry is a draft.
        """
        return self._frozen().snapshot_id

    @property
    def authorised(self) -> tuple[Expression, ...]:
        """The expressions that may resolve: all but those that a review rejected or nobody reviewed."""
        return tuple(item for item in self.standing if item.review.status != "unreviewed")

    @property
    def standing(self) -> tuple[Expression, ...]:
        """The expressions that no review rejected: those that resolve, and those that wait for a review."""
        return tuple(item for item in self.expressions if item.review.status != "rejected")

    def _frozen(self) -> RegistryLock:
        if self.lock is None:
            raise InputError(
                f"registry {self.name} {self.version} is a draft and has no hash",
                path=self.root,
                hint="freeze it: denotary registry freeze FOLDER",
            )
        return self.lock
