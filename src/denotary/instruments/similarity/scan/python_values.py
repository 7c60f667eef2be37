"""Following a cutoff to its number: through names, defaults, settings, environment and call sites."""

from __future__ import annotations

import ast
import math
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from denotary.instruments.similarity.scan.python_modules import assigned, enclosing, last_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from denotary.instruments.similarity.scan.python_modules import Module

DEPTH: Final = 8
"""Steps after which a value is given up: longer chains are rare, and circles end."""
CONVERTERS: Final = {"float", "abs", "Decimal", "Field", "field", "Query", "Param", "Option", "Argument"}
"""Calls whose number is that of their first argument, or of ``default``."""
LOOKUPS: Final = {"get", "getenv", "pop", "getattr", "get_float", "getfloat"}
"""Calls whose number is that of their last argument: what there is if the key is not there."""
ARITHMETIC: Final[dict[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Value:
    """A number and the place it stands at."""

    number: float
    path: str
    line: int


class Values:
    """Finds the number behind an expression, in the files of one project."""

    def __init__(self, modules: Sequence[Module]) -> None:
        self._modules = modules
        self._followers: Final[dict[type[ast.expr], Callable[[Any, Module, int], Value | None]]] = {
            ast.Constant: self._constant,
            ast.UnaryOp: self._negative,
            ast.BinOp: self._arithmetic,
            ast.BoolOp: self._any,
            ast.IfExp: self._either,
            ast.Call: self._call,
            ast.Subscript: self._subscript,
            ast.Name: self._local,
            ast.Attribute: self._attribute,
        }
        self._found: dict[ast.expr, Value | None] = {}

    def find(self, node: ast.expr, module: Module, depth: int = DEPTH) -> Value | None:
        """Return the number that an expression has by default, or None where that cannot be told from the source."""
        if depth == 0:
            return None
        if node not in self._found:
            # Asked again while it is being followed, it leads round in a circle and to nothing.
            self._found[node] = None
            self._found[node] = self._follow(node, module, depth)
        return self._found[node]

    def _follow(self, node: ast.expr, module: Module, depth: int) -> Value | None:
        follow = self._followers.get(type(node))
        return follow(node, module, depth) if follow is not None else None

    def _constant(self, node: ast.Constant, module: Module, _: int) -> Value | None:
        return _number(node, module)

    def _negative(self, node: ast.UnaryOp, module: Module, depth: int) -> Value | None:
        inner = self.find(node.operand, module, depth - 1) if isinstance(node.op, ast.USub) else None
        return inner and Value(-inner.number, inner.path, inner.line)

    def _any(self, node: ast.BoolOp, module: Module, depth: int) -> Value | None:
        return self._first(node.values, module, depth)

    def _either(self, node: ast.IfExp, module: Module, depth: int) -> Value | None:
        return self._first([node.body, node.orelse], module, depth)

    def _subscript(self, node: ast.Subscript, module: Module, depth: int) -> Value | None:
        return (
            self._field(str(node.slice.value), module, depth)
            if isinstance(node.slice, ast.Constant)
            else None
        )

    def _attribute(self, node: ast.Attribute, module: Module, depth: int) -> Value | None:
        """Return the number of a field: of ``self`` that which its own class gives it, where it gives one at all."""
        owner = next(enclosing(node, ast.ClassDef), None)
        if owner is not None and last_name(node.value) in {"self", "cls"}:
            own = [
                value
                for part in ast.walk(owner)
                for name, value in assigned(part)
                if name.lstrip("_") == node.attr.lstrip("_") and value is not node
            ]
            if own:
                return self._first(own, module, depth)
        return self._field(node.attr, module, depth)

    def _first(self, nodes: Sequence[ast.expr], module: Module, depth: int) -> Value | None:
        found = (self.find(node, module, depth - 1) for node in nodes)
        return next((value for value in found if value is not None), None)

    def _arithmetic(self, node: ast.BinOp, module: Module, depth: int) -> Value | None:
        left, right = (self.find(side, module, depth - 1) for side in (node.left, node.right))
        apply = ARITHMETIC.get(type(node.op))
        if left is None or right is None or apply is None:
            return None
        return Value(round(apply(left.number, right.number), 12), left.path, left.line)

    def _call(self, node: ast.Call, module: Module, depth: int) -> Value | None:
        name = last_name(node.func)
        default = [word.value for word in node.keywords if word.arg == "default"]
        if name in CONVERTERS:
            return self._first([*default, *node.args[:1]], module, depth)
        if name == "cast" and len(node.args) > 1:
            return self.find(node.args[1], module, depth - 1)
        if name in LOOKUPS and len(node.args) > 1:
            return self.find(node.args[-1], module, depth - 1)
        if name in LOOKUPS and node.args and isinstance(node.args[0], ast.Constant):
            return self._field(str(node.args[0].value), module, depth)
        return None

    def _local(self, node: ast.Name, module: Module, depth: int) -> Value | None:
        for scope in enclosing(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            here = [value for child in ast.walk(scope) for name, value in assigned(child) if name == node.id]
            others = [value for value in here if not _mentions(value, node.id)] + here
            found = self._first(others, module, depth) or self._parameter(scope, node.id, module, depth)  # type: ignore[arg-type]
            if found is not None or node.id in _parameters(scope):  # type: ignore[arg-type]
                return found
        return self._field(node.id, module, depth)

    def _parameter(self, scope: Function, name: str, module: Module, depth: int) -> Value | None:
        """Return the default of a parameter; without one, the number that a call in the project passes."""
        plain = [*scope.args.posonlyargs, *scope.args.args]
        defaults = dict(zip([item.arg for item in plain][::-1], scope.args.defaults[::-1], strict=False))
        keyed = zip(scope.args.kwonlyargs, scope.args.kw_defaults, strict=True)
        defaults |= {item.arg: value for item, value in keyed if value is not None}
        if name in defaults:
            found = self.find(defaults[name], module, depth - 1)
            if found is not None:
                return found
        names = [item.arg for item in plain]
        if name not in names and name not in [item.arg for item in scope.args.kwonlyargs]:
            return None
        return self._passed(scope, name, names, module, depth)

    def _passed(
        self, scope: Function, name: str, names: list[str], module: Module, depth: int
    ) -> Value | None:
        function = getattr(scope, "name", "")
        owner = next(enclosing(scope, ast.ClassDef), None)
        called = getattr(owner, "name", "") if function == "__init__" else function
        bound = bool(names) and names[0] in {"self", "cls"}
        for other in [module, *(item for item in self._modules if item is not module)]:
            for call in other.calls.get(called, ()) if called else ():
                place = names.index(name) - bound if name in names else len(call.args)
                passed = [word.value for word in call.keywords if word.arg == name]
                passed += call.args[place : place + 1]
                found = self._first(passed, other, depth)
                if found is not None:
                    return found
        return None

    def _field(self, name: str, module: Module, depth: int) -> Value | None:
        """Return the number of a constant, a field or a setting: of this file, else of the only file that has one."""
        name = name.lstrip("_")
        if name in module.fields:
            return self._first(module.fields[name], module, depth)
        elsewhere = [
            value
            for other in self._modules
            if other is not module
            and name in other.fields
            and (value := self._first(other.fields[name], other, depth)) is not None
        ]
        numbers = {value.number for value in elsewhere}
        return elsewhere[0] if len(numbers) == 1 else None


def _parameters(scope: Function) -> set[str]:
    return {item.arg for item in (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs)}


def _mentions(node: ast.expr, name: str) -> bool:
    return any(isinstance(child, ast.Name) and child.id == name for child in ast.walk(node))


def _number(node: ast.Constant, module: Module) -> Value | None:
    if isinstance(node.value, bool) or not isinstance(node.value, (int, float, str)):
        return None
    try:
        number = float(node.value)
    except (ValueError, OverflowError):
        return None
    return Value(number, module.path, node.lineno) if math.isfinite(number) else None
