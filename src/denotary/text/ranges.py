"""Tables of the Unicode database that give a value to ranges of code points, read from ``data`` once each."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from pathlib import Path


@cache
def _table(name: str) -> tuple[list[int], list[int], list[str]]:
    lines = (Path(__file__).parent / "data" / name).read_text("utf-8").splitlines()
    rows = [line.replace("-", " ").split() for line in lines if not line.startswith("#")]
    return [int(row[0], 16) for row in rows], [int(row[1], 16) for row in rows], [row[2] for row in rows]


def value_of(code_point: int, name: str, otherwise: str) -> str:
    """Return what a table says of a code point.

    Args:
        code_point: from 0 to 0x10FFFF.
        name: file of the table: first and last code point of a range and its value a line, ascending.
        otherwise: the value of a code point in no range.
    """
    firsts, lasts, values = _table(name)
    position = bisect_right(firsts, code_point) - 1
    return values[position] if position >= 0 and code_point <= lasts[position] else otherwise
