"""How two texts that are not identical come together: a key to find them, and the folds that explain it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.text import folds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.text.folds import Fold


def coarse(text: str) -> str:
    """Return a key that is equal for any two texts that some fold makes equal, whatever the language.

    For every fold ``f`` and text ``x``, ``coarse(f(x)) == coarse(x)``. So one index over this key finds every
    candidate for every fold. It is a way to search, and stands in no answer. White space goes altogether,
    because compatibility forms of some accents (U+00B4) begin with a space.
    """
    if text.isascii():
        return folds.punctuation(text).replace(" ", "").lower()
    text = folds.marks(folds.punctuation(folds.compatibility_caseless(text)))
    return folds.whitespace(text.replace("\u0131", "i")).replace(" ", "")


def wording(text: str) -> str:
    """Return what a text says without case, width, spacing and punctuation; with punctuation if it is nothing else.

    Finer than :func:`coarse`: accents stay, and so do spaces between words. Two texts of one wording are one text to
    whoever counts independent ones.
    """
    plain = folds.whitespace(folds.compatibility_caseless(text))
    return folds.whitespace(folds.punctuation(plain)) or plain


def transforms(one: str, other: str, declared: Sequence[Fold]) -> tuple[str, ...] | None:
    """Return the folds under which two different texts in NFC are equal, in declared order.

    A single fold is preferred, the first in declared order; else the shortest run of folds from the first one
    on that makes them equal, without those of its members that are not needed.

    Returns:
        Identifiers of folds, or None if even all folds together leave the texts apart.
    """
    for fold in declared:
        if fold.apply(one) == fold.apply(other):
            return (fold.id,)
    for count in range(2, len(declared) + 1):
        if _meet(one, other, declared[:count]):
            return tuple(fold.id for fold in _needed(one, other, list(declared[:count])))
    return None


def _meet(one: str, other: str, chosen: Sequence[Fold]) -> bool:
    for fold in chosen:
        one, other = fold.apply(one), fold.apply(other)
    return one == other


def _needed(one: str, other: str, chosen: list[Fold]) -> list[Fold]:
    for fold in reversed(tuple(chosen)):
        without = [item for item in chosen if item is not fold]
        if _meet(one, other, without):
            chosen = without
    return chosen
