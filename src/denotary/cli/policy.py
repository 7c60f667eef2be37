"""``denotary policy``."""

from __future__ import annotations

import click

from denotary.cli.common import json_option, print_problems, quiet_option


@click.group()
def policy() -> None:
    """Check a policy of your own."""


@policy.command(short_help="Tell what POLICY asks less of than the shipped policies.")
@click.argument("policy")
@json_option
@quiet_option
def check(policy: str, *, as_json: bool, quiet: bool) -> int:
    """Check POLICY, a file or a shipped name: what could not be decided, and what is less than its tier or track asks.

    Exit code 1 if there is an error, as where a tier is named and its limits are exceeded.
    """
    from denotary.suites.instrument import instrument
    from denotary.verdicts.policies import check_policy, policy_owner

    return print_problems(
        check_policy(policy, instrument(policy_owner(policy))), as_json=as_json, quiet=quiet
    )
