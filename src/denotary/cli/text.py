"""``denotary text``: variants of texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denotary.cli.common import json_option, print_json, print_table, quiet_option

if TYPE_CHECKING:
    from denotary.records import Severity


@click.group()
def text() -> None:
    """Work on texts themselves: make variants of them."""


@text.command(short_help="Make variants of texts: Unicode, spelling, formats, prompts, long contexts.")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--text", "single", help="One text, in place of FILE.")
@click.option(
    "--operator",
    "names",
    multiple=True,
    help="Identifier of an operator, or a family for all of its operators; may be repeated.",
)
@click.option("--language", default="und", show_default=True, help="Language tag of texts that name none.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed gives other draws.")
@click.option(
    "--severity",
    type=click.Choice(["low", "medium", "high"]),
    default="low",
    show_default=True,
    help="How much is changed.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Option of the operators: JSON, a text, or @FILE with JSON (.json) or a list of lines; may be repeated.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write, JSON Lines.")
@click.option("--list", "listed", is_flag=True, help="List the operators and do nothing else.")
@json_option
@quiet_option
def perturb(
    file: Path | None,
    *,
    single: str | None,
    names: tuple[str, ...],
    language: str,
    seed: int,
    severity: Severity,
    options: tuple[str, ...],
    out: Path | None,
    listed: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Make variants of the texts of FILE, a line of JSON each: text, relation, edits, effects, lineage.

    A FILE whose name ends with .jsonl holds records with a text, or the cases of a suite; any other, a text a line.
    """
    from denotary.files import encode_jsonl, write_atomic
    from denotary.text.perturb.parents import Parent, chosen_operators, read_parents, variants

    if listed:
        _print_operators(as_json=as_json)
        return
    if (file is None) == (single is None):
        raise click.UsageError("Give either FILE or --text.")
    if not names:
        raise click.UsageError("Name an operator with --operator; --list shows all.")
    parents = read_parents(file) if file else [Parent(text=single)]
    chosen = chosen_operators(names)
    made = variants(
        parents, chosen, language=language, seed=seed, severity=severity, options=dict(map(_option, options))
    )
    absent = sum(parent.content is None for parent in parents)
    if absent and not quiet:
        click.echo(f"{absent:,} without text, passed over", err=True)
    if out is None:
        for variant in made:
            if not quiet:
                print_json(variant)
        return
    lines = list(made)
    write_atomic(out, encode_jsonl(lines))
    _print_written(out, len(lines), sum(variant.applies for variant in lines), as_json=as_json, quiet=quiet)


def _print_written(out: Path, lines: int, applied: int, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json({"written": str(out), "variants": applied, "not_applicable": lines - applied})
    elif not quiet:
        click.echo(f"written: {out}, {applied:,} variants; {lines - applied:,} operators did not apply")


def _print_operators(*, as_json: bool) -> None:
    from denotary.text.perturb import operators

    rows = [(operator.id, operator.about) for operator in operators()]
    if as_json:
        print_json([{"id": name, "about": about} for name, about in rows])
    else:
        print_table(("operator", "what it does"), [(name, about.partition(":")[0]) for name, about in rows])


def _option(given: str) -> tuple[str, Any]:
    """Return the name and value of an option as it is given on the command line."""
    from denotary.text.perturb.parents import read_option

    name, equals, value = given.partition("=")
    if not equals:
        raise click.UsageError(f"--option {given}: expected NAME=VALUE.")
    if value.startswith("@"):
        return name, read_option(Path(value[1:]))
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
