"""Canonical JSON and SHA-256: the one way in which denotary turns a record into bytes and bytes into a digest.

Canonical JSON here is UTF-8, keys sorted by code point, no insignificant white space, every character that
JSON lets stand unescaped left as it is, and no NaN or infinity. Two records with the same content have the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

_PLAIN = frozenset({str, int, bool, type(None)})
"""Types that cannot hide a float."""


def canonical_json(value: Any) -> bytes:
    """Return the canonical JSON of a record, list, mapping or scalar.

    Args:
        value: a ``msgspec.Struct`` or anything that JSON can express.

    Raises:
        InputError: a number is NaN or infinite, or a string holds a lone surrogate.
    """
    try:
        data = msgspec.json.encode(value, order="sorted")
    except UnicodeEncodeError as error:
        raise InputError("a string holds a lone surrogate, which UTF-8 cannot carry") from error
    # msgspec writes NaN as null, which would turn a wrong number into a missing one without a word.
    if b"null" in data:
        _refuse_non_finite(value)
    return data


def lenient_json(data: bytes) -> Any:
    """Return what JSON in UTF-8 says, as others write it: NaN, infinity and lone surrogates by escape are let through.

    The standard library, given bytes, would guess UTF-16 and UTF-32 too; JSON that is exchanged is UTF-8 (RFC 8259,
    section 8.1). A byte order mark before it, which the RFC lets a reader pass over, is passed over.

    Raises:
        ValueError: it is no such JSON, or not UTF-8.
        RecursionError: it is nested too deeply.
    """
    return json.loads(data.decode("utf-8-sig"))


def _refuse_non_finite(value: Any) -> None:
    items: Iterable[Any] = ()
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError(f"{value} cannot be written as JSON")
    elif isinstance(value, dict):
        items = value.values()
    elif isinstance(value, (list, tuple, set, frozenset)):
        items = value
    elif isinstance(value, msgspec.Struct):
        items = msgspec.structs.astuple(value)
    elif is_dataclass(value):
        items = [getattr(value, field.name) for field in fields(value)]
    for item in items:
        if type(item) not in _PLAIN:
            _refuse_non_finite(item)


def sha256(data: bytes) -> str:
    """Return the SHA-256 of bytes as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON of a value."""
    return sha256(canonical_json(value))


def digest_of_records(digests: list[str]) -> str:
    """Return one digest for a set of records, whatever order they stand in.

    It is the SHA-256 over the sorted record digests, one a line.
    """
    return sha256("".join(f"{item}\n" for item in sorted(digests)).encode())
