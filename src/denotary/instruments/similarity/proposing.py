"""Variants proposed for a user's own anchors, unreviewed: no audit reads one before a person has accepted it.

Close variants come from rules on words and numbers; some are wrong English or do not change the decision, which is
why a person reads each. Distant ones need other words for the same thing, which no rule has: they come from a
rewriter that the user brings, or not at all.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from denotary.errors import InputError
from denotary.importing import called
from denotary.instruments.similarity.building import LEAST_CLOSE, MOST_DISTANT
from denotary.instruments.similarity.corpus_records import UserPair
from denotary.instruments.similarity.overlap import overlap
from denotary.text.differences.lists import antonym_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from denotary.instruments.similarity.anchors import Pole

    Rewriter = Callable[[str], str]

_DATA: Final = Path(__file__).parent / "data" / "proposals.toml"
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_CLAUSE: Final = re.compile(
    r",?\s+(?:within|unless|if|only|except|without|after|before|until|at least|at most|no later than)\b[^,.;]*$"
)


@dataclass(frozen=True, slots=True, repr=False)
class _Wording:
    """A text that an anchor became, and by which class of change; no class where the decision is the same."""

    mutation: str
    text: str


def propose(
    anchors: Iterable[tuple[str, str]], *, task: str, rewriter: Rewriter | None = None
) -> Iterator[UserPair]:
    """Yield unreviewed pairs for anchors, in their order.

    For every class of change that a rule finds in the anchor there is a close opposite, beside one close
    restatement; with a rewriter also the distant restatement of the anchor and of every close opposite. What does
    not reach its pole of overlap (close: at least 0.6, distant: at most 0.25) is left out.

    Args:
        anchors: id and text of each; English.
        task: named in every pair.
        rewriter: a text to one that says the same in other words.

    Raises:
        InputError: the rewriter raises, or gives no text; its message names the anchor, never a text.
    """
    for name, text in anchors:
        made = [*_close_same(text), *_close_opposites(text)]
        close = [
            wording for wording in made if wording.text != text and overlap(text, wording.text) >= LEAST_CLOSE
        ]
        yield from (_pair(name, text, wording, task, "close") for wording in close)
        if rewriter is not None:
            for wording in (_Wording("", text), *(wording for wording in close if wording.mutation)):
                other = _Wording(wording.mutation, _rewritten(rewriter, wording.text, name))
                if overlap(text, other.text) <= MOST_DISTANT:
                    yield _pair(name, text, other, task, "distant")


def _pair(name: str, text: str, wording: _Wording, task: str, pole: Pole) -> UserPair:
    return UserPair(
        text1=text,
        text2=wording.text,
        decision="opposite" if wording.mutation else "same",
        task=task,
        anchor=name,
        mutation=wording.mutation,
        pole=pole,
        review="unreviewed",
        derived_by="rules" if pole == "close" else "rewriter",
    )


def _rewritten(rewriter: Rewriter, text: str, name: str) -> str:
    made: object = called("the rewriter", rewriter, text, record=name)
    if not isinstance(made, str) or not made.strip():
        raise InputError(f"the rewriter gave no text but {type(made).__name__}", record=name)
    return made.strip()


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(_DATA.read_text("utf-8"))


@cache
def _rules(text: str) -> tuple[tuple[str, str], ...]:
    """Return before and after of each rule of a list."""
    parts = (part for line in text.splitlines() for part in line.split("|") if part.strip())
    halves = (part.partition(">") for part in parts)
    return tuple((before.strip(), after.strip()) for before, _, after in halves)


def _replaced(text: str, rules: tuple[tuple[str, str], ...]) -> str | None:
    """Return the text with the first rule that applies, its first letter kept large; None if none applies."""
    for before, after in rules:
        found = re.search(rf"(?<![\w'-]){re.escape(before)}(?![\w'-])", text, re.IGNORECASE)
        if found:
            word = after[0].upper() + after[1:] if found.group()[0].isupper() else after
            return text[: found.start()] + word + text[found.end() :]
    return None


def _close_same(text: str) -> Iterator[_Wording]:
    made = _replaced(text, _rules(_data()["same"]["close"]))
    if made is not None:
        yield _Wording("", made)


def _close_opposites(text: str) -> Iterator[_Wording]:
    """Yield each close opposite that a rule makes."""
    makers: list[tuple[str, str | None]] = [
        ("negation", _negated(text)),
        ("antonym", _with_antonym(text)),
        ("quantity_unit", _with_other_number(text)),
        ("constraint_deletion", _without_clause(text)),
    ]
    makers += [(mutation, _replaced(text, _rules(rules))) for mutation, rules in _data()["opposite"].items()]
    yield from (_Wording(mutation, made) for mutation, made in makers if made is not None)


def _negated(text: str) -> str | None:
    """Return the text with its first *not* taken out, or one put in."""
    bare = re.sub(r"(?i)\b(?:do not|don't)\s+(\w)", lambda m: m.group(1), text, count=1)
    if bare != text:
        return bare[0].upper() + bare[1:] if text[:1].isupper() else bare
    bare = re.sub(r"(?i)\s+not\b|n't\b", "", text, count=1)
    if bare != text:
        return bare
    lists = _data()["negation"]
    found = re.search(rf"(?i)\b(?:{'|'.join(lists['auxiliaries'].split())})\b", text)
    if found:
        return f"{text[: found.end()]} not{text[found.end() :]}"
    first = re.match(r"[A-Za-z]+", text)
    if first and first.group().casefold() in lists["verbs"].split():
        return f"Do not {text[0].lower()}{text[1:]}"
    return None


@cache
def _opposites() -> dict[str, str]:
    """Return the first opposite of each word of the list."""
    found: dict[str, str] = {}
    for one, two in antonym_pairs():
        found.setdefault(one, two)
        found.setdefault(two, one)
    return found


def _with_antonym(text: str) -> str | None:
    """Return the text with its first word that has an opposite replaced."""
    for found in re.finditer(r"[A-Za-z]+", text):
        other = _opposites().get(found.group().casefold())
        if other:
            other = other.capitalize() if found.group()[0].isupper() else other
            return text[: found.start()] + other + text[found.end() :]
    return None


def _with_other_number(text: str) -> str | None:
    found = _NUMBER.search(text)
    if found is None:
        return None
    # Doubled: as wrong as a slip of the pen, and of the same form. A zero becomes ten.
    digits = re.sub(r"[^0-9]", "", found.group())
    doubled = str(2 * int(digits) or 10)
    if len(doubled) == len(digits) and len(found.group()) > len(
        digits
    ):  # 1,500 keeps its comma, 0.25 its point
        it = iter(doubled)
        doubled = "".join(next(it) if sign.isdigit() else sign for sign in found.group())
    elif len(found.group()) > len(digits):
        return None
    return text[: found.start()] + doubled + text[found.end() :]


def _without_clause(text: str) -> str | None:
    """Return the text without its last clause, if that begins with a word that limits."""
    body, end = (text[:-1], text[-1]) if text[-1:] in ".!?" else (text, "")
    found = _CLAUSE.search(body)
    return body[: found.start()] + end if found and found.start() else None
