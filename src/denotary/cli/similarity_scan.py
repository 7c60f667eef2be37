"""``denotary similarity scan``: the gates in a tree of sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from denotary import __version__
from denotary.cli.common import json_option, print_json, print_table, quiet_option
from denotary.cli.counting import told

if TYPE_CHECKING:
    from denotary.instruments.similarity.scan import Found


@click.command(short_help="List the similarity gates in the sources under PATH.")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--sarif",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write the findings to as SARIF 2.1.0, with paths from the root of the repository.",
)
@json_option
@quiet_option
def scan(path: Path, *, sarif: Path | None, as_json: bool, quiet: bool) -> None:
    """List the gates in the Python, TypeScript and JavaScript under PATH: where a similarity meets a cutoff.

    Code cells of Jupyter notebooks and the scripts of Vue, Svelte and Astro components are read too.

    Each is shown with its score, comparison, cutoff and, where the source tells it, the number behind it. Nothing is
    imported or run. What is listed was opened and read; it is no rate, and a gate that is not listed may still be
    there.
    """
    from denotary.files import write_atomic
    from denotary.instruments.similarity.scan import scan as find
    from denotary.instruments.similarity.scan.sarif import prefix
    from denotary.instruments.similarity.scan.sarif import sarif as log

    found = find(path, progress=told("files read", hidden=quiet))
    if sarif is not None:
        write_atomic(sarif, log(found, version=__version__, before=prefix(path)))
    if as_json:
        parts = ("skipped", "cells", "others", "extra")
        unread = {name: dict(getattr(found, name)) for name in parts}
        print_json({"files": found.files, "sites": found.sites, **unread})
    elif not quiet:
        _print(found)


def _print(found: Found) -> None:
    from denotary.instruments.similarity.scan.script_tree import EXTRA
    from denotary.words import plural

    heads = ["where", "score", "", "cutoff", "value", "from", "true of", "polarity case"]
    rows = [
        [
            site.place,
            _short(site.score),
            site.operator,
            _short(site.cutoff),
            "?" if site.value is None else f"{site.value:g}",
            site.origin,
            site.fires,
            ", ".join(site.tests) or "none seen",
        ]
        for site in found.sites
    ]
    if rows:
        print_table(heads, rows)
    read = f"{plural(len(rows), 'gate')} in {plural(found.files, 'file')}"
    click.echo(f"{read}; {plural(len(found.skipped) + found.lacking, 'file')} not read")
    for name, reason in (*found.skipped, *found.cells):
        click.echo(f"not read: {name}: {reason}")
    if found.extra:
        click.echo(f"{plural(found.lacking, 'file')} not read: {EXTRA}")
    if found.others:
        counts = ", ".join(f"{count:,} {end}" for end, count in found.others)
        click.echo(f"not read, in languages that the scan does not know: {counts}")


def _short(source: str, most: int = 48) -> str:
    return source if len(source) <= most else f"{source[: most - 1]}…"
