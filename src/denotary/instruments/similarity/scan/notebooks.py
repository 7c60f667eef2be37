"""The Python of a Jupyter notebook: its code cells as one source, each line with the cell that it stands in."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

NOTEBOOK: Final = ".ipynb"
TIMED: Final = ("%%time", "%%timeit", "%%capture", "%%prun")
"""First lines of cells whose rest is Python; below any other ``%%`` stands another language, or another file."""
MAGIC: Final = re.compile(r"^(\s*)(?:[%!?].*|[\w.]+\?{1,2}\s*)$")
CAPTURED: Final = re.compile(r"^(\s*[\w., ]+=\s*)[%!].*$")
"""``files = !ls``: what a command of the shell printed."""


class Place(NamedTuple):
    """Where a line of code stands.

    Attributes:
        cell: number of the cell, of all kinds of cells, from 1.
        line: in the cell, from 1.
        file_line: in the file, from 1; 0 where the file is not laid out with one line of code on a line.
    """

    cell: int
    line: int
    file_line: int


@dataclass(frozen=True, slots=True)
class Notebook:
    """The code of a notebook.

    Attributes:
        code: all cells of Python, below each other.
        places: of the lines of the code, in their order.
        unread: numbers of the cells that cannot be parsed as Python.
    """

    code: str
    places: tuple[Place, ...]
    unread: tuple[int, ...]


def read_notebook(text: str) -> Notebook:
    """Read the code cells of a notebook.

    Raises:
        ValueError: it is no notebook in format 4, or not one of Python; the message says which.
    """
    cells = _cells(text)
    layout = _Layout(text)
    lines: list[str] = []
    places: list[Place] = []
    unread = []
    for number, cell in enumerate(cells, 1):
        if cell.get("cell_type") != "code":
            continue
        source = cell.get("source", "")
        first = layout.first_line(source)
        whole = source if isinstance(source, str) else "".join(str(line) for line in source)
        code = _python(whole)
        if code is None:
            unread.append(number)
            continue
        for place, line in enumerate(code.split("\n")):
            lines.append(line)
            places.append(Place(number, place + 1, first + place if first else 0))
    return Notebook("\n".join(lines), tuple(places), tuple(unread))


def _cells(text: str) -> list[dict[str, Any]]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("cannot be parsed as a notebook") from None
    cells = document.get("cells") if isinstance(document, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise ValueError("is no notebook in format 4")
    language = _language(document.get("metadata"))
    if language not in {"python", "ipython"}:
        raise ValueError("its code is not Python")
    return cells


def _language(metadata: Any) -> str:
    """Return the language that a notebook declares; Python where it declares none."""
    for key, name in (("kernelspec", "language"), ("language_info", "name")):
        part = metadata.get(key) if isinstance(metadata, dict) else None
        if isinstance(part, dict) and isinstance(part.get(name), str):
            return str(part[name]).lower()
    return "python"


def _python(code: str) -> str | None:
    """Return the code of a cell with its magics taken out, line for line; None where the rest is no Python."""
    if code.startswith("%%"):
        if not code.startswith(TIMED):
            return "\n" * code.count("\n")
        code = "".join(["pass\n", *code.partition("\n")[2:]])
    if _parses(code):
        # As it is: a line that starts with % may go on with an expression.
        return code
    plain = [CAPTURED.sub(r"\1None", MAGIC.sub(r"\1pass", line)) for line in code.split("\n")]
    return "\n".join(plain) if _parses("\n".join(plain)) else None


def _parses(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


class _Layout:
    """Finds the lines of a notebook's file that its cells stand on: as a rule, one line of code on a line."""

    def __init__(self, text: str) -> None:
        self._strings = [_string(line) for line in text.split("\n")]
        self._from = 0

    def first_line(self, source: Any) -> int:
        """Return the line of the file where the source of the next cell starts, from 1; 0 if it is not found."""
        if not isinstance(source, list) or not source:
            return 0
        for start in range(self._from, len(self._strings) - len(source) + 1):
            if self._strings[start : start + len(source)] == source:
                self._from = start + len(source)
                return start + 1
        return 0


def _string(line: str) -> str | None:
    """Return the string that a line of JSON holds alone; None for any other line."""
    bare = line.strip().removesuffix(",")
    if not bare.startswith('"'):
        return None
    try:
        found = json.loads(bare)
    except ValueError:
        return None
    return found if isinstance(found, str) else None
