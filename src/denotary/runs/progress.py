"""Showing a run while it goes on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self, TextIO

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.progress import Progress as Bar
    from rich.progress import TaskID

PARTS = 10
"""Plain lines a run is told in, one as each part of it is reached."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. Only answers that are on the disk count.

    Attributes:
        total: planned calls.
        done: answered calls, those of earlier sittings included.
        counts: answered calls by status.
        rate: calls a second in this sitting.
    """

    total: int
    done: int
    counts: Mapping[str, int] = field(default_factory=dict)
    rate: float = 0.0

    @property
    def failed(self) -> int:
        """Calls without an answer: errors, timeouts and invalid output."""
        return self.done - self.counts.get("answered", 0)


class Watcher(Protocol):
    """Is told how a run goes."""

    def update(self, progress: Progress) -> None:
        """Take note of where the run is; called several times a second, and once at the end."""

    def note(self, message: str) -> None:
        """Take note of one event, such as a torn line or how to resume."""


class Lines:
    """Progress as plain lines, for logs and continuous integration: one each tenth of the way.

    Args:
        stream: where the lines go.
        counted: what is counted.
    """

    def __init__(self, stream: TextIO, counted: str = "calls") -> None:
        self._stream = stream
        self._counted = counted
        self._printed = -1

    def update(self, progress: Progress) -> None:
        """Print a line if another tenth is reached."""
        part = PARTS * progress.done // progress.total if progress.total else PARTS
        if part > self._printed:
            self._printed = part
            self.note(f"{progress.done:,} of {progress.total:,} {self._counted}{_details(progress)}")

    def note(self, message: str) -> None:
        """Print a line."""
        print(message, file=self._stream, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave; nothing is held."""


class Live:
    """Progress as a bar that is redrawn in place, on a terminal.

    Args:
        stream: the terminal.
    """

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        self._bar: Bar = RichProgress(
            TextColumn("asking"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.description}"),
            TimeRemainingColumn(),
            console=Console(file=stream),
            refresh_per_second=4,
        )
        self._task: TaskID = self._bar.add_task("", total=None)

    def update(self, progress: Progress) -> None:
        """Move the bar."""
        self._bar.update(
            self._task,
            total=progress.total,
            completed=progress.done,
            description=_details(progress).lstrip(", "),
        )

    def note(self, message: str) -> None:
        """Print a line above the bar."""
        self._bar.console.print(message, markup=False, highlight=False)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()


def terminal_progress(stream: TextIO) -> Live | Lines:
    """Return what shows progress on a stream, as a context manager: a bar on a terminal, else plain lines."""
    return Live(stream) if stream.isatty() else Lines(stream)


def _details(progress: Progress) -> str:
    failed = [
        f"{count:,} {status}" for status, count in sorted(progress.counts.items()) if status != "answered"
    ]
    rate = [f"{progress.rate:,.0f} a second"] if progress.rate else []
    return "".join(f", {part}" for part in (*failed, *rate))
