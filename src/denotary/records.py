"""The base of every record that stands in a file, whichever room it belongs to."""

from __future__ import annotations

import msgspec


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of every record: immutable, and a key that is not known is an error."""
