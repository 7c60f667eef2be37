"""What Python statements bind, and which of several bound names holds the score."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity.scan import names
from denotary.instruments.similarity.scan.python_modules import assigned, enclosing, last_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.instruments.similarity.scan.python_modules import Module

SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)
HOLDS: Final = names.word_set("score scores s dist distance d val value certainty relevance ratio")
DOCUMENTS: Final = names.word_set("doc text document")
LOOPS: Final = frozenset(("enumerate", "zip", "items"))
"""Calls whose last item is the one that a loop is about."""


def bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the targets that a node binds, each with what is bound to it."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr, ast.AugAssign)) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        yield node.target, node.iter


def kept(target: ast.expr, value: ast.expr) -> Iterator[str]:
    """Yield the names of a target that hold the score: of several, those that may, never the document or its index."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        loops = isinstance(value, ast.Call) and last_name(value.func) in LOOPS
        for place, item in enumerate(target.elts):
            if isinstance(item, ast.Tuple):
                yield from kept(item, value)
            elif isinstance(item, ast.Name) and _may_hold(item.id, loops and place == len(target.elts) - 1):
                yield item.id


def _may_hold(name: str, last: bool) -> bool:
    found = set(names.words(name))
    return bool(found & HOLDS) or names.is_score(name) or (last and not found & DOCUMENTS)


class Bound:
    """What the names of one file were given, by the function that gives it."""

    def __init__(self, module: Module) -> None:
        self._values: dict[tuple[ast.AST, str], list[ast.expr]] = {}
        for node in ast.walk(module.tree):
            for name, value in assigned(node):
                self._add(node, name, value)
            for target, value in bindings(node):
                for name in kept(target, value):
                    self._add(node, name, value)

    def _add(self, node: ast.AST, name: str, value: ast.expr) -> None:
        values = self._values.setdefault((next(enclosing(node, SCOPES)), name), [])
        if value not in values:
            values.append(value)

    def values(self, node: ast.Name) -> list[ast.expr]:
        """Return what a name was given, in the nearest function that gives it anything."""
        given = (self._values.get((scope, node.id), []) for scope in enclosing(node, SCOPES))
        return next((values for values in given if values), [])
