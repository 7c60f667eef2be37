"""The list of public functions in the Python page, from their signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

from msgspec import Struct

import denotary
from denotary import systems
from denotary.certify import certify
from reference_pages.markdown import code, prose

if TYPE_CHECKING:
    from collections.abc import Iterator

START = "<!-- functions: written by tools/reference.py -->\n"
END = "<!-- end of functions -->\n"
LINE = 70
"""Longest signature that stands on one line, without the name."""
SECTIONS = ("Args", "Returns", "Raises", "Attributes", "Yields")
VERBS = ("load_registry", "load_suite", "ask", "load_run", "measure", "judge", "compare", "plan", "verify")


def renewed(page: str) -> str:
    """Return the page with its list of functions written anew.

    Raises:
        RuntimeError: a public name is missing from the list, or the page has no place for it.
    """
    before, start, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise RuntimeError("docs/reference/python.md has no place for the list of functions")
    rest_of = {*denotary.__all__} - {*VERBS, "systems", "Identity", "DenotaryError", "ExitCode", "InputError"}
    if rest_of:
        raise RuntimeError(f"public names that the page does not list: {sorted(rest_of)}")
    parts = [_entry(f"dn.{name}", getattr(denotary, name)) for name in VERBS]
    parts.append(_entry("denotary.certify.certify", certify))
    parts.append("## Systems { #systems }\n\nThe black box, as `ask` and `certify` take it.\n")
    parts += [_entry(f"dn.systems.{name}", getattr(systems, name)) for name in systems.__all__]
    return before + START + "\n" + "\n".join(parts) + "\n" + END + after


def _entry(name: str, function: Any) -> str:
    text = inspect.getdoc(function) or ""
    return f"### {name}\n\n```python\n{name}{_signature(function)}\n```\n\n" + "\n".join(_body(text)) + "\n"


def _signature(function: Any) -> str:
    """Return a signature as it stands in the code, one parameter a line where it is long."""
    signature = inspect.signature(function)
    items = list(signature.parameters.values())
    parts = [_parameter(item) for item in items]
    keyword = next((i for i, item in enumerate(items) if item.kind is inspect.Parameter.KEYWORD_ONLY), None)
    if keyword is not None:
        parts.insert(keyword, "*")
    result = f" -> {signature.return_annotation}"
    line = f"({', '.join(parts)}){result}"
    return line if len(line) < LINE else "(\n    " + ",\n    ".join(parts) + f",\n){result}"


def _parameter(item: inspect.Parameter) -> str:
    stars = "**" if item.kind is inspect.Parameter.VAR_KEYWORD else ""
    if item.default is inspect.Parameter.empty:
        return f"{stars}{item.name}: {item.annotation}"
    value = f"{type(item.default).__name__}()" if isinstance(item.default, Struct) else repr(item.default)
    return f"{item.name}: {item.annotation} = {value}"


def _body(text: str) -> Iterator[str]:
    """Yield a docstring: paragraphs, and a list a section."""
    pieces = re.split(rf"^({'|'.join(SECTIONS)}):$", text, flags=re.MULTILINE)
    yield prose(pieces[0]) + "\n"
    for title, body in zip(pieces[1::2], pieces[2::2], strict=True):
        words = {"Args": "Arguments", "Raises": "Errors"}
        yield f"**{words.get(title, title)}**\n"
        yield from _items(inspect.cleandoc(body))


def _items(text: str) -> Iterator[str]:
    items = re.split(r"\n(?=\S)", text)
    for item in items:
        name, colon, rest = item.partition(": ")
        named = colon and re.fullmatch(r"[\w*]+", name)
        yield f"* {code(name)}: {prose(rest)}" if named else f"* {prose(item)}"
    yield ""
