"""Many texts from a file or a pipe: requests read as they come, answers given as they are made."""

from __future__ import annotations

import csv
import io
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from denotary.errors import InputError
from denotary.files import BYTE_ORDER_MARKS, allow_long_cells, decode_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

Form: TypeAlias = Literal["jsonl", "csv"]
Numbered: TypeAlias = tuple[int, dict[str, Any]]
"""The number of a line, and the request in it."""

CHUNK: Final = 1000
"""Requests in memory at once."""


class Lane(Protocol):
    """A lane of the reference resolver."""

    def resolve(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to one request."""

    def resolve_batch(self, requests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers to requests in their order."""


def read_requests(file: IO[bytes], form: Form, path: Path, language: str | None = None) -> Iterator[Numbered]:
    """Yield the requests of a file in their order, in memory that does not grow with it.

    Args:
        file: open for reading.
        form: ``jsonl``, a request of the HTTP contract a line, or ``csv``, a column ``text`` and, if wanted, others
            named as the keys of the contract.
        path: of the file, for messages.
        language: tag for requests that name none.

    Raises:
        InputError: a line that cannot be read; the message names it and never quotes it.
    """
    found = _csv(file, path) if form == "csv" else decode_lines(file, dict, path)
    for number, request in found:
        if language is not None and request.get("language") is None:
            request["language"] = language
        yield number, request


def answer_all(lane: Lane, requests: Iterable[Numbered], path: Path) -> Iterator[dict[str, Any]]:
    """Yield an answer for each request, in their order, each the same as if it had been asked alone.

    Raises:
        InputError: a request is malformed or asks for a registry version that is not loaded; its line is named.
    """
    source = iter(requests)
    while chunk := list(islice(source, CHUNK)):
        try:
            yield from lane.resolve_batch([request for _, request in chunk])
        except InputError:
            _name_line(lane, chunk, path)
            raise


def _name_line(lane: Lane, chunk: Iterable[Numbered], path: Path) -> None:
    for number, request in chunk:
        try:
            lane.resolve(request)
        except InputError as error:
            raise InputError(error.message, path=path, line=number, hint=error.hint) from None


def _csv(file: IO[bytes], path: Path) -> Iterator[Numbered]:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    allow_long_cells()
    reader = csv.DictReader(text, strict=True)
    try:
        columns = reader.fieldnames or ()
        if columns and columns[0].encode().startswith(BYTE_ORDER_MARKS):
            raise InputError("begins with a byte order mark; expected UTF-8 without one", path=path, line=1)
        if "text" not in columns or len(set(columns)) < len(columns):
            raise InputError(
                "the first line names the columns, each once, and one of them is text", path=path, line=1
            )
        for row in reader:
            if None in row or None in row.values():
                raise InputError(
                    f"expected {len(columns)} cells, as the first line has", path=path, line=reader.line_num
                )
            yield reader.line_num, {name: cell for name, cell in row.items() if cell or name == "text"}
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 after line {reader.line_num}", path=path) from error
    except csv.Error as error:
        raise InputError(f"not valid CSV: {error}", path=path, line=reader.line_num + 1) from error
    finally:
        text.detach()
