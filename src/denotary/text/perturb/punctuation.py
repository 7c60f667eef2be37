"""Dashes, quotes, spaces, punctuation that goes or changes, and emoji that say nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import unicodedata2

from denotary.text.perturb.operator import Operator, Option, Texts
from denotary.text.perturb.sites import AMBIGUOUS, DIFFERENT, SAME, Change, Dose, Made, Site, chosen
from denotary.text.scripts import scripts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.records import Relation
    from denotary.text.perturb.source import Piece, Source

DASHES: Final = "\u002d\u058a\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
NOT_DASHES: Final = "\u30fc\u4e00"
"""Look like a dash and are none: the prolonged sound mark, the ideograph one."""
SINGLE_QUOTES: Final = (
    "\u0027\u0060\u00b4\u02b9\u02bb\u02bc\u02bd\u02c8\u2018\u2019\u201a\u201b\u2032\u2035\u05f3\uff07"
)
DOUBLE_QUOTES: Final = (
    "\u0022\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033\u2036\u05f4\u300c\u300d\u300e\u300f\uff02"
)
SPACES: Final = (
    "\u0020\u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\u0085"
)
EMOJI: Final = ("\u2728", "\u2b50", "\U0001f4cc", "\U0001f539", "\u2705", "\u27a1\ufe0f", "\U0001f5d2\ufe0f")
"""Decoration: sparkles, star, pin, diamond, check mark, arrow, notepad."""
_TO_SPACE: Final = str.maketrans(dict.fromkeys(SPACES, " "))
_ENDS: Final = ".\u3002\uff0e\uff61!\uff01\u06d4\u0964"
"""Marks that end a statement."""
_QUESTION_MARKS: Final = {"Arab": "\u061f", "Grek": ";", "Hani": "\uff1f", "Hira": "\uff1f", "Kana": "\uff1f"}
_DOSE: Final = Dose(1 / 3, 1.0)


def _dashes(source: Source) -> Made:
    sites = (_dash(source, piece) for piece in source.pieces if piece.text in DASHES)
    return chosen(source, sites, _DOSE)


def _dash(source: Source, piece: Piece) -> Site:
    before, after = source.around(piece)
    relation = AMBIGUOUS if before.isdigit() or after.isdigit() else SAME
    alike = (Change(dash, relation) for dash in DASHES)
    return Site(piece.start, piece.text, (*alike, *(Change(mark, AMBIGUOUS) for mark in NOT_DASHES)))


def _quotes(source: Source) -> Made:
    sites = (_quote(source, piece) for piece in source.pieces if piece.text in SINGLE_QUOTES + DOUBLE_QUOTES)
    return chosen(source, sites, _DOSE)


def _quote(source: Source, piece: Piece) -> Site:
    # After a digit it may be minutes or inches; a modifier letter may be a letter of its own (Hawaiian, Ukrainian).
    unsure = source.around(piece)[0].isdigit() or unicodedata2.category(piece.text) == "Lm"
    kin = SINGLE_QUOTES if piece.text in SINGLE_QUOTES else DOUBLE_QUOTES
    return Site(piece.start, piece.text, tuple(Change(mark, AMBIGUOUS if unsure else SAME) for mark in kin))


def _spaces(source: Source) -> Made:
    changes = tuple(map(Change, SPACES))
    return chosen(source, (Site(p.start, p.text, changes) for p in source.pieces if p.text in SPACES), _DOSE)


def _removed(source: Source) -> Made:
    return chosen(source, _removable(source), _DOSE)


def _removable(source: Source) -> Iterator[Site]:
    last = len(source.text.rstrip())
    for piece in source.pieces:
        if len(piece.text) == 1 and unicodedata2.category(piece.text)[0] == "P":
            yield Site(piece.start, piece.text, (Change("", _loss(source, piece, last)),))


def _loss(source: Source, piece: Piece, last: int) -> Relation:
    before, after = source.around(piece)
    if piece.text == "." and before.isdigit() and after.isdigit():
        return DIFFERENT
    return SAME if piece.end == last and piece.text in _ENDS else AMBIGUOUS


def _questioned(source: Source) -> Made:
    """Make a question of a statement, or of what has no end mark."""
    last = next(piece for piece in reversed(source.pieces) if piece.text.strip())
    mark = next(
        (_QUESTION_MARKS[name] for name in sorted(scripts(source.text)) if name in _QUESTION_MARKS), "?"
    )
    if last.text in _ENDS:
        site = Site(last.start, last.text, (Change(mark, DIFFERENT),))
    elif unicodedata2.category(last.text[0])[0] != "P":
        site = Site(last.end, "", (Change(mark, AMBIGUOUS),))
    else:
        site = Site(last.start, last.text, ())
    return chosen(source, [site], _DOSE)


def _decorated(source: Source) -> Made:
    emoji = source.options["emoji"]
    start = Site(0, "", tuple(Change(f"{item} ") for item in emoji))
    end = Site(len(source.text), "", tuple(Change(f" {item}") for item in emoji))
    return chosen(source, [start, end], _DOSE)


OPERATORS: Final = (
    Operator(
        id="unicode.dash",
        about="Put another dash: hyphens, figure, en and em dash, minus, small and full-width forms, and two "
        "characters that look like one and are none.",
        needs="dash",
        relation="SAME_MEANING; POTENTIALLY_AMBIGUOUS beside a digit (minus, range) and for what is no dash.",
        expects=frozenset({"other_key"}),
        make=_dashes,
    ),
    Operator(
        id="unicode.quote",
        about="Put another apostrophe or quotation mark: typographic, prime, modifier letter, geresh, corner bracket.",
        needs="apostrophe or quotation mark",
        relation="SAME_MEANING; POTENTIALLY_AMBIGUOUS after a digit (minutes, inches) and for a modifier letter.",
        expects=frozenset({"other_key"}),
        make=_quotes,
    ),
    Operator(
        id="unicode.space",
        about="Put another white space: no-break, Ogham, fixed widths, line and paragraph separator, ideographic, next "
        "line.",
        needs="white space",
        relation="SAME_MEANING: a reader reads the same words.",
        expects=frozenset({"other_key", "same_key", "refused"}),
        make=_spaces,
        inverse=lambda text: text.translate(_TO_SPACE),
    ),
    Operator(
        id="unicode.punctuation_removed",
        about="Remove a punctuation mark.",
        needs="punctuation",
        relation="SAME_MEANING for the full stop at the end; DIFFERENT_MEANING for the point within a number; "
        "POTENTIALLY_AMBIGUOUS otherwise.",
        expects=frozenset({"other_key"}),
        make=_removed,
    ),
    Operator(
        id="unicode.question",
        about="End the text with a question mark, in the form of its script.",
        needs="end that can become a question",
        relation="DIFFERENT_MEANING if the text ended as a statement; POTENTIALLY_AMBIGUOUS if no mark stood there.",
        expects=frozenset({"other_key"}),
        make=_questioned,
    ),
    Operator(
        id="unicode.emoji",
        about="Put a decorative emoji before or after the text.",
        needs="text",
        relation="SAME_MEANING: the emoji decorate and say nothing.",
        expects=frozenset({"other_key"}),
        make=_decorated,
        options=(Option("emoji", Texts, "Emoji to choose from.", default=EMOJI),),
    ),
)
"""Operators of the family ``unicode`` that change punctuation, white space and decoration."""
