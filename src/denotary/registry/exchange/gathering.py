"""What an import found in a source: records, all of them unreviewed, and why the rest was left."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec

from denotary.canonical import digest
from denotary.errors import InputError
from denotary.registry.records import Concept, Expression, Review
from denotary.text import canonical_tag, script_of, scripts

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from denotary.registry.records import Tier

UNREVIEWED: Final = Review(status="unreviewed")
LONGEST_CODE: Final = 256
_ID_DIGITS: Final = 16
_TOGETHER: Final = (("Kore", {"Hang"}), ("Jpan", {"Hira", "Kana"}))
"""Scripts of several parts, and the parts that give them away."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """What the records of a source are given where it says nothing.

    Attributes:
        language: tag of a text or definition without one.
        semantic_type: kind of thing.
        tier: consequence tier; ``C0`` is evidence only.
        owner: role that rules on the definitions.
        prefix: what is cut from an identifier to make the code.
    """

    language: str = "und"
    semantic_type: str = "unspecified"
    tier: Tier = "C0"
    owner: str = "unassigned"
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was left out.

    Attributes:
        what: kind of thing in the source.
        why: reason.
        count: how many.
    """

    what: str
    why: str
    count: int


@dataclass(frozen=True, slots=True, repr=False)
class Gathered:
    """The outcome of reading a source.

    Attributes:
        concepts: sorted by code.
        expressions: sorted by code, language and text.
        skipped: sorted; what of the source is in none of the records.
        about: what the source says of itself: name, version, licence.
    """

    concepts: tuple[Concept, ...]
    expressions: tuple[Expression, ...]
    skipped: tuple[Skipped, ...]
    about: Mapping[str, str]

    def __repr__(self) -> str:
        return f"<Gathered {len(self.concepts)} concepts, {len(self.expressions)} expressions>"


@dataclass(slots=True)
class _Facts:
    source: str
    definitions: dict[str, str] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    parents: list[str] = field(default_factory=list)
    exact_matches: list[str] = field(default_factory=list)


class Gathering:
    """Collects facts in any order; nothing is merged but what is equal, and nothing is left without a count."""

    def __init__(self, file: str, defaults: Defaults) -> None:
        """Begin with nothing.

        Args:
            file: name of the source without its folder, which begins ``source`` of every record.
            defaults: what the source does not say.
        """
        self.defaults = defaults
        self._file = file
        self._facts: dict[str, _Facts] = {}
        self._texts: dict[tuple[str, str, str], tuple[str, str | None]] = {}
        self._skipped: Counter[tuple[str, str]] = Counter()
        self.about: dict[str, str] = {}

    @property
    def codes(self) -> Collection[str]:
        """Codes of the concepts noted so far."""
        return self._facts.keys()

    def code_of(self, identifier: str) -> str:
        """Return the code that an identifier of the source becomes."""
        return identifier.removeprefix(self.defaults.prefix)

    def concept(self, code: str, where: str) -> bool:
        """Note a concept and where it was first seen; return whether its code can stand in a registry."""
        if not code.strip() or not code.isprintable() or len(code) > LONGEST_CODE:
            self.skip("concept", f"its code is blank, not printable, or longer than {LONGEST_CODE}")
            return False
        self._facts.setdefault(code, _Facts(self._place(where)))
        return True

    def define(self, code: str, text: str, language: str) -> None:
        """Note a definition of a concept already noted. The first of a language stays."""
        tag = self._tag(language, "definition")
        if tag is None or not text.strip():
            return
        if self._facts[code].definitions.setdefault(tag, text) != text:
            self.skip("definition", "the concept has another one in this language already")

    def say(self, code: str, name: str, value: str) -> None:
        """Note ``semantic_type``, ``consequence_tier``, ``owner`` or ``status`` of a concept. The first stays."""
        if self._facts[code].said.setdefault(name, value) != value:
            self.skip(name, "the concept has another one already")

    def parent(self, code: str, parent: str) -> None:
        """Note a broader concept of a concept already noted."""
        self._facts[code].parents.append(parent)

    def same_as(self, code: str, identifier: str) -> None:
        """Note the identifier of another vocabulary for what a concept means."""
        self._facts[code].exact_matches.append(identifier)

    def express(self, code: str, text: str, language: str, where: str, *, script: str | None = None) -> None:
        """Note that a text expresses a concept already noted."""
        if not text.strip():
            self.skip("text", "it is blank")
            return
        tag = self._tag(language, "text")
        if tag is None:
            return
        if (code, tag, text) in self._texts:
            self.skip("text", "the same text, language and concept again")
        else:
            self._texts[code, tag, text] = self._place(where), script

    def skip(self, what: str, why: str, count: int = 1) -> None:
        """Count something that is left out."""
        self._skipped[what, why] += count

    def gathered(self) -> Gathered:
        """Return the records."""
        concepts = [self._concept(code) for code in sorted(self._facts)]
        retired = {concept.code for concept in concepts if concept.status == "retired"}
        expressions = []
        for (code, language, text), (source, script) in sorted(self._texts.items()):
            if code in retired:
                self.skip("text", "it expresses a retired concept")
            else:
                expressions.append(_expression(code, language, text, source, script))
        skipped = tuple(Skipped(*key, count) for key, count in sorted(self._skipped.items()))
        return Gathered(tuple(concepts), tuple(expressions), skipped, self.about)

    def _concept(self, code: str) -> Concept:
        facts, defaults = self._facts[code], self.defaults
        known = [parent for parent in dict.fromkeys(facts.parents) if parent in self._facts]
        if len(known) < len(set(facts.parents)):
            self.skip("parent", "it is no concept of this source", len(set(facts.parents)) - len(known))
        fields = {
            "code": code,
            "definitions": facts.definitions,
            "semantic_type": defaults.semantic_type,
            "consequence_tier": defaults.tier,
            "owner": defaults.owner,
            "parents": sorted(known),
            "exact_matches": sorted(set(facts.exact_matches)),
            "source": facts.source,
        }
        try:
            return msgspec.convert(fields | facts.said, Concept)
        except msgspec.ValidationError as error:
            raise InputError(f"{facts.source}: {error}", path=self._file, record=code) from error

    def _place(self, where: str) -> str:
        return f"{self._file}:{where}"

    def _tag(self, language: str, what: str) -> str | None:
        try:
            return canonical_tag(language or self.defaults.language)
        except InputError:
            self.skip(what, "its language is no well-formed BCP 47 tag")
            return None


def _expression(code: str, language: str, text: str, source: str, script: str | None) -> Expression:
    return Expression(
        id=f"x-{digest([code, language, text])[:_ID_DIGITS]}",
        text=text,
        language=language,
        script=script or main_script(text),
        codes=(code,),
        review=UNREVIEWED,
        source=source,
    )


def main_script(text: str) -> str:
    """Return the ISO 15924 code of the script that most letters of a text are of; ``Zyyy`` if it has none."""
    found = scripts(text)
    for script, parts in _TOGETHER:
        if found & parts:
            return script
    counts = Counter(script for script in map(script_of, text) if script in found)
    return min(counts, key=lambda script: (-counts[script], script)) if counts else "Zyyy"
