"""Numbers: digits of other scripts, and digits of another value."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Final

import unicodedata2

from denotary.errors import InputError
from denotary.text.perturb.operator import Operator, Option
from denotary.text.perturb.sites import AMBIGUOUS, DIFFERENT, SAME, Change, Dose, Made, Site, chosen
from denotary.text.perturb.source import joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from denotary.text.perturb.source import Piece, Source

_DOSE: Final = Dose(1 / 3, 1.0)
_NAMES: Final = (
    "DIGIT", "ARABIC-INDIC DIGIT", "EXTENDED ARABIC-INDIC DIGIT", "DEVANAGARI DIGIT", "BENGALI DIGIT", "GURMUKHI DIGIT",
    "GUJARATI DIGIT", "ORIYA DIGIT", "TAMIL DIGIT", "TELUGU DIGIT", "KANNADA DIGIT", "MALAYALAM DIGIT", "THAI DIGIT",
    "LAO DIGIT", "TIBETAN DIGIT", "MYANMAR DIGIT", "KHMER DIGIT",
)  # fmt: skip
"""Digits in everyday use, by the beginning of their names."""


@cache
def digit_sets() -> Mapping[str, str]:
    """Return the ten digits by the beginning of their names, 0 first."""
    values = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
    return {name: "".join(unicodedata2.lookup(f"{name} {value}") for value in values) for name in _NAMES}


def numbers(source: Source) -> Iterator[tuple[Piece, ...]]:
    """Yield the runs of decimal digits."""
    for is_digit, run in groupby(source.pieces, key=lambda piece: piece.is_digit):
        if is_digit:
            yield tuple(run)


def _in_script(source: Source) -> Made:
    wanted = source.options["target"]
    if wanted is not None and wanted not in digit_sets():
        raise InputError(f"no digits of the name {wanted!r}", hint=f"known: {', '.join(digit_sets())}")
    sets = [digit_sets()[wanted]] if wanted else list(digit_sets().values())
    return chosen(source, (_number(source, run, sets) for run in numbers(source)), _DOSE)


def _number(source: Source, run: tuple[Piece, ...], sets: list[str]) -> Site:
    before, after = source.around(run[0])[0], source.around(run[-1])[1]
    relation = AMBIGUOUS if before.isalpha() or after.isalpha() else SAME
    text = joined(run)
    values = [unicodedata2.decimal(character) for character in text]
    changes = (Change("".join(digits[value] for value in values), relation) for digits in sets)
    return Site(run[0].start, text, tuple(changes))


def _to_ascii(text: str) -> str:
    return "".join(
        str(unicodedata2.decimal(character)) if unicodedata2.category(character) == "Nd" else character
        for character in text
    )


def _of_another_value(source: Source) -> Made:
    digits = (piece for piece in source.pieces if piece.is_digit)
    return chosen(source, map(_revalued, digits), _DOSE)


def _revalued(piece: Piece) -> Site:
    zero = ord(piece.text) - unicodedata2.decimal(piece.text)
    return Site(piece.start, piece.text, tuple(Change(chr(zero + value), DIFFERENT) for value in range(10)))


OPERATORS: Final = (
    Operator(
        id="unicode.script_digits",
        about="Write a number with the digits of another script; its value stays.",
        needs="number",
        relation="SAME_MEANING; POTENTIALLY_AMBIGUOUS where a letter touches the number, as in a name or formula.",
        expects=frozenset({"other_key"}),
        make=_in_script,
        options=(
            Option(
                "target", str | None, "Beginning of the digits' Unicode names, such as `DEVANAGARI DIGIT`."
            ),
        ),
        inverse=_to_ascii,
    ),
    Operator(
        id="unicode.digit_value",
        about="Put a digit of another value.",
        needs="digit",
        relation="DIFFERENT_MEANING: another number.",
        expects=frozenset({"other_key"}),
        make=_of_another_value,
    ),
)
"""Operators of the family ``unicode`` on numbers."""
