"""``denotary resolver resolve``: many texts at once, by either lane."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from denotary.canonical import canonical_json
from denotary.cli.common import json_option, quiet_option
from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from denotary.resolver.batch import Form, Lane

PIPE = "-"


@click.command(short_help="Answer for every text of TEXTS, as JSON Lines.")
@click.argument("texts", default=PIPE)
@click.option(
    "--lane",
    "spec",
    default="exact",
    show_default=True,
    help="The exact lane, or semantic:FOLDER (a fitted lane).",
)
@click.option(
    "--registry", help="Frozen folder, compiled file or bundled:bootstrap; the exact lane needs it."
)
@click.option("--language", help="Tag of the language (BCP 47) for texts that name none.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv"]),
    help="Of TEXTS; default: csv for a name that ends so, else jsonl.",
)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write; default: standard output."
)
@json_option
@quiet_option
def resolve(
    texts: str,
    *,
    spec: str,
    registry: str | None,
    language: str | None,
    form: Form | None,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Answer for every text of TEXTS, a file or - for standard input, as JSON Lines with evidence, in their order.

    A line of JSON Lines is a request: text, and if wanted language, record_id, registry_version. A CSV file names these
    in its first line. Counts by disposition go to standard error, or with --out to standard output.
    """
    from denotary.resolver.batch import answer_all, read_requests

    lane, path = _lane(spec, registry), Path(texts)
    shape: Form = form or ("csv" if path.suffix == ".csv" else "jsonl")
    counts: Counter[str] = Counter()
    with _source(texts) as source, _sink(out) as write:
        for answer in answer_all(lane, read_requests(source, shape, path, language), path):
            counts[answer["disposition"]] += 1
            write(canonical_json(answer) + b"\n")
    shown = {"texts": counts.total(), "dispositions": dict(sorted(counts.items()))}
    if as_json:
        click.echo(canonical_json(shown).decode(), err=out is None)
    elif not quiet:
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(counts.items()))
        click.echo(f"{counts.total():,} texts: {kinds or 'none'}", err=out is None)


def _lane(spec: str, registry: str | None) -> Lane:
    kind, _, folder = spec.partition(":")
    if kind == "semantic" and folder:
        from denotary.registry import load_registry
        from denotary.resolver.semantic import SemanticLane

        return SemanticLane(folder, registry=load_registry(registry) if registry else None)
    if spec != "exact":
        raise InputError(f"no lane {spec!r:.40}", hint="expected exact or semantic:FOLDER")
    if registry is None:
        raise InputError("the exact lane needs a registry to answer from", hint="give --registry")
    from denotary.resolver import ExactLane

    return ExactLane(registry)


@contextmanager
def _source(texts: str) -> Iterator[IO[bytes]]:
    if texts == PIPE:
        yield sys.stdin.buffer
        return
    try:
        file = Path(texts).open("rb")  # noqa: SIM115 - errors within the block are not those of opening
    except FileNotFoundError as error:
        raise InputError("no such file", path=Path(texts)) from error
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", path=Path(texts)) from error
    with file:
        yield file


@contextmanager
def _sink(out: Path | None) -> Iterator[Callable[[bytes], object]]:
    from denotary.files import atomic_file

    if out is None:
        yield lambda line: click.echo(line.decode(), nl=False)
        return
    with atomic_file(out) as file:
        yield file.write
