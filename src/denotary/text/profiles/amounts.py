"""Amounts of a text: numbers as in typed differences, and fractions, shares, single units and short sums of money."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from denotary.text.differences.lists import number_words, units
from denotary.text.differences.numbers import find_quantities

_PARTS: Final = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5, "sixth": 6,
    "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8, "ninth": 9, "ninths": 9, "tenth": 10,
    "tenths": 10, "twelfth": 12, "twelfths": 12, "twentieth": 20, "twentieths": 20, "fiftieth": 50, "hundredth": 100,
    "hundredths": 100, "thousandth": 1000,
}  # fmt: skip
_SHORT: Final = {"k": 1_000, "m": 1_000_000, "bn": 1_000_000_000}
_MONEY: Final = {"eur", "usd", "gbp", "€", "$", "£"}
_WORDS: Final = {
    "twice": ("2",),
    "thrice": ("3",),
    "couple": ("2",),
    "pair": ("2",),
    "trio": ("3",),
    "quartet": ("4",),
    "per cent": (),
}
_CLOSE: Final = 0.02
"""Relative difference up to which two amounts are one: a third is 33 per cent."""


_MOST: Final = 1000
"""Largest whole that a share is read of."""


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in the base unit of its dimension; shares are fractions of one without a dimension."""

    value: float
    dimension: str

    def equals(self, other: Amount) -> bool:
        """Whether both are the same but for rounding; an amount without a unit may be of any."""
        if self.dimension and other.dimension and self.dimension != other.dimension:
            return False
        return math.isclose(self.value, other.value, rel_tol=_CLOSE)


def amounts(tokens: tuple[str, ...]) -> tuple[Amount, ...]:
    """Return the amounts among tokens, in order; the pronoun *one* is none."""
    found = []
    for quantity in find_quantities(tuple(_written_out(tokens))):
        if not quantity.is_pronoun and not isinstance(quantity.value, str):
            share = quantity.dimension == "share"
            value = quantity.value * (0.01 if share else quantity.factor)
            found.append(Amount(value, "" if share else quantity.dimension))
    return tuple(found)


def _written_out(tokens: tuple[str, ...]) -> list[str]:
    """Return the tokens with fractions, short sums and single units as a number with its unit."""
    found: list[str] = []
    at = 0
    while at < len(tokens):
        put, at = _step(tokens, at)
        found += put
    return found


def _step(tokens: tuple[str, ...], at: int) -> tuple[list[str], int]:
    token, after = tokens[at], tokens[at + 1 : at + 4]
    if (token, *after[:1]) == ("per", "cent"):
        return ["percent"], at + 2
    if token in _WORDS:
        return list(_WORDS[token]), at + 1
    if token in _MONEY and after and after[0][0].isdecimal():
        scale = _SHORT.get(after[1], 0) if len(after) > 1 else 0
        plain = after[0].replace(",", "")
        if scale and plain.replace(".", "", 1).isdecimal():
            return [f"{float(plain) * scale:g}", token], at + 3
    fraction = _fraction(tokens, at) or _ratio(tokens, at)
    if fraction:
        return fraction
    if token in {"a", "an"} and after and after[0] in units() and after[1:3] != ("and", "a"):
        return ["1", after[0]], at + 2
    return [token], at + 1


def _fraction(tokens: tuple[str, ...], at: int) -> tuple[list[str], int] | None:
    """Read *three quarters of an hour*, *half a kilo*, *a third*, *one and a half*, *a year and a half*."""
    word, after = tokens[at], tokens[at + 1 : at + 5]
    count = 1 if word in {"a", "an", "one"} else number_words().get(word)
    if count and after[:3] == ("and", "a", "half"):
        return [f"{count + 0.5:g}"], at + 4
    if (
        word in {"a", "an", "one"}
        and after[:1]
        and after[0] in units()
        and after[1:4] == ("and", "a", "half")
    ):
        return ["1.5", after[0]], at + 5
    if word == "half":
        return [f"{1 / _PARTS[word]:g}"], _past_unit_article(tokens, at + 1)
    if count and after[:1] and after[0] in _PARTS and word != after[0]:
        return [f"{count / _PARTS[after[0]]:.6g}"], _past_unit_article(tokens, at + 2)
    return None


def _ratio(tokens: tuple[str, ...], at: int) -> tuple[list[str], int] | None:
    """Read *one in twenty*, *four out of five*, *two out of every three*; *two in 2020* is none."""
    part, end = _count(tokens, at), at + 1
    if part is None or tokens[end : end + 1] not in {("in",), ("out",)}:
        return None
    end += 2 if tokens[end : end + 2] == ("out", "of") else 1
    end += tokens[end : end + 1] == ("every",)
    whole = _count(tokens, end)
    if whole is None or not part < whole <= _MOST:
        return None
    return [f"{part / whole:.6g}"], end + 1


def _count(tokens: tuple[str, ...], at: int) -> int | None:
    """Return the whole number of a token, in digits or one word."""
    if at >= len(tokens):
        return None
    token = tokens[at]
    known = {**number_words(), "hundred": 100, "thousand": 1000}
    return (
        int(token)
        if token.isdecimal() and token.isascii() and len(token) < len("10000")
        else known.get(token)
    )


def _past_unit_article(tokens: tuple[str, ...], at: int) -> int:
    """Return the place after *of* and an article, if a unit follows them."""
    end = at + (tokens[at : at + 1] == ("of",))
    end += tokens[end : end + 1] in {("a",), ("an",)}
    return end if tokens[end : end + 1] and tokens[end] in units() else at
