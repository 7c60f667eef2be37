"""Which expressions of a Python file are similarity scores: by their names, and by what they were made from."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from denotary.instruments.similarity.scan import libraries, names
from denotary.instruments.similarity.scan.python_bindings import SCOPES, bindings, kept
from denotary.instruments.similarity.scan.python_modules import enclosing, last_name
from denotary.instruments.similarity.scan.python_products import PRODUCTS, Products

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from denotary.instruments.similarity.scan.python_bindings import Bound
    from denotary.instruments.similarity.scan.python_modules import Module

THROUGH: Final = names.word_set(
    "float max min abs round mean sum item tolist numpy cpu diag diagonal median amax amin nanmax squeeze flatten "
    "array asarray clip sorted list zip enumerate triu tril average get values items fill_diagonal detach where "
    "power exp"
)
"""Calls that leave a score a score."""
EVALUATES: Final = {"evaluate", "evaluation", "compute", "compare", "score", "forward", "__call__", "run"}
"""Methods whose result is what their object is called after."""
COLUMNS: Final = {"col", "column"}
"""Calls that name a column of a table."""
PARTS: Final = names.word_set(
    "score scores value values distance dist similarity sim certainty relevance_score"
)
"""Fields of a search result that hold its score."""
NO_SCORES: Final = names.word_set("len isinstance range int str print type hash argmax argsort")
MAKERS: Final = ("set", "load", "train", "build", "make", "create")
"""First words of functions that set something up and return no score."""


class Scores:
    """Tells scores in one file. A name is a score in the function where a score was assigned to it."""

    def __init__(self, module: Module, bound: Bound) -> None:
        self._module = module
        self._products = Products(module, bound)
        self._judges: Final[dict[type[ast.expr], Callable[[Any], bool]]] = {
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Subscript: self._subscript,
            ast.BinOp: self._arithmetic,
            ast.UnaryOp: self._operand,
            ast.Await: self._inner,
            ast.Starred: self._inner,
            ast.NamedExpr: self._inner,
            ast.ListComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.DictComp: self._mapping,
            ast.Tuple: self._several,
            ast.List: self._several,
            ast.IfExp: self._either,
            ast.Call: self._call,
        }
        # Cosines and vectors elsewhere in a file do not make texts of its points.
        self._of_texts = names.speak(_identifiers(module.tree), names.TEXTS)
        self._spoken: dict[ast.AST, bool] = {}
        self._tainted: dict[ast.AST, set[str]] = {
            scope: set() for scope in ast.walk(module.tree) if isinstance(scope, SCOPES)
        }
        # Twice, so that a name assigned above from one below in a loop is found too.
        for _ in range(2):
            for node in ast.walk(module.tree):
                for target, value in bindings(node):
                    if self.is_score(value):
                        scope = next(enclosing(node, SCOPES))
                        self._tainted[scope] |= {
                            name for name in kept(target, value) if not names.is_foreign(name)
                        }

    def is_score(self, node: ast.expr) -> bool:
        """Whether an expression is a score, or a collection of scores."""
        judge = self._judges.get(type(node))
        return judge is not None and judge(node)

    def speaks_around(self, node: ast.AST, *, file: bool) -> bool:
        """Whether the function and the class around a node, or its whole file, speak of comparing texts."""
        near = [*enclosing(node, (*SCOPES, ast.ClassDef))]
        around = [scope for scope in near if file or len(near) == 1 or not isinstance(scope, ast.Module)]
        return any(self._speaks(scope) for scope in around)

    def _speaks(self, scope: ast.AST) -> bool:
        if scope not in self._spoken:
            self._spoken[scope] = names.speak(_identifiers(scope), names.CONTEXT)
        return self._spoken[scope]

    def _name(self, node: ast.Name) -> bool:
        if names.is_score(node.id):
            return True
        if names.is_cutoff(node.id):
            return False
        return any(node.id in self._tainted.get(scope, ()) for scope in enclosing(node, SCOPES))

    def _attribute(self, node: ast.Attribute) -> bool:
        return names.is_score(node.attr) or (node.attr in PARTS and self.is_score(node.value))

    def _subscript(self, node: ast.Subscript) -> bool:
        key = node.slice
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            return names.is_score(key.value) or (key.value in PARTS and self.is_score(node.value))
        return self.is_score(node.value)

    def _arithmetic(self, node: ast.BinOp) -> bool:
        if self._products.is_cosine(node):
            return True
        if isinstance(node.op, ast.MatMult):
            return False
        if isinstance(node.op, (ast.Mod, ast.FloorDiv, ast.LShift, ast.RShift)):
            return False
        return self.is_score(node.left) or self.is_score(node.right)

    def _operand(self, node: ast.UnaryOp) -> bool:
        return self.is_score(node.operand)

    def _inner(self, node: ast.Await | ast.Starred | ast.NamedExpr) -> bool:
        return self.is_score(node.value)

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> bool:
        return self.is_score(node.elt)

    def _mapping(self, node: ast.DictComp) -> bool:
        return self.is_score(node.value)

    def _several(self, node: ast.Tuple | ast.List) -> bool:
        return any(self.is_score(item) for item in node.elts)

    def _either(self, node: ast.IfExp) -> bool:
        return self.is_score(node.body) or self.is_score(node.orelse)

    def _call(self, node: ast.Call) -> bool:
        name = last_name(node.func)
        base = node.func.value if isinstance(node.func, ast.Attribute) else None
        operands = [*([base] if base is not None else []), *node.args]
        if name in NO_SCORES:
            return False
        full = self._module.qualified(node.func)
        if libraries.is_geometric(full):
            near = self._of_texts or self.speaks_around(node, file=False)
            return near and not _is_foreign(operands)
        if libraries.scale(full) or self._products.is_distance(node):
            return True
        if name in PRODUCTS:
            return self._products.is_cosine(node)
        if name in THROUGH and any(self.is_score(item) for item in operands[:3]):
            return True
        return _is_scoring(name, base) or self._of_argument(name, node)

    def _of_argument(self, name: str, node: ast.Call) -> bool:
        """Whether a call is a score since it names one in an argument: a cast or a column of a table."""
        if name == "cast" and len(node.args) > 1:
            return self.is_score(node.args[1])
        first = node.args[0] if name in COLUMNS and node.args else None
        return isinstance(first, ast.Constant) and names.is_score(str(first.value))


def _is_scoring(name: str, base: ast.expr | None) -> bool:
    """Whether a function or method returns a score by its name, or by the name of its object."""
    if name in names.LEXICAL:
        return name not in {"ratio", "quick_ratio"} or _is_lexical_home(base)
    found = names.words(name)
    if names.says_similarity(name) or set(found) & (names.SHORT | {"cosine"}):
        other = names.OTHER - {"search", "fn", "func", "function", "model"}
        return not found[0].startswith(MAKERS) and found[-1] not in other and not names.is_cutoff(name)
    if base is not None and name in EVALUATES and names.says_similarity(last_name(base)):
        return True
    if base is None or not names.is_distance(name):
        return False
    homes = {last_name(part) for part in ast.walk(base)}
    return any(names.says_similarity(home) for home in homes) or _is_lexical_home(base)


def _is_foreign(nodes: list[ast.expr]) -> bool:
    """Whether any operand says that it is no text."""
    return any(names.is_foreign(last_name(part)) for node in nodes for part in ast.walk(node))


def _is_lexical_home(base: ast.expr | None) -> bool:
    if base is None:
        return True
    return not names.LEXICAL_HOMES.isdisjoint(last_name(part).lower() for part in ast.walk(base))


def _identifiers(scope: ast.AST) -> Iterator[str]:
    for part in ast.walk(scope):
        if isinstance(part, (ast.Name, ast.Attribute)):
            yield last_name(part)
        elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield part.name
        elif isinstance(part, ast.arg):
            yield part.arg
