"""``denotary ask``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from denotary.cli.common import json_option, print_json, quiet_option
from denotary.cli.options import asking, load, read_identity, watching


@click.command()
@asking
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder of the run."
)
@json_option
@quiet_option
def ask(*, out: Path, as_json: bool, quiet: bool, **asked: Any) -> None:
    """Ask a system every case of a suite and log the answers. The same command again resumes an interrupted run."""
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
