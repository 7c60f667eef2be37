"""``denotary demo``."""

from __future__ import annotations

from pathlib import Path

import click

from denotary.cli.common import json_option, quiet_option


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("demo"),
    show_default=True,
    help="Folder to write.",
)
@json_option
@quiet_option
def demo(*, out: Path, as_json: bool, quiet: bool) -> None:
    """Certify the reference exact lane on the bundled, illustrative suite.

    The exit code is 0 if it worked, whatever the verdict.
    """
    from denotary.certify import certify
    from denotary.cli.certify import show
    from denotary.cli.options import watching
    from denotary.suites import load_suite
    from denotary.systems import exact

    suite = load_suite("bundled:starter")
    with watching(quiet=quiet or as_json) as watcher:
        judged = certify(exact(suite.registry), suite, "c3", out, progress=watcher)
    show(judged, out, as_json=as_json, quiet=quiet)
