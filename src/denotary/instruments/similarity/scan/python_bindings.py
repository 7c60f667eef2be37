"""What Python statements bind, and which of several bound names holds the score."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity.scan import names
from denotary.instruments.similarity.scan.python_modules import last_name

if TYPE_CHECKING:
    from collections.abc import Iterator

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
