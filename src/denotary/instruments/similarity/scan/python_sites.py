"""The gates of a Python file."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity.scan import names
from denotary.instruments.similarity.scan.python_scores import Scores
from denotary.instruments.similarity.scan.python_values import last_name
from denotary.instruments.similarity.scan.records import FLIPPED, Operator, Site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.instruments.similarity.scan.python_values import Module, Values

OPERATORS: Final[dict[type[ast.cmpop], Operator]] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
METHODS: Final[dict[str, Operator]] = {
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
}
"""Comparisons of arrays written as calls: ``torch.ge(similarity, 0.8)``, ``similarity.ge(0.8)``."""
LEAST: Final = 0.005
"""Numbers below this are tolerances of a test for equality, or signs, and no cutoffs."""
MOST: Final = 100.0
"""Largest cutoff: scores of string matching are percentages."""


def python_sites(module: Module, values: Values) -> Iterator[Site]:
    """Yield the gates of a parsed file."""
    scores = Scores(module.tree)
    for node in ast.walk(module.tree):
        for left, operator, right in _comparisons(node):
            for score, cutoff, shown in ((left, right, operator), (right, left, FLIPPED[operator])):
                site = _site(score, cutoff, shown, scores, module, values)
                if site is not None:
                    yield site
                    break


def _comparisons(node: ast.AST) -> Iterator[tuple[ast.expr, Operator, ast.expr]]:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
            if type(operator) in OPERATORS:
                yield left, OPERATORS[type(operator)], right
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
        sides = [*node.args] if len(node.args) > 1 else [node.func.value, *node.args]
        if len(sides) > 1:
            yield sides[0], METHODS[node.func.attr], sides[1]


def _site(
    score: ast.expr, cutoff: ast.expr, operator: Operator, scores: Scores, module: Module, values: Values
) -> Site | None:
    if not _is_cutoff(cutoff, scores) or not _is_score(score, cutoff, scores):
        return None
    found = values.find(cutoff, module)
    named = any(names.is_cutoff(name) for name in _names(cutoff))
    if found is None and not named:
        return None
    if found is not None and not named and not LEAST <= abs(found.number) <= MOST:
        return None
    if isinstance(cutoff, ast.Constant) and abs(cutoff.value) in (0, 1):  # type: ignore[arg-type]
        # The ends of the scale: a check of the range, and no cutoff.
        return None
    inline = isinstance(cutoff, (ast.Constant, ast.UnaryOp))
    return Site(
        path=module.path,
        line=score.lineno,
        score=ast.unparse(score),
        operator=operator,
        cutoff=ast.unparse(cutoff),
        value=found.number if found else None,
        origin=f"{found.path}:{found.line}" if found and not inline else "",
        scale="distance" if scores.is_distance(score) else "similarity",
        language="python",
    )


def _is_score(node: ast.expr, cutoff: ast.expr, scores: Scores) -> bool:
    """Whether this is a score; a field called ``score`` is one where the cutoff speaks of similarity."""
    if any(names.is_cutoff(name) for name in _names(node)) and not scores.is_score(node):
        return False
    if scores.is_score(node):
        return not _is_difference(node) and not (
            names.is_record(_outer(node))
            and not isinstance(cutoff, ast.Constant)
            and not any(names.is_cutoff(n) for n in _names(cutoff))
        )
    last = names.words(_outer(node))
    speaks = any(names.is_cutoff(name) and names.says_similarity(name + "_value") for name in _names(cutoff))
    return (
        speaks
        and bool(last)
        and last[-1] in {"score", "scores", "sim", "distance", "dist", "value", "relevance", "certainty"}
    )


def _is_cutoff(node: ast.expr, scores: Scores) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
    found = list(_names(node))
    if any(names.is_cutoff(name) for name in found):
        return True
    if isinstance(node, (ast.Tuple, ast.List, ast.Compare, ast.JoinedStr)) or scores.is_score(node):
        return False
    if isinstance(node, (ast.UnaryOp, ast.BinOp)) and not found:
        return True
    # A name in capitals is a constant, whatever it is called.
    return bool(found) and all(name.isupper() for name in found)


def _is_difference(node: ast.expr) -> bool:
    """Whether a score is taken from another, as in a test for equality or a step between two scores."""
    inner = (
        node.args[0] if isinstance(node, ast.Call) and last_name(node.func) == "abs" and node.args else node
    )
    return (
        isinstance(inner, ast.BinOp)
        and isinstance(inner.op, ast.Sub)
        and not (isinstance(inner.left, ast.Constant))
    )


def _outer(node: ast.expr) -> str:
    """Return the last name of what a score is read from."""
    if isinstance(node, ast.Subscript):
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return node.slice.value
        return _outer(node.value)
    if isinstance(node, ast.Call):
        return last_name(node.func)
    return last_name(node)


def _names(node: ast.expr) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, (ast.Name, ast.Attribute)):
            yield last_name(part)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.isidentifier():
            yield part.value
