"""The base of every record that stands in a file, whichever room it belongs to, and what is said of variants."""

from __future__ import annotations

from typing import Literal

import msgspec

Relation = Literal["SAME_MEANING", "DIFFERENT_MEANING", "POTENTIALLY_AMBIGUOUS"]
"""What a changed text means, beside the text that it was made from."""
Severity = Literal["low", "medium", "high"]
"""How much of a text was changed."""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of every record: immutable, and a key that is not known is an error."""
