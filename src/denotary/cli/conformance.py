"""``denotary conformance``: golden vectors, run against any resolver."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denotary.cli.common import json_option, print_json, print_table, quiet_option
from denotary.errors import ExitCode, InputError, did_you_mean

if TYPE_CHECKING:
    from denotary.resolver.conformance.records import Vector
    from denotary.resolver.conformance.running import ConformanceReport, Level
    from denotary.resolver.conformance.vectors import VectorSuite

SHOWN = 20
"""Failed vectors that the text form lists; ``--json`` lists all."""

section_option = click.option(
    "--section", "sections", multiple=True, help="Section of vectors; may be repeated."
)


@click.group()
def conformance() -> None:
    """Golden vectors for resolvers: requests, and what each must be answered with."""


@conformance.command("list", short_help="List the vectors, or write them and their registry as files.")
@section_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to copy all vectors and their registry to, so that another system can load it.",
)
@json_option
@quiet_option
def list_(*, sections: tuple[str, ...], out: Path | None, as_json: bool, quiet: bool) -> None:
    """List the vectors: id, and the rule, standard or report that each follows from."""
    from denotary.resolver.conformance.vectors import load_vectors, write_vectors

    suite = load_vectors()
    chosen = _chosen(suite, sections)
    if out is not None:
        write_vectors(out)
    if as_json:
        print_json([{"id": item.id, "section": item.section, "source": item.source} for item in chosen])
    elif not quiet:
        print_table(("vector", "follows from"), [(vector.id, vector.source) for vector in chosen])
        click.echo(f"{suite.manifest.name} {suite.manifest.version}: {len(chosen):,} vectors")


@conformance.command("run", short_help="Ask a system every vector, and compare.")
@click.argument("system")
@section_option
@click.option(
    "--level",
    type=click.Choice(["decision", "reason", "full"]),
    default="full",
    show_default=True,
    help="What must be right for exit code 0: the concept or none; the reason too; the evidence too.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=30.0,
    show_default=True,
    help="Seconds that one call may take.",
)
@json_option
@quiet_option
def run(
    system: str, *, sections: tuple[str, ...], level: Level, timeout: float, as_json: bool, quiet: bool
) -> int:
    """Ask SYSTEM every vector, and compare; SYSTEM must have loaded the registry bundled:conformance.

    SYSTEM is a specification as certify takes it, such as exact or an URL. Exit code 1 if a vector fails.
    """
    from denotary.resolver.conformance.running import run_conformance
    from denotary.resolver.conformance.vectors import load_vectors
    from denotary.systems import from_spec

    suite = load_vectors()
    chosen = _chosen(suite, sections)
    report = run_conformance(from_spec(system, registry=suite.registry), suite, chosen, timeout=timeout)
    if as_json:
        print_json(report)
    elif not quiet:
        _print(report, level)
    return ExitCode.BLOCK if report.failed(level) else ExitCode.PROMOTE


def _chosen(suite: VectorSuite, sections: tuple[str, ...]) -> list[Vector]:
    known = {vector.section for vector in suite.vectors}
    for name in sections:
        if name not in known:
            raise InputError(f"no section {name!r:.80}", hint=did_you_mean(name, known))
    return [vector for vector in suite.vectors if not sections or vector.section in sections]


def _print(report: ConformanceReport, level: Level) -> None:
    from denotary.resolver.conformance.running import LEVELS

    sections = Counter(result.section for result in report.results)
    rows = []
    for section, count in sections.items():
        of = [result.levels for result in report.results if result.section == section]
        rows.append((section, count, *(_share([levels[name] for levels in of]) for name in LEVELS)))
    rows.append(
        ("all", len(report.results), *(_share([r.levels[name] for r in report.results]) for name in LEVELS))
    )
    click.echo(f"{report.suite} on {report.system}; decision rule {report.decision_rule}")
    print_table(("section", "vectors", *LEVELS), rows)
    failed = [result for result in report.results if result.levels[level] == "fail"]
    for result in failed[:SHOWN]:
        click.echo(f"failed: {result.id}: {result.differences[0]}")
    if len(failed) > SHOWN:
        click.echo(f"… and {len(failed) - SHOWN:,} more; --json lists all")
    click.echo(f"{len(failed):,} vectors failed at level {level}")


def _share(statuses: list[str]) -> str:
    counts = Counter(statuses)
    asked = len(statuses) - counts["not_expressible"]
    shown = f"{counts['pass']:,}/{asked:,}" if asked else "-"
    return (
        shown if asked in {0, len(statuses)} else f"{shown} ({counts['not_expressible']:,} not expressible)"
    )
