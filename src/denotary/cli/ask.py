"""``denotary ask``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denotary.cli.common import json_option, print_json, quiet_option
from denotary.cli.options import asking, load, read_identity, watching

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.runs.records import Answer

_LISTED = 3
"""Problems that are named where every call failed."""


@click.command()
@asking
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder of the run."
)
@json_option
@quiet_option
def ask(*, out: Path, as_json: bool, quiet: bool, **asked: Any) -> None:
    """Ask a system every case of a suite and log the answers. The same command again resumes an interrupted run.

    Exit code 69 if no case was answered.
    """
    from denotary.runs import ask as run

    suite, system = load(asked["registry"], asked["suite"], asked["system"], asked["batch"])
    core = asked["repeat_core"]
    with watching(quiet=quiet or as_json) as watcher:
        done = run(
            system,
            suite,
            out,
            identity=read_identity(asked["identity"]),
            concurrency=asked["concurrency"],
            timeout=asked["timeout"],
            attempts=asked["attempts"],
            repeats=asked["repeats"],
            repeat_core="all" if core is None else core,
            progress=watcher,
        )
    counts: dict[str, int] = {}
    for answer in done.answers:
        counts[answer.status] = counts.get(answer.status, 0) + 1
    if as_json:
        print_json({"calls": len(done.answers), "complete": done.complete, "status": counts})
    elif not quiet:
        click.echo(
            f"{len(done.answers):,} calls: "
            + ", ".join(f"{n:,} {name}" for name, n in sorted(counts.items()))
        )
    if done.complete and not counts.get("answered"):
        _refuse_silence(asked["system"], done.answers)


def _refuse_silence(system: str, answers: Sequence[Answer]) -> None:
    """Say that nothing was learnt about the system, which an exit code of 0 would hide."""
    from collections import Counter

    from denotary.errors import UnreachableError
    from denotary.words import plural

    problems = Counter(answer.problem for answer in answers if answer.status != "not_run")
    most = ", ".join(
        f"{problem}: {plural(count, 'call')}" for problem, count in problems.most_common(_LISTED)
    )
    raise UnreachableError(
        f"{system}: no case was answered ({most})",
        hint="try one request by hand, mend what fails, and ask again into another folder",
    )
