"""Where two versions of a file differ, in words that name places and figures and never the text of a case."""

from __future__ import annotations

from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any, Final

import msgspec

from denotary.canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.runs.records import Answer

SHOWN: Final = 5
"""Differences listed of one file; more would only repeat the first."""

_MISSING: Final = object()


def document_differences(name: str, recorded: bytes, rebuilt: bytes) -> Iterator[str]:
    """Yield the first differences of a file; JSON by path, anything else by line.

    Args:
        name: of the file.
        recorded: what the folder holds.
        rebuilt: what the raw run yields.
    """
    if recorded == rebuilt:
        return
    found = (
        list(islice(_json_differences(recorded, rebuilt), SHOWN))
        if name.endswith((".json", ".sarif"))
        else []
    )
    if not found:
        found = [f"line {_first_line(recorded, rebuilt)} is not what the run yields"]
    yield from (f"{name}: {difference}" for difference in found)


def record_differences(
    name: str, recorded: Sequence[Answer], rebuilt: Sequence[Answer], *, against: str
) -> Iterator[str]:
    """Yield the first answers that differ, by call id; what a reply said is not quoted."""
    pairs = zip_longest(recorded, rebuilt)
    different = ((old, new) for old, new in pairs if canonical_json(old) != canonical_json(new))
    for old, new in islice(different, SHOWN):
        known = old or new
        call = known.call_id if known else ""
        yield f"{name}: the answer to {call} is not what {against} yields"


def _first_line(recorded: bytes, rebuilt: bytes) -> int:
    lines = zip_longest(recorded.split(b"\n"), rebuilt.split(b"\n"))
    return next((number for number, (old, new) in enumerate(lines, start=1) if old != new), 1)


def _json_differences(recorded: bytes, rebuilt: bytes) -> Iterator[str]:
    try:
        old = msgspec.json.decode(recorded)
    except (msgspec.DecodeError, UnicodeDecodeError):
        yield "is not valid JSON"
        return
    yield from _value_differences("", old, msgspec.json.decode(rebuilt))


def _value_differences(where: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            place = f"{where}.{key}" if where else key
            yield from _value_differences(place, old.get(key, _MISSING), new.get(key, _MISSING))
    elif isinstance(old, list) and isinstance(new, list):
        for index, (before, after) in enumerate(zip_longest(old, new, fillvalue=_MISSING)):
            yield from _value_differences(f"{where}[{index}]", before, after)
    elif type(old) is not type(new) or old != new:
        yield f"{where}: recorded {_shown(old)}, rebuilt {_shown(new)}"


def _shown(value: Any) -> str:
    if value is _MISSING:
        return "nothing"
    text = canonical_json(value).decode()
    return text if len(text) <= 80 else f"{text[:79]}…"  # noqa: PLR2004 - one line of a terminal
