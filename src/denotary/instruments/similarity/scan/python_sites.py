"""The gates of a Python file."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity.scan import names
from denotary.instruments.similarity.scan.python_bindings import Bound
from denotary.instruments.similarity.scan.python_modules import enclosing, last_name
from denotary.instruments.similarity.scan.python_products import Products
from denotary.instruments.similarity.scan.python_scales import Scales
from denotary.instruments.similarity.scan.python_scores import Scores
from denotary.instruments.similarity.scan.records import FLIPPED, Operator, Site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.instruments.similarity.scan.python_modules import Module
    from denotary.instruments.similarity.scan.python_values import Values

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
NO_CUTOFFS: Final = (ast.Tuple, ast.List, ast.Compare, ast.JoinedStr)


def python_sites(module: Module, values: Values) -> Iterator[Site]:
    """Yield the gates of a parsed file."""
    bound = Bound(module)
    reader = _Reader(module, values, Scores(module, bound), Scales(module, bound), Products(module, bound))
    for node in chain(ast.walk(module.tree), *map(ast.walk, module.queries)):
        for left, operator, right in _comparisons(node):
            site = reader.site(left, right, operator) or reader.site(right, left, FLIPPED[operator])
            if site is not None:
                yield site


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


@dataclass(frozen=True, slots=True)
class _Reader:
    """Judges the comparisons of one file."""

    module: Module
    values: Values
    scores: Scores
    scales: Scales
    products: Products

    def site(self, score: ast.expr, cutoff: ast.expr, operator: Operator) -> Site | None:
        """Return the gate of a comparison, if the one side is a score and the other a cutoff."""
        if not self._may_be_cutoff(cutoff) or not self._is_score(score, cutoff):
            return None
        found = self.values.find(cutoff, self.module)
        if not _is_named(cutoff) and (found is None or not LEAST <= abs(found.number) <= MOST):
            return None
        inline = isinstance(cutoff, (ast.Constant, ast.UnaryOp))
        return Site(
            path=self.module.path,
            line=score.lineno,
            score=ast.unparse(score),
            operator=operator,
            cutoff=ast.unparse(cutoff),
            value=found.number if found else None,
            origin=f"{found.path}:{found.line}" if found and not inline else "",
            scale="distance" if self.scales.is_distance(score) else "similarity",
            language="python",
        )

    def _may_be_cutoff(self, node: ast.expr) -> bool:
        """Whether this may be a cutoff: a number inside the scale, or a name that may lead to one."""
        if isinstance(node, ast.Constant):
            # The ends of the scale: a check of the range.
            number = node.value
            return (
                isinstance(number, (int, float))
                and not isinstance(number, bool)
                and abs(number) not in {0.0, 1.0}
            )
        if isinstance(node, ast.BinOp) and any(
            names.is_score(n) and not names.is_cutoff(n) for n in _names(node)
        ):
            # Made of another score: a search for the largest.
            return False
        if _is_named(node):
            return True
        if isinstance(node, NO_CUTOFFS) or self.scores.is_score(node):
            return False
        return not any(names.is_record(name) or names.is_foreign(name) for name in _names(node))

    def _is_score(self, node: ast.expr, cutoff: ast.expr) -> bool:
        """Whether this is a score: by itself, by what its cutoff is called, or by the code around it."""
        outer = _outer(node)
        if _is_difference(node) or isinstance(node, ast.Constant) or _clips(_above(node), node, cutoff):
            return False
        if names.is_record(outer) and not isinstance(cutoff, ast.Constant) and not _is_named(cutoff):
            return False
        if self.scores.is_score(node):
            return True
        if any(names.is_cutoff(name) for name in _names(node)):
            return False
        if self.products.is_plain(node, cutoff):
            return True
        weak = names.is_weak(outer) or _is_placed(node, cutoff)
        return weak and (
            any(names.is_cutoff(name) and names.says_similarity(name) for name in _names(cutoff))
            or self._speaks_around(node, cutoff)
        )

    def _speaks_around(self, node: ast.expr, cutoff: ast.expr) -> bool:
        """Whether the code around a weak name speaks of texts: the file, if the cutoff is called one; else nearer."""
        if _outer(node) == "rank" and not _is_named(cutoff):
            return False
        return self.scores.speaks_around(node, file=_is_named(cutoff) or _outer(cutoff).isupper())


def _is_placed(node: ast.expr, cutoff: ast.expr) -> bool:
    """Whether an item is read by its place and its cutoff says what it is: ``hit[1] >= score_threshold``."""
    key = node.slice if isinstance(node, ast.Subscript) else None
    placed = isinstance(key, ast.Constant) and isinstance(key.value, int)
    return placed and any(names.is_cutoff(name) and names.is_said(name) for name in _names(cutoff))


def _clips(node: ast.AST, score: ast.expr, cutoff: ast.expr) -> bool:
    """Whether a comparison only holds a score to its scale: ``if distance > most: distance = most``."""
    clip = node.body[0] if isinstance(node, ast.If) and len(node.body) == 1 else None
    if not isinstance(clip, ast.Assign):
        return False
    return ast.dump(clip.value) == ast.dump(cutoff) and ast.unparse(clip.targets[0]) == ast.unparse(score)


def _above(node: ast.expr) -> ast.AST:
    """Return the statement or expression that the comparison of a score stands in."""
    return next(enclosing(next(enclosing(node, ast.AST)), ast.AST))


def _is_named(node: ast.expr) -> bool:
    return any(names.is_cutoff(name) for name in _names(node))


def _is_difference(node: ast.expr) -> bool:
    """Whether a score is taken from another, as in a test for equality or a step between two scores."""
    absolute = isinstance(node, ast.Call) and last_name(node.func) == "abs" and bool(node.args)
    inner = node.args[0] if absolute and isinstance(node, ast.Call) else node
    minus = isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub)
    return minus and isinstance(inner, ast.BinOp) and not isinstance(inner.left, ast.Constant)


def _outer(node: ast.expr) -> str:
    """Return the last name of what a score is read from."""
    if isinstance(node, ast.Subscript):
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return node.slice.value
        return _outer(node.value)
    return last_name(node.func if isinstance(node, ast.Call) else node)


def _names(node: ast.expr) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, (ast.Name, ast.Attribute)):
            yield last_name(part)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.isidentifier():
            yield part.value
