"""Letter case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.text.languages import primary_subtag
from denotary.text.perturb.operator import Operator
from denotary.text.perturb.sites import AMBIGUOUS, SAME, Change, Dose, Made, Site, chosen
from denotary.text.perturb.source import joined

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.text.perturb.source import Piece, Source

_DOSE: Final = Dose(1 / 3, 1.0)
_TURKIC: Final = frozenset({"tr", "az"})
_LONGEST_ACRONYM: Final = 4
"""Longest word, in characters, that in capitals may be read as an abbreviation (us, US)."""


def upper(text: str, language: str) -> str:
    """Return a text in capitals, with the Turkic i where it belongs."""
    return (text.replace("i", "\u0130") if primary_subtag(language) in _TURKIC else text).upper()


def lower(text: str, language: str) -> str:
    """Return a text in small letters, with the Turkic i where it belongs."""
    if primary_subtag(language) in _TURKIC:
        text = text.replace("I", "\u0131").replace("\u0130", "i")
    return text.lower()


def _by_word(change: Callable[[Source, tuple[Piece, ...]], Change]) -> Callable[[Source], Made]:
    def make(source: Source) -> Made:
        sites = (Site(word[0].start, joined(word), (change(source, word),)) for word in source.words)
        return chosen(source, sites, _DOSE)

    return make


def _raised(source: Source, word: tuple[Piece, ...]) -> Change:
    text = joined(word)
    changed = upper(text, source.language)
    lossless = lower(changed, source.language) == lower(text, source.language)
    return Change(changed, SAME if lossless and len(word) > _LONGEST_ACRONYM else AMBIGUOUS)


def _lowered(source: Source, word: tuple[Piece, ...]) -> Change:
    text = joined(word)
    only_first = word == source.words[0] and lower(text[1:], source.language) == text[1:]
    return Change(lower(text, source.language), SAME if only_first else AMBIGUOUS)


def _alternated(source: Source, word: tuple[Piece, ...]) -> Change:
    forms = (upper if place % 2 else lower for place in range(len(word)))
    return Change("".join(form(piece.text, source.language) for form, piece in zip(forms, word, strict=True)))


OPERATORS: Final = (
    Operator(
        id="format.upper",
        about="Write words in capitals.",
        needs="word with small letters",
        relation="SAME_MEANING; POTENTIALLY_AMBIGUOUS for a word of at most four characters, which reads as an "
        "abbreviation, and where capitals are not one to one.",
        expects=frozenset({"other_key"}),
        make=_by_word(_raised),
    ),
    Operator(
        id="format.lower",
        about="Write words in small letters.",
        needs="word with capitals",
        relation="SAME_MEANING for the first word with a capital at its head; POTENTIALLY_AMBIGUOUS otherwise: names "
        "and abbreviations are known by their capitals.",
        expects=frozenset({"other_key"}),
        make=_by_word(_lowered),
    ),
    Operator(
        id="format.alternating",
        about="Write the letters of words small and capital by turns.",
        needs="word with letters that have case",
        relation="SAME_MEANING: a reader reads the same word.",
        expects=frozenset({"other_key"}),
        make=_by_word(_alternated),
    ),
)
"""Operators of the family ``format`` that change letter case."""
