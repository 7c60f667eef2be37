"""The confusion matrix: what was expected, what was answered, refusals and unanswered cases as columns of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary import words
from denotary.reports.figures.svg import WIDTH, Canvas, Figure, short_names
from denotary.words import fit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.measures.records import Series

COLUMNS = ("expected", "answered", "kind", "cases", "units")
_LABELS = 236.0
_HEAD = 116.0
_CELL = 24.0
_MOST = 26
"""Most rows and most columns drawn."""


def confusion(series: Series) -> Figure | None:
    """Return the matrix of one series; the most confused concepts if not all can be drawn."""
    counts = {(str(row[0]), str(row[1])): int(row[3] or 0) for row in series.rows}
    if not counts:
        return None
    kinds = {str(row[1]): str(row[2]) for row in series.rows}
    expected = _choose(list(dict.fromkeys(str(row[0]) for row in series.rows)), counts)
    answered = _columns(expected, kinds, counts)
    step = min(_CELL, (WIDTH - _LABELS) / max(len(answered), 1))
    labels = short_names(expected)
    canvas = Canvas()
    _ground(canvas, len(expected), len(answered), step)
    for index, name in enumerate(answered):
        _head(canvas, _LABELS + step * (index + 0.5), name, kinds[name], expected)
    for row, name in enumerate(expected):
        y = _HEAD + _CELL * row
        total = sum(count for (e, _), count in counts.items() if e == name)
        canvas.text(0, y + 16, f"{row + 1}", "tick")
        canvas.text(20, y + 16, fit(labels[name], 32))
        for column, answer in enumerate(answered):
            x = _LABELS + step * column
            _cell(
                canvas,
                (x, y, step),
                counts.get((name, answer), 0),
                total,
                _class(name, answer, kinds[answer]),
            )
    split = sum(kinds[name] == "code" for name in answered)
    canvas.line(
        _LABELS + step * split, _HEAD - 6, _LABELS + step * split, _HEAD + _CELL * len(expected), "split"
    )
    height = _HEAD + _CELL * len(expected) + 6
    left_out = len({row[0] for row in series.rows}) - len(expected)
    return Figure(
        id="confusion",
        title="Expected down, answered across",
        svg=canvas.drawing("confusion", "Confusion matrix with refusals", _described(series), height),
        hides=_hides(left_out),
        head=("Expected", "Answered", "Kind", "Cases", "Units"),
        rows=tuple(
            (str(r[0]), str(r[1]), str(r[2]), f"{r[3]:,}", f"{r[4]:,}") for r in _errors_first(series)
        ),
        key=(
            ("m-right", "as expected"),
            ("m-wrong", "a code that is not justified"),
            ("m-refused", "another refusal"),
            ("m-lost", "unanswered"),
        ),
    )


def _choose(expected: list[str], counts: dict[tuple[str, str], int]) -> list[str]:
    if len(expected) <= _MOST:
        return expected
    wrong = {name: sum(n for (e, a), n in counts.items() if e == name and a != name) for name in expected}
    kept = set(sorted(expected, key=lambda name: (-wrong[name], name))[:_MOST])
    return [name for name in expected if name in kept]


def _columns(expected: Sequence[str], kinds: dict[str, str], counts: dict[tuple[str, str], int]) -> list[str]:
    """Return codes in the order of the rows, then other codes, then refusals, then the unanswered."""
    seen = {answer for (name, answer), count in counts.items() if count and name in expected}
    codes = [name for name in expected if kinds.get(name) == "code"]
    others = sorted(name for name in seen if kinds[name] == "code" and name not in codes)
    rest = [
        [name for name in kinds if kinds[name] == kind and name in seen] for kind in ("refusal", "unanswered")
    ]
    return codes + others[: max(0, _MOST - len(codes))] + rest[0] + rest[1]


def _class(expected: str, answer: str, kind: str) -> str:
    if answer == expected:
        return "m-right"
    if kind == "code":
        return "m-wrong"
    return "m-refused" if kind == "refusal" else "m-lost"


def _cell(canvas: Canvas, box: tuple[float, float, float], count: int, total: int, cls: str) -> None:
    if not count:
        return
    x, y, step = box
    # Four steps of strength, so that the number stays readable on each of them.
    strength = min(3, int(4 * count / max(total, 1)))
    lost = cls == "m-lost"
    canvas.rect(x + 1, y + 1, step - 2, _CELL - 2, cls if lost else f"{cls} s{strength}")
    canvas.text(x + step / 2, y + 16, f"{count:,}", "count" if lost else f"count c{strength}", "middle")


def _ground(canvas: Canvas, rows: int, columns: int, step: float) -> None:
    """Draw the empty cells: one ground, and the lines between."""
    right, bottom = _LABELS + step * columns, _HEAD + _CELL * rows
    canvas.rect(_LABELS, _HEAD, right - _LABELS, bottom - _HEAD, "cell")
    for row in range(1, rows):
        canvas.line(_LABELS, _HEAD + _CELL * row, right, _HEAD + _CELL * row, "gap")
    for column in range(1, columns):
        canvas.line(_LABELS + step * column, _HEAD, _LABELS + step * column, bottom, "gap")


def _head(canvas: Canvas, x: float, name: str, kind: str, expected: Sequence[str]) -> None:
    if kind == "code" and name in expected:
        canvas.text(x, _HEAD - 10, str(expected.index(name) + 1), "tick", "middle")
    else:
        canvas.upright(x + 4, _HEAD - 8, fit(words.plain(name.lower()) if kind != "code" else name, 17))


def _errors_first(series: Series) -> list[tuple[str | int | float | None, ...]]:
    found = [row for row in series.rows if row[3]]
    return sorted(
        found, key=lambda r: (r[2] != "code" or r[0] == r[1], r[2], -int(r[3] or 0), str(r[0]), str(r[1]))
    )


def _described(series: Series) -> str:
    wrong = sum(int(r[3] or 0) for r in series.rows if r[2] == "code" and r[0] != r[1])
    return f"{words.plural(wrong, 'case')} with a code that is not the expected one."


def _hides(left_out: int) -> str:
    cut = f" {words.plural(left_out, 'row')} with fewer errors are in the table only." if left_out else ""
    return (
        "It counts cases, not independent units: several cells may hold siblings of one seed. It does not say which of "
        f"two confusions does more harm.{cut}"
    )
