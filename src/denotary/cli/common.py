"""Options and printing that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from denotary.canonical import canonical_json
from denotary.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from denotary.errors import Problem

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print machine-readable JSON instead of text."
)
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")


def results_alone() -> AbstractContextManager[Any]:
    """Return a context in which a user's own code prints to standard error: standard output is for results."""
    import sys
    from contextlib import redirect_stdout

    return redirect_stdout(sys.stderr)


def print_json(value: Any) -> None:
    """Print one canonical JSON document."""
    click.echo(canonical_json(value).decode())


def print_problems(problems: Sequence[Problem], *, as_json: bool, quiet: bool) -> int:
    """Print the findings of a check and return its exit code: 1 if there is an error, else 0."""
    errors = [problem for problem in problems if problem.severity == "error"]
    if as_json:
        print_json(
            {
                "errors": len(errors),
                "warnings": len(problems) - len(errors),
                "problems": [
                    {
                        "severity": problem.severity,
                        "code": problem.code,
                        "message": problem.message,
                        "path": problem.path,
                        "line": problem.line,
                        "record": problem.record,
                    }
                    for problem in problems
                ],
            }
        )
    elif not quiet:
        for problem in problems:
            click.echo(str(problem))
        warnings = len(problems) - len(errors)
        click.echo(f"{_counted(len(errors), 'error')}, {_counted(warnings, 'warning')}")
    return ExitCode.BLOCK if errors else ExitCode.PROMOTE


def print_table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print a plain table: text to the left, numbers to the right, no colour, copy and paste safe."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(len(head), *(len(row[i]) for row in cells), 0) for i, head in enumerate(heads)]
    numeric = [
        bool(rows) and all(isinstance(row[i], (int, float, type(None))) for row in rows)
        for i in range(len(heads))
    ]
    for line in [list(heads), ["-" * width for width in widths], *cells]:
        shown = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(line, widths, numeric, strict=True)
        ]
        click.echo("  ".join(shown).rstrip())


def print_fields(fields: dict[str, Any]) -> None:
    """Print names and values, one a line, values aligned."""
    width = max((len(name) for name in fields), default=0)
    for name, value in fields.items():
        click.echo(f"{name.ljust(width)}  {_cell(value)}")


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def _cell(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "-", True: "yes", False: "no"}[value]
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_cell(number)}" for name, number in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return str(value)
