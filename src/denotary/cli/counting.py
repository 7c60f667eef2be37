"""How far a long computation of a command is: a bar on a terminal, else a plain line now and then, on stderr."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EACH = 200
"""Things by which a count without an end is told."""


@contextmanager
def counting(length: int, label: str, counted: str, *, hidden: bool) -> Iterator[Callable[[int], None]]:
    """Yield what is told how many more are done.

    Args:
        length: how many there are.
        label: what is done, before the bar or the count.
        counted: what is counted, in the plural.
        hidden: show nothing.
    """
    if hidden:
        yield lambda _: None
    elif sys.stderr.isatty():
        with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
            yield bar.update
    else:
        yield _in_lines(length, label, counted)


def _in_lines(length: int, label: str, counted: str) -> Callable[[int], None]:
    from denotary.runs.progress import Lines, Progress

    lines = Lines(sys.stderr, f"{counted}, {label}")
    done = 0

    def update(more: int) -> None:
        nonlocal done
        done += more
        lines.update(Progress(length, done))

    return update


def told(counted: str, *, hidden: bool) -> Callable[[int], None]:
    """Return what is told how many are done of a number that is not known, and prints every so many."""
    last = 0

    def update(done: int) -> None:
        nonlocal last
        if done >= last + EACH and not hidden:
            last = done
            click.echo(f"{done:,} {counted}", err=True)

    return update
