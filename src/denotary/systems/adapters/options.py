"""Options of an adapter, as they stand after ``#`` in a specification; a fragment is never sent to a server."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


class Options:
    """Options by name; each is read once, and one that nothing reads is an error.

    Args:
        text: ``name=value&name=value``, percent-encoded.
        kind: of the adapter, for messages.
        known: the names that may be given.

    Raises:
        InputError: an option is malformed, unknown, or given twice.
    """

    def __init__(self, text: str, kind: str, known: Sequence[str]) -> None:
        try:
            pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text))
        except ValueError as error:
            raise InputError(f"{kind}: options after # are name=value joined by &: {error}") from error
        self._kind = kind
        self._values = dict(pairs)
        strangers = sorted(set(self._values) - set(known))
        if strangers or len(pairs) != len(self._values):
            raise InputError(
                f"{kind}: unknown or repeated option {', '.join(strangers) or 'name'}",
                hint=f"known are {', '.join(known)}",
            )

    def text(self, name: str, default: str | None = None) -> str | None:
        """Return an option's text, or the default."""
        return self._values.get(name, default)

    def number(self, name: str, default: float | None = None) -> float | None:
        """Return an option as a finite number, or the default; ``0`` is the number zero.

        Raises:
            InputError: it is none.
        """
        given = self._values.get(name)
        if given is None:
            return default
        try:
            found = float(given)
        except ValueError:
            found = math.nan
        if not math.isfinite(found):
            raise InputError(f"{self._kind}: expected a number as {name}")
        return found

    def count(self, name: str, default: int, most: int = 1_000) -> int:
        """Return an option as a whole number from 1.

        Raises:
            InputError: it is none, or too large.
        """
        given = self._values.get(name)
        if given is None:
            return default
        if not (given.isascii() and given.isdigit() and 1 <= int(given[:9]) <= most):
            raise InputError(f"{self._kind}: expected a whole number from 1 to {most} as {name}")
        return int(given)

    def needed(self, name: str, why: str) -> float:
        """Return an option that has no default, as a number.

        Raises:
            InputError: it is missing, or no number.
        """
        found = self.number(name)
        if found is None:
            raise InputError(f"{self._kind}: {name} is not given: {why}", hint=f"add {name}=NUMBER after #")
        return found
