"""Following a cutoff of TypeScript or JavaScript to its number: constants, defaults and fields of the same file."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity.scan.script_tree import (
    WRAPPERS,
    arguments,
    held,
    last,
    scopes,
    sides,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tree_sitter import Node

DEPTH: Final = 8
"""Steps after which a value is given up: longer chains are rare, and circles end."""
FIELDS: Final = frozenset(("public_field_definition", "field_definition", "pair"))
"""Nodes that give a field a value."""
VARIABLES: Final = frozenset(
    (
        "variable_declarator",
        "assignment_expression",
        "assignment_pattern",
        "object_assignment_pattern",
        "required_parameter",
        "optional_parameter",
    )
)
"""Nodes that give a variable or a parameter a value; a parameter of a constructor may be a field too."""
FALLBACKS: Final = frozenset(("??", "||"))
"""Operators of which the first number counts: ``options.threshold ?? 0.8``."""
CONVERTERS: Final = frozenset(("Number", "parseFloat"))
ARITHMETIC: Final[dict[str, Callable[[float, float], float]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
Number = tuple[float, int]
"""A number and the line that it stands on."""


class ScriptValues:
    """Finds the number behind an expression of one file."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._variables: dict[str, list[tuple[int, Node]]] = {}
        self._fields: dict[str, list[Node]] = {}
        for node in nodes:
            name, value = held(node) if node.type in FIELDS | VARIABLES else (None, None)
            if name is None or value is None:
                continue
            key = _key(name)
            if node.type in FIELDS or name.type == "member_expression":
                self._fields.setdefault(key, []).append(value)
            else:
                self._variables.setdefault(key, []).append((next(scopes(node)), value))

    def find(self, node: Node, depth: int = DEPTH) -> Number | None:
        """Return the number that an expression has by default, or None where that cannot be told from the file."""
        if depth == 0:
            return None
        if node.type in {"number", "string"}:
            return _number(node)
        if node.type == "unary_expression" and text(node).startswith("-"):
            inner = self.find(node.named_children[0], depth - 1)
            return inner and (-inner[0], inner[1])
        left, sign, right = sides(node)
        if left is not None and right is not None and sign in ARITHMETIC:
            return _applied(sign, self.find(left, depth - 1), self.find(right, depth - 1))
        return self._first(self._behind(node), depth)

    def _behind(self, node: Node) -> Sequence[Node]:
        """Return the expressions that give a node its value, the likeliest first."""
        if node.type in WRAPPERS | {"ternary_expression"} or sides(node)[1] in FALLBACKS:
            return node.named_children
        if node.type == "call_expression" and last(node) in CONVERTERS:
            return arguments(node)
        if node.type == "member_expression":
            return [
                *self._fields.get(_key(node), ()),
                *(value for _, value in self._variables.get(_key(node), ())),
            ]
        if "identifier" in node.type:
            return self._of_variable(node)
        return ()

    def _of_variable(self, node: Node) -> list[Node]:
        given = self._variables.get(_key(node), ())
        near = [value for scope in scopes(node) for place, value in given if place == scope]
        return [value for value in near if value.id != node.id]

    def _first(self, nodes: Iterable[Node], depth: int) -> Number | None:
        return next((found for node in nodes if (found := self.find(node, depth - 1))), None)


def _applied(sign: str, left: Number | None, right: Number | None) -> Number | None:
    if left is None or right is None or (sign == "/" and not right[0]):
        return None
    return round(ARITHMETIC[sign](left[0], right[0]), 12), left[1]


def _key(node: Node) -> str:
    return last(node).lstrip("_#")


def _number(node: Node) -> Number | None:
    written = text(node).strip("\"'").replace("_", "")
    try:
        number = float(written)
    except ValueError:
        return None
    return (number, node.start_point[0] + 1) if math.isfinite(number) else None
