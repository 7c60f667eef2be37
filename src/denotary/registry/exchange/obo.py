"""OBO 1.4: the part of the format that a registry needs, read by a small parser of our own.

It takes ``id``, ``name``, ``def``, ``synonym``, ``is_a``, ``is_obsolete``, ``namespace`` and ``property_value`` with
``skos:exactMatch`` of every ``[Term]``. A name and an EXACT synonym express the term. A BROAD, NARROW or RELATED
synonym means something else, by the format's own definition, and is counted and left. So is every other tag.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from denotary.errors import InputError
from denotary.files import read_bytes
from denotary.registry.exchange.gathering import Defaults, Gathering

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from denotary.registry.exchange.gathering import Gathered

_STANZA: Final = re.compile(r"\[([A-Za-z]+)\]\s*(?:!.*)?")
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(.*)', re.DOTALL)
_COMMENT: Final = re.compile(r"(?<!\\)\s!\s.*$")
_TRAILING: Final = re.compile(r"(?<!\\)\{[^{}]*\}$")
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "W": " "}
_EXACT_MATCH: Final = frozenset({"skos:exactMatch", "http://www.w3.org/2004/02/skos/core#exactMatch"})

_DEFAULT_SCOPE: Final = "RELATED"
"""The format's, of a synonym that names none."""
_ABOUT: Final = frozenset({"ontology", "data-version"})

Tags = list[tuple[int, str, str]]


def read_obo(path: Path, defaults: Defaults) -> Gathered:
    """Read the terms of an OBO file.

    Args:
        path: the file, UTF-8.
        defaults: what the file does not say; the format has no language.

    Raises:
        InputError: not UTF-8; a line is no tag; a term has no id; a definition or synonym is not quoted.
    """
    try:
        lines = read_bytes(path).decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", path=path) from error
    gathering = Gathering(path.name, defaults)
    for kind, start, tags in _stanzas(path, lines):
        if not kind:
            gathering.about.update({name: _plain(value) for _, name, value in tags if name in _ABOUT})
        elif kind == "Term":
            _term(gathering, path, start, tags)
        else:
            gathering.skip(f"[{kind}] stanza", "only terms are concepts")
    return gathering.gathered()


def _stanzas(path: Path, lines: list[str]) -> Iterator[tuple[str, int, Tags]]:
    """Yield (kind, line, tags) of every stanza; the header comes first and has no kind."""
    kind, start, tags = "", 0, Tags()
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("!"):
            continue
        stanza = _STANZA.fullmatch(line.strip())
        if stanza:
            yield kind, start, tags
            kind, start, tags = stanza[1], number, []
            continue
        name, colon, value = line.partition(":")
        if not colon or " " in name.strip():
            raise InputError("neither a stanza nor a tag with a value", path=path, line=number)
        tags.append((number, name.strip(), value.strip()))
    yield kind, start, tags


def _term(gathering: Gathering, path: Path, start: int, tags: Tags) -> None:
    found = [(line, _plain(value)) for line, name, value in tags if name == "id"]
    if len(found) != 1:
        raise InputError("a term has one id", path=path, line=start)
    line, identifier = found[0]
    code = gathering.code_of(identifier)
    if not gathering.concept(code, str(line)):
        return
    for tag in tags:
        if tag[1] != "id":
            _tag(gathering, path, code, tag)


def _tag(gathering: Gathering, path: Path, code: str, tag: tuple[int, str, str]) -> None:
    line, name, value = tag
    match name:
        case "name":
            gathering.express(code, _plain(value), "", f"{line} name")
        case "def":
            gathering.define(code, _quoted(path, line, value)[0], "")
        case "synonym":
            _synonym(gathering, path, code, line, value)
        case "is_a":
            gathering.parent(code, gathering.code_of(_plain(value)))
        case "is_obsolete":
            if _plain(value) == "true":
                gathering.say(code, "status", "retired")
        case "namespace":
            gathering.say(code, "semantic_type", _plain(value))
        case "property_value":
            _property_value(gathering, path, code, line, _plain(value).split())
        case _:
            gathering.skip(f"tag {name}", "no part of a registry takes it")


def _property_value(gathering: Gathering, path: Path, code: str, line: int, parts: list[str]) -> None:
    if len(parts) < 2:  # noqa: PLR2004 - a property and its value
        raise InputError("a property and its value were expected", path=path, line=line)
    if parts[0] in _EXACT_MATCH:
        gathering.same_as(code, parts[1].strip('"'))
    else:
        gathering.skip("tag property_value", "no part of a registry takes it")


def _synonym(gathering: Gathering, path: Path, code: str, line: int, value: str) -> None:
    text, rest = _quoted(path, line, value)
    first = (rest.split() or [""])[0]
    scope = first if first.isalpha() and first.isupper() else _DEFAULT_SCOPE
    if scope == "EXACT":
        gathering.express(code, text, "", f"{line} synonym EXACT")
    else:
        gathering.skip(f"synonym {scope}", "it does not mean the same")


def _plain(value: str) -> str:
    return _unescaped(_TRAILING.sub("", _COMMENT.sub("", value).rstrip())).strip()


def _quoted(path: Path, line: int, value: str) -> tuple[str, str]:
    match = _QUOTED.match(value)
    if not match:
        raise InputError("a text in double quotes was expected", path=path, line=line)
    return _unescaped(match[1]), match[2]


def _unescaped(value: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), value)
