"""Conditions that Python code hands to a table as text: ``frame.query("similarity > 0.9")``."""

from __future__ import annotations

import ast
import re
from typing import Final

METHODS: Final = frozenset(("query", "eval"))
QUOTED: Final = re.compile(r"`([^`]+)`")
"""A column whose name is no identifier."""
LOCAL: Final = re.compile(r"@(?=[A-Za-z_])")
"""Before a name of the code around the query."""
EITHER: Final = {"&": " and ", "|": " or "}
"""In a query of pandas these bind as weakly as words."""


def query(call: ast.Call) -> ast.expr | None:
    """Return the condition that a call hands to a table, as an expression in its place; None of other calls.

    Any text that can be read as an expression is returned; words that an index of vectors is asked with seldom can.
    """
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in METHODS or not call.args:
        return None
    inserted: dict[str, ast.expr] = {}
    text = _text(call.args[0], inserted)
    text = QUOTED.sub(lambda found: re.sub(r"\W", "_", found[1]), LOCAL.sub("", text))
    for sign, word in EITHER.items():
        text = text.replace(sign, word)
    try:
        found = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    condition: ast.expr = _Insert(inserted).visit(found)
    _place(condition, call)
    return condition


def _text(node: ast.expr, inserted: dict[str, ast.expr]) -> str:
    """Return a literal as text, with a name for each expression that stands in it; empty if it is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.FormattedValue):
        name = f"inserted_{len(inserted)}"
        inserted[name] = node.value
        return name
    return "".join(_text(part, inserted) for part in node.values) if isinstance(node, ast.JoinedStr) else ""


class _Insert(ast.NodeTransformer):
    """Puts the expressions of a formatted text where their names stand."""

    def __init__(self, inserted: dict[str, ast.expr]) -> None:
        self._inserted = inserted

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._inserted.get(node.id, node)


def _place(node: ast.AST, parent: ast.AST) -> None:
    """Give an expression the line of the call that it stands in; what was inserted has its place already."""
    node.parent = parent  # type: ignore[attr-defined]
    for part in ast.walk(node):
        for child in ast.iter_child_nodes(part):
            if not hasattr(child, "parent"):
                child.parent = part  # type: ignore[attr-defined]
    for part in ast.walk(node):
        if isinstance(part, ast.expr):
            part.lineno = getattr(parent, "lineno", 1)
