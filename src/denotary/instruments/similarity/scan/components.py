"""The scripts of a component file: Vue, Svelte and Astro keep them in blocks between markup."""

from __future__ import annotations

import re
from typing import Final

from denotary.instruments.similarity.scan.script_tree import Script

COMPONENTS: Final = (".vue", ".svelte", ".astro")
BLOCK: Final = re.compile(
    r"<!--.*?-->|<script\b(?P<attributes>(?:\"[^\"]*\"|'[^']*'|[^>\"'])*)>(?P<code>.*?)</script\s*>",
    re.DOTALL | re.IGNORECASE,
)
"""A script, or a comment, in which a script counts for nothing."""
FENCE: Final = re.compile(r"\A\s*---[ \t]*\n(?P<code>.*?)^---[ \t]*$", re.DOTALL | re.MULTILINE)
"""What an Astro component begins with: TypeScript between two lines of dashes."""
TYPED: Final = re.compile(r"\blang\s*=\s*[\"']?(tsx?|typescript)\b", re.IGNORECASE)


def component_script(path: str, text: str) -> Script:
    """Return the scripts of a component on the lines that they have in it, all else blank."""
    fence = FENCE.match(text) if path.endswith(".astro") else None
    blocks = [found for found in BLOCK.finditer(text, fence.end() if fence else 0) if found["code"]]
    spans = [found.span("code") for found in ([fence] if fence else []) + blocks]
    attributes = " ".join(found["attributes"] for found in blocks)
    typed = TYPED.search(attributes)
    dialect = "typescript" if typed or path.endswith(".astro") else "javascript"
    return Script(_kept(text, spans), "tsx" if typed and typed[1].lower() == "tsx" else dialect)


def _kept(text: str, spans: list[tuple[int, int]]) -> str:
    """Return a text of which only some spans stay, with its line ends."""
    parts = []
    end = 0
    for start, stop in spans:
        parts += ["\n" * text.count("\n", end, start), text[start:stop]]
        end = stop
    return "".join(parts)
