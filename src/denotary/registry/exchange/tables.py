"""CSV and JSON Lines: a row names a concept, and may define it and give one text for it."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, Final

from denotary.errors import InputError
from denotary.files import allow_long_cells, read_bytes
from denotary.files import read_jsonl as read_objects
from denotary.registry.exchange.gathering import Defaults, Gathering

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from denotary.registry.exchange.gathering import Gathered

FIELDS: Final = (
    "code",
    "text",
    "language",
    "script",
    "definition",
    "definition_language",
    "parents",
    "exact_matches",
    "semantic_type",
    "consequence_tier",
    "owner",
    "status",
)
"""What a row may say. Only ``code`` must stand in every row."""
SEPARATOR: Final = "|"
"""Between several parents or exact matches of one cell."""
_SAID: Final = FIELDS[-4:]


def read_csv(
    path: Path, defaults: Defaults, *, columns: Mapping[str, str] | None = None, delimiter: str = ","
) -> Gathered:
    """Read a table with a line of column names: one concept, and at most one text, a row.

    Args:
        path: the file, UTF-8.
        defaults: what the table does not say.
        columns: column by field, where a column has another name than the field; see :data:`FIELDS`.
        delimiter: between cells.

    Raises:
        InputError: the file is not UTF-8 or no table, or a column that was named is not there.
    """
    try:
        content = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", path=path, hint="convert it to UTF-8") from error
    allow_long_cells()
    lines = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter, strict=True)
    numbered: list[tuple[int, dict[str, Any]]] = []
    try:
        heads = next(lines, [])
        twice = next((head for head in heads if head.strip() and heads.count(head) > 1), None)
        if twice is not None:
            raise InputError(f"two columns are called {twice!r:.80}", path=path, line=1)
        for cells in lines:
            if len(cells) > len(heads):
                message = f"the row has {len(cells)} cells, the first line {len(heads)}"
                raise InputError(message, path=path, line=lines.line_num)
            if any(map(str.strip, cells)):
                numbered.append((lines.line_num, dict(zip(heads, cells, strict=False))))
    except csv.Error as error:
        raise InputError(f"no valid table: {error}", path=path, line=lines.line_num) from error
    return _read(path, numbered, heads, defaults, columns or {})


def read_jsonl(path: Path, defaults: Defaults, *, columns: Mapping[str, str] | None = None) -> Gathered:
    """Read JSON Lines: objects with the fields of :data:`FIELDS`. Arguments as of :func:`read_csv`.

    Raises:
        InputError: a line is no JSON object, or a field that was named is in none.
    """
    numbered = read_objects(path, dict[str, Any])
    heads = list(dict.fromkeys(key for _, row in numbered for key in row))
    return _read(path, numbered, heads, defaults, columns or {})


def _read(
    path: Path,
    numbered: Iterable[tuple[int, dict[str, Any]]],
    heads: list[str],
    defaults: Defaults,
    columns: Mapping[str, str],
) -> Gathered:
    unknown = sorted(set(columns) - set(FIELDS))
    if unknown:
        raise InputError(f"no field {unknown[0]!r:.80} to map", hint=f"fields are {', '.join(FIELDS)}")
    of = {name: columns.get(name, name) for name in FIELDS}
    absent = [of[name] for name in FIELDS if of[name] not in heads and (name in columns or name == "code")]
    if absent:
        raise InputError(
            f"no column {absent[0]!r:.80}; found {', '.join(heads)[:200] or 'none'}",
            path=path,
            hint="map it: --column code=NAME",
        )
    gathering = Gathering(path.name, defaults)
    for line, row in numbered:
        _row(gathering, path, line, {name: row.get(column) for name, column in of.items()})
    for head in heads:
        if head not in of.values():
            gathering.skip(f"column {head}", "no field takes it")
    return gathering.gathered()


def _row(gathering: Gathering, path: Path, line: int, row: Mapping[str, Any]) -> None:
    values = {
        name: _text(path, line, name, row[name])
        for name in FIELDS
        if name not in {"parents", "exact_matches"}
    }
    where = str(line)
    code = gathering.code_of(values["code"].strip())
    if not gathering.concept(code, where):
        return
    gathering.define(code, values["definition"], values["definition_language"] or values["language"])
    for name in _SAID:
        if values[name].strip():
            gathering.say(code, name, values[name].strip())
    for parent in _list(path, line, "parents", row["parents"]):
        gathering.parent(code, gathering.code_of(parent))
    for match in _list(path, line, "exact_matches", row["exact_matches"]):
        gathering.same_as(code, match)
    if values["text"]:
        script = values["script"].strip() or None
        gathering.express(code, values["text"], values["language"].strip(), where, script=script)


def _text(path: Path, line: int, name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    raise InputError(f"{name} is no string", path=path, line=line)


def _list(path: Path, line: int, name: str, value: Any) -> list[str]:
    if isinstance(value, list):
        return [_text(path, line, name, item) for item in value]
    return [item.strip() for item in _text(path, line, name, value).split(SEPARATOR) if item.strip()]
