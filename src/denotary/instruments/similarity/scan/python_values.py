"""Following a cutoff to its number: through names, defaults, settings, environment and call sites."""

from __future__ import annotations

import ast
import operator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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


@dataclass(slots=True)
class Module:
    """A parsed file, with what values are looked up in.

    Attributes:
        path: relative path.
        tree: its syntax tree; every node has ``parent``.
        fields: assigned expressions by name, at module and class level and to ``self``, in the order of the file.
        calls: calls by the last part of the function's name.
    """

    path: str
    tree: ast.Module
    fields: dict[str, list[ast.expr]] = field(default_factory=dict)
    calls: dict[str, list[ast.Call]] = field(default_factory=dict)


def read_module(path: str, source: str) -> Module:
    """Parse a file.

    Raises:
        SyntaxError: it is no Python of this version.
        RecursionError: it is nested too deeply.
    """
    module = Module(path, ast.parse(source))
    for parent in ast.walk(module.tree):
        for child in ast.iter_child_nodes(parent):
            child.parent = parent  # type: ignore[attr-defined]
        if isinstance(parent, ast.Call):
            module.calls.setdefault(last_name(parent.func), []).append(parent)
            _options(parent, module)
        elif isinstance(parent, ast.Dict):
            for key, value in zip(parent.keys, parent.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    module.fields.setdefault(key.value.lstrip("_"), []).append(value)
        for name, value in assigned(parent):
            module.fields.setdefault(name.lstrip("_"), []).append(value)
    return module


def _options(call: ast.Call, module: Module) -> None:
    """Take in the default of a command-line option: ``add_argument("--similarity-threshold", default=0.8)``."""
    if last_name(call.func) not in {"add_argument", "option"}:
        return
    default = next((word.value for word in call.keywords if word.arg == "default"), None)
    for name in call.args:
        if default is not None and isinstance(name, ast.Constant) and str(name.value).startswith("--"):
            module.fields.setdefault(str(name.value)[2:].replace("-", "_"), []).append(default)


def assigned(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a statement assigns, each with what is assigned."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, (ast.Name, ast.Attribute)):
                yield last_name(target), node.value
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = zip(target.elts, node.value.elts, strict=False)
                yield from ((last_name(one), value) for one, value in pairs if isinstance(one, ast.Name))
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        yield last_name(node.target), node.value


def last_name(node: ast.AST) -> str:
    """Return the last part of a dotted name; empty if the node is none."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def enclosing(node: ast.AST, kind: type[ast.AST] | tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
    """Yield the nodes of a kind around a node, the nearest first."""
    while (node := getattr(node, "parent", None)) is not None:  # type: ignore[assignment]
        if isinstance(node, kind):
            yield node


class Values:
    """Finds the number behind an expression, in the files of one project."""

    def __init__(self, modules: Sequence[Module]) -> None:
        self._modules = modules
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
        if isinstance(node, ast.Constant):
            return _number(node, module)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.find(node.operand, module, depth - 1)
            return inner and Value(-inner.number, inner.path, inner.line)
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node, module, depth)
        if isinstance(node, (ast.BoolOp, ast.IfExp)):
            parts = node.values if isinstance(node, ast.BoolOp) else [node.body, node.orelse]
            return self._first(parts, module, depth)
        if isinstance(node, ast.Call):
            return self._call(node, module, depth)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return self._field(str(node.slice.value), module, depth)
        if isinstance(node, ast.Name):
            return self._local(node, module, depth)
        return self._field(node.attr, module, depth) if isinstance(node, ast.Attribute) else None

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
        found = self._first(module.fields.get(name, ()), module, depth)
        if found is not None:
            return found
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
    value = node.value
    if isinstance(value, str):
        try:
            return Value(float(value), module.path, node.lineno)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return Value(float(value), module.path, node.lineno)
