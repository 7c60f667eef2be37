"""The role of each content word of an English text, told from its place and its preposition; no parser is used.

A phrase is what follows a preposition or a word that opens a clause; words that follow none are bare. An owner counts
as behind *of*, a bare time (*last week*) and an adverb have roles of their own, for they may stand anywhere.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from denotary.text.differences.lists import participles, stem, word_list
from denotary.text.differences.reading import tokenise

if TYPE_CHECKING:
    from collections.abc import Iterator

ANYWHERE: Final = "anywhere"
"""Role of adverbs and bare times."""
_OWNER: Final = "'s"
_POSSESSIVE: Final = re.compile(r"(?<=\w)'s(?!\w)|(?<=s)'(?!\w)")
_INNER: Final = "+"
"""Put behind the role of words that follow the first phrase of a clause."""


@dataclass(frozen=True, slots=True)
class Word:
    """A content word: its stem, its role (the preposition of its phrase, or empty), and its place among the tokens."""

    stem: str
    role: str
    at: int


@dataclass(frozen=True, slots=True)
class Roles:
    """A text read for roles.

    Attributes:
        tokens: all of them.
        every: its content words, in order.
        once: those whose stem it holds once, by stem.
        passive: place of the participle of a passive whose agent is named by *by*; -1 without one.
    """

    tokens: tuple[str, ...]
    every: tuple[Word, ...]
    once: dict[str, Word]
    passive: int


@lru_cache(maxsize=4096)
def read_roles(text: str) -> Roles:
    """Return the content words of a text with their roles, in time linear in its length."""
    tokens = _tokens(text)
    every = tuple(_plain(list(_words(tokens))))
    return _made(tokens, every, _passive(tokens))


def as_passive(roles: Roles, verb: str) -> Roles:
    """Return an active text with the bare words before a verb in the role of a passive's agent."""
    place = next(word.at for word in roles.every if word.stem == verb)
    breaks = [at for at, token in enumerate(roles.tokens[:place]) if token in word_list("roles", "breaks")]
    start = breaks[-1] if breaks else -1
    every = tuple(
        replace(word, role="by") if word.role == "" and start < word.at < place else word
        for word in roles.every
    )
    return _made(roles.tokens, every, roles.passive)


def as_given(roles: Roles, receiver: str, role: str) -> Roles:
    """Return a text with a bare receiver (*gave Ann a key*) in the role of a preposition (*gave a key to Ann*)."""
    every = tuple(replace(word, role=role) if word.stem == receiver else word for word in roles.every)
    return _made(roles.tokens, every, roles.passive)


def without(roles: Roles, verb: str) -> Roles:
    """Return a text without a word."""
    every = tuple(word for word in roles.every if word.stem != verb)
    return _made(roles.tokens, every, roles.passive)


def _made(tokens: tuple[str, ...], every: tuple[Word, ...], passive: int) -> Roles:
    times = Counter(word.stem for word in every)
    return Roles(tokens, every, {word.stem: word for word in every if times[word.stem] == 1}, passive)


def _tokens(text: str) -> tuple[str, ...]:
    parts = _POSSESSIVE.split(text.casefold().replace("\u2019", "'"))
    found = list(tokenise(parts[0]))
    for part in parts[1:]:
        owner = bool(found) and found[-1] not in word_list("words", "function")
        found += [*([_OWNER] if owner else []), *tokenise(part)]
    return tuple(found)


def _words(tokens: tuple[str, ...]) -> Iterator[Word]:
    """Yield content words; a role lasts until an article, a comma, an auxiliary or the next preposition."""
    opens, joins = word_list("roles", "opens"), word_list("words", "coordinators")
    ends, starts = word_list("roles", "ends"), word_list("roles", "starts")
    function = word_list("words", "function")
    role, filled, joined = "", False, False
    for at, token in enumerate(tokens):
        if token in opens:
            role, filled, joined = token, False, False
        elif token in joins - {",", ";"}:
            joined = True
        elif token in word_list("roles", "whens") and _is_time(tokens, at + 1):
            role, filled, joined = ANYWHERE, False, False
        elif token in starts or token in ends:
            if (filled and not joined) or token in ends:
                role = _after(role, token)
            filled = filled and joined
        elif token == _OWNER or not token[0].isalnum():
            continue
        elif token not in function:
            filled, joined = True, False
            yield Word(stem(token), _own(tokens, at, role), at)


def _after(role: str, token: str) -> str:
    """Return the role behind the end of a phrase: bare, or inner where the phrase may have opened a clause."""
    clause = role.removesuffix(_INNER) in word_list("roles", "clauses")
    return "" if not clause or token in {",", ";"} else role.removesuffix(_INNER) + _INNER


def _own(tokens: tuple[str, ...], at: int, role: str) -> str:
    token = tokens[at]
    if tokens[at + 1 : at + 2] == (_OWNER,):
        return "of"
    if token in word_list("roles", "adverbs") or (
        token.endswith("ly") and token not in word_list("roles", "not_adverbs")
    ):
        return ANYWHERE
    return role


def _is_time(tokens: tuple[str, ...], at: int) -> bool:
    return at < len(tokens) and tokens[at] in word_list("roles", "times")


def _plain(words: list[Word]) -> list[Word]:
    """Return the words of a text without bare ones with its inner ones as bare: *after rain the road is wet*."""
    if any(word.role == "" for word in words):
        return words
    return [replace(word, role="") if word.role.endswith(_INNER) else word for word in words]


def _passive(tokens: tuple[str, ...]) -> int:
    """Return the place of a participle between a form of *be* and *by*, each at most three words away."""
    be = word_list("words", "be")
    for at, token in enumerate(tokens):
        if not (token.endswith("ed") or token in participles()):
            continue
        if be & set(tokens[max(0, at - 3) : at]) and "by" in tokens[at + 1 : at + 4]:
            return at
    return -1
