"""``denotary suite build``, ``candidates``, ``accept``, ``reject``: what was generated, and what people make of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denotary.cli.common import json_option, print_json, print_table, quiet_option
from denotary.cli.suite_ledger import folder_argument, set_part, who_option, why_option

if TYPE_CHECKING:
    from denotary.instruments.identity.recipes import Built

names_argument = click.argument("names", nargs=-1, required=True)


@click.command(short_help="Make candidates for a suite from a recipe.")
@click.argument("recipe", type=click.Path(dir_okay=False, path_type=Path))
@folder_argument
@json_option
@quiet_option
def build(recipe: Path, folder: Path, *, as_json: bool, quiet: bool) -> None:
    """Make the candidates of RECIPE for the suite in FOLDER, and write FOLDER/candidates.jsonl. No case changes.

    What was accepted or rejected stays so; candidates that wait from an earlier build of RECIPE are replaced.
    """
    from denotary.instruments.identity.recipes import build as make

    built = make(recipe, folder)
    if as_json:
        print_json(_content(built))
    elif not quiet:
        _print(built)


@click.command(short_help="List the candidates of FOLDER.")
@folder_argument
@click.option(
    "--status",
    type=click.Choice(["candidate", "accepted", "rejected"]),
    help="List only these; default: all.",
)
@json_option
@quiet_option
def candidates(folder: Path, *, status: str | None, as_json: bool, quiet: bool) -> None:
    """List the candidates beside the suite in FOLDER, without their texts: those stand in candidates.jsonl."""
    from denotary.suites.building import read_candidates

    found = [item for item in read_candidates(folder) if status in (None, item.status)]
    rows: list[dict[str, Any]] = [
        {
            "candidate": item.candidate,
            "status": item.status,
            "mechanism": item.mechanism,
            "family": item.case.get("construction", {}).get("primary_family"),
            "needs": list(item.needs),
            "who": item.who,
        }
        for item in found
    ]
    if as_json:
        print_json(rows)
    elif not quiet:
        heads = ("candidate", "status", "mechanism", "family", "needs", "who")
        print_table(heads, [tuple(row.values()) for row in rows])


@click.command(short_help="Make cases of candidates: a person's act, with who and why.")
@folder_argument
@names_argument
@who_option
@why_option
@click.option(
    "--set",
    "parts",
    multiple=True,
    metavar="PART=JSON",
    help='What the cases need or become, such as gold={"disposition": "UNKNOWN_REGISTRY"}.',
)
@json_option
@quiet_option
def accept(
    folder: Path,
    names: tuple[str, ...],
    *,
    who: str,
    why: str,
    parts: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Append the candidates NAMES to the cases of the draft suite in FOLDER, all or none.

    A frozen suite takes none. A case stays marked as generated until people judge it independently.
    """
    from denotary.suites import accept as take

    made = take(folder, names, who=who, why=why, changes=dict(map(set_part, parts)))
    _tell([case.record_id for case in made], "accepted", as_json=as_json, quiet=quiet)


@click.command(short_help="Mark candidates as rejected; the next build does not bring them back.")
@folder_argument
@names_argument
@who_option
@why_option
@json_option
@quiet_option
def reject(folder: Path, names: tuple[str, ...], *, who: str, why: str, as_json: bool, quiet: bool) -> None:
    """Mark the candidates NAMES beside the suite in FOLDER as rejected; they stay in the file."""
    from denotary.suites import reject as refuse

    refuse(folder, names, who=who, why=why)
    _tell(list(names), "rejected", as_json=as_json, quiet=quiet)


def _tell(names: list[str], word: str, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json({word: names})
    elif not quiet:
        click.echo(f"{word}: {', '.join(names)}")


def _content(built: Built) -> dict[str, Any]:
    return {
        "candidates": [item.candidate for item in built.candidates],
        "nominations": len(built.nominations),
        "skipped": [asdict(item) for item in built.skipped],
    }


def _print(built: Built) -> None:
    needs = sum(bool(item.needs) for item in built.candidates)
    rows = Counter(item.mechanism for item in built.candidates)
    print_table(("mechanism", "candidates"), sorted(rows.items()))
    click.echo(f"{needs:,} of {len(built.candidates):,} need something that only a person can give")
    if built.nominations:
        click.echo(f"{len(built.nominations):,} pairs nominated for hard negatives")
    if built.skipped:
        reasons = Counter((item.operator, item.reason) for item in built.skipped)
        print_table(
            ("not made by", "why", "times"),
            [(operator, reason, count) for (operator, reason), count in sorted(reasons.items())],
        )
