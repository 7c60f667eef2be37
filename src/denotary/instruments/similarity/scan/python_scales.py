"""Whether a score of a Python file is a distance: less the more alike two texts are."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from denotary.instruments.similarity.scan import libraries, names
from denotary.instruments.similarity.scan.python_modules import last_name
from denotary.instruments.similarity.scan.python_products import Products
from denotary.instruments.similarity.scan.python_scores import THROUGH

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.instruments.similarity.scan.libraries import Scale
    from denotary.instruments.similarity.scan.python_bindings import Bound
    from denotary.instruments.similarity.scan.python_modules import Module

HOMES: Final = frozenset(("distance", "distances", "ssd", "spatial"))
"""Modules whose functions return distances."""


class Scales:
    """Tells distances from similarities in one file: by the imports of what made a score, and only then by names."""

    def __init__(self, module: Module, bound: Bound) -> None:
        self._module = module
        self._bound = bound
        self._products = Products(module, bound)
        self._judges: Final[dict[type[ast.expr], Callable[[Any], bool]]] = {
            ast.BinOp: self._difference,
            ast.Call: self._call,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Subscript: self._subscript,
            ast.NamedExpr: self._walrus,
        }
        self._makers: Final[dict[type[ast.expr], Callable[[Any], Scale | None]]] = {
            ast.BinOp: self._of_arithmetic,
            ast.UnaryOp: self._of_sign,
            ast.Call: self._of_call,
            ast.Name: self._of_name,
            ast.Attribute: self._of_value,
            ast.Subscript: self._of_value,
            ast.NamedExpr: self._of_value,
            ast.Await: self._of_value,
        }
        self._busy: set[ast.expr] = set()

    def is_distance(self, node: ast.expr) -> bool:
        """Return whether it is one: by the imports behind it, else by the names in it and in what it was made from."""
        made = self._made(node)
        if made is not None:
            return made == "distance"
        judge = self._judges.get(type(node))
        return judge is not None and judge(node)

    def _made(self, node: ast.expr) -> Scale | None:
        """Return what an imported function made of a score; None where none of the known ones made it."""
        make = self._makers.get(type(node))
        if make is None or node in self._busy:
            return None
        self._busy.add(node)
        found = make(node)
        self._busy.remove(node)
        return found

    def _of_call(self, node: ast.Call) -> Scale | None:
        if self._products.is_distance(node):
            return "distance"
        known = libraries.scale(self._module.qualified(node.func))
        base = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        through = [*base, *node.args[:1]] if last_name(node.func) in THROUGH else []
        return known or self._first(through)

    def _of_arithmetic(self, node: ast.BinOp) -> Scale | None:
        if isinstance(node.left, ast.Constant) and isinstance(node.op, (ast.Sub, ast.Div)):
            return _turned(self._made(node.right))
        return self._first([node.left, node.right])

    def _of_sign(self, node: ast.UnaryOp) -> Scale | None:
        found = self._made(node.operand)
        return _turned(found) if isinstance(node.op, ast.USub) else found

    def _of_value(self, node: ast.Attribute | ast.Subscript | ast.NamedExpr | ast.Await) -> Scale | None:
        return self._made(node.value)

    def _of_name(self, node: ast.Name) -> Scale | None:
        return self._first([value for value in self._bound.values(node) if not _mentions(value, node.id)])

    def _first(self, nodes: list[ast.expr]) -> Scale | None:
        return next((found for node in nodes if (found := self._made(node))), None)

    def _difference(self, node: ast.BinOp) -> bool:
        one = isinstance(node.left, ast.Constant) and node.left.value == 1
        return isinstance(node.op, ast.Sub) and one and not self.is_distance(node.right)

    def _call(self, node: ast.Call) -> bool:
        name = last_name(node.func)
        base = node.func.value if isinstance(node.func, ast.Attribute) else None
        if name in THROUGH and (base is not None or node.args):
            inner = [*([base] if base is not None else []), *node.args[:1]]
            return any(self.is_distance(item) for item in inner)
        column = node.args[0] if name in {"col", "column"} and node.args else None
        if isinstance(column, ast.Constant):
            return names.is_distance(str(column.value))
        home = last_name(base) if base is not None else ""
        similar = "similarity" in names.words(name)
        return names.is_distance(name) or (home in HOMES and not similar)

    def _name(self, node: ast.Name) -> bool:
        if names.is_distance(node.id):
            return True
        if names.is_score(node.id):
            return False
        made = [value for value in self._bound.values(node) if not isinstance(value, ast.Name)]
        return any(self.is_distance(value) for value in made if not _mentions(value, node.id))

    def _attribute(self, node: ast.Attribute) -> bool:
        return names.is_distance(node.attr) or (
            not names.is_score(node.attr) and self.is_distance(node.value)
        )

    def _subscript(self, node: ast.Subscript) -> bool:
        key = node.slice
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            return names.is_distance(key.value)
        return self.is_distance(node.value)

    def _walrus(self, node: ast.NamedExpr) -> bool:
        return self.is_distance(node.value)


def _turned(found: Scale | None) -> Scale | None:
    return libraries.OTHER_WAY[found] if found is not None else None


def _mentions(node: ast.expr, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))
