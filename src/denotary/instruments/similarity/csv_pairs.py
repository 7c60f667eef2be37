"""Pairs of a user's own from CSV, and what is wrong with a row, by line and column; no value is ever told."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Final, get_args

import msgspec

from denotary.errors import InputError
from denotary.files import allow_long_cells
from denotary.instruments.similarity.anchors import Decision, Pole
from denotary.instruments.similarity.corpus_records import UserPair
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_REQUIRED: Final = ("text1", "text2", "decision")
_EXPECTED: Final = (
    "expected the columns text1, text2, decision (same or opposite) and, if wanted, task, anchor, half, register, "
    "mutation, pole (close or distant), with commas between them"
)
_ALLOWED: Final[Mapping[str, tuple[str, ...]]] = {
    "decision": get_args(Decision),
    "pole": get_args(Pole),
    "review": ("unreviewed", "accepted"),
}
_PLACE: Final = re.compile(r"`\$\.(\w+)`$")
"""Where msgspec says which field is wrong; what it says before that quotes the value."""


def csv_pairs(data: bytes, path: Path) -> Iterator[tuple[int, UserPair]]:
    """Yield line and pair of each row; an empty cell is as one that is not there.

    Raises:
        InputError: the bytes are no CSV in UTF-8, or a row is no pair.
    """
    allow_long_cells()
    try:
        reader = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        heads = list(reader.fieldnames or ())
        if twice := [str(at) for at, head in enumerate(heads, 1) if head in heads[: at - 1]]:
            raise InputError(
                f"has a column twice: number {', '.join(twice)}", path=path, line=1, hint=_EXPECTED
            )
        numbered = [(reader.line_num, row) for row in reader]
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", path=path, hint="convert it to UTF-8") from None
    except csv.Error as error:
        raise InputError(f"no valid table: {error}", path=path) from None
    for line, row in numbered:
        try:
            yield line, msgspec.convert({name: value for name, value in row.items() if value}, UserPair)
        except (msgspec.ValidationError, TypeError) as error:
            raise InputError(
                f"not a pair: {_fault(row, str(error))}", path=path, line=line, hint=_EXPECTED
            ) from None


def _fault(row: Mapping[str | None, object], told: str) -> str:
    """Return which column makes a row no pair. A header that is not known may be a text: it is counted, not named."""
    columns = UserPair.__struct_fields__
    if missing := [name for name in _REQUIRED if name not in row]:
        return f"there is no column {' and none '.join(missing)}"
    if None in row:
        return f"it has more cells than the header has columns ({len(row) - 1})"
    if strange := [str(at) for at, name in enumerate(row, 1) if name not in columns]:
        return f"the header of {plural(len(strange), 'column')} is not known: number {', '.join(strange)}"
    if empty := [name for name in _REQUIRED if not row[name]]:
        return f"nothing stands in the column {' or '.join(empty)}"
    place = _PLACE.search(told)
    name = place[1] if place else ""
    allowed = " or ".join(_ALLOWED.get(name, ()))
    return f"the column {name} must hold {allowed}" if allowed else "it cannot be read"
