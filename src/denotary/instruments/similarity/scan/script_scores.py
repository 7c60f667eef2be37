"""Which expressions of TypeScript or JavaScript are similarity scores: by name, and by what they were made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity.scan import names
from denotary.instruments.similarity.scan.script_tree import (
    WRAPPERS,
    arguments,
    held,
    identifiers,
    last,
    scopes,
    sides,
    text,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tree_sitter import Node

THROUGH: Final = names.word_set("max min abs Number parseFloat round map filter flat reduce at toFixed")
"""Calls that leave a score a score."""
PARTS: Final = frozenset(("score", "distance", "value", "rating"))
"""Fields of a search result that hold its score."""
MAKERS: Final = frozenset(("set", "create", "make", "build", "use"))
"""First words of functions that set something up and return no score."""
INNER: Final = WRAPPERS | {"subscript_expression", "unary_expression", "spread_element"}
ARITHMETIC: Final = frozenset(("+", "-", "*", "/", "??", "||"))


class ScriptScores:
    """Tells scores in one file. A name is a score in the function where a score was assigned to it."""

    def __init__(self, root: Node, nodes: Sequence[Node]) -> None:
        self._root = root
        self._judges: Final[dict[str, Callable[[Node], bool]]] = {
            "identifier": self._name,
            "member_expression": self._member,
            "call_expression": self._call,
            "binary_expression": self._binary,
            "ternary_expression": self._ternary,
        }
        self._spoken: dict[int, bool] = {}
        self._tainted: set[tuple[int, str]] = set()
        # Twice, so that a name assigned above from one below in a loop is found too.
        for _ in range(2):
            for node in nodes:
                if node.type in {"variable_declarator", "assignment_expression"}:
                    self._taint(node)

    def is_score(self, node: Node | None) -> bool:
        """Whether an expression is a score, or a collection of scores."""
        if node is None:
            return False
        if node.type in INNER:
            return any(self.is_score(child) for child in node.named_children[:1])
        judge = self._judges.get(node.type)
        return judge is not None and judge(node)

    def speaks_around(self, node: Node, *, file: bool) -> bool:
        """Whether the functions and classes around a node, or its whole file, speak of comparing texts."""
        while (parent := node.parent) is not None:
            node = parent
            inside = "function" in node.type or node.type in {"method_definition", "class_declaration"}
            if (inside or (file and node == self._root)) and self._speaks(node):
                return True
        return False

    def _speaks(self, node: Node) -> bool:
        if node.id not in self._spoken:
            self._spoken[node.id] = names.speak(identifiers(node), names.CONTEXT)
        return self._spoken[node.id]

    def _name(self, node: Node) -> bool:
        name = text(node)
        return names.is_score(name) or any((scope, name) in self._tainted for scope in scopes(node))

    def _member(self, node: Node) -> bool:
        name = last(node)
        return names.is_score(name) or (name in PARTS and self.is_score(node.child_by_field_name("object")))

    def _binary(self, node: Node) -> bool:
        left, operator, right = sides(node)
        return operator in ARITHMETIC and (self.is_score(left) or self.is_score(right))

    def _ternary(self, node: Node) -> bool:
        return any(self.is_score(node.child_by_field_name(key)) for key in ("consequence", "alternative"))

    def _call(self, node: Node) -> bool:
        name = last(node)
        words = names.words(name)
        if names.is_cutoff(name) or not words:
            return False
        if name in names.LEXICAL or names.says_similarity(name) or {"sim", "cosine", "similar"} & set(words):
            return words[0] not in MAKERS
        function = node.child_by_field_name("function")
        home = function.child_by_field_name("object") if function is not None else None
        return name in THROUGH and any(self.is_score(part) for part in [home, *arguments(node)[:1]])

    def _taint(self, node: Node) -> None:
        name, value = held(node)
        if name is None or not self.is_score(value):
            return
        if name.type == "identifier":
            self._tainted.add((next(scopes(node)), text(name)))
            return
        for part in walk(name):
            shown = part.type in {"identifier", "shorthand_property_identifier_pattern"}
            if shown and {"score", "distance", "sim"} & set(names.words(text(part))):
                self._tainted.add((next(scopes(node)), text(part)))
