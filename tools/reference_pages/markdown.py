"""Tables and text in Markdown, and what the code says of its own attributes."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

NOTHING = "\N{EN DASH}"


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table; a cell may hold Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines) + "\n"


def _cell(value: Any) -> str:
    text = NOTHING if value is None or value == "" else str(value)
    return re.sub(r"\s*\n\s*", " ", text).replace("|", "\\|")


def code(text: Any) -> str:
    """Return text as code; nothing where there is none."""
    return f"`{text}`" if str(text) else ""


def codes(names: Iterable[Any]) -> str:
    """Return names as code, with commas between them."""
    return ", ".join(map(code, names))


def prose(docstring: str) -> str:
    """Return a docstring as Markdown: one backtick for two, no roles, one line a paragraph."""
    text = inspect.cleandoc(docstring)
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text).replace("``", "`")
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def attribute_docs(cls: type) -> dict[str, str]:
    """Return the docstring of each attribute of a class by name, those of its bases included."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("denotary"):
            tree = ast.parse(textwrap.dedent(inspect.getsource(base)))
            body = next(node for node in tree.body if isinstance(node, ast.ClassDef)).body
            found |= dict(_documented(body))
    return found


def _documented(body: Sequence[ast.stmt]) -> Iterator[tuple[str, str]]:
    for statement, following in pairwise(body):
        if isinstance(statement, ast.AnnAssign):
            target: ast.expr = statement.target
        elif isinstance(statement, ast.Assign):
            target = statement.targets[0]
        else:
            continue
        if not isinstance(target, ast.Name) or not isinstance(following, ast.Expr):
            continue
        if isinstance(following.value, ast.Constant) and isinstance(following.value.value, str):
            yield target.id, prose(following.value.value)
