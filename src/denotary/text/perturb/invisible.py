"""Characters that show nothing: zero-width characters, fillers, joiners, bidi and other controls, tags, selectors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import unicodedata2

from denotary.text.characters import JOINERS
from denotary.text.graphemes import clusters
from denotary.text.perturb.operator import Operator, Option, Texts
from denotary.text.perturb.sites import AMBIGUOUS, SAME, Change, Dose, Made, Site, chosen
from denotary.text.perturb.source import joined
from denotary.text.scripts import CURSIVE, script_of, stray_ignorables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from denotary.records import Relation
    from denotary.text.perturb.source import Piece, Source

ZERO_WIDTH: Final = "\u200b\u2060\ufeff\u00ad\u034f\u180e\u2061\u2062\u2063\u2064"
FILLERS: Final = "\u3164\uffa0\u115f\u17b4\u17b5\u2800"
BIDI_MARKS: Final = "\u200e\u200f\u061c"
TAGS: Final = "\U000e0001" + "".join(map(chr, range(0xE0020, 0xE0080)))
SELECTORS: Final = "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
CONTROLS: Final = "".join(map(chr, (*range(0x01, 0x09), *range(0x0E, 0x20), 0x7F, *range(0x80, 0xA0))))
_BACKSPACED: Final = "x\b"
_POP: Final = "\u202c"
_ISOLATE_POP: Final = "\u2069"
EMBEDDINGS: Final = {
    **dict.fromkeys("\u202a\u202b\u202d\u202e", _POP),
    **dict.fromkeys("\u2066\u2067\u2068", _ISOLATE_POP),
}
"""Bidi controls that open a run, and the one that closes it."""
_OVERRIDES: Final = {"L": "\u202e", "R": "\u202d", "AL": "\u202d"}
"""The override against the direction of a word, by the bidirectional class of its letters."""
_NON_JOINER: Final = "\u200c"
_JOINER: Final = re.compile(f"[{JOINERS}]")
_DOSE: Final = Dose(1 / 8, 1 / 3)
_WORDS: Final = Dose(1 / 3, 1.0)


def _between(characters: Sequence[str]) -> Callable[[Source], Made]:
    """Return an operator that inserts one of the characters between two clusters of a word."""

    def make(source: Source) -> Made:
        changes = tuple(map(Change, source.options.get("characters") or characters))
        sites = (Site(right.start, "", changes) for _, right in source.pairs())
        return chosen(source, sites, _DOSE)

    return make


def _fillers(source: Source) -> Made:
    changes = tuple(map(Change, source.options["characters"] or FILLERS))
    places = {place for word in source.words for place in (word[0].start, word[-1].end)}
    return chosen(source, (Site(place, "", changes) for place in sorted(places)), _WORDS)


def _selectors(source: Source) -> Made:
    changes = tuple(map(Change, SELECTORS))
    letters = (piece for piece in source.pieces if piece.is_letter and len(piece.text) == 1)
    return chosen(source, (Site(piece.end, "", changes) for piece in letters), _DOSE)


def _embeddings(source: Source) -> Made:
    return chosen(source, map(_embedded, source.words), _WORDS)


def _embedded(word: tuple[Piece, ...]) -> Site:
    text = joined(word)
    against = _OVERRIDES.get(_direction(text))
    changes = (
        Change(f"{opening}{text}{closing}", AMBIGUOUS if opening == against else SAME)
        for opening, closing in EMBEDDINGS.items()
    )
    return Site(word[0].start, text, tuple(changes))


def _direction(text: str) -> str:
    """Return the bidirectional class that all letters of a word share, or nothing."""
    found = {unicodedata2.bidirectional(character) for character in text} - {"NSM", "BN"}
    return found.pop() if len(found) == 1 else ""


def _reordered(source: Source) -> Made:
    return chosen(source, _reversals(source), _WORDS)


def _reversals(source: Source) -> Iterator[Site]:
    for word in source.words:
        opening = _OVERRIDES.get(_direction(joined(word)))
        if opening is not None and len(word) > 1:
            backwards = "".join(piece.text for piece in reversed(word))
            # Letters that join are shaped in the order in which they are stored.
            joining = script_of(word[0].text[0]) in CURSIVE
            change = Change(f"{opening}{backwards}{_POP}", AMBIGUOUS if joining else SAME)
            yield Site(word[0].start, joined(word), (change,))


_REORDERED: Final = re.compile(f"[\u202d\u202e]([^{_POP}]*){_POP}")


def _joiners_inserted(source: Source) -> Made:
    sites = (
        Site(right.start, "", tuple(Change(joiner, _told_apart(left, joiner, right)) for joiner in JOINERS))
        for left, right in source.pairs()
    )
    return chosen(source, sites, _DOSE)


def _told_apart(left: Piece, joiner: str, right: Piece) -> Relation:
    stray = stray_ignorables(f"{left.text}{joiner}{right.text}")
    return SAME if len(left.text) in stray else AMBIGUOUS


def _joiners_removed(source: Source) -> Made:
    return chosen(source, _without_joiner(source), _WORDS)


def _without_joiner(source: Source) -> Iterator[Site]:
    stray = set(stray_ignorables(source.text))
    for piece in source.pieces:
        joiners = {place for place in range(piece.start, piece.end) if source.text[place] in JOINERS}
        without = _JOINER.sub("", piece.text)
        if joiners and without:
            if joiners <= stray:
                yield Site(piece.start, piece.text, (Change(without),))
                continue
            spaced = (Change(f"{without} ", AMBIGUOUS),) if piece.text.endswith(_NON_JOINER) else ()
            yield Site(piece.start, piece.text, (Change(without, AMBIGUOUS), *spaced))


def _stripped(characters: str) -> Callable[[str], str]:
    """Return the inverse of an operator that inserts characters: it removes them all."""
    table = str.maketrans(dict.fromkeys(characters))
    return lambda text: text.translate(table)


def _put_in_order(text: str) -> str:
    return _REORDERED.sub(lambda found: "".join(reversed(clusters(found[1]))), text)


_CHARACTERS: Final = Option(
    "characters", Texts | None, "Characters to choose from, in place of the operator's own."
)
_SEEN: Final = "SAME_MEANING: a reader sees no difference."

OPERATORS: Final = (
    Operator(
        id="unicode.zero_width",
        about="Insert a zero-width character within a word: U+200B, word joiner, byte order mark, soft hyphen, "
        "combining grapheme joiner, Mongolian vowel separator, invisible operators.",
        needs="word of two characters",
        relation=_SEEN,
        expects=frozenset({"other_key", "refused"}),
        make=_between(ZERO_WIDTH),
        options=(_CHARACTERS,),
        inverse=_stripped(ZERO_WIDTH),
    ),
    Operator(
        id="unicode.filler",
        about="Insert a letter or symbol that is blank before or after a word: Hangul fillers, Khmer inherent vowels, "
        "Braille blank.",
        needs="word",
        relation=_SEEN,
        expects=frozenset({"other_key"}),
        make=_fillers,
        options=(_CHARACTERS,),
        inverse=_stripped(FILLERS),
    ),
    Operator(
        id="unicode.bidi_mark",
        about="Insert a directional mark within a word: U+200E, U+200F, U+061C.",
        needs="word of two characters",
        relation=_SEEN,
        expects=frozenset({"other_key"}),
        make=_between(BIDI_MARKS),
        options=(_CHARACTERS,),
        inverse=_stripped(BIDI_MARKS),
    ),
    Operator(
        id="unicode.bidi_control",
        about="Put a word between an embedding, override or isolate and what closes it.",
        needs="word",
        relation="SAME_MEANING; POTENTIALLY_AMBIGUOUS for an override against the word's direction, because it shows "
        "the word backwards.",
        expects=frozenset({"refused"}),
        make=_embeddings,
        inverse=_stripped("".join({*EMBEDDINGS, *EMBEDDINGS.values()})),
    ),
    Operator(
        id="unicode.bidi_reorder",
        about="Store a word backwards under an override, so that it shows as before.",
        needs="word of two letters with one direction",
        relation="SAME_MEANING for who sees it rendered; POTENTIALLY_AMBIGUOUS in a cursive script.",
        expects=frozenset({"refused"}),
        make=_reordered,
        inverse=_put_in_order,
    ),
    Operator(
        id="unicode.tag",
        about="Insert a tag character (U+E0001, U+E0020 to U+E007F) within a word.",
        needs="word of two characters",
        relation=_SEEN,
        expects=frozenset({"refused"}),
        make=_between(TAGS),
        options=(_CHARACTERS,),
        inverse=_stripped(TAGS),
    ),
    Operator(
        id="unicode.variation_selector",
        about="Insert a variation selector after a letter of one code point.",
        needs="letter of one code point",
        relation=_SEEN,
        expects=frozenset({"other_key"}),
        make=_selectors,
        inverse=_stripped(SELECTORS),
    ),
    Operator(
        id="unicode.control",
        about="Insert a control character (C0 without white space, DEL, C1) within a word.",
        needs="word of two characters",
        relation="SAME_MEANING: a terminal or page shows no difference, or a mark that is no letter.",
        expects=frozenset({"refused"}),
        make=_between(CONTROLS),
        options=(_CHARACTERS,),
        inverse=_stripped(CONTROLS),
    ),
    Operator(
        id="unicode.backspace",
        about="Insert a letter and the backspace that takes it back on a terminal.",
        needs="word of two characters",
        relation="SAME_MEANING for who sees it on a terminal.",
        expects=frozenset({"refused"}),
        make=_between((_BACKSPACED,)),
        inverse=lambda text: text.replace(_BACKSPACED, ""),
    ),
    Operator(
        id="unicode.joiner_inserted",
        about="Insert a zero-width joiner or non-joiner within a word.",
        needs="word of two characters",
        relation="SAME_MEANING; POTENTIALLY_AMBIGUOUS where a joiner has a task: in a cursive script, after a virama.",
        expects=frozenset({"other_key"}),
        make=_joiners_inserted,
        inverse=_stripped(JOINERS),
    ),
    Operator(
        id="unicode.joiner_removed",
        about="Remove the joiners of a character, or put a space in place of a non-joiner.",
        needs="zero-width joiner or non-joiner beside something else",
        relation="POTENTIALLY_AMBIGUOUS where it has a task (Persian, Indic scripts, emoji), else SAME_MEANING.",
        expects=frozenset({"other_key"}),
        make=_joiners_removed,
    ),
)
"""Operators of the family ``unicode`` that insert or remove what cannot be seen."""
