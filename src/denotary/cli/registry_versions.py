"""``denotary registry diff`` and ``migrate``: two snapshots, and what their difference asks for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denotary.cli.common import json_option, print_json, print_table, quiet_option
from denotary.errors import ExitCode

if TYPE_CHECKING:
    from denotary.registry import MigrationMap
    from denotary.registry.diffing import RegistryDiff
    from denotary.registry.neighbourhoods import Shift
    from denotary.suites.readjudication import SuiteMigration

SHOWN = 40
"""Lines of a table that the text form prints; ``--json`` lists all."""
SHORT = 12

map_option = click.option(
    "--map",
    "map_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="JSON Lines of migration records, if they do not stand in migrations.jsonl of NEW.",
)


@click.command(short_help="Compare two snapshots; check their migration map against both.")
@click.argument("old")
@click.argument("new")
@map_option
@json_option
@quiet_option
def diff(old: str, new: str, *, map_file: Path | None, as_json: bool, quiet: bool) -> int:
    """Compare two snapshots of a registry, OLD and NEW, and check their migration map against both.

    Every concept that is not carried over as it was needs a record that says what became of it: unchanged, renamed,
    split, merged, retired or boundary_changed. Exit code 1 if the map does not account for the difference.
    """
    from denotary.registry import diff as compare
    from denotary.registry import load_migrations, load_registry

    found = compare(load_registry(old), load_registry(new), load_migrations(map_file) if map_file else None)
    if as_json:
        print_json(found)
    elif not quiet:
        _print_diff(found)
    failed = any(problem.severity == "error" for problem in found.problems)
    return ExitCode.BLOCK if failed else ExitCode.PROMOTE


@click.command(short_help="Print what became of each concept, and which cases must be judged anew.")
@click.argument("old")
@click.argument("new")
@map_option
@click.option("--suite", help="A suite made for OLD: list its cases that must be judged anew.")
@json_option
@quiet_option
def migrate(
    old: str, new: str, *, map_file: Path | None, suite: str | None, as_json: bool, quiet: bool
) -> None:
    """Print what became of each concept of OLD in NEW, and which pairs of neighbours are stale.

    With a suite, also list the cases that must be judged anew, by id and with the reason. Nothing is written.
    """
    from denotary.registry import load_migrations, load_registry, migration_map
    from denotary.registry.neighbourhoods import shift
    from denotary.suites import load_suite
    from denotary.suites.readjudication import readjudicate

    before, after = load_registry(old), load_registry(new)
    made = migration_map(before, after, load_migrations(map_file) if map_file else None)
    moved = shift(before, after, made)
    judged = (
        readjudicate(load_suite(suite, registry=before), before, after, made) if suite is not None else None
    )
    if as_json:
        print_json(_content(made, moved, judged))
    elif not quiet:
        _print_map(made, moved)
        if judged is not None:
            _print_suite(judged)


def _print_diff(found: RegistryDiff) -> None:
    click.echo(f"{found.old} -> {found.new}")
    _table(
        ("file", "record", "change", "parts", "old", "new"),
        [(r.file, r.record, r.change, r.parts, _short(r.old), _short(r.new)) for r in found.records],
    )
    if found.header:
        click.echo(f"registry.toml: {', '.join(found.header)}")
    for problem in found.problems:
        click.echo(str(problem))
    errors = sum(problem.severity == "error" for problem in found.problems)
    click.echo(f"{len(found.records):,} records differ; the migration map has {errors:,} errors")


def _content(made: MigrationMap, moved: Shift, judged: SuiteMigration | None) -> dict[str, Any]:
    content: dict[str, Any] = {
        "map": {
            "old": made.old,
            "new": made.new,
            "digest": made.digest,
            "steps": list(made.steps.values()),
            "added": list(made.added),
        },
        "stale_pairs": [list(pair) for pair in moved.stale],
        "nominated_pairs": [list(pair) for pair in moved.nominated],
    }
    if judged is not None:
        content["suite"] = judged
    return content


def _print_map(made: MigrationMap, moved: Shift) -> None:
    click.echo(f"{made.old} -> {made.new}; map sha256:{made.digest}")
    changed = [step for step in made.steps.values() if step.change != "unchanged" or step.reason]
    _table(
        ("concept", "change", "leads to", "reason"),
        [(step.from_code, step.change, step.to_codes, step.reason) for step in changed],
    )
    click.echo(f"{len(made.steps) - len(changed):,} concepts unchanged, {len(made.added):,} added")
    for code in made.added[:SHOWN]:
        click.echo(f"added: {code}")
    for what, pairs in (("stale", moved.stale), ("to be judged", moved.nominated)):
        for target, neighbour in pairs[:SHOWN]:
            click.echo(f"pair {what}: {target} / {neighbour}")
        _rest(len(pairs))


def _print_suite(judged: SuiteMigration) -> None:
    click.echo("")
    _table(("case to judge anew", "why"), [(item.record, "; ".join(item.reasons)) for item in judged.again])
    for target, neighbour, count in judged.stale[:SHOWN]:
        click.echo(f"pair stale in the suite: {target} / {neighbour}, cases {count:,}")
    _rest(len(judged.stale))
    click.echo(
        f"to judge anew {len(judged.again):,}, only renamed {len(judged.renamed):,}, kept {judged.kept:,}"
    )


def _table(heads: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    if rows:
        print_table(heads, rows[:SHOWN])
        _rest(len(rows))


def _rest(count: int) -> None:
    if count > SHOWN:
        click.echo(f"… and {count - SHOWN:,} more; --json lists all")


def _short(digest: str | None) -> str:
    return digest[:SHORT] if digest else "-"
