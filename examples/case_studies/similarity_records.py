"""What is kept of one configuration, and the figures that several parts of the page look up in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.instruments.similarity.results import Audit, AxisRow, GuardRow
from denotary.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TASKS = ("constraint", "distinctness")


class Kept(Record, frozen=True):
    """An audit with what it took.

    Attributes:
        seconds: of CPU, for the audit without encoding.
        encoding: seconds of CPU for encoding; None for a baseline.
        truncated: texts longer than the encoder's window.
        dimension: of its vectors; None for a baseline.
    """

    audit: Audit
    seconds: float
    encoding: float | None
    truncated: int
    dimension: int | None

    @property
    def guard(self) -> list[GuardRow]:
        """The drift guard on close pairs alone, where a guard is needed."""
        return [row for row in self.audit.guard if row.pole == "close"]


def axis(kept: Kept, name: str, task: str, *, half: str = "", pole: str = "", mutation: str = "") -> AxisRow:
    """Return one row of the axes."""
    wanted = (name, task, half, pole, mutation)
    rows = kept.audit.axes
    return next(row for row in rows if (row.axis, row.task, row.half, row.pole, row.mutation) == wanted)


def value(row: AxisRow) -> float:
    """Return the value of a row, which every row of this corpus has."""
    assert row.value is not None
    return row.value


def encoders(kept: dict[str, Kept]) -> dict[str, Kept]:
    """Return the encoders that have weights."""
    return {name: item for name, item in kept.items() if item.audit.checkpoint != name}


def balanced(kept: Kept, task: str) -> dict[str, float]:
    """Return the balanced accuracy at each shipped cutoff."""
    rows = kept.audit.operating
    return {row.rule: row.balanced_accuracy or 0.0 for row in rows if row.task == task and not row.pole}


def interval(row: AxisRow) -> str:
    """Return a value with its interval."""
    if row.low is None or row.high is None:
        return number(row.value)
    return f"{value(row):.3f} [{row.low:.3f}, {row.high:.3f}]"


def number(found: float | None) -> str:
    """Return three decimals; a dash for what is not known."""
    return "-" if found is None else f"{found:.3f}"


def table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
