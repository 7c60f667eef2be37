"""A drawing as a file of its own: with its name space and the style that a page would give it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markupsafe import Markup

STYLE: Final = (
    "<style>.grid{stroke:#d5dbdf;fill:none}.rule{stroke:#5b6770;fill:none}"
    ".limit-line{stroke:#a3261b;stroke-dasharray:6 4;fill:none}"
    ".dot{stroke:#10515f;stroke-width:6;stroke-linecap:round;fill:none;stroke-opacity:.45}"
    ".dot-ground{display:none}.hollow{stroke:#8a5a00;stroke-width:7}"
    ".dot-inside{stroke:#fff;stroke-width:3.5;stroke-linecap:round}"
    ".s0,.s1,.s2,.s3{fill:none;stroke-width:2;stroke:#10515f}"
    ".s1{stroke:#2d7d46;stroke-dasharray:8 3}.s2{stroke:#8a5a00;stroke-dasharray:4 3}"
    ".s3{stroke:#7a2e8e;stroke-dasharray:1.5 3}"
    "text,.tick,.label,.axis{font:13px system-ui,sans-serif;fill:#1f2a30}.tick{font-size:12px}</style>"
    '<rect width="100%" height="100%" fill="#fff"/>'
)
LINES: Final = 4
"""Lines that the style tells apart, ``s0`` to ``s3``, by dash as well as by colour."""


def standalone(drawing: Markup) -> str:
    """Return a drawing as the text of an SVG file."""
    head, rest = str(drawing).split(">", 1)
    return f'{head} xmlns="http://www.w3.org/2000/svg">{STYLE}{rest}\n'
