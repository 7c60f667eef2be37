"""Taking the reply to a batch apart into one raw reply a request, matched by record id."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from denotary.canonical import lenient_json
from denotary.systems.base import CallFailure, Reply

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class _Batch(msgspec.Struct):
    items: list[msgspec.Raw]


class _Named(msgspec.Struct):
    record_id: str


_BATCH = msgspec.json.Decoder(_Batch)
_NAMED = msgspec.json.Decoder(_Named)


def items_of(body: bytes, wanted: Sequence[str], limit: int) -> list[Reply | CallFailure]:
    """Return one reply or failure per wanted record id, in that order.

    Args:
        body: the reply to the batch: a JSON object with ``items``.
        wanted: the record ids that were sent.
        limit: longest item in bytes.

    Raises:
        CallFailure: the body is no such object, so that nothing in it can be told apart.
    """
    return matched(_split(body), wanted, limit)


def matched(items: Iterable[bytes], wanted: Sequence[str], limit: int) -> list[Reply | CallFailure]:
    """Return one reply or failure per wanted record id from items in any order."""
    expected = set(wanted)
    found: dict[str, Reply | CallFailure] = {}
    strangers = False
    for raw in items:
        name = record_id_of(raw)
        if name is None or name not in expected:
            strangers = True
        elif name in found:
            found[name] = CallFailure("duplicate_id", outcome="invalid_output")
        elif len(raw) > limit:
            found[name] = CallFailure("too_large", outcome="invalid_output")
        else:
            found[name] = Reply(raw)
    absent = CallFailure("wrong_id" if strangers else "missing_item", outcome="invalid_output")
    return [found.get(name, absent) for name in wanted]


def _split(body: bytes) -> list[bytes]:
    try:
        return [bytes(item) for item in _BATCH.decode(body).items]
    except (msgspec.ValidationError, RecursionError):
        problem = "no_items"
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # The standard library also reads NaN, infinity and lone surrogates: they spoil their own item alone.
        items = _leniently(body)
        if items is not None:
            return [json.dumps(item).encode() for item in items]
        problem = (
            "html" if body.lstrip()[:1] == b"<" else "truncated" if "truncated" in str(error) else "not_json"
        )
    raise CallFailure(problem, outcome="invalid_output")


def _leniently(body: bytes) -> list[Any] | None:
    try:
        content = lenient_json(body)
    except (ValueError, RecursionError):
        return None
    items = content.get("items") if isinstance(content, dict) else None
    return items if isinstance(items, list) else None


def record_id_of(raw: bytes) -> str | None:
    """Return the record id in a JSON object, or None if there is none to be read."""
    try:
        return _NAMED.decode(raw).record_id
    except (msgspec.ValidationError, RecursionError):
        return None
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    try:
        content = lenient_json(raw)
    except (ValueError, RecursionError):
        return None
    name = content.get("record_id") if isinstance(content, dict) else None
    return name if isinstance(name, str) else None
