"""Reading a suite's folder, with file, line and record in every error and no text in any."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from denotary.canonical import canonical_json, digest, sha256
from denotary.errors import InputError, IntegrityError, did_you_mean
from denotary.files import decode_jsonl, read_bytes, read_toml, write_atomic
from denotary.registry.loading import BUNDLED
from denotary.registry.locks import read_lock as read_registry_lock
from denotary.suites.grouping import units
from denotary.suites.instrument import instrument
from denotary.suites.ledger import read_ledger
from denotary.suites.records import Case, Manifest, RegistryPin, SuiteLock
from denotary.suites.suite import Suite

if TYPE_CHECKING:
    from denotary.registry import Registry
    from denotary.registry.records import RegistryLock

MANIFEST = "suite.toml"
CASES = "cases.jsonl"
REGISTRY_LOCK = "registry.lock"
SUITE_LOCK = "suite.lock"


def load_suite(path: Path | str, *, registry: Registry | None = None) -> Suite:
    """Return the suite in a folder.

    Args:
        path: the folder, or ``bundled:starter`` for the shipped one.
        registry: the registry that the gold refers to; by default the one that ``suite.toml`` names by its
            path relative to the folder.

    Raises:
        InputError: a file is missing or malformed; the message names file, line and record and quotes no
            text.
        IntegrityError: a frozen file was edited, or the registry is not the one that the suite was made for.
    """
    root = folder_of(path)
    suite = read_suite(root, registry=registry)
    if suite.lock is not None:
        verify_lock(root, suite.lock)
    verify_registry(suite)
    return suite


def folder_of(path: Path | str) -> Path:
    """Return the folder of a suite; ``bundled:NAME`` is a shipped one.

    Raises:
        InputError: there is no such folder.
    """
    text = str(path)
    bundled = text.startswith(BUNDLED)
    folder = (
        Path(__file__).parents[1] / "data/bootstrap" / text.removeprefix(BUNDLED) if bundled else Path(path)
    )
    if not folder.is_dir():
        hint = f"expected a folder that holds {MANIFEST} and {CASES}"
        if bundled:
            shipped = Path(__file__).parents[1].glob(f"data/bootstrap/*/{MANIFEST}")
            hint = did_you_mean(text, (f"{BUNDLED}{manifest.parent.name}" for manifest in shipped))
        raise InputError("no such suite folder", path=text, hint=hint)
    return folder


def read_suite(root: Path, *, registry: Registry | None = None) -> Suite:
    """Return the suite in a folder without comparing its files with the lock: for freezing and correcting."""
    manifest = read_toml(root / MANIFEST, Manifest)
    lines, cases = read_cases(root / CASES, instrument(manifest.instrument).case_type)
    return Suite(
        manifest=manifest,
        cases=cases,
        units=units(cases),
        lines=lines,
        registry=registry or _registry(root, manifest),
        lock=read_lock(root),
        ledger=read_ledger(root),
        root=root,
    )


def read_cases(path: Path, kind: type[Case]) -> tuple[tuple[int, ...], tuple[Case, ...]]:
    """Return line numbers and cases of a ``cases.jsonl``.

    Raises:
        InputError: a line is no case of this kind, an id is blank, or two records have one id.
    """
    return decode_cases(read_bytes(path), path, kind)


def decode_cases(data: bytes, path: Path, kind: type[Case]) -> tuple[tuple[int, ...], tuple[Case, ...]]:
    """Return line numbers and cases of a ``cases.jsonl`` held in memory. See :func:`read_cases`."""
    try:
        numbered = list(decode_jsonl(data, kind, path))
    except InputError as error:
        raise _explained(error, data, path) from None
    _refuse_bad_ids(numbered, path)
    return tuple(number for number, _ in numbered), tuple(case for _, case in numbered)


def _refuse_bad_ids(numbered: list[tuple[int, Case]], path: Path) -> None:
    seen: dict[str, int] = {}
    for number, case in numbered:
        for name, value in (("record_id", case.record_id), ("semantic_seed_id", case.semantic_seed_id)):
            if not value.strip() or not value.isprintable():
                raise InputError(
                    f"{name} must be printable and not blank",
                    path=path,
                    line=number,
                    record=safe_name(case.record_id),
                )
        if case.record_id in seen:
            raise InputError(
                f"the record id stands in line {seen[case.record_id]} already",
                path=path,
                line=number,
                record=safe_name(case.record_id),
                hint="every record of a suite has an id of its own",
            )
        seen[case.record_id] = number


def _explained(error: InputError, data: bytes, path: Path) -> InputError:
    """Name the record of a malformed line."""
    if error.line is None:
        return error
    try:
        value = json.loads(data.split(b"\n")[error.line - 1])
    except (ValueError, RecursionError):
        value = None
    record = value.get("record_id") if isinstance(value, dict) else None
    return InputError(
        error.message,
        path=path,
        line=error.line,
        record=safe_name(record) if isinstance(record, str) else None,
        hint="bytes that are no text travel as base64 in input.text_b64"
        if "surrogate" in error.message
        else None,
    )


def safe_name(name: str) -> str:
    """Return an id in a form that can stand in a message: printable and at most 80 characters long."""
    shown = name if name.isprintable() else name.encode("unicode_escape").decode()
    return shown if len(shown) <= 80 else f"{shown[:79]}…"  # noqa: PLR2004 - the limit that the docstring states


def read_lock(root: Path) -> SuiteLock | None:
    """Return the lock of a suite, or None for a draft.

    Raises:
        IntegrityError: the lock was edited.
    """
    path = root / SUITE_LOCK
    if not path.exists():
        return None
    try:
        lock = msgspec.json.decode(read_bytes(path), type=SuiteLock)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IntegrityError("not a valid SuiteLock", path=path) from error
    if lock.hash != lock_hash(lock):
        raise IntegrityError("the lock was edited: its hash does not follow from its content", path=path)
    return lock


def write_registry_lock(root: Path, lock: RegistryLock) -> None:
    """Bind a suite's folder to a frozen registry: the bytes are those of the registry's own lock.

    Raises:
        StorageError: it cannot be written.
    """
    write_atomic(root / REGISTRY_LOCK, canonical_json(lock) + b"\n")


def lock_hash(lock: SuiteLock) -> str:
    """Return the hash of a suite: SHA-256 of the canonical JSON of its lock without the hash."""
    return digest(msgspec.structs.replace(lock, hash=""))


def verify_lock(root: Path, lock: SuiteLock) -> None:
    """Compare every frozen file with the lock.

    Raises:
        IntegrityError: a file was edited or removed; the message names it.
    """
    for name, expected in lock.files.items():
        path = root / name
        found = sha256(read_bytes(path)) if path.exists() else "no file"
        if found != expected:
            raise IntegrityError(
                f"was edited after the suite was frozen: expected sha256:{expected}, found {found}",
                path=path,
                hint="restore the file, or record the change (suites.correct) and freeze the next version",
            )


def _registry(root: Path, manifest: Manifest) -> Registry:
    from denotary.registry import load_registry

    where = manifest.registry.path
    if where is None:
        raise InputError(
            f"does not say where the registry {safe_name(manifest.registry.name)} is",
            path=root / MANIFEST,
            hint="set registry.path, relative to the suite's folder, or pass --registry",
        )
    return load_registry(where if where.startswith(BUNDLED) else root / where)


def verify_registry(suite: Suite) -> None:
    """Compare the registry with the one that a suite was made for.

    Raises:
        IntegrityError: it has another name, version or hash.
    """
    registry, pin = suite.registry, suite.manifest.registry
    if (pin.name, pin.version) != (registry.name, registry.version):
        raise IntegrityError(
            f"made for registry {pin.name} {pin.version}, but {registry.name} {registry.version} was given",
            path=suite.root / MANIFEST,
            hint="gold is relative to a registry version; give the registry that the suite names",
        )
    pinned = pinned_registry(suite.root)
    if pinned is None:
        return
    found = registry.hash if registry.is_frozen else "(not frozen)"
    if pinned.hash != found:
        raise IntegrityError(
            f"the suite is made for registry sha256:{pinned.hash}, but sha256:{found} was given",
            path=suite.root / REGISTRY_LOCK,
            hint="restore the registry that the suite was made for, or judge the cases anew against this one",
        )


def pinned_registry(root: Path) -> RegistryLock | None:
    """Return the suite's own copy of the registry's lock, or None if it has none yet."""
    path = root / REGISTRY_LOCK
    return read_registry_lock(path) if path.exists() else None


def moved_registry(suite: Suite, folder: Path) -> RegistryPin:
    """Return the registry of a suite as the manifest of a suite in another folder names it."""
    pin = suite.manifest.registry
    if pin.path is None or pin.path.startswith(BUNDLED):
        return pin
    path = Path(os.path.relpath(suite.root / pin.path, folder)).as_posix()
    return RegistryPin(name=pin.name, version=pin.version, path=path)
