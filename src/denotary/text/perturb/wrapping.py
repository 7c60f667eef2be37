"""A text put between others as a whole: Markdown, lists, quotes, fields of JSON, XML and YAML."""

from __future__ import annotations

import json
import re
from html import escape as xml_escape
from html import unescape
from typing import TYPE_CHECKING, Final

import unicodedata2

from denotary.errors import InputError
from denotary.text.languages import primary_subtag
from denotary.text.perturb.operator import Operator, Option
from denotary.text.perturb.records import Edit
from denotary.text.perturb.sites import AMBIGUOUS, SAME, Change, Dose, Made, Site, chosen, place

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.records import Relation
    from denotary.text.perturb.source import Source

_DOSE: Final = Dose(1 / 3, 1.0)
_ENGLISH_QUOTES: Final = ("\u201c", "\u201d")
_QUOTES: Final = {
    **dict.fromkeys(("ar", "el", "fa", "fr", "it", "ru", "uk"), ("\u00ab", "\u00bb")),
    **dict.fromkeys(("cs", "de", "sk"), ("\u201e", "\u201c")),
    **dict.fromkeys(("hu", "pl", "ro"), ("\u201e", "\u201d")),
    **dict.fromkeys(("fi", "sv"), ("\u201d", "\u201d")),
    "ja": ("\u300c", "\u300d"),
}
"""Quotation marks of a language (CLDR); others use the English ones."""
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_NO_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ESCAPED: Final = frozenset({"Cc", "Zl", "Zp"})


def wrapped(
    source: Source, prefix: str, suffix: str, escape: Callable[[str], str] = str, relation: Relation = SAME
) -> Made:
    """Put a text between two others; every cluster that ``escape`` changes is an edit of its own."""
    changed = ((piece, escape(piece.text)) for piece in source.pieces)
    edits = [Edit(start=p.start, before=p.text, after=after) for p, after in changed if after != p.text]
    if prefix:
        edits.append(Edit(start=0, before="", after=prefix))
    if suffix:
        edits.append(Edit(start=len(source.text), before="", after=suffix))
    return Made(tuple(sorted(edits, key=place)), relation)


def _unwrapped(prefix: str, suffix: str) -> Callable[[str], str]:
    def inverse(text: str) -> str:
        within = len(text) >= len(prefix) + len(suffix) and text.startswith(prefix) and text.endswith(suffix)
        return text[len(prefix) : len(text) - len(suffix)] if within else text

    return inverse


def _around(name: str, about: str, ends: tuple[str, str], relation: Relation, why: str) -> Operator:
    """Return an operator that wraps a text of one line."""

    def make(source: Source) -> Made:
        lines = source.text.splitlines()
        return wrapped(source, *ends, relation=relation) if len(lines) == 1 else Made((), relation)

    return Operator(
        id=f"format.{name}",
        about=about,
        needs="single line",
        relation=why,
        expects=frozenset({"other_key"}),
        make=make,
        inverse=_unwrapped(*ends),
    )


def _coded(source: Source) -> Made:
    longest = max((len(run) for run in re.findall("`+", source.text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return wrapped(source, fence + pad, pad + fence)


def _quoted(source: Source) -> Made:
    opening, closing = _QUOTES.get(primary_subtag(source.language), _ENGLISH_QUOTES)
    return wrapped(source, opening, closing, relation=AMBIGUOUS)


def _field(source: Source) -> str:
    name: str = source.options["field"]
    if not _NAME.fullmatch(name):
        raise InputError(f"field {name!r} is no name: letters, digits, - and _, no digit first")
    return name


def _in_json(source: Source) -> Made:
    return wrapped(source, f'{{"{_field(source)}": "', '"}', _json_escaped)


def _in_yaml(source: Source) -> Made:
    return wrapped(source, f'{_field(source)}: "', '"', _json_escaped)


def _json_escaped(cluster: str) -> str:
    # YAML 1.2 reads the strings of JSON, but wants these escaped as well.
    inside = json.dumps(cluster, ensure_ascii=False)[1:-1]
    return "".join(f"\\u{ord(c):04x}" if unicodedata2.category(c) in _ESCAPED else c for c in inside)


def _in_xml(source: Source) -> Made:
    name = _field(source)
    if _NO_XML.search(source.text):
        return Made((), SAME)
    return wrapped(source, f"<{name}>", f"</{name}>", lambda cluster: xml_escape(cluster, quote=False))


def _out_of_json(text: str) -> str:
    try:
        found = json.loads(text)
    except ValueError:
        return text
    values = list(found.values()) if isinstance(found, dict) else []
    return values[0] if len(values) == 1 and isinstance(values[0], str) else text


def _out_of_yaml(text: str) -> str:
    match = re.fullmatch(rf'{_NAME.pattern}: (".*")', text, re.DOTALL)
    return _out_of_json(f'{{"field": {match[1]}}}') if match else text


def _out_of_xml(text: str) -> str:
    match = re.fullmatch(rf"<({_NAME.pattern})>(.*)</\1>", text, re.DOTALL)
    return unescape(match[2]) if match else text


def _spaces_to(after: str) -> Callable[[Source], Made]:
    def make(source: Source) -> Made:
        spaces = (piece for piece in source.pieces if piece.text == " ")
        return chosen(source, (Site(p.start, p.text, (Change(after),)) for p in spaces), _DOSE)

    return make


_FIELD: Final = (Option("field", str, "Name of the field.", default="text"),)
_MARKUP: Final = "SAME_MEANING: markup says nothing of its own."
_MENTION: Final = "POTENTIALLY_AMBIGUOUS: what is quoted may be mentioned and not said."

OPERATORS: Final = (
    _around("bold", "Set the text in Markdown bold.", ("**", "**"), SAME, _MARKUP),
    _around("italic", "Set the text in Markdown italics.", ("*", "*"), SAME, _MARKUP),
    _around("heading", "Make the text a Markdown heading.", ("# ", ""), SAME, _MARKUP),
    _around("bullet", "Make the text an item of a list.", ("- ", ""), SAME, _MARKUP),
    _around("numbered", "Make the text an item of a numbered list.", ("1. ", ""), SAME, _MARKUP),
    _around("parenthesised", "Put the text in parentheses.", ("(", ")"), SAME, _MARKUP),
    _around("blockquote", "Make the text a Markdown quotation.", ("> ", ""), AMBIGUOUS, _MENTION),
    _around(
        "struck",
        "Strike the text through in Markdown.",
        ("~~", "~~"),
        AMBIGUOUS,
        "POTENTIALLY_AMBIGUOUS: what is struck through may be taken back.",
    ),
    Operator(
        id="format.code",
        about="Set the text as Markdown code.",
        needs="text",
        relation=_MARKUP,
        expects=frozenset({"other_key"}),
        make=_coded,
    ),
    Operator(
        id="format.quoted",
        about="Put the text between the quotation marks of its language.",
        needs="text",
        relation=_MENTION,
        expects=frozenset({"other_key"}),
        make=_quoted,
    ),
    Operator(
        id="format.json_field",
        about="Make the text the value of a JSON object's field.",
        needs="text",
        relation=_MARKUP,
        expects=frozenset({"other_key"}),
        make=_in_json,
        options=_FIELD,
        inverse=_out_of_json,
    ),
    Operator(
        id="format.xml_field",
        about="Make the text the content of an XML element.",
        needs="text that XML can carry",
        relation=_MARKUP,
        expects=frozenset({"other_key"}),
        make=_in_xml,
        options=_FIELD,
        inverse=_out_of_xml,
    ),
    Operator(
        id="format.yaml_field",
        about="Make the text the value of a YAML key.",
        needs="text",
        relation=_MARKUP,
        expects=frozenset({"other_key"}),
        make=_in_yaml,
        options=_FIELD,
        inverse=_out_of_yaml,
    ),
    Operator(
        id="format.line_break",
        about="Break lines at spaces.",
        needs="space",
        relation="SAME_MEANING: a reader reads the same words.",
        expects=frozenset({"refused"}),
        make=_spaces_to("\n"),
        inverse=lambda text: text.replace("\n", " "),
    ),
    Operator(
        id="format.double_space",
        about="Double spaces.",
        needs="space",
        relation="SAME_MEANING: a reader reads the same words.",
        expects=frozenset({"other_key"}),
        make=_spaces_to("  "),
        inverse=lambda text: text.replace("  ", " "),
    ),
)
"""Operators of the family ``format`` that leave the words as they are."""
