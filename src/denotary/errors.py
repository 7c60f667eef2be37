"""The one hierarchy of errors, and the record of a problem found by a check.

Every error that a user can cause derives from :class:`DenotaryError` and carries the exit code that the
command line returns for it. The message names the place (file, line, record), what was expected, and what to
do. The text of a case never stands in a message: records are named by their id.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


_LISTED = 12
"""Names listed in a hint; the others are counted."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint that names what comes nearest to a wrong name; where nothing does, what is known.

    Args:
        name: what was asked for.
        known: what there is.
    """
    from difflib import get_close_matches

    names = sorted(known)
    near = get_close_matches(name, names, 3)
    if near:
        return f"did you mean {' or '.join(near)}?"
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"known: {', '.join(names[:_LISTED]) or 'none'}{more}."


class ExitCode(IntEnum):
    """What the command line returns; the verdict is carried by the first three."""

    PROMOTE = 0
    """The decision is PROMOTE, or a command without a verdict did its work."""
    BLOCK = 1
    """The decision is BLOCK, or a check (lint, suite check, verify) found an error."""
    INSUFFICIENT = 2
    """The evidence does not support the claim; nothing was found that blocks it."""
    USAGE = 64
    """The command or an input file is wrong."""
    UNREACHABLE = 69
    """The system could not be reached, or every call failed, before any case was answered."""
    INTERNAL = 70
    """A fault of denotary or of the machine (disk full, read-only folder)."""


class DenotaryError(Exception):
    """Base of every error that denotary raises on purpose."""

    exit_code: ExitCode = ExitCode.INTERNAL

    def __init__(
        self,
        message: str,
        *,
        path: Path | str | None = None,
        line: int | None = None,
        record: str | None = None,
        hint: str | None = None,
    ) -> None:
        """Build the one-line message ``path:line: record: message`` and, below it, what to do.

        Args:
            message: what is wrong and what was expected.
            path: the file the problem is in.
            line: the line in that file, counted from 1.
            record: the id of the record.
            hint: what the user can do about it.
        """
        self.message = message
        self.path = None if path is None else str(path)
        self.line = line
        self.record = record
        self.hint = hint
        super().__init__(place(self.path, line, record) + message + (f"\n  hint: {hint}" if hint else ""))


class InputError(DenotaryError):
    """A user's file, option or argument is wrong."""

    exit_code = ExitCode.USAGE


class IntegrityError(InputError):
    """A frozen file was edited, or two things that must belong together do not."""


class UnreachableError(DenotaryError):
    """The system under test could not be reached, or failed every call, before any case was answered."""

    exit_code = ExitCode.UNREACHABLE


class InfeasibleError(DenotaryError):
    """The suite cannot support the claim even if the system makes no mistake, and the user asked to stop."""

    exit_code = ExitCode.INSUFFICIENT


class StorageError(DenotaryError):
    """A file could not be written: disk full, folder read-only, or in use by another run."""


def place(path: str | None, line: int | None, record: str | None) -> str:
    """Return the prefix ``path:line: record: `` of a message, as far as it is known."""
    where = "" if path is None else path if line is None else f"{path}:{line}"
    return "".join(f"{part}: " for part in (where, record) if part)


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding of a lint or a check.

    Attributes:
        severity: an ``error`` makes the check fail; a ``warning`` is printed only.
        code: a short stable name of the rule, for filters and tests.
        message: what is wrong and what was expected; never the text of a case.
        path: file name relative to the folder that was checked.
        line: line in that file, counted from 1.
        record: id of the record.
    """

    severity: Literal["error", "warning"]
    code: str
    message: str
    path: str | None = None
    line: int | None = None
    record: str | None = None

    def __str__(self) -> str:
        return f"{place(self.path, self.line, self.record)}{self.severity} {self.code}: {self.message}"
