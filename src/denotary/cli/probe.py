"""``denotary probe``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from denotary.cli.common import json_option, print_json, print_table, quiet_option
from denotary.cli.options import SYSTEM_HELP, read_identity

if TYPE_CHECKING:
    from denotary.instruments.identity.probing import Probed


@click.command()
@click.option("--registry", required=True, help="Registry folder, or bundled:bootstrap.")
@click.option("--system", required=True, help=SYSTEM_HELP)
@click.option(
    "--identity",
    type=click.Path(dir_okay=False, path_type=Path),
    help="TOML file in which the system's owner declares, among others, its normalisation.",
)
@click.option("--batch", type=click.IntRange(1), default=1, show_default=True, help="Requests in one POST.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=30.0,
    show_default=True,
    help="Seconds that one call may take.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for probes.jsonl, probes.json and the page probes.html; that of certify will do.",
)
@json_option
@quiet_option
def probe(
    *,
    registry: str,
    system: str,
    identity: Path | None,
    batch: int,
    timeout: float,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Show what a system does before it is scored: nonsense, blanks, long texts, languages, versions, silent folds.

    Probes are made from the registry's own expressions and need no gold. No gate reads what they show.
    """
    from denotary.instruments.identity.probing import probe as run
    from denotary.instruments.identity.probing.main import write
    from denotary.registry import load_registry
    from denotary.systems import from_spec

    loaded = load_registry(registry)
    asked = from_spec(system, registry=loaded, batch_size=batch)
    made, shown = run(asked, loaded, declared=read_identity(identity).normalisation, timeout=timeout)
    if out is not None:
        write(made, shown, out)
    if as_json:
        print_json(made)
    elif not quiet:
        _print(made, out)


def _print(made: Probed, out: Path | None) -> None:
    for head, lines in (("behaviour", made.findings), ("observed normalisation", made.folds)):
        rows = [(line.title, line.state, f"{line.count} of {line.asked}") for line in lines]
        print_table((head, "observed", "probes"), rows)
        click.echo()
    click.echo(f"declared normalisation: {made.declared or 'nothing'}")
    click.echo(f"{made.probes:,} probes, {made.unanswered:,} without an answer; no gate reads them")
    if out is not None:
        click.echo(f"page  {out / 'probes.html'}")
