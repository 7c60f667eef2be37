"""``denotary compare``: a release against the version before it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denotary.cli.common import json_option, print_json, quiet_option
from denotary.cli.options import read_waivers

if TYPE_CHECKING:
    from denotary.certify.comparing import Compared

_run = click.Path(file_okay=False, exists=True, path_type=Path)


@click.command()
@click.argument("base", type=_run)
@click.argument("new", type=_run)
@click.option(
    "--policy",
    help="A shipped policy on two runs, or a policy file; default: the one of the suite's instrument.",
)
@click.option(
    "--migration",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="JSON Lines of what became of each concept, where the runs have two versions of the registry; "
    "default: what the new registry says.",
)
@click.option(
    "--waivers", type=click.Path(dir_okay=False, path_type=Path), help="TOML file of [[waiver]] tables."
)
@click.option(
    "--today", default="", help="ISO date on which waivers are checked; the clock is never read for a result."
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder to write."
)
@click.option(
    "--sign", type=click.Path(dir_okay=False, path_type=Path), help="Private key (PEM, ed25519) to sign with."
)
@json_option
@quiet_option
def compare(
    *,
    base: Path,
    new: Path,
    policy: str | None,
    migration: Path | None,
    waivers: Path | None,
    today: str,
    out: Path,
    sign: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Compare the release in NEW with the approved version in BASE, case by case, and write what shows it.

    BASE and NEW are folders of runs on the same suite, or what certify wrote. The exit code is the verdict: 0 promote,
    1 block, 2 insufficient evidence.
    """
    from denotary.certify.comparing import compare as run

    compared = run(base, new, policy, migration=migration, waivers=read_waivers(waivers), today=today)
    compared.write(out, sign=sign)
    show(compared, out, as_json=as_json, quiet=quiet)
    return compared.exit_code


def show(compared: Compared, out: Path, *, as_json: bool, quiet: bool) -> None:
    """Print a comparison as JSON, as a summary for people, or not at all."""
    if as_json:
        from denotary.certify.comparison_statement import statement

        print_json(statement(compared))
    elif not quiet:
        from denotary.certify.comparison_reporting import report
        from denotary.reports.comparison_console import terminal

        terminal(report(compared), sys.stdout)
        click.echo(f"\nreport      {out / 'report.html'}\nstatement   {out / 'comparison.json'}")
