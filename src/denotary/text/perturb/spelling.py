"""Spelling noise: slips of the hand, letters without their marks, words run together or broken."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from denotary.errors import InputError
from denotary.text.folds import marks
from denotary.text.forms import NFC
from denotary.text.graphemes import clusters
from denotary.text.perturb.keyboards import layouts, layouts_for, mistyped, neighbours
from denotary.text.perturb.operator import Operator, Option
from denotary.text.perturb.sites import AMBIGUOUS, SAME, Change, Dose, Made, Site, chosen, replaced
from denotary.text.perturb.source import words_of
from denotary.text.scripts import UNSPACED, scripts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from denotary.records import Relation
    from denotary.text.perturb.source import Piece, Source

_DOSE: Final = Dose(1 / 12, 1 / 6, rising=False)
"""A short word takes one slip, however severe: with three it would be gone."""
_SHORTEST: Final = 3
"""Shortest word, in clusters, that loses a letter or has two change places: less is seldom still a word."""


def _misspelling(sites: Callable[[Source], Iterable[Site]]) -> Callable[[Source], Made]:
    """Return an operator over sites whose relation follows from the words that come out."""

    def make(source: Source) -> Made:
        made = chosen(source, sites(source), _DOSE)
        return Made(made.edits, _relation(source, replaced(source.text, made.edits)))

    return make


def _relation(source: Source, variant: str) -> Relation:
    """Say what a misspelt text means.

    Without a list of words nobody knows whether the slip made another word (form, from). With one, a slip that gives no
    listed word leaves the meaning to be guessed as a reader guesses it. In scripts without spaces words are not known.
    """
    words = source.options["words"]
    if words is None or not UNSPACED.isdisjoint(scripts(variant)):
        return AMBIGUOUS
    listed = {word.casefold() for word in words}
    known = set(words_of(source.text))
    made = (word for word in words_of(variant) if word not in known)
    return AMBIGUOUS if any(word.casefold() in listed for word in made) else SAME


def _long_words(source: Source, least: int) -> Iterator[tuple[Piece, ...]]:
    return (word for word in source.words if len(word) >= least)


def _deletions(source: Source) -> Iterator[Site]:
    for word in _long_words(source, _SHORTEST):
        yield from (Site(piece.start, piece.text, (Change(""),)) for piece in word if piece.is_letter)


def _insertions(source: Source) -> Iterator[Site]:
    """Yield a letter beside the key of the letter before, or one of the word where no layout is known."""
    names = _layouts(source)
    for word in source.words:
        for piece in word:
            if piece.is_letter:
                yield Site(piece.end, "", tuple(map(Change, _inserted(piece, word, names))))


def _inserted(piece: Piece, word: Sequence[Piece], names: Sequence[str]) -> tuple[str, ...]:
    near = [other for name in names for other in neighbours(name).get(piece.text, ()) if other.isalpha()]
    return tuple(near or [other.text for other in word if other.is_letter])


def _transpositions(source: Source) -> Iterator[Site]:
    for word in _long_words(source, _SHORTEST):
        for left, right in pairwise(word):
            if left.is_letter and right.is_letter:
                yield Site(left.start, left.text + right.text, (Change(right.text + left.text),))


def _repetitions(source: Source) -> Iterator[Site]:
    for piece in source.pieces:
        if piece.is_letter:
            yield Site(piece.end, "", (Change(piece.text),))


def _adjacent(source: Source) -> Iterator[Site]:
    names = _layouts(source)
    for piece in source.pieces:
        if piece.is_letter:
            others = dict.fromkeys(other for name in names for other in mistyped(piece.text, name))
            whole = (other for other in others if clusters(other) == [other])
            yield Site(piece.start, piece.text, tuple(map(Change, whole)))


def _layouts(source: Source) -> tuple[str, ...]:
    name = source.options["layout"]
    if name is None:
        return layouts_for(source.language)
    if name not in layouts():
        raise InputError(f"no keyboard layout {name!r}", hint=f"known: {', '.join(layouts())}")
    return (name,)


def _unmarked(source: Source) -> Iterator[Site]:
    for piece in source.pieces:
        if piece.is_letter:
            plain = marks(piece.text)
            yield Site(piece.start, piece.text, () if plain == NFC(piece.text) else (Change(plain),))


def _joined(source: Source) -> Iterator[Site]:
    for before, space, after in zip(source.pieces, source.pieces[1:], source.pieces[2:], strict=False):
        if space.text.isspace() and before.in_word and after.in_word:
            yield Site(space.start, space.text, (Change(""),))


def _broken(source: Source) -> Iterator[Site]:
    for word in _long_words(source, _SHORTEST):
        yield from (Site(right.start, "", (Change(" "),)) for _, right in pairwise(word))


_WORDS: Final = Option(
    "words",
    tuple[str, ...] | None,
    "Words of the language. With them a slip is SAME_MEANING unless it makes another of them; without them every slip "
    "is POTENTIALLY_AMBIGUOUS.",
)
_LAYOUT: Final = Option("layout", str | None, "Name of a keyboard layout; default: those of the language.")
_SLIP: Final = (
    "POTENTIALLY_AMBIGUOUS: a slip can make another word; with `words`, SAME_MEANING where it does not."
)


def _operator(
    name: str, about: str, needs: str, sites: Callable[[Source], Iterable[Site]], *options: Option
) -> Operator:
    return Operator(
        id=f"spelling.{name}",
        about=about,
        needs=needs,
        relation=_SLIP,
        expects=frozenset({"other_key"}),
        make=_misspelling(sites),
        options=(_WORDS, *options),
    )


OPERATORS: Final = (
    _operator("deleted", "Leave a letter out.", "word of three characters", _deletions),
    _operator(
        "inserted",
        "Insert a letter that lies beside the one before it on the keyboard, or one of the word if no layout is known.",
        "letter",
        _insertions,
        _LAYOUT,
    ),
    _operator(
        "transposed",
        "Let two neighbouring letters change places.",
        "word of three characters with two different letters beside each other",
        _transpositions,
    ),
    _operator(
        "adjacent_key",
        "Put the letter of a neighbouring key; in a Hangul syllable one jamo, in Indic and Thai text also a mark.",
        "letter of a keyboard layout of the language",
        _adjacent,
        _LAYOUT,
    ),
    _operator("repeated", "Write a letter twice.", "letter", _repetitions),
    _operator(
        "unmarked",
        "Leave out the accents, Hebrew or Arabic points of a letter (fold `marks/1`).",
        "letter with an accent or point",
        _unmarked,
    ),
    _operator("joined", "Leave out the space between two words.", "space between two words", _joined),
    _operator("broken", "Put a space within a word.", "word of three characters", _broken),
)
"""Operators of the family ``spelling``."""
