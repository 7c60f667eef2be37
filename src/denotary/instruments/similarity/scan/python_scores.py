"""Which expressions of a Python file are similarity scores: by what they are called, and by what they were made from."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from denotary.instruments.similarity.scan import names
from denotary.instruments.similarity.scan.python_values import assigned, enclosing, last_name

if TYPE_CHECKING:
    from collections.abc import Iterator

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)
THROUGH = {
    "float",
    "max",
    "min",
    "abs",
    "round",
    "mean",
    "sum",
    "item",
    "tolist",
    "numpy",
    "cpu",
    "diag",
    "diagonal",
    "median",
    "amax",
    "amin",
    "nanmax",
    "squeeze",
    "flatten",
    "array",
    "asarray",
    "clip",
    "sorted",
    "list",
    "zip",
    "enumerate",
    "triu",
    "tril",
    "average",
    "get",
    "values",
    "items",
    "fill_diagonal",
    "detach",
    "where",
    "power",
    "exp",
}
"""Calls that leave a score a score."""
EVALUATES = {"evaluate", "evaluation", "compute", "compare", "score", "forward", "__call__", "run"}
"""Methods whose result is what their object is called after."""
PRODUCTS = {"dot", "inner", "matmul", "mm", "vdot", "bmm", "einsum"}
"""Calls that make a score of vectors."""
PARTS = {
    "score",
    "scores",
    "value",
    "values",
    "distance",
    "dist",
    "similarity",
    "sim",
    "certainty",
    "relevance_score",
}
"""Fields of a search result that hold its score."""


class Scores:
    """Tells scores in one file. A name is a score in the function where a score was assigned to it."""

    def __init__(self, tree: ast.Module) -> None:
        self._tainted: dict[ast.AST, set[str]] = {}
        for scope in ast.walk(tree):
            if isinstance(scope, SCOPES):
                self._tainted[scope] = set()
        # Twice, so that a name assigned above from one below in a loop is found too.
        for _ in range(2):
            for node in ast.walk(tree):
                for target, value in _bindings(node):
                    if self.is_score(value):
                        scope = self._scope(node)
                        self._tainted[scope] |= set(_kept(target, value))

    def _scope(self, node: ast.AST) -> ast.AST:
        return next(enclosing(node, SCOPES))

    def is_score(self, node: ast.expr) -> bool:
        """Whether an expression is a score, or a collection of scores."""
        if isinstance(node, ast.Name):
            return names.is_score(node.id) or self._is_tainted(node)
        if isinstance(node, ast.Attribute):
            return names.is_score(node.attr) or (node.attr in PARTS and self.is_score(node.value))
        if isinstance(node, ast.Subscript):
            key = node.slice
            named = isinstance(key, ast.Constant) and isinstance(key.value, str)
            if named:
                text = str(key.value)  # type: ignore[union-attr]
                return names.is_score(text) or (text in PARTS and self.is_score(node.value))
            return self.is_score(node.value)
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node)
        if isinstance(node, (ast.UnaryOp, ast.Await, ast.Starred)):
            return self.is_score(node.operand if isinstance(node, ast.UnaryOp) else node.value)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
            return self.is_score(node.elt)
        if isinstance(node, (ast.Tuple, ast.List)):
            return any(self.is_score(item) for item in node.elts)
        if isinstance(node, ast.IfExp):
            return self.is_score(node.body) or self.is_score(node.orelse)
        return isinstance(node, ast.Call) and self._call(node)

    def _is_tainted(self, node: ast.Name) -> bool:
        if names.is_cutoff(node.id):
            return False
        return any(node.id in self._tainted.get(scope, ()) for scope in enclosing(node, SCOPES))

    def _arithmetic(self, node: ast.BinOp) -> bool:
        if isinstance(node.op, ast.MatMult):
            return _of_vectors([node.left, node.right])
        if isinstance(node.op, (ast.Mod, ast.FloorDiv, ast.LShift, ast.RShift)):
            return False
        return self.is_score(node.left) or self.is_score(node.right)

    def _call(self, node: ast.Call) -> bool:
        name = last_name(node.func)
        if name in {
            "len",
            "isinstance",
            "range",
            "int",
            "str",
            "print",
            "type",
            "hash",
            "sum_count",
            "argmax",
            "argsort",
            "where_count",
        }:
            return False
        base = node.func.value if isinstance(node.func, ast.Attribute) else None
        if name in names.LEXICAL:
            return name not in {"ratio", "quick_ratio"} or _is_lexical_home(base)
        if name in PRODUCTS:
            return _of_vectors([*([base] if base is not None else []), *node.args])
        found = names.words(name)
        if names.says_similarity(name) or set(found) & (names.SHORT | {"cosine"}):
            return (
                not found[0].startswith(("set", "load", "train", "build", "make", "create", "get_index"))
                and (found[-1] not in names.OTHER - {"search", "fn", "func", "function", "model", "rank"})
                and not names.is_cutoff(name)
            )
        if name == "cast" and len(node.args) > 1:
            return self.is_score(node.args[1])
        if base is not None and name in EVALUATES and names.says_similarity(last_name(base)):
            return True
        if name in THROUGH:
            arguments = [*([base] if base is not None else []), *node.args[:2]]
            return any(self.is_score(item) for item in arguments)
        if names.is_distance(name):
            return base is not None and any(
                names.says_similarity(last_name(part))
                or (names.is_distance("vector_" + last_name(part)) and "cosine" in last_name(part))
                for part in ast.walk(base)
                if isinstance(part, (ast.Name, ast.Attribute))
            )
        return False

    def is_distance(self, node: ast.expr) -> bool:
        """Whether a score is less the more alike two texts are, by the names in it and in what it was made from."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and _is_one(node.left):
            return not self.is_distance(node.right)
        if isinstance(node, ast.Call):
            inner = [*([node.func.value] if isinstance(node.func, ast.Attribute) else []), *node.args[:1]]
            if last_name(node.func) in THROUGH and inner:
                return any(self.is_distance(item) for item in inner)
            home = last_name(node.func.value) if isinstance(node.func, ast.Attribute) else ""
            return (
                names.is_distance(last_name(node.func))
                or home in {"distance", "distances"}
                or (last_name(node.func) == "cosine" and home in {"distance", "ssd", "spatial"})
            )
        if isinstance(node, ast.Name):
            if names.is_distance(node.id):
                return True
            if names.is_score(node.id):
                return False
            scope = next(enclosing(node, SCOPES), None)
            made = [
                value
                for child in (ast.walk(scope) if scope else ())
                for name, value in assigned(child)
                if name == node.id
            ]
            return any(self.is_distance(value) for value in made if not isinstance(value, ast.Name))
        if isinstance(node, ast.Attribute):
            return names.is_distance(node.attr) or (
                not names.is_score(node.attr) and self.is_distance(node.value)
            )
        if isinstance(node, ast.Subscript):
            key = node.slice
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                return names.is_distance(key.value)
            return self.is_distance(node.value)
        return False


def _bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the targets that a node binds, each with what is bound to it."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr, ast.AugAssign)) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        yield node.target, node.iter


def _kept(target: ast.expr, value: ast.expr) -> Iterator[str]:
    """Yield the names of a target that hold the score: of several, those that may, never the document or its index."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        through = isinstance(value, ast.Call) and last_name(value.func) in {"enumerate", "zip", "items"}
        for place, item in enumerate(target.elts):
            if isinstance(item, ast.Tuple):
                yield from _kept(item, value)
            elif isinstance(item, ast.Name):
                found = set(names.words(item.id))
                holds = bool(
                    found
                    & {
                        "score",
                        "scores",
                        "s",
                        "dist",
                        "distance",
                        "d",
                        "val",
                        "value",
                        "certainty",
                        "relevance",
                    }
                )
                if (
                    holds
                    or names.is_score(item.id)
                    or (through and place == len(target.elts) - 1 and not found & {"doc", "text", "document"})
                ):
                    yield item.id


def _of_vectors(nodes: list[ast.expr]) -> bool:
    marks = {
        "emb",
        "embs",
        "embedding",
        "embeddings",
        "vec",
        "vecs",
        "vector",
        "vectors",
        "embed",
        "encode",
        "normalized",
        "query",
    }
    hits = 0
    for node in nodes:
        found = {word for part in ast.walk(node) for word in names.words(last_name(part))}
        hits += bool(found & marks)
    return hits > 0


def _is_lexical_home(base: ast.expr | None) -> bool:
    if base is None:
        return True
    parts = {last_name(part).lower() for part in ast.walk(base)}
    return bool(parts & names.LEXICAL_HOMES)


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (1, 1.0) and not isinstance(node.value, bool)
