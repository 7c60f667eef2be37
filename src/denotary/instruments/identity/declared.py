"""What a system's owner declares of its threshold and its refusals, read: the identity block holds texts."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from denotary.instruments.identity.answers import kind_of

if TYPE_CHECKING:
    from denotary.runs.records import Identity


def declared_threshold(identity: Identity) -> float | None:
    """Return the acceptance threshold, in [0, 1] where confidences lie; None where none is declared that is."""
    try:
        threshold = float(identity.acceptance_threshold)
    except ValueError:
        return None
    return threshold if 0.0 <= threshold <= 1.0 else None


def declared_kinds(identity: Identity) -> frozenset[str] | None:
    """Return the kinds of refusal that the system can express; None where nothing is declared, so that all are asked.

    ``CLARIFY`` stands for asking back. A word that names no kind, such as ``none``, adds none.
    """
    if not identity.expresses:
        return None
    named = {"CLARIFY" if word.strip().upper() == "CLARIFY" else kind_of(word) for word in identity.expresses}
    return frozenset(kind for kind in named if kind is not None)


def day(text: str) -> date | None:
    """Return a day from an ISO date, None where the text is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
