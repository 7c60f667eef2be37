"""Which products of a Python file are cosines of vectors, and which norms are distances between them."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity.scan import names
from denotary.instruments.similarity.scan.python_modules import enclosing, last_name

if TYPE_CHECKING:
    from denotary.instruments.similarity.scan.python_bindings import Bound
    from denotary.instruments.similarity.scan.python_modules import Module

PRODUCTS: Final = frozenset(("dot", "inner", "matmul", "mm", "vdot", "bmm", "einsum"))
"""Calls that make a score of vectors."""
HOMES: Final = frozenset(("numpy", "torch", "jax.numpy", "cupy"))
PLAIN: Final = frozenset(("dot", "inner", "vdot"))
"""Products of two vectors, where imported."""
GIVES: Final = (ast.Assign, ast.AnnAssign, ast.NamedExpr)
"""Statements after which a name is its value: no sum over a loop, no item of an array."""
VECTORS: Final = names.word_set(
    "emb embs embedding embeddings vec vecs vector vectors embed encode encoder normalized query"
)
NORMS: Final = names.word_set("norm norms magnitude magnitudes")
UNIT: Final = names.word_set("normalize normalized normalised unit")
OTHER: Final = names.FOREIGN | names.word_set(
    "normal normals light direction directions dir axis axes force velocity ray rays enemy angle weight weights w coef "
    "coefs coefficients beta theta bias prob probs probabilities payoffs grad gradient gradients jac jacobian hess "
    "hessian features residual residuals matrix rotation basis eigenvectors"
)
"""Words of geometry, of linear models and of numerical methods: their products are no likeness of texts."""
AGAINST: Final = OTHER | names.word_set(
    "gamma alpha centroid centroids tol atol rtol eps epsilon radius radii"
)
"""Words that say so of a product that nothing else says to be of texts."""


class Products:
    """Tells products in one file."""

    def __init__(self, module: Module, bound: Bound) -> None:
        self._module = module
        self._bound = bound

    def is_cosine(self, node: ast.expr) -> bool:
        """Whether an expression is a product of vectors: called so, divided by norms, or of unit vectors."""
        factors = self._factors(node)
        if factors:
            return of_vectors(factors) or (not _is_other(factors) and all(map(self._is_unit, factors)))
        if not isinstance(node, ast.BinOp):
            return False
        if isinstance(node.op, ast.Mult):
            sides = [node.left, node.right]
            return not _is_other(sides) and all(map(self._is_unit, sides))
        above = self._factors(_unwrapped(node.left)) if isinstance(node.op, ast.Div) else []
        return bool(above) and not _is_other([*above, node.right]) and self._speaks(node.right, NORMS)

    def is_plain(self, node: ast.expr, cutoff: ast.expr) -> bool:
        """Whether one side of a comparison is a dot product of two vectors, or a name for one, with nothing against it.

        Nothing says of such a product that it is of texts. So it counts only as it stands: a difference from it, its
        power and its sum are numerical code, and so is the product of a vector with itself, its squared length.
        """
        given = self._bound.values(node) if isinstance(node, ast.Name) else []
        values = given or [node]
        plain = all(isinstance(next(enclosing(value, ast.AST)), GIVES) for value in given)
        return (
            plain
            and all(self._is_dot(_unwrapped(value)) for value in values)
            and not any(map(_is_against, [node, *values, cutoff]))
        )

    def is_distance(self, node: ast.expr) -> bool:
        """Whether an expression is the norm of a difference of vectors."""
        inner = node.args[0] if isinstance(node, ast.Call) and node.args else None
        if not isinstance(node, ast.Call) or last_name(node.func) not in NORMS:
            return False
        return isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub) and of_vectors([inner])

    def _factors(self, node: ast.expr) -> list[ast.expr]:
        """Return what is multiplied, if an expression is a product of vectors or matrices at all."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            return [node.left, node.right]
        if not isinstance(node, ast.Call) or last_name(node.func) not in PRODUCTS:
            return []
        own = isinstance(node.func, ast.Attribute) and not self._module.qualified(node.func)
        return [*([node.func.value] if own and isinstance(node.func, ast.Attribute) else []), *node.args]

    def _is_dot(self, node: ast.expr) -> bool:
        if not isinstance(node, ast.Call):
            return False
        home, _, name = self._module.qualified(node).rpartition(".")
        return home in HOMES and name in PLAIN and len(set(map(ast.dump, node.args))) > 1

    def _is_unit(self, node: ast.expr) -> bool:
        """Whether a vector, or each row of a matrix, was divided by its norm."""
        node = node.value if isinstance(node, ast.Attribute) and node.attr == "T" else node
        values = [node, *(self._bound.values(node) if isinstance(node, ast.Name) else [])]
        return any(
            (
                isinstance(value, ast.BinOp)
                and isinstance(value.op, ast.Div)
                and self._speaks(value.right, NORMS)
            )
            or (isinstance(value, ast.Call) and not UNIT.isdisjoint(names.words(last_name(value.func))))
            for value in values
        )

    def _speaks(self, node: ast.expr, words: frozenset[str]) -> bool:
        """Whether an expression, or what a name in it was given, has one of some words."""
        parts = list(ast.walk(node))
        given = [value for part in parts if isinstance(part, ast.Name) for value in self._bound.values(part)]
        inner = [part for value in given for part in ast.walk(value)]
        return any(not words.isdisjoint(names.words(last_name(part))) for part in [*parts, *inner])


def of_vectors(nodes: list[ast.expr]) -> bool:
    """Whether any of several operands is called a vector."""
    return any(
        not VECTORS.isdisjoint(names.words(last_name(part))) for node in nodes for part in ast.walk(node)
    )


def _is_other(nodes: list[ast.expr]) -> bool:
    return any(
        not OTHER.isdisjoint(names.words(last_name(part))) for node in nodes for part in ast.walk(node)
    )


def _is_against(node: ast.expr) -> bool:
    """Whether a name in an expression says that it is of no texts: one of the words, or a matrix such as ``X``."""
    return any(
        not AGAINST.isdisjoint(names.words(last_name(part)))
        or (isinstance(part, ast.Name) and re.match("[A-Z](_|$)", part.id) is not None)
        for part in ast.walk(node)
    )


def _unwrapped(node: ast.expr) -> ast.expr:
    return (
        node.args[0] if isinstance(node, ast.Call) and last_name(node.func) == "float" and node.args else node
    )
