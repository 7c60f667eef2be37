"""The texts of the measures, evaluated over a table by an embedded SQL engine.

A text is a boolean SQL expression over the columns of the table, such as ``assigned AND disposition =
'SINGLE'``. DuckDB evaluates it, row by row, so that an auditor who holds the table as a file can run the very
same text. Before it is evaluated a text must pass a whitelist, because SQL is lenient where a measure must
not be:

* words are columns of the table or ``AND OR NOT IN BETWEEN IS NULL TRUE FALSE``; so there are no functions,
  aggregates, windows, subqueries or further statements;
* a quoted literal is compared with a text column, for equality, and is one of its labels: a misspelt label
  would be false for every row, and a harm rate of zero is the last thing that a misspelling may yield;
* the result is boolean. NULL counts as false.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.errors import DenotaryError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from denotary.measures.table import BoolArray, Coded, Table

_WORDS: Final = frozenset({"AND", "OR", "NOT", "IN", "BETWEEN", "IS", "NULL", "TRUE", "FALSE"})
_EQUALITIES: Final = frozenset({"=", "<>", "!="})
_LEXICON: Final = re.compile(
    r"\s*(?:(?P<literal>'(?:[^']|'')*')|(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<sign><=|>=|<>|!=|[=<>(),]))"
)
_ROW: Final = "row_number_of_the_table"


def masks(table: Table, texts: Iterable[str]) -> dict[str, BoolArray]:
    """Return where each text holds.

    Args:
        table: the joined table, N rows.
        texts: boolean expressions.

    Returns:
        For each distinct text a boolean array of shape (N,); NULL counts as false.

    Raises:
        InputError: a text is outside the whitelist, is not valid SQL, or is not boolean.
    """
    asked = set(texts)
    found = {text: flag for text in sorted(asked) if (flag := _flag(text, table)) is not None}
    distinct = sorted(asked - found.keys())
    used = sorted({name for text in distinct for name in check(text, table)})
    return found | _evaluate(table, distinct, used) if distinct else found


def _flag(text: str, table: Table) -> BoolArray | None:
    """Return where a text holds that is a flag's own name, or ``TRUE``: it needs no engine."""
    if text == "TRUE":
        return np.ones(len(table), dtype=np.bool_)
    column = table.plain.get(text)
    return table.flag(text) if column is not None and column.dtype.kind == "b" else None


def check(text: str, table: Table) -> frozenset[str]:
    """Return the columns that a text reads.

    Raises:
        InputError: the text is outside the whitelist; the message says where.
    """
    used = set()
    column: str | None = None
    before = ""
    depth = 0
    for kind, word in _words(text):
        depth += (word == "(") - (word == ")")
        if depth < 0:
            raise InputError("a bracket is closed that was not opened", record=text)
        if kind == "word" and word not in _WORDS:
            if word not in table.names:
                raise InputError(f"{word!r} is not a column of the table", record=text)
            used.add(word)
            column = word
        elif kind == "literal":
            _check_literal(text, word, before, table.coded.get(column or ""), column)
        elif word in {"AND", "OR"} or (word == "NOT" and before != column):
            column = None
        before = word
    return frozenset(used)


def _words(text: str) -> Iterator[tuple[str, str]]:
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _LEXICON.match(text, position)
        if match is None:
            raise InputError(f"unexpected {text[position:].lstrip()[:1]!r}", record=text)
        position = match.end()
        kind = str(match.lastgroup)
        yield kind, match[kind]


def _check_literal(text: str, literal: str, before: str, column: Coded | None, name: str | None) -> None:
    """Refuse a literal that no text column is compared with, or that is none of the column's labels."""
    if column is None or before not in _EQUALITIES | {"(", ","}:
        raise InputError(f"the literal {literal} must follow a text column and =, <> or IN", record=text)
    label = literal[1:-1].replace("''", "'")
    if label not in column.labels:
        raise InputError(f"{label!r} is not a label of column {name!r}", record=text)


def _evaluate(table: Table, texts: list[str], used: list[str]) -> dict[str, BoolArray]:
    """Scan the columns once, in their order; the row number travels along as proof of it."""
    import duckdb

    size = len(table)
    columns: dict[str, Any] = {_ROW: np.arange(size, dtype=np.int64)}
    columns |= {name: table.plain[name] for name in used if name in table.plain}
    columns |= {name: table.coded[name].codes for name in used if name in table.coded}
    typed = ", ".join([_ROW, *(_column(table, name) for name in used)])
    source = f"(SELECT {typed} FROM columns_as_fed)"  # noqa: S608 - names of our own columns
    wanted = ", ".join(f"({text}) IS TRUE AS text_{index}" for index, text in enumerate(texts))
    with duckdb.connect(":memory:", config={"threads": 1}) as engine:
        engine.execute("SET enable_external_access = false")
        engine.register("columns_as_fed", columns)
        _check_types(engine, texts, source)
        statement = f"SELECT {_ROW}, {wanted} FROM {source}"  # noqa: S608 - the texts passed the whitelist
        found = _run(engine, statement, "all texts").fetchnumpy()
    if not np.array_equal(found[_ROW], np.arange(size)):
        raise DenotaryError("the engine returned the rows in another order than it was given them")
    return {text: np.asarray(found[f"text_{index}"], dtype=np.bool_) for index, text in enumerate(texts)}


def _column(table: Table, name: str) -> str:
    """Return the SQL that types a column as it was fed: NaN is NULL, a code is its label."""
    if name in table.coded:
        labels = [_quoted(label) for label in table.coded[name].labels]
        if not labels:
            return f"NULL::VARCHAR AS {name}"
        return f"[{', '.join(labels)}][{name} + 1]::ENUM ({', '.join(labels)}) AS {name}"
    if table.plain[name].dtype.kind == "f":
        return f"nullif({name}, 'NaN'::DOUBLE) AS {name}"
    return name


def _quoted(label: str) -> str:
    return "'" + label.replace("'", "''") + "'"


def _check_types(engine: Any, texts: Sequence[str], source: str) -> None:
    """Refuse a text that does not yield one boolean a row. All are tried at once, since planning is what costs."""
    wanted = ", ".join(f"({text}) AS text_{index}" for index, text in enumerate(texts))
    statement = f"SELECT {wanted} FROM {source} LIMIT 1"  # noqa: S608 - the texts passed the whitelist
    try:
        found = list(_run(engine, statement, texts[0]).fetchnumpy().values())
    except InputError:
        if len(texts) == 1:
            raise
        for text in texts:
            _check_types(engine, [text], source)
        raise
    for text, column in zip(texts, found, strict=len(texts) == len(found)):
        if len(texts) != len(found) or np.asarray(column).dtype.kind != "b":
            raise InputError("expected an expression that is true or false", record=text)


def _run(engine: Any, statement: str, text: str) -> Any:
    import duckdb

    try:
        return engine.execute(statement)
    except duckdb.Error as error:
        raise InputError(f"not a valid expression: {str(error).splitlines()[0]}", record=text) from None
