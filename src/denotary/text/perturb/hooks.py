"""Hooks for what only a user can know: inflected and derived forms, romanisations, attested misspellings.

Nothing here knows a language. A table or a function that the user brings says what a word can become.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from denotary.errors import InputError
from denotary.records import Relation
from denotary.text.perturb.operator import FUNCTION, Operator, Option
from denotary.text.perturb.sites import AMBIGUOUS, DIFFERENT, SAME, Change, Dose, Made, Site, chosen
from denotary.text.perturb.source import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from denotary.text.perturb.source import Source

Unit = Literal["word", "cluster", "text"]
_DOSE: Final = Dose(1 / 3, 1.0)


def _hook(relation: Relation) -> Callable[[Source], Made]:
    """Return an operator that puts the user's forms; ``relation`` holds where the user does not say another."""

    def make(source: Source) -> Made:
        if source.options["table"] is None and source.options["function"] is None:
            raise InputError("a hook needs the option 'table' or 'function'")
        return chosen(source, _sites(source, relation), _DOSE)

    return make


def _sites(source: Source, relation: Relation) -> Iterator[Site]:
    declared = source.options["relation"] or relation
    keep = set(source.options["keep"])
    forms_of = _forms(source)
    shared = _shared(source.options["table"] or {})
    for start, text in _units(source):
        if text not in keep:
            changes = (
                Change(form, AMBIGUOUS if declared == SAME and form in shared else declared)
                for form in forms_of(text)
            )
            yield Site(start, text, tuple(changes))


def _units(source: Source) -> Iterator[tuple[int, str]]:
    unit: Unit = source.options["unit"]
    if unit == "text":
        yield 0, source.text
    elif unit == "cluster":
        yield from ((piece.start, piece.text) for piece in source.pieces)
    else:
        yield from ((word[0].start, joined(word)) for word in source.words)


def _forms(source: Source) -> Callable[[str], Sequence[str]]:
    table, function = source.options["table"], source.options["function"]

    def forms(text: str) -> Sequence[str]:
        if table is None:
            return _called(function, text, source.language)
        found = table.get(text, ())
        return (found,) if isinstance(found, str) else found

    return forms


def _called(function: Callable[[str, str], Any], text: str, language: str) -> tuple[str, ...]:
    """Return the forms that a user's function gives; an error names the function's fault and never the text."""
    try:
        found = function(text, language)
    except Exception as error:
        raise InputError(f"the function of a hook raised {type(error).__name__}") from error
    forms = () if found is None else (found,) if isinstance(found, str) else found
    if not isinstance(forms, (list, tuple)) or not all(isinstance(form, str) for form in forms):
        raise InputError(
            f"the function of a hook returned {type(found).__name__}; expected a text, a list of texts, or None"
        )
    return tuple(forms)


def _shared(table: Mapping[str, str | tuple[str, ...]]) -> set[str]:
    """Return the forms that two entries of a table share, or that are an entry themselves."""
    seen: set[str] = set(table)
    shared: set[str] = set()
    for forms in table.values():
        own = {forms} if isinstance(forms, str) else set(forms)
        shared |= own & seen
        seen |= own
    return shared


_OPTIONS: Final[tuple[Option, ...]] = (
    Option("table", dict[str, str | tuple[str, ...]] | None, "What a word becomes: one form or several."),
    Option(
        "function",
        FUNCTION,
        "`function(word, language)` returns a form, several, or None. In place of `table`.",
    ),
    Option("unit", Unit, "What is looked up: `word`, `cluster` or the whole `text`.", default="word"),
    Option("keep", tuple[str, ...], "What stays as it is, such as names kept in another script.", default=()),
    Option(
        "relation",
        Relation | None,
        "What the user's reviewers say of the meaning, in place of the operator's.",
    ),
    Option("feature", str | None, "What the forms vary, such as `number` or `case`; stands in the lineage."),
)
_COLLIDES: Final = "POTENTIALLY_AMBIGUOUS for a form that stands for two entries of the table."


def _operator(name: str, about: str, relation: Relation, why: str) -> Operator:
    return Operator(
        id=name,
        about=about,
        needs="word for which the table or function has another form",
        relation=why,
        expects=frozenset({"other_key", "same_key", "refused"}),
        make=_hook(relation),
        options=_OPTIONS,
    )


OPERATORS: Final = (
    _operator(
        "spelling.attested",
        "Put a misspelling that was collected from people.",
        SAME,
        f"SAME_MEANING; {_COLLIDES}",
    ),
    _operator(
        "morphology.inflection",
        "Put an inflected form: number, case, tense, person, gender, agreement, clitics, honorifics.",
        SAME,
        f"SAME_MEANING; {_COLLIDES}",
    ),
    _operator(
        "morphology.derivation",
        "Put a derived or compounded form.",
        AMBIGUOUS,
        "POTENTIALLY_AMBIGUOUS: derivation can change the meaning.",
    ),
    _operator(
        "morphology.negation",
        "Put a form that is negated by its morphology.",
        DIFFERENT,
        "DIFFERENT_MEANING.",
    ),
    _operator(
        "script.romanised",
        "Put a romanisation; at a low severity only some words, which mixes scripts.",
        SAME,
        f"SAME_MEANING; {_COLLIDES}",
    ),
    _operator(
        "script.other",
        "Put a word in another script that its language is written in.",
        SAME,
        f"SAME_MEANING; {_COLLIDES}",
    ),
    _operator(
        "script.vowels_omitted",
        "Put a form without its vowels.",
        AMBIGUOUS,
        "POTENTIALLY_AMBIGUOUS: the vowels can tell words apart.",
    ),
    _operator(
        "script.respelled",
        "Put an informal respelling, such as a doubled or single consonant.",
        AMBIGUOUS,
        "POTENTIALLY_AMBIGUOUS: the respelling can be another word.",
    ),
)
"""Operators of the families ``morphology`` and ``script``, and attested misspellings."""
