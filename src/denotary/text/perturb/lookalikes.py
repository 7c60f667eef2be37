"""Characters that look like others: confusables, second spellings within a script, styled letters, other widths."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import unicodedata2

from denotary.text.folds import width
from denotary.text.forms import NFC, NFD
from denotary.text.perturb.operator import Operator
from denotary.text.perturb.sites import AMBIGUOUS, SAME, Change, Dose, Made, Site, chosen
from denotary.text.scripts import UNSPECIFIC, script_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from denotary.records import Relation
    from denotary.text.perturb.source import Piece, Source

_DOSE: Final = Dose(1 / 8, 1 / 3)
_ALL: Final = Dose(1 / 3, 1.0)
_DATA: Final = Path(__file__).parent / "data" / "lookalikes.txt"
_RELATIONS: Final[Mapping[str, Relation]] = {"same": SAME, "near": AMBIGUOUS}
_LONGEST: Final = 3
"""Longest member of a class, in code points."""


class _Other(NamedTuple):
    """What looks like a string, and how well."""

    text: str
    relation: Relation
    same_script: bool


@cache
def _table() -> Mapping[str, tuple[_Other, ...]]:
    found: dict[str, list[_Other]] = {}
    for line in _DATA.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        kind, *codes = line.split()
        members = ["".join(chr(int(code, 16)) for code in member.split("+")) for member in codes]
        for one in members:
            for other in members:
                if one != other:
                    entry = _Other(other, _RELATIONS[kind], _script(one) == _script(other))
                    found.setdefault(one, []).append(entry)
    return {text: tuple(others) for text, others in found.items()}


def _script(text: str) -> frozenset[str]:
    return frozenset(map(script_of, text)) - UNSPECIFIC


def _swapping(*, same_script: bool) -> Callable[[Source], Made]:
    def make(source: Source) -> Made:
        return chosen(source, _sites(source.pieces, same_script=same_script), _DOSE)

    return make


def _sites(pieces: tuple[Piece, ...], *, same_script: bool) -> Iterator[Site]:
    """Yield the clusters, and the pairs of clusters, that hold something with a look-alike."""
    for piece in pieces:
        forms = dict.fromkeys((piece.text, NFD(piece.text)))
        changes = (change for form in forms for change in _changes(form, 0, same_script=same_script))
        yield Site(piece.start, piece.text, tuple(changes))
    for left, right in pairwise(pieces):
        both = left.text + right.text
        yield Site(left.start, both, tuple(_changes(both, len(left.text), same_script=same_script)))


def _changes(text: str, across: int, *, same_script: bool) -> Iterator[Change]:
    """Yield the forms of a text with one look-alike; with ``across``, only what spans that offset."""
    for start in range(across or len(text)):
        for end in range(max(start, across) + 1, min(len(text), start + _LONGEST) + 1):
            for other in _table().get(text[start:end], ()):
                if other.same_script == same_script:
                    yield Change(NFC(text[:start] + other.text + text[end:]), other.relation)


@cache
def _compatible(*kinds: str) -> Mapping[str, tuple[str, ...]]:
    """Return, by character, the characters of which it is the compatibility form of one of the kinds."""
    found: dict[str, list[str]] = {}
    for character in map(chr, range(0x20000)):
        kind, _, mapping = unicodedata2.decomposition(character).partition(" ")
        if kind in kinds and " " not in mapping:
            found.setdefault(chr(int(mapping, 16)), []).append(character)
    return {character: tuple(others) for character, others in found.items()}


def _in_form(*kinds: str) -> Callable[[Source], Made]:
    def make(source: Source) -> Made:
        table = _compatible(*kinds)
        return chosen(source, (_formed(piece, table) for piece in source.pieces), _ALL)

    return make


def _formed(piece: Piece, table: Mapping[str, tuple[str, ...]]) -> Site:
    parts = NFD(piece.text)
    first, rest = parts[0], parts[1:]
    return Site(piece.start, piece.text, tuple(Change(other + rest) for other in table.get(first, ())))


def _narrow(source: Source) -> Made:
    return chosen(source, map(_narrowed, source.pieces), _ALL)


def _narrowed(piece: Piece) -> Site:
    """Return a character in half width. A voiced kana becomes a kana and a half-width voicing mark."""
    table = {**_compatible("<narrow>"), **_wide_of()}
    parts = NFD(piece.text) if len(piece.text) == 1 else piece.text
    forms = [table.get(part, ()) for part in parts]
    changes = (Change("".join(form[0] for form in forms)),) if all(forms) else ()
    return Site(piece.start, piece.text, changes)


@cache
def _wide_of() -> dict[str, tuple[str, ...]]:
    return {wide: (narrow,) for narrow, forms in _compatible("<wide>").items() for wide in forms}


def _plain(text: str) -> str:
    styled = {ord(form): plain for plain, forms in _compatible("<font>").items() for form in forms}
    return NFC(text.translate(styled))


_LOOKS: Final = (
    "SAME_MEANING for a reader who takes one for the other; POTENTIALLY_AMBIGUOUS where the two may be told "
    "apart. To a machine it is another string in either case."
)

OPERATORS: Final = (
    Operator(
        id="unicode.confusable",
        about="Put a character of another script that looks alike: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, "
        "Telugu and Kannada, Tamil and Malayalam, Thai and Lao, kana and Han, and more.",
        needs="character with a look-alike in another script",
        relation=_LOOKS,
        expects=frozenset({"other_key"}),
        make=_swapping(same_script=False),
    ),
    Operator(
        id="unicode.script_variant",
        about="Put another spelling within the script that looks alike: Arabic kaf and yeh, Indic vowels by parts, "
        "Malayalam chillus, Thai sara ae, regional Han forms.",
        needs="character with a look-alike in its script",
        relation=_LOOKS,
        expects=frozenset({"other_key"}),
        make=_swapping(same_script=True),
    ),
    Operator(
        id="unicode.styled",
        about="Put a styled form in place of a letter or digit: mathematical bold, script, double-struck, wide Hebrew.",
        needs="letter or digit with a styled form",
        relation="SAME_MEANING: a reader reads the letter.",
        expects=frozenset({"other_key"}),
        make=_in_form("<font>"),
        inverse=_plain,
    ),
    Operator(
        id="unicode.full_width",
        about="Put full-width forms: ASCII letters, digits and punctuation, some signs.",
        needs="character with a full-width form",
        relation="SAME_MEANING: a reader reads the same character.",
        expects=frozenset({"other_key"}),
        make=_in_form("<wide>"),
        inverse=width,
    ),
    Operator(
        id="unicode.half_width",
        about="Put half-width forms: katakana with its voicing marks, jamo, full-width ASCII.",
        needs="character with a half-width form",
        relation="SAME_MEANING: a reader reads the same character.",
        expects=frozenset({"other_key"}),
        make=_narrow,
        inverse=width,
    ),
)
"""Operators of the family ``unicode`` that put a look-alike."""
