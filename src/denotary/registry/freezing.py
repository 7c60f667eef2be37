"""Freezing a registry: from then on an edit is refused, and the snapshot has one name."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003
from typing import TYPE_CHECKING

from denotary.canonical import canonical_json
from denotary.errors import InputError
from denotary.files import locked, write_atomic
from denotary.registry.linting import lint
from denotary.registry.loading import parse, read_folder, registry_folder, verified_lock
from denotary.registry.locks import LOCK, RECORDS, build_lock, encode_digests, record_digests

if TYPE_CHECKING:
    from denotary.registry.records import RegistryLock

_SHOWN = 5


def freeze(path: Path | str) -> RegistryLock:
    """Write ``records.sha256`` and ``registry.lock`` into a registry's folder.

    A frozen folder that was not edited is frozen already: its lock is returned and nothing is written.

    Raises:
        InputError: a file is wrong, or lint finds an error.
        IntegrityError: the folder is frozen already, and a file was edited since.
        StorageError: the folder cannot be written to.
    """
    root = registry_folder(path)
    with locked(root):
        return _freeze(root)


def _freeze(root: Path) -> RegistryLock:
    files = read_folder(root)
    frozen = verified_lock(root, files)
    if frozen is not None:
        return frozen
    registry = parse(root, files, None)
    errors = [problem for problem in lint(registry) if problem.severity == "error"]
    if errors:
        shown = "".join(f"\n  {problem}" for problem in errors[:_SHOWN])
        raise InputError(
            f"the registry cannot be frozen; errors found: {len(errors)}:{shown}",
            path=root,
            hint="see all of them: denotary registry lint FOLDER",
        )
    digests = record_digests(registry)
    records = encode_digests(digests)
    lock = build_lock(registry, digests, files | {RECORDS: records})
    # The lock comes last: a freeze that is interrupted leaves a draft.
    write_atomic(root / RECORDS, records)
    write_atomic(root / LOCK, canonical_json(lock) + b"\n")
    return lock
