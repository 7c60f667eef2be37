"""``denotary completion``."""

from __future__ import annotations

import click


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of SHELL.

    In ~/.bashrc, the line eval "$(denotary completion bash)" switches it on.
    """
    from click.shell_completion import get_completion_class

    from denotary.cli.root import root

    kind = get_completion_class(shell)
    if kind is None:  # pragma: no cover - the choice above allows only shells that click knows
        raise click.UsageError(f"no completion for {shell}")
    click.echo(kind(root, {}, "denotary", "_DENOTARY_COMPLETE").source())
