"""Options that the commands which ask a system share."""

from __future__ import annotations

import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from denotary.cli.common import results_alone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from denotary.runs.progress import Watcher
    from denotary.runs.records import Identity
    from denotary.suites.suite import Suite
    from denotary.systems.base import BlockingSystem, System
    from denotary.verdicts.records import Waiver

F = TypeVar("F", bound="Callable[..., Any]")

SYSTEM_HELP = (
    "python:MODULE:NAME, http://… or https://…, command:PROGRAM ARGUMENTS (JSON lines), replay:ANSWERS.jsonl, "
    "exact (the reference exact lane over the registry), semantic:FOLDER (a fitted lane), "
    "encoder:NAME#gate=score>=0.8 (for pairs of texts), "
    "or an adapter: openrefine:URL, reconcile1:URL, fhir:URL, "
    "annif:URL, rasa:URL, gilda:, semantic-router:MODULE:NAME, classifier:MODULE:NAME, template:FILE.toml; options "
    "of an adapter stand after #."
)

_ASKING = (
    click.option("--registry", help="Registry folder; default: the one that the suite names."),
    click.option("--suite", required=True, help="Suite folder, or bundled:starter."),
    click.option("--system", required=True, help=SYSTEM_HELP),
    click.option(
        "--identity",
        type=click.Path(dir_okay=False, path_type=Path),
        help="TOML file in which the system's owner declares its components and languages.",
    ),
    click.option(
        "--batch", type=click.IntRange(1), default=1, show_default=True, help="Requests in one POST."
    ),
    click.option(
        "--concurrency", type=click.IntRange(1), default=8, show_default=True, help="Calls in flight."
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(0, min_open=True),
        default=30.0,
        show_default=True,
        help="Seconds that one call may take.",
    ),
    click.option(
        "--attempts",
        type=click.IntRange(1),
        default=3,
        show_default=True,
        help="Tries where a failure may pass (connection, 429, 5xx); a Python callable is called once.",
    ),
    click.option(
        "--repeats",
        type=click.IntRange(1),
        default=2,
        show_default=True,
        help="Times that the cases of the repeat core are asked in all, to see whether answers agree.",
    ),
    click.option(
        "--repeat-core",
        type=click.IntRange(0),
        help="Cases that are asked more than once; default: as the policy says, without a policy all.",
    ),
)


def asking(command: F) -> F:
    """Add the options of every command that asks a system."""
    for option in reversed(_ASKING):
        command = option(command)
    return command


def load(registry: str | None, suite: str, system: str, batch: int) -> tuple[Suite, System | BlockingSystem]:
    """Load what a command asks, and what it asks it from."""
    from denotary.registry import load_registry
    from denotary.suites import load_suite
    from denotary.systems import from_spec

    loaded = load_suite(suite, registry=load_registry(registry) if registry else None)
    with results_alone():  # a module may print while it loads
        return loaded, from_spec(system, registry=loaded.registry, batch_size=batch)


def read_identity(path: Path | None) -> Identity:
    """Return what the owner declares; nothing if there is no file."""
    from denotary.files import read_toml
    from denotary.runs.records import Identity

    return read_toml(path, Identity) if path else Identity()


def read_waivers(path: Path | None) -> tuple[Waiver, ...]:
    """Return the waivers of a TOML file with one ``[[waiver]]`` table each; none if there is no file."""
    from denotary.verdicts import load_waivers

    return load_waivers(path) if path else ()


def watching(*, quiet: bool) -> AbstractContextManager[Watcher | None]:
    """Return a context that shows a run's progress on standard error, or nothing.

    What a system in this process prints while it is asked goes there as well: standard output is for results.
    """
    return _asking(quiet=quiet)


@contextmanager
def _asking(*, quiet: bool) -> Iterator[Watcher | None]:
    from denotary.runs import terminal_progress

    with (
        results_alone(),
        nullcontext() if quiet else terminal_progress(sys.stderr) as watcher,
    ):
        yield watcher
