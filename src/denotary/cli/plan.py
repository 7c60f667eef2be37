"""``denotary plan``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from denotary.cli.common import json_option, print_json, print_table, quiet_option

if TYPE_CHECKING:
    from denotary.certify import Plan

WIDTH = 100
"""Columns of a terminal that what is printed fits into."""


@click.command()
@click.option(
    "--policy",
    default="c3",
    show_default=True,
    help="registry-exact, c0 … c5, similarity-gate, or a policy file.",
)
@click.option("--suite", help="The suite that is meant to support the claim.")
@click.option("--languages", default="", help="Languages that will be advertised, such as en,de.")
@click.option(
    "--fitted-on",
    default="",
    help="Halves of a similarity suite that the system was fitted on, such as A, or none: no evidence lies there.",
)
@click.option(
    "--assigned-share",
    type=click.FloatRange(0, 1, min_open=True),
    help="Expected share of cases that get a code.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="SVG file to write: units for 0 to 5 failures, and the chance of a pass by the true rate.",
)
@click.option("--require-feasible", is_flag=True, help="Exit with 2 if the suite cannot support the claim.")
@json_option
@quiet_option
def plan(
    *,
    policy: str,
    suite: str | None,
    languages: str,
    fitted_on: str,
    assigned_share: float | None,
    plot: Path | None,
    require_feasible: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print how many independent units of which kind each claim of a policy needs.

    With a suite, also print what it can claim at best.
    """
    from denotary.certify import plan as make
    from denotary.certify import require_feasible as require
    from denotary.suites import load_suite

    made = make(
        policy,
        load_suite(suite) if suite else None,
        languages=_items(languages),
        fitted_on=_items(fitted_on),
        assigned_share=assigned_share,
    )
    if plot is not None:
        draw(made, plot)
    if as_json:
        print_json(made)
    elif not quiet:
        show(made)
    if require_feasible:
        require(made)


def _items(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


def draw(made: Plan, path: Path) -> None:
    """Write the drawing of a plan."""
    from denotary.certify.plan_figure import plan_figure
    from denotary.files import write_atomic
    from denotary.reports.figures.standalone import standalone

    write_atomic(path, standalone(plan_figure(made).svg).encode())


def show(made: Plan) -> None:
    """Print a plan for people: what it costs, what a suite holds, and what it can support at best."""
    from denotary.certify.plan_tables import tables
    from denotary.words import ROLES, plural

    looks = plural(made.looks, "look")
    click.echo(f"{made.policy}: {made.title}")
    click.echo(f"confidence {made.confidence:g}, {looks}, alpha {made.alpha:g} a gate")
    for title, heads, rows in tables(made):
        click.echo(f"\n{title}\n")
        print_table(heads, rows)
    if made.suite is None:
        return
    able = ", ".join(name for name, holds in made.claims.items() if holds)
    role = f"{made.suite} has the role {made.role} ({ROLES.get(made.role or '', 'not known')})"
    best = f"without a single failure this suite could support: {able or 'no shipped policy of this track'}"
    click.echo()
    for note in (role, *made.notes(), best):
        click.echo(click.wrap_text(note, WIDTH, subsequent_indent="  "))
