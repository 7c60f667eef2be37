"""JSON Pointer (RFC 6901): where in a reply a value stands."""

from __future__ import annotations

from typing import Any, Final

from denotary.errors import InputError

ABSENT: Final = object()
"""What a pointer that leads nowhere finds; null is a value."""


def steps(pointer: str, what: str) -> tuple[str, ...]:
    """Return the unescaped steps of a pointer.

    Raises:
        InputError: it is neither empty nor begins with a slash.
    """
    if pointer and not pointer.startswith("/"):
        raise InputError(f"{what}: expected a JSON Pointer such as /result/0/id, found {pointer!r:.60}")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


def find(value: Any, path: tuple[str, ...]) -> Any:
    """Return what stands at the end of a path, or ``ABSENT``."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step, ABSENT)
        elif isinstance(value, list) and step.isascii() and step.isdigit() and len(step) < 8:  # noqa: PLR2004 - no list is longer
            value = value[int(step)] if int(step) < len(value) else ABSENT
        else:
            return ABSENT
    return value
