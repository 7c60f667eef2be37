"""Parsing TypeScript and JavaScript by tree-sitter, and reading names and scopes off the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

FUNCTIONS: Final = frozenset(
    (
        "function_declaration",
        "function_expression",
        "arrow_function",
        "method_definition",
        "program",
        "generator_function_declaration",
    )
)
WRAPPERS: Final = frozenset(
    (
        "parenthesized_expression",
        "await_expression",
        "non_null_expression",
        "as_expression",
        "satisfies_expression",
    )
)
"""Nodes that stand for what is in them."""

INSTALL: Final = "pip install 'denotary[scan]'"
EXTRA: Final = f"TypeScript and JavaScript need the extra scan: {INSTALL}"
"""Why scripts and components were not read."""


class Script(NamedTuple):
    """A source, and the dialect that it is written in: ``javascript``, ``typescript`` or ``tsx``."""

    text: str
    dialect: str


def parsers() -> dict[str, Any]:
    """Return a parser by dialect: ``javascript``, ``typescript``, ``tsx``.

    Raises:
        InputError: the extra ``scan`` is not installed.
    """
    try:
        import tree_sitter
        import tree_sitter_javascript
        import tree_sitter_typescript
    except ModuleNotFoundError as error:
        raise InputError(
            f"reading TypeScript and JavaScript needs the package {error.name}",
            hint=f"install it: {INSTALL}",
        ) from error
    languages = {
        "javascript": tree_sitter_javascript.language(),
        "typescript": tree_sitter_typescript.language_typescript(),
        "tsx": tree_sitter_typescript.language_tsx(),
    }
    return {name: tree_sitter.Parser(tree_sitter.Language(found)) for name, found in languages.items()}


def dialect(path: str) -> str:
    """Return the dialect of a file by its name."""
    if path.endswith(".tsx"):
        return "tsx"
    return "typescript" if path.endswith((".ts", ".mts", ".cts")) else "javascript"


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all below it, in the order of the source."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(node.children)


def held(node: Node) -> tuple[Node | None, Node | None]:
    """Return the name and the value of a node that gives a name a value."""
    keys = ("name", "left", "key", "pattern", "property")
    name = next((found for key in keys if (found := node.child_by_field_name(key))), None)
    return name, node.child_by_field_name("value") or node.child_by_field_name("right")


def scopes(node: Node) -> Iterator[int]:
    """Yield the identities of the functions around a node, the nearest first, and of the file."""
    while node.parent is not None:
        if node.type in FUNCTIONS:
            yield node.id
        node = node.parent
    yield node.id


def text(node: Node) -> str:
    """Return the source of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def last(node: Node | None) -> str:
    """Return the last part of a dotted name, of a call that of its function; empty for anything else."""
    if node is None:
        return ""
    if node.type == "call_expression":
        return last(node.child_by_field_name("function"))
    if node.type == "member_expression":
        return last(node.child_by_field_name("property"))
    if node.type in WRAPPERS and node.named_children:
        return last(node.named_children[0])
    return text(node) if "identifier" in node.type else ""


def identifiers(node: Node) -> Iterator[str]:
    """Yield the identifiers in a node."""
    return (text(part) for part in walk(node) if "identifier" in part.type)


def sides(node: Node) -> tuple[Node | None, str, Node | None]:
    """Return left side, operator and right side of a binary expression; nothing of other nodes."""
    operator = node.child_by_field_name("operator") if node.type == "binary_expression" else None
    if operator is None:
        return None, "", None
    return node.child_by_field_name("left"), text(operator), node.child_by_field_name("right")


def arguments(node: Node) -> list[Node]:
    """Return the arguments of a call."""
    found = node.child_by_field_name("arguments")
    return found.named_children if found is not None else []
