"""Typed difference checks: they compare a text with the nearest expression of a candidate, and can only refuse it.

A kind of difference tells nothing about a concept whose own expressions differ by it: *set an alarm for five* and
*for six* are one intent. Such kinds are found once, when a lane is fitted, and left out for that concept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.canonical import digest
from denotary.records import Record
from denotary.text.differences import data_hash, differences
from denotary.text.negation import is_listed, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.text.differences import Difference

REASONS: Final = {
    "negation": "polarity_conflict",
    "antonym": "polarity_conflict",
    "modality": "modality_conflict",
    "quantity": "quantity_conflict",
    "role_order": "role_conflict",
    "scope": "scope_conflict",
    "temporal_order": "time_conflict",
    "exception": "exception_conflict",
    "condition": "condition_conflict",
    "instruction": "instruction_like_text",
    "mention": "mention",
}
"""The reason of a refusal by the kind of difference."""
ALWAYS: Final = ("instruction",)
"""Kinds that no expression of a concept switches off."""
SAMPLE: Final = 200
"""Most expressions of one concept that are compared with each other."""


NOT_GIVEN: Final = "language_not_given"
"""Reason of a refusal: the lane knows texts in several languages, and nobody said which one this is in."""
UNCHECKED: Final = "unchecked_language"
"""Reason of a refusal: the checks have no word list of the language, or the concept has no text in it."""


class Expressions(Record, frozen=True):
    """What a lane knows of one concept's wording in one language. Its repr shows no text."""

    texts: tuple[str, ...]
    """In NFC, sorted."""
    indifferent: tuple[str, ...] = ()
    """Kinds of difference that are found between a text and its nearest other one."""

    def __repr__(self) -> str:
        return f"<Expressions {len(self.texts)}>"


class Checks:
    """Checks of candidates against their expressions."""

    def __init__(self, known: Mapping[str, Mapping[str, Expressions]]) -> None:
        """Prepare the expressions of each concept by code and primary subtag of the language."""
        self._known = known
        self._words: dict[tuple[str, str], list[frozenset[str]]] = {}

    @property
    def known(self) -> Mapping[str, Mapping[str, Expressions]]:
        """The expressions by code and language."""
        return self._known

    @property
    def hash(self) -> str:
        """SHA-256 of expressions and word lists, in hexadecimal."""
        known = {code: dict(languages) for code, languages in self._known.items()}
        return digest({"expressions": known, "lists": data_hash(), "reasons": REASONS})

    @property
    def texts(self) -> list[tuple[str, str]]:
        """The (code, text) pairs of all languages, sorted, each once."""
        return sorted(
            {
                (code, text)
                for code, spoken in self._known.items()
                for own in spoken.values()
                for text in own.texts
            }
        )

    def overlap(self, text: str, code: str) -> float:
        """Return the Dice coefficient of the words of a text and of a concept's nearest expression; 0 without one."""
        own = frozenset(words(text))
        bags = (bag for language in self._known.get(code, {}) for bag in self._bags(code, language))
        return max((_dice(own, bag) for bag in bags), default=0.0)

    def _bags(self, code: str, language: str) -> list[frozenset[str]]:
        if (code, language) not in self._words:
            self._words[code, language] = [frozenset(words(own)) for own in self._known[code][language].texts]
        return self._words[code, language]

    def refusal(self, text: str, code: str, language: str | None) -> str | None:
        """Return the reason why a concept is refused; None if nothing speaks against it.

        Args:
            text: in NFC.
            code: of the candidate.
            language: primary subtag of the text's language, None where it is not known.
        """
        if language is None:
            return NOT_GIVEN
        if not is_listed(language) or language not in self._known.get(code, {}):
            return UNCHECKED
        found = self.against(text, code, language)
        return REASONS[found[0].kind] if found else None

    def against(self, text: str, code: str, language: str) -> tuple[Difference, ...]:
        """Return the differences that speak against a concept, as its nearest expression shows them; none if clear.

        Compared are expressions in the text's own language. Nearest is by the Dice coefficient of the words; of
        equally near ones the clearest counts.
        """
        known = self._known.get(code, {}).get(language)
        if known is None:
            return ()
        found = nearest_differences(text, known.texts, self._bags(code, language), language)
        return tuple(difference for difference in found if difference.kind not in known.indifferent)


def expressions(texts: Sequence[str], language: str) -> Expressions:
    """Return the expressions of a concept in a language, with the kinds by which they differ among themselves."""
    ordered = tuple(sorted(set(texts)))
    step = max(1, len(ordered) // SAMPLE)
    sample = ordered[::step]
    bags = [frozenset(words(text)) for text in sample]
    met: set[str] = set()
    for at, text in enumerate(sample):
        others, rest = sample[:at] + sample[at + 1 :], bags[:at] + bags[at + 1 :]
        met |= {difference.kind for difference in nearest_differences(text, others, rest, language)}
    return Expressions(ordered, tuple(sorted(met.difference(ALWAYS))))


def nearest_differences(
    text: str, texts: Sequence[str], bags: Sequence[frozenset[str]], language: str
) -> tuple[Difference, ...]:
    """Return the differences from the nearest of some texts, whose words are given; empty if there are none."""
    if not texts:
        return ()
    own = frozenset(words(text))
    near = [_dice(own, bag) for bag in bags]
    best = max(near)
    return min(
        (
            differences(other, text, language)
            for other, score in zip(texts, near, strict=True)
            if score == best
        ),
        key=len,
    )


def _dice(one: frozenset[str], two: frozenset[str]) -> float:
    return 2 * len(one & two) / max(len(one) + len(two), 1)
