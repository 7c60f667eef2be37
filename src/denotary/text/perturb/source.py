"""The parent text as operators see it: in clusters and words, with what was asked of the operator."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import unicodedata2

from denotary.text.characters import JOINERS
from denotary.text.graphemes import clusters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.records import Severity
    from denotary.text.perturb.draws import Draw

_IN_WORDS = frozenset("LMN")


class Piece(NamedTuple):
    """One grapheme cluster.

    Attributes:
        start: its offset in the text, in code points.
        text: the cluster.
    """

    start: int
    text: str

    @property
    def end(self) -> int:
        """Offset at which it ends."""
        return self.start + len(self.text)

    @property
    def in_word(self) -> bool:
        """Whether it is part of a word: begins with a letter, mark, number or joiner."""
        return unicodedata2.category(self.text[0])[0] in _IN_WORDS or self.text[0] in JOINERS

    @property
    def is_letter(self) -> bool:
        """Whether it begins with a letter."""
        return bool(unicodedata2.category(self.text[0])[0] == "L")

    @property
    def is_digit(self) -> bool:
        """Whether it is a decimal digit alone."""
        return len(self.text) == 1 and unicodedata2.category(self.text) == "Nd"


class Source:
    """A parent text and what was asked of an operator.

    Attributes:
        text: the parent text.
        language: its language tag.
        severity: how much is to be changed.
        options: the operator's options, defaults included.
        draw: the draws; the same whatever the severity, so that a higher one changes what a lower one does and more.
        pieces: the grapheme clusters.
        words: runs of clusters that are part of words; in a script without spaces a run is a whole clause.
    """

    def __init__(
        self, text: str, language: str, severity: Severity, options: Mapping[str, Any], draw: Draw
    ) -> None:
        self.text = text
        self.language = language
        self.severity = severity
        self.options = options
        self.draw = draw
        self.pieces = tuple(_pieces(text))
        self.words = tuple(_runs(self.pieces))

    def __repr__(self) -> str:
        return f"<Source of {len(self.text)} code points>"

    def pairs(self) -> Iterator[tuple[Piece, Piece]]:
        """Yield every two clusters that stand beside each other in a word."""
        for word in self.words:
            yield from pairwise(word)

    def around(self, piece: Piece) -> tuple[str, str]:
        """Return the character before a cluster and the one after it; a space at either end of the text."""
        before = self.text[piece.start - 1] if piece.start else " "
        return before, self.text[piece.end : piece.end + 1] or " "


def words_of(text: str) -> list[str]:
    """Return the words of a text, as :class:`Source` finds them."""
    return [joined(word) for word in _runs(tuple(_pieces(text)))]


def joined(pieces: Sequence[Piece]) -> str:
    """Return the text of some clusters."""
    return "".join(piece.text for piece in pieces)


def _pieces(text: str) -> Iterator[Piece]:
    start = 0
    for cluster in clusters(text):
        yield Piece(start, cluster)
        start += len(cluster)


def _runs(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    run: list[Piece] = []
    for piece in pieces:
        if piece.in_word:
            run.append(piece)
        elif run:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)
