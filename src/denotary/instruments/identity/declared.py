"""What a system's owner declares of its threshold, read: the identity block holds texts."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from denotary.runs.records import Identity


def declared_threshold(identity: Identity) -> float | None:
    """Return the acceptance threshold, in [0, 1] where confidences lie; None where none is declared that is."""
    try:
        threshold = float(identity.acceptance_threshold)
    except ValueError:
        return None
    return threshold if 0.0 <= threshold <= 1.0 else None


def day(text: str) -> date | None:
    """Return a day from an ISO date, None where the text is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
