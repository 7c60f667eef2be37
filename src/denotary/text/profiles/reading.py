"""The profile of one text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from denotary.text.differences.lists import stem, word_list
from denotary.text.differences.reading import tokenise
from denotary.text.lexicon import is_prefixed, relation
from denotary.text.profiles.amounts import amounts
from denotary.text.profiles.lists import marks

if TYPE_CHECKING:
    from denotary.text.profiles.amounts import Amount

_STRENGTH: Final = {"must": 3, "certain": 3, "should": 2, "may": 1, "possible": 1}
_LATER: Final = {"next", "later", "second", "afterwards", "subsequently", "then"}
_JOINING: Final = {",", ";", "and", *_LATER}


@dataclass(frozen=True, slots=True, repr=False)
class Profile:
    """What a text commits to. Its repr shows no word of it.

    Attributes:
        tokens: case folded; see :func:`denotary.text.differences.reading.tokenise`.
        content: words that are no function words, in order, each once.
        strength: how strongly it speaks, each phrase: 3 must or certain, 2 should, 1 may or possibly.
        scope: of how many: ``all``, ``most``, ``some``, ``one``, ``only``, ``few``, ``none``, ``even``.
        leaving: ``left_out`` and ``kept_in``.
        either: whether it says that something makes no difference.
        negatives: words that negate or refuse.
        prefixed: words that are the opposite of the rest of them, as *unsafe* and *disagree*.
        alternatives: whether it names two opposites as one: *safe or not safe*, *hot or cold*.
        emphatic: whether it stresses that something is so after all.
        size: ``more`` and ``less``.
        amounts: numbers with units.
        sequence: what comes first and what comes later, as texts; None where it does not say.
    """

    tokens: tuple[str, ...]
    content: tuple[str, ...]
    strength: tuple[int, ...]
    scope: frozenset[str]
    leaving: frozenset[str]
    either: bool
    negatives: int
    prefixed: int
    alternatives: bool
    emphatic: bool
    size: frozenset[str]
    amounts: tuple[Amount, ...]
    sequence: tuple[str, str] | None

    @property
    def stems(self) -> frozenset[str]:
        """Stems of the content words."""
        return frozenset(map(stem, self.content))


@lru_cache(maxsize=4096)
def profile(text: str) -> Profile:
    """Return the profile of an English text, in time linear in its length."""
    tokens = tokenise(text)
    function = word_list("words", "function")
    negative = [label for label, _, _ in marks("negative", tokens)]
    return Profile(
        tokens=tokens,
        content=tuple(dict.fromkeys(t for t in tokens if t[0].isalpha() and t not in function)),
        strength=tuple(_STRENGTH[label] for label, _, _ in marks("strength", tokens)),
        scope=_labels("quantity_of", tokens),
        leaving=_labels("leaving", tokens),
        either=bool(marks("open", tokens)),
        negatives=negative.count("negative"),
        prefixed=sum(map(is_prefixed, tokens)),
        alternatives=_has_alternatives(tokens),
        emphatic="emphatic" in negative,
        size=_labels("size", tokens),
        amounts=amounts(tokens),
        sequence=_sequence(tokens),
    )


def _has_alternatives(tokens: tuple[str, ...]) -> bool:
    """Whether *or* or *and* joins two opposites."""
    return any(
        tokens[at] in {"or", "and"} and relation(tokens[at - 1], tokens[at + 1]) in {"opposite", "indirect"}
        for at in range(1, len(tokens) - 1)
    )


def _labels(table: str, tokens: tuple[str, ...]) -> frozenset[str]:
    return frozenset(label for label, _, _ in marks(table, tokens))


def _sequence(tokens: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the earlier and the later part of a text."""
    parts = _first_then(tokens) or _around_a_mark(tokens)
    if parts is None:
        return None
    earlier, later = (" ".join(part) for part in parts)
    return (earlier, later) if earlier and later else None


def _first_then(tokens: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Read *A comes first, B next*."""
    if "first" not in tokens[1:]:
        return None
    at = tokens.index("first", 1)
    rest = tokens[at + 1 :]
    if not rest or not (_LATER & set(rest) or rest[0] in {",", "and"}):
        return None
    later = tuple(token for token in rest if token not in _JOINING)
    return (tokens[:at], later) if len(later) > 1 else None


def _around_a_mark(tokens: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Read *A before B*, *after B, A* and the like, by the first word of time."""
    found = marks("order", tokens)
    if not found:
        return None
    label, start, end = found[0]
    left, right = tokens[:start], tokens[end:]
    if not left:
        if "," not in right:
            return None
        comma = right.index(",")
        left, right = right[comma + 1 :], right[:comma]
    return (left, right) if label == "before" else (right, left)
