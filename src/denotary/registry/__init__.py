"""Registries: concepts, the texts that express them, frozen snapshots and their hashes.

:func:`load_registry` reads a folder into a :class:`Registry`; :func:`lint` finds what makes its answers
wrong; :func:`freeze` gives a snapshot its hash (:func:`read_lock`); :func:`summary` counts what is in it;
:func:`compile_registry` writes one SQLite file, which :func:`open_compiled` opens in milliseconds.
:class:`MemoryIndex` and :class:`CompiledIndex` find records by text. :func:`diff` lists what differs between
two snapshots; :func:`migration_map` says what became of every concept of the earlier one, :func:`check_migration`
what is wrong with such a map, which :func:`load_migrations` reads where it stands apart. The records themselves
are in ``records``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.registry.compiled import CompiledIndex, open_compiled
    from denotary.registry.compiling import compile_registry
    from denotary.registry.diffing import diff
    from denotary.registry.freezing import freeze
    from denotary.registry.index import Index, MemoryIndex
    from denotary.registry.linting import lint
    from denotary.registry.loading import load_registry
    from denotary.registry.locks import definition_hash, read_lock
    from denotary.registry.migration import MigrationMap, check_migration, load_migrations, migration_map
    from denotary.registry.model import Registry
    from denotary.registry.summaries import summary

_HOMES = {
    "CompiledIndex": "compiled",
    "Index": "index",
    "MemoryIndex": "index",
    "MigrationMap": "migration",
    "Registry": "model",
    "check_migration": "migration",
    "compile_registry": "compiling",
    "definition_hash": "locks",
    "diff": "diffing",
    "freeze": "freezing",
    "lint": "linting",
    "load_migrations": "migration",
    "load_registry": "loading",
    "migration_map": "migration",
    "open_compiled": "compiled",
    "read_lock": "locks",
    "summary": "summaries",
}

__all__ = [
    "CompiledIndex",
    "Index",
    "MemoryIndex",
    "MigrationMap",
    "Registry",
    "check_migration",
    "compile_registry",
    "definition_hash",
    "diff",
    "freeze",
    "lint",
    "load_migrations",
    "load_registry",
    "migration_map",
    "open_compiled",
    "read_lock",
    "summary",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that importing the room costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
