"""Reading a registry's folder; every error names file, line and record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from denotary.errors import InputError, did_you_mean
from denotary.files import decode_jsonl, read_bytes, read_toml
from denotary.registry.locks import (
    AMBIGUITIES,
    CONCEPTS,
    EXPRESSIONS,
    FILES,
    HEADER,
    LOCK,
    MIGRATIONS,
    RECORDS,
    first_edited,
    read_lock,
    record_digests,
    verify_files,
)
from denotary.registry.model import Registry
from denotary.registry.records import Ambiguity, Concept, Expression, Migration, RegistryHeader

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from denotary.registry.records import RegistryLock

T = TypeVar("T")

BUNDLED: Final = "bundled:"
_DATA: Final = Path(__file__).parent.parent / "data"
_LONGEST_ID: Final = 256


def load_registry(path: Path | str) -> Registry:
    """Return the registry in a folder.

    Args:
        path: the folder, or ``bundled:NAME`` for one that is shipped with denotary.

    Raises:
        InputError: a file is missing or wrong; the message names file, line and record.
        IntegrityError: the registry is frozen and a file was edited since.
    """
    root = registry_folder(path)
    files = read_folder(root)
    return parse(root, files, verified_lock(root, files))


def verified_lock(root: Path, files: Mapping[str, bytes]) -> RegistryLock | None:
    """Return the lock of a folder whose files are those that it names, or None for a draft.

    Raises:
        IntegrityError: the lock or a file was edited.
    """
    path = root / LOCK
    if not path.exists():
        return None
    lock = read_lock(path)
    verify_files(root, lock, files, edited=lambda name: _edited(root, files, name))
    return lock


def registry_folder(path: Path | str) -> Path:
    """Return the folder of a registry; ``bundled:NAME`` is one that is shipped.

    Raises:
        InputError: there is no such folder.
    """
    name = str(path)
    root = _DATA / name.removeprefix(BUNDLED) / "registry" if name.startswith(BUNDLED) else Path(path)
    if not root.is_dir():
        shipped = [f"{BUNDLED}{item.parent.name}" for item in _DATA.glob("*/registry")]
        hint = f"give a registry's folder, or one that is shipped: {', '.join(sorted(shipped))}"
        if name.startswith(BUNDLED):
            hint = did_you_mean(name, shipped)
        raise InputError("no such folder", path=name, hint=hint)
    return root


def read_folder(root: Path) -> dict[str, bytes]:
    """Return the content of a registry's files by name, without the lock."""
    found = {name: read_bytes(root / name) for name in FILES[:3]}
    optional = (root / name for name in (AMBIGUITIES, MIGRATIONS, RECORDS))
    # A list of digests without a lock is the rest of a freeze that was interrupted.
    return found | {
        path.name: read_bytes(path)
        for path in optional
        if path.exists() and (path.name != RECORDS or (root / LOCK).exists())
    }


def _edited(root: Path, files: Mapping[str, bytes], name: str) -> str | None:
    try:
        return first_edited(name, files.get(RECORDS, b""), record_digests(parse(root, files, None)))
    except InputError:
        return None


def parse(root: Path, files: Mapping[str, bytes], lock: RegistryLock | None) -> Registry:
    """Return the registry that the content of its files makes.

    Raises:
        InputError: malformed, an id or code stands twice, or a code is named that is no concept.
    """
    concepts = _records(root, files, CONCEPTS, Concept)
    expressions = _records(root, files, EXPRESSIONS, Expression)
    ambiguities = _records(root, files, AMBIGUITIES, Ambiguity)
    migrations = _records(root, files, MIGRATIONS, Migration)
    codes = _unique((root / CONCEPTS, line, concept.code) for line, concept in concepts)
    _unique(
        [
            *((root / EXPRESSIONS, line, expression.id) for line, expression in expressions),
            *((root / AMBIGUITIES, line, ambiguity.id) for line, ambiguity in ambiguities),
        ]
    )
    _known(root, codes, _named_codes(concepts, expressions, ambiguities, migrations))
    return Registry(
        header=read_toml(root / HEADER, RegistryHeader),
        concepts={concept.code: concept for _, concept in concepts},
        expressions=_sharing(record for _, record in expressions),
        ambiguities=tuple(record for _, record in ambiguities),
        migrations=tuple(record for _, record in migrations),
        lock=lock,
        root=root,
    )


def _sharing(expressions: Iterable[Expression]) -> tuple[Expression, ...]:
    """Return the expressions with equal parts stored once: 350 bytes less for each."""
    pool: dict[Any, Any] = {}
    keep = pool.setdefault
    return tuple(
        Expression(
            id=item.id,
            text=item.text,
            language=keep(item.language, item.language),
            script=keep(item.script, item.script),
            codes=keep(item.codes, item.codes),
            review=keep(item.review, item.review),
            derived_by=keep(item.derived_by, item.derived_by),
            source=item.source,
        )
        for item in expressions
    )


def _records(root: Path, files: Mapping[str, bytes], name: str, kind: type[T]) -> list[tuple[int, T]]:
    return list(decode_jsonl(files.get(name, b""), kind, root / name))


def _unique(named: Iterable[tuple[Path, int, str]]) -> frozenset[str]:
    seen: dict[str, tuple[Path, int]] = {}
    for path, line, name in named:
        if not name.strip() or not name.isprintable() or len(name) > _LONGEST_ID:
            raise InputError(
                f"an id or code is blank, not printable, or longer than {_LONGEST_ID}", path=path, line=line
            )
        if name in seen:
            first, first_line = seen[name]
            raise InputError(
                f"this id or code stands already in {first.name}, line {first_line}",
                path=path,
                line=line,
                record=name,
                hint="give each record an id of its own; expressions and ambiguities share one space of ids",
            )
        seen[name] = path, line
    return frozenset(seen)


def _named_codes(
    concepts: Iterable[tuple[int, Concept]],
    expressions: Iterable[tuple[int, Expression]],
    ambiguities: Iterable[tuple[int, Ambiguity]],
    migrations: Iterable[tuple[int, Migration]],
) -> Iterable[tuple[str, int, str, Iterable[str]]]:
    for line, concept in concepts:
        yield CONCEPTS, line, concept.code, (*concept.parents, *(item.code for item in concept.neighbours))
    for line, expression in expressions:
        yield EXPRESSIONS, line, expression.id, expression.codes
    for line, ambiguity in ambiguities:
        yield AMBIGUITIES, line, ambiguity.id, ambiguity.codes
    for line, migration in migrations:
        yield MIGRATIONS, line, migration.from_code, migration.to_codes


def _known(root: Path, codes: frozenset[str], named: Iterable[tuple[str, int, str, Iterable[str]]]) -> None:
    for file, line, record, wanted in named:
        unknown = next((code for code in wanted if code not in codes), None)
        if unknown is not None:
            raise InputError(
                f"names the code {unknown!r:.80}, which is no concept of this registry",
                path=root / file,
                line=line,
                record=record,
                hint=f"add the concept to {CONCEPTS} or correct the code",
            )
