"""``denotary suite disclose``, ``canary`` and ``export``: what leaves the sealed side, and how it is marked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from denotary.cli.common import json_option, print_json, quiet_option
from denotary.cli.suite_ledger import folder_argument, who_option, why_option

SHOWN = 10
"""Siblings that are named; the others are counted."""


@click.command(short_help="Record that RECORDS were shown; move them to a regression suite.")
@folder_argument
@click.argument("records", nargs=-1, required=True)
@click.option("--to", help="Regression suite that the cases are added to; it is a draft then.")
@click.option(
    "--with-siblings", is_flag=True, help="Disclose every case of the units that the records belong to."
)
@who_option
@why_option
@json_option
@quiet_option
def disclose(
    folder: Path,
    records: tuple[str, ...],
    *,
    to: str | None,
    with_siblings: bool,
    who: str,
    why: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Record that RECORDS of the suite in FOLDER were shown to developers: they are no fresh evidence any more.

    Fresh siblings are asked for in their place. The suite stays frozen; a later version withdraws the records.
    """
    from denotary.suites import disclose as record

    found = record(folder, records, who=who, why=why, to=to, with_siblings=with_siblings)
    if as_json:
        print_json(found)
    elif not quiet:
        click.echo(f"disclosed: {', '.join(found.disclosed) or 'nothing that was not before'}")
        if to is not None:
            click.echo(f"added to {to}: {', '.join(found.moved) or 'nothing that was not there'}")
        if found.siblings:
            named = ", ".join(found.siblings[:SHOWN])
            rest = f" and {len(found.siblings) - SHOWN:,} more" if len(found.siblings) > SHOWN else ""
            click.echo(
                f"of the same units, still counted as fresh: {named}{rest}; --with-siblings discloses them"
            )


@click.command(short_help="Give FOLDER a canary, once for all its versions.")
@folder_argument
@click.option("--guid", help="The canary, a UUID in lower case; default: a random one.")
@json_option
@quiet_option
def canary(folder: Path, *, guid: str | None, as_json: bool, quiet: bool) -> None:
    """Write a canary into suite.toml of FOLDER; it stands in every export. A frozen suite is a draft again."""
    from denotary.suites.firewall import set_canary

    chosen = set_canary(folder, guid)
    if as_json:
        print_json({"canary": chosen})
    elif not quiet:
        click.echo(f"canary: {chosen}")


@click.command(short_help="Write the cases of one visibility as a suite of their own.")
@click.argument("folder")
@click.option(
    "--visibility",
    type=click.Choice(["public", "regression", "sealed"]),
    required=True,
    help="Which cases.",
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder to write."
)
@click.option(
    "--waive",
    multiple=True,
    type=click.Choice(["concept_neighbourhood", "author"]),
    help="Key by which a family may have cases on both sides.",
)
@json_option
@quiet_option
def export(
    folder: str, *, visibility: Any, out: Path, waive: tuple[Any, ...], as_json: bool, quiet: bool
) -> None:
    """Write the cases of FOLDER that have one visibility as a draft suite, with canary, notice and name of the whole.

    FOLDER must be frozen. A family of which some cases would be given away and others stay sealed is refused.
    """
    from denotary.suites import load_suite
    from denotary.suites.exporting import export as write

    suite = load_suite(folder)
    count = write(suite, visibility, out, waive=waive)
    if as_json:
        print_json({"written": str(out), "cases": count, "whole": suite.identifier})
    elif not quiet:
        click.echo(f"written: {out}, {count:,} of {len(suite.cases):,} cases of {suite.identifier}")
