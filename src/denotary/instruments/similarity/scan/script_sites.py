"""The gates of TypeScript and JavaScript, read by tree-sitter. A file is followed by itself: constants, defaults, fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from denotary.errors import InputError
from denotary.instruments.similarity.scan import names
from denotary.instruments.similarity.scan.python_sites import LEAST, MOST
from denotary.instruments.similarity.scan.records import FLIPPED, Operator, Site

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

FUNCTIONS: Final = {
    "function_declaration",
    "function_expression",
    "arrow_function",
    "method_definition",
    "program",
    "generator_function_declaration",
}
HOLDERS: Final = {
    "variable_declarator",
    "assignment_expression",
    "public_field_definition",
    "field_definition",
    "pair",
    "assignment_pattern",
    "object_assignment_pattern",
    "required_parameter",
    "optional_parameter",
}
"""Nodes that give a name a value: by ``name`` or ``left`` or ``key`` or ``pattern``, and ``value`` or ``right``."""
THROUGH: Final = {
    "max",
    "min",
    "abs",
    "Number",
    "parseFloat",
    "round",
    "map",
    "filter",
    "flat",
    "reduce",
    "at",
    "toFixed",
}
DEPTH: Final = 8


def script_sites(sources: Mapping[str, str], skipped: list[tuple[str, str]]) -> list[Site]:
    """Return the gates of scripts.

    Args:
        sources: texts by relative path.
        skipped: takes the files that could not be read.

    Raises:
        InputError: the extra ``scan`` is not installed.
    """
    parsers = _parsers()
    found: list[Site] = []
    for path, text in sorted(sources.items()):
        dialect = (
            "tsx"
            if path.endswith(".tsx")
            else "typescript"
            if path.endswith((".ts", ".mts", ".cts"))
            else "javascript"
        )
        tree = parsers[dialect].parse(text.encode())
        found += _Script(
            path, tree.root_node, "javascript" if dialect == "javascript" else "typescript"
        ).sites()
        if tree.root_node.type == "ERROR":
            skipped.append((path, "cannot be parsed"))
    return found


def _parsers() -> dict[str, Any]:
    try:
        import tree_sitter
        import tree_sitter_javascript
        import tree_sitter_typescript
    except ModuleNotFoundError as error:
        raise InputError(
            f"reading TypeScript and JavaScript needs the package {error.name}",
            hint="install it: pip install 'denotary[scan]'",
        ) from error
    languages = {
        "javascript": tree_sitter_javascript.language(),
        "typescript": tree_sitter_typescript.language_typescript(),
        "tsx": tree_sitter_typescript.language_tsx(),
    }
    return {name: tree_sitter.Parser(tree_sitter.Language(found)) for name, found in languages.items()}


class _Script:
    """One parsed file."""

    def __init__(self, path: str, root: Node, language: Any) -> None:
        self._path, self._root, self._language = path, root, language
        self._nodes = list(_walk(root))
        self._values: dict[str, list[Node]] = {}
        self._tainted: set[tuple[int, str]] = set()
        for node in self._nodes:
            if node.type in HOLDERS:
                name, value = _held(node)
                if name is not None and value is not None:
                    self._values.setdefault(_last(name).lstrip("_#"), []).append(value)
        for _ in range(2):
            self._taint()

    def sites(self) -> Iterator[Site]:
        """Yield the gates."""
        for node in self._nodes:
            operator = node.child_by_field_name("operator") if node.type == "binary_expression" else None
            if operator is None or _text(operator) not in FLIPPED:
                continue
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            shown: Operator = _text(operator)  # type: ignore[assignment]
            for score, cutoff, sign in ((left, right, shown), (right, left, FLIPPED[shown])):
                site = self._site(score, cutoff, sign) if score is not None and cutoff is not None else None
                if site is not None:
                    yield site
                    break

    def _site(self, score: Node, cutoff: Node, operator: Operator) -> Site | None:
        inline = cutoff.type in {"number", "unary_expression"}
        named = any(names.is_cutoff(name) for name in _names(cutoff))
        constant = (
            not inline and bool(list(_names(cutoff))) and all(name.isupper() for name in _names(cutoff))
        )
        if not (inline or named or constant) or not self._is_score(score, cutoff):
            return None
        found = self._value(cutoff, DEPTH)
        number = found[0] if found else None
        if number is None and not named:
            return None
        if (
            number is not None
            and not named
            and (not LEAST <= abs(number) <= MOST or (inline and abs(number) == 1))
        ):
            return None
        return Site(
            path=self._path,
            line=score.start_point[0] + 1,
            score=" ".join(_text(score).split()),
            operator=operator,
            cutoff=" ".join(_text(cutoff).split()),
            value=number,
            origin=f"{self._path}:{found[1]}" if found and not inline else "",
            scale="distance" if any(names.is_distance(name) for name in _names(score)) else "similarity",
            language=self._language,
        )

    def _is_score(self, node: Node, cutoff: Node) -> bool:
        if any(names.is_cutoff(name) for name in _names(node)) or _is_difference(node):
            return False
        last = _last(node)
        named = any(names.is_cutoff(name) for name in _names(cutoff))
        if names.is_record(last) and cutoff.type != "number" and not named:
            return False
        if self._speaks(node):
            return True
        words = names.words(last)
        speaks = any(
            names.is_cutoff(name) and names.says_similarity(name + "_value") for name in _names(cutoff)
        )
        return speaks and bool(words) and words[-1] in {"score", "scores", "sim", "distance", "dist", "value"}

    def _speaks(self, node: Node) -> bool:
        """Whether an expression is a score, by its names or by what its names were made from."""
        if node.type == "identifier":
            return names.is_score(_text(node)) or (_scope(node), _text(node)) in self._tainted
        if node.type == "member_expression":
            part, home = node.child_by_field_name("property"), node.child_by_field_name("object")
            name = _text(part) if part is not None else ""
            if name == "length":
                return False
            return names.is_score(name) or (
                name in {"score", "distance", "value"} and home is not None and self._speaks(home)
            )
        if node.type == "call_expression":
            return self._call(node)
        if node.type == "binary_expression":
            operator = node.child_by_field_name("operator")
            sides = [node.child_by_field_name("left"), node.child_by_field_name("right")]
            arithmetic = operator is not None and _text(operator) in {"+", "-", "*", "/", "??", "||"}
            return arithmetic and any(side is not None and self._speaks(side) for side in sides)
        if node.type == "ternary_expression":
            parts = [node.child_by_field_name("consequence"), node.child_by_field_name("alternative")]
            return any(part is not None and self._speaks(part) for part in parts)
        if node.type in {
            "parenthesized_expression",
            "await_expression",
            "subscript_expression",
            "non_null_expression",
            "as_expression",
            "unary_expression",
            "spread_element",
            "satisfies_expression",
        }:
            return any(self._speaks(child) for child in node.named_children[:1])
        return False

    def _call(self, node: Node) -> bool:
        function = node.child_by_field_name("function")
        if function is None:
            return False
        name = _last(function)
        words = names.words(name)
        if names.is_cutoff(name) or not words:
            return False
        if names.says_similarity(name) or {"sim", "cosine", "similar"} & set(words):
            return words[0] not in {"set", "create", "make", "build", "use"}
        if name in THROUGH:
            home = function.child_by_field_name("object")
            arguments = node.child_by_field_name("arguments")
            parts = [
                *([home] if home is not None else []),
                *(arguments.named_children[:1] if arguments is not None else []),
            ]
            return any(self._speaks(part) for part in parts)
        return False

    def _taint(self) -> None:
        for node in self._nodes:
            if node.type in {"variable_declarator", "assignment_expression"}:
                name, value = _held(node)
                if name is None or value is None or not self._speaks(value):
                    continue
                for part in [name] if name.type == "identifier" else _walk(name):
                    if part.type in {"identifier", "shorthand_property_identifier_pattern"} and (
                        name.type == "identifier"
                        or {"score", "distance", "sim"} & set(names.words(_text(part)))
                    ):
                        self._tainted.add((_scope(node), _text(part)))

    def _value(self, node: Node, depth: int) -> tuple[float, int] | None:
        if depth == 0:
            return None
        if node.type == "number":
            try:
                return float(_text(node).replace("_", "")), node.start_point[0] + 1
            except ValueError:
                return None
        if node.type == "unary_expression" and _text(node).startswith("-"):
            inner = self._value(node.named_children[0], depth - 1)
            return (-inner[0], inner[1]) if inner else None
        if node.type == "string":
            try:
                return float(_text(node)[1:-1]), node.start_point[0] + 1
            except ValueError:
                return None
        if node.type == "binary_expression" or node.type in {
            "parenthesized_expression",
            "as_expression",
            "non_null_expression",
            "ternary_expression",
            "arguments",
            "satisfies_expression",
        }:
            return next(
                (found for child in node.named_children if (found := self._value(child, depth - 1))), None
            )
        if node.type == "call_expression":
            arguments = node.child_by_field_name("arguments")
            converts = _last(node) in {"Number", "parseFloat"} and arguments is not None
            return self._value(arguments, depth - 1) if converts and arguments is not None else None
        if node.type in {"identifier", "member_expression", "shorthand_property_identifier"}:
            held = self._values.get(_last(node).lstrip("_#"), ())
            return next(
                (found for value in held if value != node and (found := self._value(value, depth - 1))), None
            )
        return None


def _walk(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(node.children)


def _held(node: Node) -> tuple[Node | None, Node | None]:
    """Return the name and the value of a node that gives a name a value."""
    name = next(
        (
            found
            for key in ("name", "left", "key", "pattern", "property")
            if (found := node.child_by_field_name(key))
        ),
        None,
    )
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    return name, value


def _scope(node: Node) -> int:
    while node.parent is not None and node.type not in FUNCTIONS:
        node = node.parent
    return node.start_byte


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _last(node: Node) -> str:
    """Return the last part of a dotted name, of a call that of its function."""
    if node.type == "call_expression":
        function = node.child_by_field_name("function")
        return _last(function) if function is not None else ""
    if node.type == "member_expression":
        part = node.child_by_field_name("property")
        return _text(part) if part is not None else ""
    if (
        node.type in {"parenthesized_expression", "await_expression", "non_null_expression", "as_expression"}
        and node.named_children
    ):
        return _last(node.named_children[0])
    return _text(node) if "identifier" in node.type else ""


def _names(node: Node) -> Iterator[str]:
    return (_text(part) for part in _walk(node) if "identifier" in part.type)


def _is_difference(node: Node) -> bool:
    inner = node
    if node.type == "call_expression" and _last(node) == "abs":
        arguments = node.child_by_field_name("arguments")
        inner = arguments.named_children[0] if arguments is not None and arguments.named_children else node
    operator = inner.child_by_field_name("operator") if inner.type == "binary_expression" else None
    left = inner.child_by_field_name("left") if operator is not None else None
    return operator is not None and _text(operator) == "-" and left is not None and left.type != "number"
