"""``denotary resolver``: the reference resolver at work."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from denotary.cli.common import quiet_option
from denotary.cli.resolver_batch import resolve
from denotary.cli.resolver_semantic import calibrate, explain, fit
from denotary.errors import InputError

if TYPE_CHECKING:
    from denotary.registry import Registry


@click.group()
def resolver() -> None:
    """Put the reference resolver to work."""


@resolver.command(short_help="Answer over HTTP from REGISTRY.")
@click.argument("registry")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8080, show_default=True, type=click.IntRange(0, 65535), help="Port to listen on."
)
@click.option(
    "--earlier", multiple=True, metavar="FOLDER", help="Earlier snapshot to compare with; repeatable."
)
@click.option(
    "--max-body", default=1 << 20, show_default=True, type=click.IntRange(1), help="Longest body in bytes."
)
@click.option(
    "--max-batch", default=1000, show_default=True, type=click.IntRange(1), help="Most items of one request."
)
@click.option("--rate", default=0.0, show_default=True, help="Requests a second and address; 0 for no limit.")
@click.option(
    "--read-timeout",
    default=30.0,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    help="Seconds in which headers, and then a body, must have come.",
)
@click.option(
    "--grace", default=10.0, show_default=True, help="Seconds that requests have when it is stopped."
)
@quiet_option
def serve(
    registry: str,
    *,
    host: str,
    port: int,
    earlier: tuple[str, ...],
    max_body: int,
    max_batch: int,
    rate: float,
    read_timeout: float,
    grace: float,
    quiet: bool,
) -> None:
    """Answer over HTTP from REGISTRY, a frozen folder, a compiled file or bundled:bootstrap, until told to stop.

    Its own contract is at /v1/resolve, the Reconciliation API 0.2 at /reconcile and 1.0-draft at /reconcile/1, the
    OpenAPI description at /openapi.json, counts for Prometheus at /metrics. It listens on this machine alone unless
    --host says otherwise, and knows no users: put a proxy before it where it must.
    """
    from denotary.registry import load_registry
    from denotary.resolver import ExactLane
    from denotary.resolver.web import Limits, Served
    from denotary.resolver.web import serve as run

    limits = Limits(body=max_body, batch=max_batch, rate=rate, read=read_timeout, grace=grace)
    folder = registry.startswith("bundled:") or Path(registry).is_dir()
    loaded = load_registry(registry) if folder else None
    before: dict[str, Registry] = {}
    for name in earlier:
        snapshot = load_registry(name)
        if loaded is None or snapshot.version in {*before, loaded.version}:
            raise InputError(
                f"{name} cannot be compared with what is served",
                hint="serve a folder, and name snapshots of other versions, each once",
            )
        before[snapshot.version] = snapshot
    with ExactLane(loaded or registry) as lane:
        run(Served(lane, loaded, before, limits), host=host, port=port, quiet=quiet)


for command in (resolve, fit, calibrate, explain):
    resolver.add_command(command)
