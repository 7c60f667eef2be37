"""Marks on letters: nukta, kana voicing, stacks of combining marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import unicodedata2

from denotary.text.forms import NFC, NFD, NFKC
from denotary.text.perturb.operator import Operator
from denotary.text.perturb.sites import AMBIGUOUS, SAME, Change, Dose, Made, Site, chosen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from denotary.text.perturb.source import Piece, Source

_NUKTA: Final = 7
_VOICED: Final = "\u3099"
_SEMI_VOICED: Final = "\u309a"
_HALF_VOICED: Final = "\uff9e"
_HALF_SEMI_VOICED: Final = "\uff9f"
_OFF: Final = str.maketrans(dict.fromkeys(_VOICED + _SEMI_VOICED + _HALF_VOICED + _HALF_SEMI_VOICED))
_SWAP: Final = str.maketrans(
    {
        _VOICED: _SEMI_VOICED,
        _SEMI_VOICED: _VOICED,
        _HALF_VOICED: _HALF_SEMI_VOICED,
        _HALF_SEMI_VOICED: _HALF_VOICED,
    }
)
_SPACING: Final = str.maketrans({_VOICED: "\u309b", _SEMI_VOICED: "\u309c"})
_COMBINING: Final = str.maketrans({"\u309b": _VOICED, "\u309c": _SEMI_VOICED})
STACK: Final = (
    "\u0346\u034a\u034b\u0350\u0351\u0352\u0357\u035b"
    "\u0347\u0348\u0349\u034d\u034e\u0353\u0354\u0355\u0356\u0359"
)
"""Marks above and below of phonetic notation: no language makes a letter with them."""
_UNSTACKED: Final = str.maketrans(dict.fromkeys(STACK))
_HEIGHT: Final = 3
_DOSE: Final = Dose(1 / 3, 1.0)
_FEW: Final = Dose(1 / 8, 1 / 3)


def _unpointed(source: Source) -> Made:
    return chosen(source, map(_without_nukta, source.pieces), _DOSE)


def _without_nukta(piece: Piece) -> Site:
    parts = NFD(piece.text)
    kept = "".join(part for part in parts if unicodedata2.combining(part) != _NUKTA)
    changes = (Change(NFC(kept), AMBIGUOUS),) if kept and kept != parts else ()
    return Site(piece.start, piece.text, changes)


def _with_kana(table: Mapping[int, str | None]) -> Callable[[Source], Made]:
    """Return an operator that translates voicing marks, where that gives one kana again."""

    def kana(piece: Piece) -> Site:
        parts = NFD(piece.text)
        changed = NFC(parts.translate(table))
        usable = parts.translate(table) != parts and len(NFKC(changed)) == 1
        return Site(piece.start, piece.text, (Change(changed, AMBIGUOUS),) if usable else ())

    return lambda source: chosen(source, map(kana, source.pieces), _DOSE)


def _spaced(source: Source) -> Made:
    sites = (
        Site(piece.start, piece.text, (Change(NFD(piece.text).translate(_SPACING)),))
        for piece in source.pieces
        if NFD(piece.text)[-1] in _VOICED + _SEMI_VOICED
    )
    return chosen(source, sites, _DOSE)


def _stacked(source: Source) -> Made:
    relation = AMBIGUOUS if source.severity == "high" else SAME
    letters = [piece for piece in source.pieces if piece.is_letter]
    sites = [
        Site(piece.end, "", (Change("".join(source.draw.shuffled(STACK)[:_HEIGHT]), relation),))
        for piece in letters
    ]
    return chosen(source, sites, _FEW)


OPERATORS: Final = (
    Operator(
        id="unicode.nukta_removed",
        about="Remove the nukta of an Indic letter.",
        needs="letter with a nukta",
        relation="POTENTIALLY_AMBIGUOUS: many writers leave it out, and it can make another word.",
        expects=frozenset({"other_key"}),
        make=_unpointed,
    ),
    Operator(
        id="unicode.kana_voicing_removed",
        about="Remove the dakuten or handakuten of a kana.",
        needs="kana with a voicing mark",
        relation="POTENTIALLY_AMBIGUOUS: another syllable, and often another word.",
        expects=frozenset({"other_key"}),
        make=_with_kana(_OFF),
    ),
    Operator(
        id="unicode.kana_voicing_swapped",
        about="Put handakuten for dakuten or the other way, where there is such a kana (ha row).",
        needs="kana of the ha row with a voicing mark",
        relation="POTENTIALLY_AMBIGUOUS: another syllable, and often another word.",
        expects=frozenset({"other_key"}),
        make=_with_kana(_SWAP),
    ),
    Operator(
        id="unicode.kana_voicing_spacing",
        about="Put the spacing voicing mark (U+309B, U+309C) after the kana.",
        needs="kana with a voicing mark",
        relation="SAME_MEANING: a reader reads the same syllable.",
        expects=frozenset({"other_key"}),
        make=_spaced,
        inverse=lambda text: NFC(text.translate(_COMBINING)),
    ),
    Operator(
        id="unicode.combining_stack",
        about="Stack three marks of phonetic notation on a letter.",
        needs="letter",
        relation="SAME_MEANING; POTENTIALLY_AMBIGUOUS at severity high, where the text is hard to read.",
        expects=frozenset({"other_key"}),
        make=_stacked,
        inverse=lambda text: text.translate(_UNSTACKED),
    ),
)
"""Operators of the family ``unicode`` that change marks."""
