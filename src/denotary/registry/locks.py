"""The lock of a frozen registry: how it is computed, read, and compared with the folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from denotary.canonical import digest, digest_of_records, sha256
from denotary.errors import IntegrityError
from denotary.files import read_bytes
from denotary.registry.records import RegistryLock
from denotary.text import PROFILE, UNICODE_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from denotary.registry.model import Registry
    from denotary.registry.records import Concept

    Edited = Callable[[str], str | None]

HEADER: Final = "registry.toml"
CONCEPTS: Final = "concepts.jsonl"
EXPRESSIONS: Final = "expressions.jsonl"
AMBIGUITIES: Final = "ambiguities.jsonl"
MIGRATIONS: Final = "migrations.jsonl"
LOCK: Final = "registry.lock"
RECORDS: Final = "records.sha256"
"""One line a record: its digest, two spaces, file and id. Sorted, so that the order of lines does not
matter."""

FILES: Final = (HEADER, CONCEPTS, EXPRESSIONS, AMBIGUITIES, MIGRATIONS)
"""The files that a registry is made of; the last two may be absent."""


def definition_hash(concept: Concept) -> str:
    """Return the digest of what a concept means: its code and its definitions."""
    return digest([concept.code, concept.definitions])


def lock_hash(lock: RegistryLock) -> str:
    """Return the digest of a lock without its own ``hash``."""
    return digest(msgspec.structs.replace(lock, hash=""))


def record_digests(registry: Registry) -> dict[str, str]:
    """Return the digest of each record by ``file:id``; a migration's id is ``version:code``."""
    return {name: digest(record) for name, record in records_of(registry)}


def records_of(registry: Registry) -> Iterator[tuple[str, msgspec.Struct]]:
    """Yield every record with its name ``file:id``."""
    for concept in registry.concepts.values():
        yield f"{CONCEPTS}:{concept.code}", concept
    for expression in registry.expressions:
        yield f"{EXPRESSIONS}:{expression.id}", expression
    for ambiguity in registry.ambiguities:
        yield f"{AMBIGUITIES}:{ambiguity.id}", ambiguity
    for migration in registry.migrations:
        yield f"{MIGRATIONS}:{migration.from_version}:{migration.from_code}", migration


def encode_digests(digests: Mapping[str, str]) -> bytes:
    """Return the content of ``records.sha256``."""
    return "".join(f"{digests[name]}  {name}\n" for name in sorted(digests)).encode()


def build_lock(registry: Registry, digests: Mapping[str, str], files: Mapping[str, bytes]) -> RegistryLock:
    """Return the lock that a registry's content has.

    The four content hashes do not depend on the order of lines; ``files``, and so ``hash``, name the very
    bytes.

    Args:
        registry: the registry, frozen or not.
        digests: digest by record, from :func:`record_digests`.
        files: content by file name.
    """

    def over(file: str) -> str:
        return digest_of_records([value for name, value in digests.items() if name.startswith(f"{file}:")])

    lock = RegistryLock(
        schema="denotary.registry-lock/1",
        name=registry.name,
        version=registry.version,
        profile=PROFILE,
        unicode=UNICODE_VERSION,
        files={name: sha256(content) for name, content in sorted(files.items())},
        concept_set_hash=digest(sorted(c.code for c in registry.concepts.values() if c.status == "active")),
        definitions_hash=digest_of_records([definition_hash(c) for c in registry.concepts.values()]),
        expressions_hash=over(EXPRESSIONS),
        ambiguities_hash=over(AMBIGUITIES),
        concepts=len(registry.concepts),
        expressions=len(registry.expressions),
    )
    return msgspec.structs.replace(lock, hash=lock_hash(lock))


def read_lock(path: Path) -> RegistryLock:
    """Return a lock read from its file.

    Raises:
        IntegrityError: it is no lock, or its hash does not follow from its content.
    """
    try:
        lock = msgspec.json.decode(read_bytes(path), type=RegistryLock)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IntegrityError(f"not a valid RegistryLock: {error}", path=path) from error
    if lock.hash != lock_hash(lock):
        raise IntegrityError("the lock was edited: its hash does not follow from its content", path=path)
    return lock


def verify_files(root: Path, lock: RegistryLock, files: Mapping[str, bytes], edited: Edited) -> None:
    """Compare the content of a frozen folder with its lock.

    Args:
        root: the folder.
        lock: its lock.
        files: the content found, by file name.
        edited: finds which record of a file was edited; asked only when the file was.

    Raises:
        IntegrityError: a file was edited, removed or added, or this denotary applies another Unicode version.
    """
    if lock.unicode != UNICODE_VERSION:
        raise IntegrityError(
            f"frozen under Unicode {lock.unicode}, but unicodedata2 here is {UNICODE_VERSION}",
            path=root / LOCK,
            hint="install the version of unicodedata2 that has that Unicode version, or freeze a new version",
        )
    for name in sorted({*lock.files, *files}):
        expected = lock.files.get(name, "no such file")
        found = sha256(files[name]) if name in files else "no such file"
        if found != expected:
            raise IntegrityError(
                f"differs from the frozen snapshot {lock.name} {lock.version}: "
                f"expected {expected}, found {found}",
                path=root / name,
                record=edited(name),
                hint=f"restore the file; to change it, copy the folder without {LOCK} and {RECORDS}, "
                "set a new version, and freeze the copy",
            )


def first_edited(name: str, frozen: bytes, digests: Mapping[str, str]) -> str | None:
    """Return the id of the first record of a file that was edited, added or removed after the freeze.

    Args:
        name: the file.
        frozen: content of ``records.sha256``.
        digests: digest by record as found.
    """
    lines = (line.partition("  ") for line in frozen.decode(errors="replace").splitlines())
    before = {record: value for value, _, record in lines}
    changed = {record for record, _ in before.items() ^ digests.items() if record.startswith(f"{name}:")}
    return min(changed).partition(":")[2] if changed else None
