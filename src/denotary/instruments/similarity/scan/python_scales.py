"""Whether a score of a Python file is a distance: less the more alike two texts are."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from denotary.instruments.similarity.scan import names
from denotary.instruments.similarity.scan.python_modules import assigned, enclosing, last_name
from denotary.instruments.similarity.scan.python_scores import SCOPES, THROUGH

if TYPE_CHECKING:
    from collections.abc import Callable

HOMES: Final = frozenset(("distance", "distances", "ssd", "spatial"))
"""Modules whose functions return distances."""


def is_distance(node: ast.expr) -> bool:
    """Return whether it is one, by the names in it and in what it was made from."""
    judge = _JUDGES.get(type(node))
    return judge is not None and judge(node)


def _difference(node: ast.BinOp) -> bool:
    one = isinstance(node.left, ast.Constant) and node.left.value == 1
    return isinstance(node.op, ast.Sub) and one and not is_distance(node.right)


def _call(node: ast.Call) -> bool:
    name = last_name(node.func)
    base = node.func.value if isinstance(node.func, ast.Attribute) else None
    if name in THROUGH and (base is not None or node.args):
        return any(is_distance(item) for item in [*([base] if base is not None else []), *node.args[:1]])
    column = node.args[0] if name in {"col", "column"} and node.args else None
    if isinstance(column, ast.Constant):
        return names.is_distance(str(column.value))
    home = last_name(base) if base is not None else ""
    similar = "similarity" in names.words(name)
    return names.is_distance(name) or (home in HOMES and not similar)


def _name(node: ast.Name) -> bool:
    if names.is_distance(node.id):
        return True
    if names.is_score(node.id):
        return False
    scope = next(enclosing(node, SCOPES), None)
    made = [
        value
        for child in (ast.walk(scope) if scope else ())
        for name, value in assigned(child)
        if name == node.id and not isinstance(value, ast.Name)
    ]
    return any(is_distance(value) for value in made if not _mentions(value, node.id))


def _mentions(node: ast.expr, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))


def _attribute(node: ast.Attribute) -> bool:
    return names.is_distance(node.attr) or (not names.is_score(node.attr) and is_distance(node.value))


def _subscript(node: ast.Subscript) -> bool:
    key = node.slice
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        return names.is_distance(key.value)
    return is_distance(node.value)


def _walrus(node: ast.NamedExpr) -> bool:
    return is_distance(node.value)


_JUDGES: Final[dict[type[ast.expr], Callable[[Any], bool]]] = {
    ast.BinOp: _difference,
    ast.Call: _call,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.NamedExpr: _walrus,
}
