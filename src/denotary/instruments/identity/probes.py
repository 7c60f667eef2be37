"""The rows of a conformance suite: hits, collisions, declared ambiguities, and listed misses."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from denotary.instruments.identity.cases import Disposition, Gold, IdentityCase, Input
from denotary.instruments.identity.variants import composed, decomposed, escaped_variants, folded_variants
from denotary.suites.records import Annotation, Construction, ReviewState, Security, Step
from denotary.text.scripts import scripts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.registry import Registry
    from denotary.registry.records import Expression

LANGUAGE: Final = "language_constraint"
"""Tag of a registered text asked in a language that it is not registered in."""
DECLARED: Final = "declared_ambiguity"
"""Tag of a text that the registry declares to have more than one sense, registered or not."""
NORMALISATION: Final = "normalisation"
"""Tag of a text that normalisation must neither lose nor take for another."""
UNICODE: Final = "unicode_preservation"
"""Tag of a text beyond ASCII, which must arrive as it was sent."""
ESCAPING: Final = "escaping"
"""Tag of a text whose characters some transport or template would escape, unescape or strip."""
_ESCAPED: Final = frozenset("\"'\\<>&{}%$`")
_UNUSED_LANGUAGES: Final = ("qaa", "qab", "qac")
"""Tags that ISO 639-2 reserves for local use: no registry can mean a language of the world by them."""


class _Book:
    """What a registry says of every text: the codes by language and NFC text."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.expressions = sorted(registry.authorised, key=lambda item: item.id)
        self.codes: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self.anywhere: defaultdict[str, set[str]] = defaultdict(set)
        self.declared: set[tuple[str, str]] = set()
        for item in self.expressions:
            self._add(item.language, composed(item.text), item.codes)
        for declared in registry.ambiguities:
            self._add(declared.language, composed(declared.text), declared.codes)
            self.declared.add((declared.language, composed(declared.text)))
        self.declared_texts = {text for _, text in self.declared}
        self.languages = sorted({language for language, _ in self.codes} | set(registry.header.languages))
        self.unused = next(tag for tag in _UNUSED_LANGUAGES if tag not in self.languages)

    def _add(self, language: str, text: str, codes: tuple[str, ...]) -> None:
        self.codes[language, text].update(codes)
        self.anywhere[text].update(codes)

    def gold(self, language: str, text: str) -> Gold:
        """Return the gold of a registered text in its language."""
        key = language, composed(text)
        return _gold(self.codes[key], declared=key in self.declared)

    def gold_anywhere(self, text: str) -> Gold:
        """Return the gold of a registered text when no language is told."""
        text = composed(text)
        return _gold(self.anywhere[text], declared=text in self.declared_texts)

    def is_registered(self, language: str, text: str) -> bool:
        """Whether a text is registered in a language."""
        return (language, composed(text)) in self.codes


def _gold(codes: set[str], *, declared: bool) -> Gold:
    if declared and len(codes) < 2:  # noqa: PLR2004 - fewer than two
        # Senses outside the registry exist too: a code is wrong, and no kind of refusal is prescribed.
        return Gold(disposition="EXACT_MISS")
    disposition: Disposition = "AMBIGUOUS" if len(codes) > 1 else "SINGLE"
    return Gold(disposition=disposition, acceptable_concept_codes=tuple(sorted(codes)))


def expected_answers(registry: Registry) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Yield the id of every expression and ambiguity with its (language, text, disposition, codes)."""
    book = _Book(registry)
    entries = [(item.id, item.language, item.text) for item in book.expressions]
    entries += [(item.id, item.language, item.text) for item in registry.ambiguities]
    for name, language, text in entries:
        yield name, (language, text, *book.gold(language, text).answer)


def rows(registry: Registry, *, version: str, misses: int) -> Iterator[IdentityCase]:
    """Yield every case of the conformance suite of a registry, in a fixed order.

    Args:
        registry: the registry.
        version: semantic version of the suite.
        misses: greatest number of misses of each kind.
    """
    book, make = _Book(registry), _Maker(registry, version)
    for item in book.expressions:
        gold = book.gold(item.language, item.text)
        yield make.hit(f"exact:{item.id}", item, item.text, gold, language=item.language)
    yield from _ambiguities(book, make)
    yield from _without_language(book, make)
    for item in book.expressions:
        if decomposed(item.text) != item.text:
            gold = book.gold(item.language, item.text)
            name, text = f"decomposed:{item.id}", decomposed(item.text)
            yield make.hit(
                name, item, text, gold, language=item.language, tags=(NORMALISATION,), operator="nfd"
            )
    yield from _misses(book, make, misses)


def _ambiguities(book: _Book, make: _Maker) -> Iterator[IdentityCase]:
    for item in sorted(book.registry.ambiguities, key=lambda item: item.id):
        script = _script(item.text)
        gold = book.gold(item.language, item.text)
        yield make.case(
            f"ambiguity:{item.id}",
            f"ambiguity:{item.id}",
            Input(text=item.text, language=item.language, script=script),
            gold,
            tags=(DECLARED,),
            review=make.review,
        )


def _without_language(book: _Book, make: _Maker) -> Iterator[IdentityCase]:
    """Every distinct text with no language told: its one code, or AMBIGUOUS where its languages disagree."""
    seen = set()
    for item in book.expressions:
        text = composed(item.text)
        if text not in seen:
            seen.add(text)
            gold = book.gold_anywhere(text)
            tags = ("no_language", "collision") if gold.disposition == "AMBIGUOUS" else ("no_language",)
            yield make.hit(f"no_language:{item.id}", item, item.text, gold, language=None, tags=tags)


def _misses(book: _Book, make: _Maker, limit: int) -> Iterator[IdentityCase]:
    taken: set[tuple[str, str]] = set()
    number: defaultdict[str, int] = defaultdict(int)
    for item in book.expressions:
        for kind, tag, language, text in _probes(book, item):
            key = language, composed(text)
            if number[kind] < limit and key not in taken and not book.is_registered(language, text):
                taken.add(key)
                number[kind] += 1
                yield make.miss(kind, item.id, (language, text), tags=(tag,))
    language = book.languages[0] if book.languages else "en"
    for code in sorted(book.registry.concepts)[:limit]:
        if not book.is_registered(language, code):
            yield make.miss(
                "code_as_text", code, (language, code), tags=("identifier_spoof",), mechanisms=("F14",)
            )
    for name, text in (("empty", ""), ("blank", " "), ("control", "\u0007")):
        yield make.miss("nothing_to_resolve", name, (language, text), tags=("invalid_input",))


def _probes(book: _Book, item: Expression) -> Iterator[tuple[str, str, str, str]]:
    """Yield kind, tag, language and text of what may be a miss beside an expression."""
    others = (language for language in book.languages if not book.is_registered(language, item.text))
    other = next(others, None)
    if other is not None:
        yield "other_language", LANGUAGE, other, item.text
    yield "unsupported_language", LANGUAGE, book.unused, item.text
    for operator, text in folded_variants(item.text):
        yield operator, NORMALISATION, item.language, text
    for operator, text in escaped_variants(item.text, item.codes[0] if item.codes else ""):
        yield operator, ESCAPING, item.language, text


class _Maker:
    """Builds cases that share registry, version and review."""

    def __init__(self, registry: Registry, version: str) -> None:
        self.registry_version = registry.version
        self.version = version
        self.review: ReviewState = registry.header.review

    def hit(
        self,
        name: str,
        item: Expression,
        text: str,
        gold: Gold,
        *,
        language: str | None,
        tags: tuple[str, ...] = ("expression",),
        operator: str | None = None,
    ) -> IdentityCase:
        """Return the case of a registered text."""
        review: ReviewState = "reviewed" if item.review.status == "approved" else "illustrative"
        shown = Input(text=text, language=language, script=item.script)
        return self.case(
            name, f"expression:{item.id}", shown, gold, tags=tags, review=review, operator=operator
        )

    def miss(
        self,
        kind: str,
        origin: str,
        shown: tuple[str, str],
        *,
        tags: tuple[str, ...],
        mechanisms: tuple[str, ...] = (),
    ) -> IdentityCase:
        """Return the case of a (language, text) that is not registered."""
        language, text = shown
        return self.case(
            f"miss:{kind}:{origin}",
            f"code:{origin}" if kind == "code_as_text" else f"expression:{origin}",
            Input(text=text, language=language, script=_script(text)),
            Gold(disposition="EXACT_MISS"),
            tags=("miss", kind, *tags),
            review=self.review,
            mechanisms=mechanisms,
            operator=kind,
        )

    def case(
        self,
        name: str,
        seed: str,
        shown: Input,
        gold: Gold,
        *,
        tags: tuple[str, ...],
        review: ReviewState,
        mechanisms: tuple[str, ...] = (),
        operator: str | None = None,
    ) -> IdentityCase:
        """Return one case."""
        text = shown.text or ""
        tags += () if text.isascii() else (UNICODE,)
        tags += (ESCAPING,) if ESCAPING not in tags and not _ESCAPED.isdisjoint(text) else ()
        reviewed = review == "reviewed"
        return IdentityCase(
            record_id=name,
            benchmark_version=self.version,
            registry_version=self.registry_version,
            semantic_seed_id=seed,
            input=shown,
            gold=gold,
            construction=Construction(
                primary_family="reviewed_exact",
                generation_method="registry_conformance",
                tags=tags,
                mechanisms=mechanisms,
            ),
            annotation=Annotation(
                review=review,
                adjudication_status="approved" if reviewed else "pending",
                depth_tier="A0" if reviewed else None,
            ),
            security=Security(visibility="public"),
            lineage=() if operator is None else (Step(operator=operator),),
        )


def _script(text: str) -> str:
    """Return the ISO 15924 code of a text: its first script by name, or common where it has no letters."""
    return min(scripts(text), default="Zyyy")
