"""Untrusted text made visible and escaped: the only way by which text reaches the page."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup, escape

from denotary.text import visible

CLIP = 2_000
"""Longest text of a case on the page, in code points."""


def finalize(value: Any) -> Any:
    """Make every string that a template prints visible; markup made by this package passes untouched."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return value


def markup(text: object) -> Markup:
    """Return text made visible and escaped for HTML content and attributes."""
    return escape(finalize(text if isinstance(text, str) else str(text)))


def clipped(text: str, length: int = CLIP) -> str:
    """Return text cut to a length, saying so and how much there was."""
    if len(text) <= length:
        return text
    return f"{text[:length]} … [cut here: {len(text):,} characters in all]"
