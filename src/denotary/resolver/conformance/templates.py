"""Templates of requests and expectations.

In a request: ``{"$repeat": [TEXT, N], "$then": TEXT}`` is a long text, ``{"$hex": "63 e9"}`` bytes in base64.

In an expectation: an object must hold the keys given and may hold others; a list must have these items in this order;
``{"$contains": [...]}`` is a list that holds such items anywhere; ``"$string"`` is any text that is not empty,
``"$absent"`` a key that is not there. In both, ``"$registry.name"``, ``"$registry.version"``, ``"$registry.hash"``,
``"$registry.snapshot"``, ``"$profile"`` and ``"$unicode"`` stand for the loaded registry's.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Final

from denotary.text import PROFILE, UNICODE_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from denotary.registry import Registry

ABSENT: Final = "$absent"
STRING: Final = "$string"
_MISSING: Final = object()


def values_of(registry: Registry) -> dict[str, str]:
    """Return what the templates that name the registry stand for."""
    return {
        "$registry.name": registry.name,
        "$registry.version": registry.version,
        "$registry.hash": f"sha256:{registry.hash}",
        "$registry.snapshot": registry.snapshot_id,
        "$profile": PROFILE,
        "$unicode": UNICODE_VERSION,
    }


def filled(request: Mapping[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
    """Return a request with its templates filled in."""
    return {key: _filled(value, values) for key, value in request.items()}


def _filled(value: Any, values: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return values.get(value, value)
    if isinstance(value, dict) and "$repeat" in value:
        text, times = value["$repeat"]
        return text * times + value.get("$then", "")
    if isinstance(value, dict) and "$hex" in value:
        return base64.b64encode(bytes.fromhex(value["$hex"])).decode()
    return value


def differences(
    expected: Any, found: Any, values: Mapping[str, str], path: str = "", *, lacking: bool = False
) -> Iterator[str]:
    """Yield where an answer is not as expected: the path of each difference, without any text of the answer.

    Args:
        expected: a value with templates.
        found: the answer's value there.
        values: what the templates that name the registry stand for.
        path: where the value stands.
        lacking: whether the answer has no such key.
    """
    if isinstance(expected, dict) and "$contains" in expected:
        items = found if isinstance(found, list) else []
        for number, wanted in enumerate(expected["$contains"]):
            if not any(matches(wanted, item, values) for item in items):
                yield f"{path} holds no item like number {number + 1} of those expected"
    elif isinstance(expected, dict):
        held = found if isinstance(found, dict) else {}
        for key, wanted in expected.items():
            value = held.get(key, _MISSING)
            where = f"{path}.{key}" if path else key
            yield from differences(wanted, value, values, where, lacking=value is _MISSING)
    elif isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            yield f"{path} has not {len(expected)} items"
            return
        for number, (wanted, item) in enumerate(zip(expected, found, strict=True)):
            yield from differences(wanted, item, values, f"{path}[{number}]")
    elif not _scalar_matches(expected, found, values, lacking=lacking):
        yield f"{path} is absent" if lacking else f"{path} is not as expected"


def matches(expected: Any, found: Any, values: Mapping[str, str]) -> bool:
    """Whether a value is as expected."""
    return next(differences(expected, found, values), None) is None


def _scalar_matches(expected: Any, found: Any, values: Mapping[str, str], *, lacking: bool) -> bool:
    if expected == ABSENT:
        return lacking
    if lacking:
        return False
    if expected == STRING:
        return isinstance(found, str) and bool(found)
    wanted = values.get(expected, expected) if isinstance(expected, str) else expected
    return type(wanted) is type(found) and bool(wanted == found)
