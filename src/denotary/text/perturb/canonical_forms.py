"""Canonically equivalent texts: other code points, the same text by the Unicode standard."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import unicodedata2

from denotary.text.forms import NFC, NFD
from denotary.text.perturb.operator import Operator
from denotary.text.perturb.sites import Change, Dose, Made, Site, chosen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from denotary.text.perturb.source import Source

_DOSE: Final = Dose(1 / 3, 1.0)
_PLANES: Final = range(0x30000)
"""Code points that can have a decomposition: planes 0 to 2."""


def _each_in(form: Callable[[str], str]) -> Callable[[Source], Made]:
    def make(source: Source) -> Made:
        sites = (Site(piece.start, piece.text, (Change(form(piece.text)),)) for piece in source.pieces)
        return chosen(source, sites, _DOSE)

    return make


def _reordered(source: Source) -> Made:
    sites = (Site(piece.start, piece.text, tuple(_orders(piece.text))) for piece in source.pieces)
    return chosen(source, sites, _DOSE)


def _orders(cluster: str) -> Iterator[Change]:
    """Yield the forms of a cluster in which two marks that do not interact have changed places."""
    parts = NFD(cluster)
    for place, (one, other) in enumerate(pairwise(parts)):
        first, second = unicodedata2.combining(one), unicodedata2.combining(other)
        if first and second and first != second:
            yield Change(f"{parts[:place]}{other}{one}{parts[place + 2 :]}")


@cache
def singletons() -> Mapping[str, tuple[str, ...]]:
    """Return, by character, the characters whose whole canonical decomposition it is (U+212B for U+00C5)."""
    found: dict[str, list[str]] = {}
    for character in map(chr, _PLANES):
        mapping = unicodedata2.decomposition(character)
        if mapping and not mapping.startswith("<") and " " not in mapping:
            found.setdefault(NFC(character), []).append(character)
    return {character: tuple(others) for character, others in found.items()}


def _doubles(source: Source) -> Made:
    sites = (
        Site(piece.start, piece.text, tuple(map(Change, singletons().get(NFC(piece.text), ()))))
        for piece in source.pieces
    )
    return chosen(source, sites, _DOSE)


_EQUIVALENT: Final = "SAME_MEANING: the two texts are canonically equivalent."

OPERATORS: Final = (
    Operator(
        id="unicode.decomposed",
        about="Decompose characters (NFD), Hangul syllables into jamo among them.",
        needs="character with a canonical decomposition",
        relation=_EQUIVALENT,
        expects=frozenset({"same_key"}),
        make=_each_in(NFD),
        inverse=NFC,
    ),
    Operator(
        id="unicode.composed",
        about="Compose characters (NFC).",
        needs="decomposed character",
        relation=_EQUIVALENT,
        expects=frozenset({"same_key"}),
        make=_each_in(NFC),
        inverse=NFD,
    ),
    Operator(
        id="unicode.mark_order",
        about="Put two marks of a character that do not interact in an order that no normal form has.",
        needs="character with two marks of different combining classes",
        relation=_EQUIVALENT,
        expects=frozenset({"same_key"}),
        make=_reordered,
        inverse=NFC,
    ),
    Operator(
        id="unicode.singleton",
        about="Put a character that the standard keeps for round trips in place of its equal: Kelvin sign for K, "
        "compatibility ideographs.",
        needs="character with a canonical double",
        relation=_EQUIVALENT,
        expects=frozenset({"same_key"}),
        make=_doubles,
        inverse=NFC,
    ),
)
"""Operators of the family ``unicode`` that the profile takes back."""
