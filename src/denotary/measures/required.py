"""The languages that a claim must hold in, declared before anything is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.text.languages import canonical_tag, primary_subtag

if TYPE_CHECKING:
    from collections.abc import Iterable

LANGUAGES: Final = "language:advertised"


def advertised(languages: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the values of the selector of languages; nothing if none is advertised, for that declares no slice.

    Args:
        languages: advertised languages, BCP 47; a slice is their primary subtag.

    Raises:
        InputError: a language tag is not well-formed.
    """
    found = tuple(sorted({primary_subtag(canonical_tag(tag)) for tag in languages}))
    return {LANGUAGES: found} if found else {}
