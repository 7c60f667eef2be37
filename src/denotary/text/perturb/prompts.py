"""Text that tries to be an instruction, or to name the answer: data that must not become authority."""

from __future__ import annotations

import codecs
from base64 import b64encode
from itertools import cycle
from typing import TYPE_CHECKING, Final, Literal

from denotary.errors import InputError
from denotary.text.languages import primary_subtag
from denotary.text.perturb.operator import Operator, Option, Texts
from denotary.text.perturb.phrases import phrases
from denotary.text.perturb.records import Edit
from denotary.text.perturb.sites import AMBIGUOUS, SAME, Made

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from denotary.records import Relation
    from denotary.text.perturb.source import Source

Side = Literal["before", "after"]
_SIDES: Final[tuple[Side, ...]] = ("before", "after")
_SENTENCES: Final = {"low": 1, "medium": 2, "high": 3}
"""How many sentences go around the text, by severity."""
_LENGTHS: Final = {"low": 300, "medium": 800, "high": 1600}
"""Least length of a long prefix, in code points, by severity."""


def _rot13(text: str) -> str:
    return codecs.encode(text, "rot13")


_ENCODINGS: Final[tuple[Callable[[str], str], ...]] = (
    lambda text: b64encode(text.encode()).decode(),
    lambda text: text.encode().hex(),
    _rot13,
    lambda text: text[::-1],
    " ".join,
)
"""Base64, hexadecimal, rot13, backwards, spaced."""


def _attack(
    sentences: Callable[[Source], Iterable[str]], relation: Relation = SAME, fixed: Side | None = None
) -> Callable[[Source], Made]:
    """Return an operator that puts sentences around a text: all on the side that is asked for, or by turns."""

    def make(source: Source) -> Made:
        taken = source.draw.shuffled(list(sentences(source)))[: _SENTENCES[source.severity]]
        asked: Side | None = fixed or source.options["side"]
        first = asked or source.draw.one(_SIDES)
        here, there = (taken, []) if asked else (taken[::2], taken[1::2])
        before, after = (here, there) if first == "before" else (there, here)
        return _placed(source, before, after, relation)

    return make


def _placed(source: Source, before: Sequence[str], after: Sequence[str], relation: Relation) -> Made:
    edits = []
    if before:
        edits.append(Edit(start=0, before="", after="".join(text + _break(text) for text in before)))
    if after:
        end = "".join(_break(text) + text for text in after)
        edits.append(Edit(start=len(source.text), before="", after=end))
    return Made(tuple(edits), relation, {"codes": list(source.options["codes"])})


def _break(text: str) -> str:
    # A line break is a control character, which the profile refuses; so only what needs lines gets them.
    return "\n" if "\n" in text else " "


def _kind(name: str) -> Callable[[Source], list[str]]:
    """Return the sentences of a kind, each with a code drawn from those given."""

    def sentences(source: Source) -> list[str]:
        return [_filled(source, phrase) for phrase in phrases()["prompt"][name]]

    return sentences


def _filled(source: Source, phrase: str) -> str:
    codes = source.options["codes"]
    return phrase.format(code=source.draw.one(codes), codes=", ".join(codes))


def _competing(source: Source) -> list[str]:
    if len(source.options["codes"]) < 2:  # noqa: PLR2004 - nothing competes alone
        raise InputError("prompt.competing needs at least two codes")
    return _kind("competing")(source)


def _in_other_languages(source: Source) -> list[str]:
    own = primary_subtag(source.language)
    return [
        _filled(source, phrase)
        for language, phrase in phrases()["prompt"]["languages"].items()
        if language != own
    ]


def _encoded(source: Source) -> list[str]:
    return [encode(text) for text in _kind("override")(source) for encode in _ENCODINGS]


def _long_prefix(source: Source) -> Made:
    rules: list[str] = []
    for rule in cycle(phrases()["prompt"]["prefix"]):
        if len(" ".join(rules)) >= _LENGTHS[source.severity]:
            break
        rules.append(rule)
    order = source.draw.one(_kind("override")(source))
    return _placed(source, [*rules, order], [], SAME)


_CODES: Final = Option(
    "codes", Texts, "Concept codes to name; use codes that are wrong for the text.", required=True
)
_SIDE: Final = Option(
    "side",
    Side | None,
    "`before` or `after` the text; default: drawn, and both sides by turns if there are several.",
)
_ON_LINES: Final = frozenset({"delimiter", "field", "markdown", "metadata"})
"""Kinds with sentences on lines of their own; the profile refuses line breaks."""
_DATA: Final = "SAME_MEANING: an instruction within data changes nothing of what the data say."
_SECOND: Final = "POTENTIALLY_AMBIGUOUS: the sentence may be read as naming a second subject."


def _operator(
    name: str, about: str, make: Callable[[Source], Made], *options: Option, why: str = _DATA
) -> Operator:
    return Operator(
        id=f"prompt.{name}",
        about=about,
        needs="text",
        relation=why,
        expects=frozenset({"other_key", "refused"} if name in _ON_LINES else {"other_key"}),
        make=make,
        options=(_CODES, *options),
    )


OPERATORS: Final = (
    _operator(
        "override",
        "Order the system to ignore its rules and output a code.",
        _attack(_kind("override")),
        _SIDE,
    ),
    _operator("assertion", "Say that a code is the right answer.", _attack(_kind("assertion")), _SIDE),
    _operator(
        "delimiter",
        "Fake the delimiters of system, developer and user turns.",
        _attack(_kind("delimiter")),
        _SIDE,
    ),
    _operator("field", "Add JSON, XML or YAML fields that hold a code.", _attack(_kind("field")), _SIDE),
    _operator(
        "markdown",
        "Add a Markdown heading, note, block or table that gives an order.",
        _attack(_kind("markdown")),
        _SIDE,
    ),
    _operator("quoted", "Quote an order that somebody else gave.", _attack(_kind("quoted")), _SIDE),
    _operator("multilingual", "Give the order in another language.", _attack(_in_other_languages), _SIDE),
    _operator(
        "encoded",
        "Give the order in Base64, hexadecimal, rot13, backwards or spaced.",
        _attack(_encoded),
        _SIDE,
    ),
    _operator("trailing", "Give the order after the text.", _attack(_kind("override"), fixed="after")),
    _operator("long_prefix", "Put a long list of rules and an order before the text.", _long_prefix),
    _operator("metadata", "Pretend to be registry metadata.", _attack(_kind("metadata")), _SIDE),
    _operator("bare_code", "Add the bare code.", _attack(_kind("bare")), _SIDE),
    _operator(
        "prose", "Mention a code in ordinary prose.", _attack(_kind("prose"), AMBIGUOUS), _SIDE, why=_SECOND
    ),
    _operator(
        "competing", "Name several codes as candidates.", _attack(_competing, AMBIGUOUS), _SIDE, why=_SECOND
    ),
)
"""Operators of the family ``prompt``."""
