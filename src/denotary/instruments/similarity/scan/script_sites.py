"""The gates of TypeScript and JavaScript. A file is followed by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from denotary.instruments.similarity.scan import names
from denotary.instruments.similarity.scan.python_sites import LEAST, MOST
from denotary.instruments.similarity.scan.records import FLIPPED, TOO_DEEP, Operator, Site
from denotary.instruments.similarity.scan.script_scores import ScriptScores
from denotary.instruments.similarity.scan.script_tree import (
    arguments,
    identifiers,
    last,
    parsers,
    sides,
    text,
    walk,
)
from denotary.instruments.similarity.scan.script_values import ScriptValues

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from denotary.instruments.similarity.scan.script_tree import Script

INLINE: Final = frozenset(("number", "unary_expression"))
NAMES: Final = frozenset(("identifier", "member_expression", "subscript_expression", "binary_expression"))
"""Nodes that may lead to the number of a cutoff."""


def script_sites(scripts: Mapping[str, Script], skipped: list[tuple[str, str]]) -> list[Site]:
    """Return the gates of scripts.

    Args:
        scripts: by relative path.
        skipped: takes the files that could not be read.

    Raises:
        InputError: the extra ``scan`` is not installed.
    """
    parsing = parsers()
    found: list[Site] = []
    for path, script in sorted(scripts.items()):
        root = parsing[script.dialect].parse(script.text.encode()).root_node
        if root.type == "ERROR":
            skipped.append((path, "cannot be parsed"))
            continue
        try:
            found += _sites(path, script.dialect, root)
        except RecursionError:
            skipped.append((path, TOO_DEEP))
    return found


def _sites(path: str, dialect: str, root: Node) -> list[Site]:
    nodes = list(walk(root))
    reader = _Reader(path, dialect, ScriptScores(root, nodes), ScriptValues(nodes))
    return [site for node in nodes for site in reader.sites(node)]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Judges the comparisons of one file."""

    path: str
    dialect: str
    scores: ScriptScores
    values: ScriptValues

    @property
    def language(self) -> Literal["javascript", "typescript"]:
        """Which of the two the file is written in."""
        return "javascript" if self.dialect == "javascript" else "typescript"

    def sites(self, node: Node) -> Iterator[Site]:
        """Yield the gate of a node, if it is a comparison of a score and a cutoff."""
        left, operator, right = sides(node)
        if left is None or right is None or operator not in FLIPPED:
            return
        shown: Operator = operator  # type: ignore[assignment]
        site = self._site(left, right, shown) or self._site(right, left, FLIPPED[shown])
        if site is not None:
            yield site

    def _site(self, score: Node, cutoff: Node, operator: Operator) -> Site | None:
        if not self._may_be_cutoff(cutoff) or not self._is_score(score, cutoff):
            return None
        number, line = self.values.find(cutoff) or (None, 0)
        inline = cutoff.type in INLINE
        if not _is_named(cutoff) and (number is None or not LEAST <= abs(number) <= MOST):
            return None
        if inline and number is not None and abs(number) == 1:
            return None
        return Site(
            path=self.path,
            line=score.start_point[0] + 1,
            score=" ".join(text(score).split()),
            operator=operator,
            cutoff=" ".join(text(cutoff).split()),
            value=number,
            origin=f"{self.path}:{line}" if line and not inline else "",
            scale="distance" if any(names.is_distance(name) for name in identifiers(score)) else "similarity",
            language=self.language,
        )

    def _may_be_cutoff(self, node: Node) -> bool:
        if node.type in INLINE or _is_named(node):
            return True
        if node.type not in NAMES or self.scores.is_score(node):
            return False
        return not any(names.is_record(name) or names.is_foreign(name) for name in identifiers(node))

    def _is_score(self, node: Node, cutoff: Node) -> bool:
        outer = last(node)
        if (
            any(names.is_cutoff(name) for name in identifiers(node))
            or _is_difference(node)
            or outer == "length"
        ):
            return False
        if names.is_record(outer) and cutoff.type != "number" and not _is_named(cutoff):
            return False
        if self.scores.is_score(node):
            return True
        if not names.is_weak(outer):
            return False
        plain = _is_named(cutoff) or last(cutoff).isupper()
        return self.scores.speaks_around(node, file=plain)


def _is_named(node: Node) -> bool:
    return any(names.is_cutoff(name) for name in identifiers(node))


def _is_difference(node: Node) -> bool:
    """Whether a score is taken from another, as in a test for equality or a step between two scores."""
    inner = next(iter(arguments(node)), node) if last(node) == "abs" else node
    left, operator, _ = sides(inner)
    return operator == "-" and left is not None and left.type != "number"
