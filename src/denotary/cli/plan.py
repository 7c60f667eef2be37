"""``denotary plan``."""

from __future__ import annotations

import click

from denotary.cli.common import json_option, print_json, print_table, quiet_option


@click.command()
@click.option("--policy", default="c3", show_default=True, help="registry-exact, c1 … c5, or a policy file.")
@click.option("--suite", help="The suite that is meant to support the claim.")
@click.option("--languages", default="", help="Languages that will be advertised, such as en,de.")
@click.option(
    "--assigned-share",
    type=click.FloatRange(0, 1, min_open=True),
    help="Expected share of cases that get a code.",
)
@click.option("--require-feasible", is_flag=True, help="Exit with 2 if the suite cannot support the claim.")
@json_option
@quiet_option
def plan(
    *,
    policy: str,
    suite: str | None,
    languages: str,
    assigned_share: float | None,
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
        languages=tuple(item.strip() for item in languages.split(",") if item.strip()),
        assigned_share=assigned_share,
    )
    if as_json:
        print_json(made)
    elif not quiet:
        click.echo(
            f"{made.title}: confidence {made.confidence:g}, {made.looks} looks, alpha {made.alpha:g} a gate\n"
        )
        print_table(*made.table())
        for sentence in made.sentences():
            click.echo(f"cannot be claimed: {sentence}")
        if made.claims:
            click.echo(
                "without a single failure this suite could support: "
                + (
                    ", ".join(name for name, holds in made.claims.items() if holds)
                    or "no shipped policy of this track"
                )
            )
    if require_feasible:
        require(made)
