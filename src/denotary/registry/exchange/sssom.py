"""SSSOM mapping tables: what is confirmed to mean the same as a term names it, too."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Final, Literal

from denotary.errors import InputError
from denotary.files import allow_long_cells, read_bytes
from denotary.registry.exchange.gathering import Defaults, Gathering

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from denotary.registry.exchange.gathering import Gathered

    Row = Mapping[str, str]

Side = Literal["subject", "object", "either"]
"""Which side of a mapping the registry holds; ``either``: the one whose id begins with the prefix."""

SAME: Final = frozenset({"skos:exactMatch", "owl:equivalentClass"})
"""Predicates after which both sides mean the same."""
LITERAL: Final = "rdfs literal"
LANGUAGE: Final = "ext_language"
"""Extension slot for the language of a text, which SSSOM has no slot for."""
NO_TERM: Final = "sssom:NoTermFound"
_NEEDED: Final = ("predicate_id", "subject_label", "object_id")
_ABOUT: Final = ("mapping_set_id", "mapping_set_version", "license")
_SCALAR: Final = re.compile(r"#\s?([a-z_]+):\s*(\S.*)")


def read_sssom(
    path: Path, defaults: Defaults, *, side: Side = "object", least_confidence: float = 0.5
) -> Gathered:
    """Read the exact mappings of an SSSOM table.

    The registered side of each becomes a concept that its own label and the other's express; the id of the other
    side stands under ``exact_matches``. Other predicates, negative mappings and doubtful ones are counted and left.

    Args:
        path: the table, tab-separated, its metadata in lines that begin with ``#``.
        defaults: what the table does not say; ids without ``prefix`` are of another vocabulary and left.
        side: which side is registered.
        least_confidence: mappings that state a lower confidence are left.

    Raises:
        InputError: not UTF-8, no table, or a column is missing; ``either`` without a prefix.
    """
    if side == "either" and not defaults.prefix:
        raise InputError("--side either needs the prefix by which the registered side is known")
    gathering = Gathering(path.name, defaults)
    for line, row in _rows(path, gathering):
        reason = _reason_to_skip(row, path, line, least_confidence)
        if reason:
            gathering.skip("mapping", reason)
        else:
            _mapping(gathering, line, row, side)
    return gathering.gathered()


def _rows(path: Path, gathering: Gathering) -> Iterator[tuple[int, Row]]:
    try:
        lines = list(io.StringIO(read_bytes(path).decode("utf-8-sig"), newline=""))
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", path=path) from error
    start = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    for line in lines[:start]:
        match = _SCALAR.match(line)
        if match and match[1] in _ABOUT:
            gathering.about[match[1]] = match[2].strip().strip("\"'")
    allow_long_cells()
    table = csv.DictReader(lines[start:], delimiter="\t", restval="", strict=True)
    try:
        missing = [name for name in _NEEDED if name not in (table.fieldnames or ())]
        if missing:
            raise InputError(f"no SSSOM table: column {missing[0]} is missing", path=path, line=start + 1)
        for row in table:
            yield (
                start + table.line_num,
                {name: value for name, value in row.items() if isinstance(value, str)},
            )
    except csv.Error as error:
        raise InputError(f"no valid table: {error}", path=path, line=start + table.line_num) from error


def _reason_to_skip(row: Row, path: Path, line: int, least: float) -> str | None:
    modifier = row.get("predicate_modifier", "").strip()
    if modifier:
        negative = modifier.lower() == "not"
        return "it says that the two are not the same" if negative else "its predicate is modified"
    if NO_TERM in {row.get("subject_id"), row.get("object_id")}:
        return "it says that there is no term"
    if row["predicate_id"] not in SAME:
        return f"its predicate is {row['predicate_id']}, no exact match"
    stated = row.get("confidence", "").strip()
    try:
        confidence = float(stated or 1.0)
    except ValueError as error:
        raise InputError("confidence is no number", path=path, line=line) from error
    # NaN is in no range, and under no limit either.
    if not 0.0 <= confidence <= 1.0:
        raise InputError("confidence is outside [0, 1]", path=path, line=line)
    return f"its confidence is under {least:g}" if confidence < least else None


def _mapping(gathering: Gathering, line: int, row: Row, side: Side) -> None:
    prefix = gathering.defaults.prefix
    ends = {name: (row.get(f"{name}_id", ""), row.get(f"{name}_label", "")) for name in ("object", "subject")}
    order = ("subject", "object") if side == "subject" else ("object", "subject")
    if side == "either" and not ends["object"][0].startswith(prefix):
        order = ("subject", "object")
    (identifier, label), (other, text) = (ends[name] for name in order)
    if not identifier.startswith(prefix):
        gathering.skip("mapping", f"its {order[0]} does not begin with {prefix}")
        return
    code = gathering.code_of(identifier)
    if not gathering.concept(code, str(line)):
        return
    where = " ".join(filter(None, (str(line), row["predicate_id"], row.get("mapping_justification"))))
    if label:
        gathering.express(code, label, "", f"{line} {order[0]}_label")
    if text:
        gathering.express(code, text, row.get(LANGUAGE, ""), where)
    if other:
        gathering.same_as(code, other)
