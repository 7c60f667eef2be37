"""``denotary registry``: check, freeze, show and compile; formats and versions have modules of their own."""

from __future__ import annotations

from pathlib import Path

import click

from denotary.cli.common import json_option, print_fields, print_json, print_problems, quiet_option
from denotary.cli.registry_exchange import export, import_, new
from denotary.cli.registry_versions import diff, migrate


@click.group()
def registry() -> None:
    """Begin, import, check, freeze, compare, compile and export a registry: concepts and texts that express them."""


@registry.command()
@click.argument("folder")
@json_option
@quiet_option
def lint(folder: str, *, as_json: bool, quiet: bool) -> int:
    """Check FOLDER for what would make its answers wrong or unclear. Exit code 1 if an error is found."""
    from denotary.registry import lint as check
    from denotary.registry import load_registry

    return print_problems(check(load_registry(folder)), as_json=as_json, quiet=quiet)


@registry.command(short_help="Give FOLDER's content its name; from then on edits are refused.")
@click.argument("folder", type=click.Path(file_okay=False, exists=True, path_type=Path))
@json_option
@quiet_option
def freeze(folder: Path, *, as_json: bool, quiet: bool) -> None:
    """Write FOLDER/registry.lock: from then on an edited file is refused and the snapshot has one name."""
    from denotary.registry import freeze as write

    lock = write(folder)
    if as_json:
        print_json(lock)
    elif not quiet:
        click.echo(f"frozen: {lock.snapshot_id}")


@registry.command()
@click.argument("folder")
@json_option
def show(folder: str, *, as_json: bool) -> None:
    """Print what FOLDER holds. A shipped registry is named bundled:bootstrap."""
    from denotary.registry import load_registry, summary

    fields = summary(load_registry(folder))
    if as_json:
        print_json(fields)
    else:
        print_fields(fields)


@registry.command("compile", short_help="Write FOLDER's expressions as one SQLite file.")
@click.argument("folder")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@json_option
@quiet_option
def compile_(folder: str, out: Path, *, as_json: bool, quiet: bool) -> None:
    """Write FOLDER's expressions as one SQLite file, OUT, that opens in milliseconds. Same registry, same bytes."""
    from denotary.registry import compile_registry, load_registry

    found = load_registry(folder)
    compile_registry(found, out)
    if as_json:
        print_json({"written": str(out), "snapshot_id": found.snapshot_id})
    elif not quiet:
        click.echo(f"written: {out}")


for command in (new, import_, diff, migrate, export):
    registry.add_command(command)
