"""Beginning a draft, and adding to it what an import gathered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from denotary.errors import InputError
from denotary.files import encode_jsonl, encode_toml, locked, write_atomic
from denotary.registry.exchange.gathering import Skipped
from denotary.registry.loading import load_registry
from denotary.registry.locks import AMBIGUITIES, CONCEPTS, EXPRESSIONS, HEADER, MIGRATIONS
from denotary.registry.records import RegistryHeader

if TYPE_CHECKING:
    from pathlib import Path

    from denotary.registry.exchange.gathering import Gathered
    from denotary.registry.model import Registry
    from denotary.registry.records import Concept, Expression


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did.

    Attributes:
        registry: name and version of the draft.
        taken: number by kind: concepts, definitions, parents, exact_matches, expressions.
        skipped: what was left out, why, and how many.
        warnings: what to look at before the draft is frozen.
        about: what the source says of itself.
    """

    registry: str
    taken: dict[str, int]
    skipped: tuple[Skipped, ...]
    warnings: tuple[str, ...]
    about: dict[str, str]


def new_registry(folder: Path, header: RegistryHeader) -> None:
    """Write an empty draft: the header, and the four files of records without one.

    Raises:
        InputError: the folder holds a registry already.
        StorageError: the folder cannot be written to.
    """
    with locked(folder):
        if (folder / HEADER).exists():
            raise InputError(
                "the folder holds a registry already",
                path=folder,
                hint="choose another folder, or edit its files",
            )
        for name in (CONCEPTS, EXPRESSIONS, AMBIGUITIES, MIGRATIONS):
            if not (folder / name).exists():
                write_atomic(folder / name, b"")
        # The header comes last: a folder with one is a registry.
        write_atomic(folder / HEADER, encode_toml(msgspec.to_builtins(header)))


def import_into(folder: Path, gathered: Gathered) -> ImportReport:
    """Add what was gathered to a draft, and begin the draft if the folder holds none.

    What the draft says stays as it is: a code or an expression that it has already is skipped and counted.

    Raises:
        InputError: the registry is frozen, or one of its files is wrong.
        StorageError: the folder cannot be written to.
    """
    with locked(folder):
        return _import_into(folder, gathered)


def _import_into(folder: Path, gathered: Gathered) -> ImportReport:
    if not (folder / HEADER).exists():
        name = "-".join(folder.resolve().name.split()) or "imported"
        new_registry(folder, RegistryHeader(schema="denotary.registry/1", name=name, version="0.1.0"))
    draft = load_registry(folder)
    if draft.is_frozen:
        raise InputError(
            f"the registry {draft.name} {draft.version} is frozen",
            path=folder,
            hint="import into a new folder, or into a copy without registry.lock and records.sha256",
        )
    concepts, expressions, skipped = _new(draft, gathered)
    if concepts:
        write_atomic(folder / CONCEPTS, encode_jsonl([*draft.concepts.values(), *concepts]))
    if expressions:
        write_atomic(folder / EXPRESSIONS, encode_jsonl([*draft.expressions, *expressions]))
    return ImportReport(
        registry=f"{draft.name} {draft.version}",
        taken=_counts(concepts, expressions),
        skipped=tuple(sorted([*gathered.skipped, *skipped], key=lambda item: (item.what, item.why))),
        warnings=tuple(_warnings(concepts, expressions)),
        about=dict(gathered.about),
    )


def _new(draft: Registry, gathered: Gathered) -> tuple[list[Concept], list[Expression], list[Skipped]]:
    concepts = [item for item in gathered.concepts if item.code not in draft.concepts]
    said = {(item.codes, item.language, item.text) for item in draft.expressions}
    expressions = [
        item for item in gathered.expressions if (item.codes, item.language, item.text) not in said
    ]
    left = {
        "concept": len(gathered.concepts) - len(concepts),
        "text": len(gathered.expressions) - len(expressions),
    }
    return (
        concepts,
        expressions,
        [Skipped(what, "the draft has it already", n) for what, n in left.items() if n],
    )


def _counts(concepts: list[Concept], expressions: list[Expression]) -> dict[str, int]:
    return {
        "concepts": len(concepts),
        "definitions": sum(len(item.definitions) for item in concepts),
        "parents": sum(len(item.parents) for item in concepts),
        "exact_matches": sum(len(item.exact_matches) for item in concepts),
        "expressions": len(expressions),
    }


def _warnings(concepts: list[Concept], expressions: list[Expression]) -> list[str]:
    without = sum(not item.definitions for item in concepts)
    codes: dict[tuple[str, str], set[tuple[str, ...]]] = {}
    for item in expressions:
        codes.setdefault((item.language, item.text), set()).add(item.codes)
    shared = sum(len(found) > 1 for found in codes.values())
    found = []
    if without:
        found.append(f"{without:,} concepts have no definition")
    if shared:
        found.append(f"{shared:,} texts stand for several concepts and must be declared or removed")
    if expressions:
        found.append("every expression is unreviewed and resolves nothing until somebody reviews it")
    return found
