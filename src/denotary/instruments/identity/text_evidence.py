"""What a text by itself shows of why a code was given to it: wordings of the registry that it comes near, orders in it.

It needs nothing that the author of a case wrote down, so it holds for cases without family, tags or relatives.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Final

from denotary.text import Normalised, coarse, folds_for, normalise, primary_subtag, transforms
from denotary.text.negation import negating, words
from denotary.text.perturb.phrases import phrases

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from denotary.registry import Registry
    from denotary.registry.records import Expression

WITHIN: Final = 0.75
"""A wording stands in a text where words with at least this share of its letters do."""
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")
_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2}){8,}")
_ORDERS: Final = ("override", "assertion", "delimiter", "field", "markdown", "quoted", "metadata")
"""Forms of the operators of the family ``prompt`` that order a code, and do not only mention it."""


class Wordings:
    """The expressions of a registry by their text, by their coarse key and by concept."""

    def __init__(self, registry: Registry) -> None:
        self._exact: defaultdict[str, list[Expression]] = defaultdict(list)
        self._folded: defaultdict[str, list[Expression]] = defaultdict(list)
        self._of: defaultdict[str, list[Expression]] = defaultdict(list)
        for expression in registry.authorised:
            text = _nfc(expression.text)
            self._exact[text].append(expression)
            self._folded[coarse(text)].append(expression)
            for code in expression.codes:
                self._of[code].append(expression)

    def registered(self, text: str) -> tuple[Expression, ...]:
        """Return the expressions that are this text, in any language."""
        return tuple(self._exact.get(_nfc(text), ()))

    def folded(self, text: str, code: str) -> tuple[str, ...]:
        """Return the folds that make a text equal to an expression of a code that it is not; empty if none do."""
        plain = _nfc(text)
        if any(code in expression.codes for expression in self._exact.get(plain, ())):
            return ()
        for expression in self._folded.get(coarse(plain), ()):
            if code in expression.codes:
                declared = folds_for(primary_subtag(expression.language))
                if found := transforms(plain, _nfc(expression.text), declared):
                    return found
        return ()

    def negated(self, text: str, language: str, code: str) -> bool:
        """Whether a text holds a wording of a code and negates more than it does."""
        plain = _nfc(text)
        most = len(negating(plain, language))
        return any(
            len(negating(_nfc(expression.text), expression.language)) < most and _within(expression, plain)
            for expression in (self._of.get(code, ()) if most else ())
        )

    def holds(self, text: str, code: str) -> bool:
        """Whether a text holds a wording of a code."""
        plain = _nfc(text)
        return any(_within(expression, plain) for expression in self._of.get(code, ()))


def orders(text: str, code: str) -> str:
    """Return the form in which a text orders a code, in a word; empty if it orders none that is known."""
    plain = _flat(text)
    for form, sentences in _forms().items():
        if any(_flat(sentence.format(code=code, codes=code)) in plain for sentence in sentences):
            return form
    return "encoded" if code not in text and any(code in decoded for decoded in _decoded(text)) else ""


@cache
def _forms() -> Mapping[str, tuple[str, ...]]:
    prompt = phrases()["prompt"]
    forms = {name: tuple(prompt[name]) for name in _ORDERS}
    return {**forms, "override in a language": tuple(prompt["languages"].values())}


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())


def _decoded(text: str) -> Iterator[str]:
    """Yield what parts of a text are, read in the encodings of the operator ``prompt.encoded``."""
    for part in _BASE64.findall(text):
        try:
            yield base64.b64decode(part, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            continue
    for part in _HEX.findall(text):
        yield bytes.fromhex(part).decode(errors="replace")
    yield codecs.encode(text, "rot13")
    yield text[::-1]
    yield re.sub(r"(\S) (?=\S(?: |$))", r"\1", text)


def _within(expression: Expression, text: str) -> bool:
    """Whether the words of an expression stand in a text, by the share of its letters that they have.

    Long words weigh more, since those that carry no content are short. Where one word is all there is, as in
    scripts that put no space between words, it must stand there whole.
    """
    wording = _nfc(expression.text)
    own = words(wording)
    if len(own) < 2:  # noqa: PLR2004 - there is no share of one word
        return coarse(wording) in coarse(text)
    found = frozenset(words(text))
    return sum(len(word) for word in own if word in found) >= WITHIN * sum(map(len, own))


def _nfc(text: str) -> str:
    normal = normalise(text)
    return normal.text if isinstance(normal, Normalised) else text
