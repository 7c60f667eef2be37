"""``denotary suite``: check, freeze, show, quota, conformance; the other commands come from modules of their own."""

from __future__ import annotations

from pathlib import Path

import click

from denotary.cli.common import (
    json_option,
    print_fields,
    print_json,
    print_problems,
    print_table,
    quiet_option,
)
from denotary.cli.suite_build import accept, build, candidates, reject
from denotary.cli.suite_firewall import canary, disclose, export
from denotary.cli.suite_ledger import correct, ledger, withdraw
from denotary.cli.suite_split import split
from denotary.cli.suite_versions import diff
from denotary.errors import ExitCode

registry_option = click.option(
    "--registry", help="Registry folder; default: the one that suite.toml names. Shipped: bundled:bootstrap."
)


@click.group()
def suite() -> None:
    """Check, freeze and show a suite: what is right, case by case, against one registry."""


@suite.command(short_help="Check every case of FOLDER.")
@click.argument("folder")
@registry_option
@json_option
@quiet_option
def check(folder: str, *, registry: str | None, as_json: bool, quiet: bool) -> int:
    """Check every case of FOLDER: gold, codes, families, contrast sets, lineage. Exit code 1 if an error is found."""
    from denotary.registry import load_registry
    from denotary.suites import check as find
    from denotary.suites import load_suite

    found = load_suite(folder, registry=load_registry(registry) if registry else None)
    return print_problems(find(found), as_json=as_json, quiet=quiet)


@suite.command(short_help="Give FOLDER's content its name; from then on edits are refused.")
@click.argument("folder", type=click.Path(file_okay=False, exists=True, path_type=Path))
@click.option("--on", help="Folder of the frozen predecessor, if this version has a folder of its own.")
@click.option(
    "--who",
    default="suite keeper",
    show_default=True,
    help="Role or pseudonym of who freezes, for the ledger.",
)
@click.option("--why", default="release", show_default=True, help="The reason, for the ledger.")
@json_option
@quiet_option
def freeze(folder: Path, *, on: str | None, who: str, why: str, as_json: bool, quiet: bool) -> None:
    """Write FOLDER/suite.lock: from then on an edited file is refused, and gold changes go through the ledger.

    A later version must be as late as its change demands; `denotary suite diff` says how late that is.
    """
    from denotary.suites import freeze as write

    lock = write(folder, on=on, who=who, why=why)
    if as_json:
        print_json(lock)
    elif not quiet:
        click.echo(f"frozen: {lock.identifier}, {lock.cases:,} cases in {lock.units:,} independent units")


@suite.command()
@click.argument("folder")
@registry_option
@json_option
def show(folder: str, *, registry: str | None, as_json: bool) -> None:
    """Print what FOLDER holds. The shipped suite is named bundled:starter."""
    from denotary.registry import load_registry
    from denotary.suites import load_suite, summary

    fields = summary(load_suite(folder, registry=load_registry(registry) if registry else None))
    if as_json:
        print_json(fields)
    else:
        print_fields(fields)


@suite.command(short_help="Compare FOLDER with the quotas in its manifest.")
@click.argument("folder")
@json_option
@quiet_option
def quota(folder: str, *, as_json: bool, quiet: bool) -> int:
    """Compare FOLDER with the quotas in its manifest. Exit code 1 if one falls short."""
    from denotary.suites import load_suite
    from denotary.suites import quota as rows_of

    rows = rows_of(load_suite(folder))
    if as_json:
        print_json(rows)
    elif not quiet:
        print_table(
            ("quota", "minimum", "present", "short"), [(r.key, r.minimum, r.present, r.short) for r in rows]
        )
    return ExitCode.BLOCK if any(row.short for row in rows) else ExitCode.PROMOTE


@suite.command(short_help="Write the exhaustive conformance suite of REGISTRY.")
@click.argument("registry")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder to write."
)
@click.option("--version", default="1.0.0", show_default=True, help="Semantic version of the suite.")
@json_option
@quiet_option
def conformance(registry: str, *, out: Path, version: str, as_json: bool, quiet: bool) -> None:
    """Write the exhaustive conformance suite of the frozen REGISTRY: every expression, ambiguity and listed miss."""
    from denotary.instruments.identity.conformance import conformance as write
    from denotary.registry import load_registry

    lock = write(load_registry(registry), out, version=version)
    if as_json:
        print_json(lock)
    elif not quiet:
        click.echo(f"written and frozen: {out}")


for command in (
    *(build, candidates, accept, reject),
    *(diff, correct, withdraw, disclose, ledger, split, canary, export),
):
    suite.add_command(command)
