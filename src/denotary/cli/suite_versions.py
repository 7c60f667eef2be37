"""``denotary suite diff``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from denotary.cli.common import json_option, print_json, print_table, quiet_option
from denotary.errors import ExitCode

if TYPE_CHECKING:
    from denotary.suites.changes import SuiteDiff

SHOWN = 40
"""Records of a kind that the text form lists; ``--json`` lists all."""
SHORT = 12


@click.command("diff", short_help="Compare two versions of a suite; say which version the change demands.")
@click.argument("old")
@click.argument("new")
@json_option
@quiet_option
def diff(old: str, new: str, *, as_json: bool, quiet: bool) -> int:
    """Compare two versions of a suite, OLD and NEW, by record id and digest, and never by text.

    MAJOR: what is asked, what is right, or what is counted changed. MINOR: cases were added. PATCH: metadata.
    Exit code 1 if NEW declares a version that is too early.
    """
    from denotary.suites import diff as compare
    from denotary.suites import load_suite

    found = compare(load_suite(old), load_suite(new))
    if as_json:
        print_json(_content(found))
    elif not quiet:
        _print(found)
    return ExitCode.PROMOTE if found.is_enough else ExitCode.BLOCK


def _content(found: SuiteDiff) -> dict[str, Any]:
    return {
        "name": found.name,
        "old_version": found.old_version,
        "new_version": found.new_version,
        "demanded": found.demanded,
        "least_version": found.least,
        "enough": found.is_enough,
        "reasons": [{"level": level, "reason": reason} for level, reason in found.reasons],
        "manifest": list(found.manifest),
        "registry": list(found.registry) if found.registry else None,
        "units_joined": found.joined,
        "records": [
            {
                "record": item.record,
                "change": item.change,
                "level": item.level,
                "parts": list(item.parts),
                "old": item.old,
                "new": item.new,
            }
            for item in found.records
        ],
    }


def _print(found: SuiteDiff) -> None:
    for change in ("removed", "changed", "added"):
        items = found.of(change)
        if not items:
            continue
        click.echo(f"{change}: {len(items):,}")
        print_table(
            ("record", "level", "parts", "old", "new"),
            [
                (item.record, item.level, item.parts, _short(item.old), _short(item.new))
                for item in items[:SHOWN]
            ],
        )
        if len(items) > SHOWN:
            click.echo(f"… and {len(items) - SHOWN:,} more; --json lists all")
        click.echo("")
    if found.registry:
        click.echo(f"registry: {found.registry[0]} -> {found.registry[1]}\n")
    for level, reason in found.reasons:
        click.echo(f"{level}  {reason}")
    click.echo(f"{found.name} {found.old_version} -> {found.new_version}: {_verdict(found)}")


def _verdict(found: SuiteDiff) -> str:
    if found.demanded == "none" and found.is_enough:
        return "nothing changed"
    rule = f"a {found.demanded} change" if found.demanded != "none" else "no change"
    says = "" if found.is_enough else f", and {found.new_version} is too early"
    return f"{rule}, which demands {found.least} or later{says}"


def _short(digest: str | None) -> str:
    return digest[:SHORT] if digest else "-"
