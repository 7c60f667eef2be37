"""Parsed Python files, with the names that are assigned and the calls that are made in them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from denotary.instruments.similarity.scan.python_queries import query

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class Module:
    """A parsed file, with what values are looked up in.

    Attributes:
        path: relative path.
        tree: its syntax tree; every node has ``parent``.
        fields: assigned expressions by name, at module and class level and to ``self``, in the order of the file.
        calls: calls by the last part of the function's name.
        imports: what the names of the file were imported as: ``cs`` is ``sentence_transformers.util.cos_sim``.
        queries: conditions that are handed to tables as text.
    """

    path: str
    tree: ast.Module
    fields: dict[str, list[ast.expr]] = field(default_factory=dict)
    calls: dict[str, list[ast.Call]] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    queries: list[ast.expr] = field(default_factory=list)

    def qualified(self, node: ast.AST) -> str:
        """Return the name of a function, method or class with all that it was imported from; empty if it was not.

        What an imported class makes is followed under the name that it is given: with ``cos = nn.CosineSimilarity()``,
        ``cos`` is ``torch.nn.CosineSimilarity``.
        """
        if isinstance(node, ast.Call):
            return self.qualified(node.func)
        if isinstance(node, ast.Name):
            return self.imports.get(node.id) or self._made(node.id)
        if not isinstance(node, ast.Attribute):
            return ""
        if last_name(node.value) in {"self", "cls"}:
            return self._made(node.attr)
        home = self.qualified(node.value)
        return f"{home}.{node.attr}" if home else ""

    def _made(self, name: str) -> str:
        """Return the imported class whose object was given this name."""
        for value in self.fields.get(name.lstrip("_"), ()):
            if isinstance(value, ast.Call) and last_name(value.func)[:1].isupper():
                first, _, rest = ast.unparse(value.func).partition(".")
                if first in self.imports:
                    return f"{self.imports[first]}.{rest}".rstrip(".")
        return ""


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
            if (condition := query(parent)) is not None:
                module.queries.append(condition)
        elif isinstance(parent, ast.Dict):
            for key, value in zip(parent.keys, parent.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    module.fields.setdefault(key.value.lstrip("_"), []).append(value)
        elif isinstance(parent, (ast.Import, ast.ImportFrom)):
            module.imports |= _imported(parent)
        for name, value in assigned(parent):
            module.fields.setdefault(name.lstrip("_"), []).append(value)
    return module


def _imported(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """Return the names that an import binds, each with what it stands for; a relative import is of no library."""
    if isinstance(node, ast.Import):
        return {
            item.asname or item.name.split(".")[0]: item.name if item.asname else item.name.split(".")[0]
            for item in node.names
        }
    home = node.module if node.level == 0 else None
    return {item.asname or item.name: f"{home}.{item.name}" for item in node.names} if home else {}


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
                yield from ((last_name(one), value) for one, value in pairs if last_name(one))
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
