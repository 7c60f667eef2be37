"""``denotary registry new``, ``import`` and ``export``: drafts, and other people's formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from denotary.cli.common import json_option, print_json, print_table, quiet_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.registry.exchange.carrying import Export
    from denotary.registry.exchange.gathering import Defaults, Gathered
    from denotary.registry.exchange.sssom import Side
    from denotary.registry.records import Tier

F = TypeVar("F", bound="Callable[..., Any]")
FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
TIERS = ("C0", "C1", "C2", "C3", "C4", "C5")

_SHARED = (
    click.argument("file", type=FILE),
    click.argument("folder", type=FOLDER),
    click.option("--language", default="und", show_default=True, help="Language of texts that name none."),
    click.option("--prefix", default="", help="Beginning of an identifier that is cut off to make the code."),
    click.option(
        "--semantic-type",
        default="unspecified",
        show_default=True,
        help="Of concepts for which FILE says none.",
    ),
    click.option(
        "--tier",
        type=click.Choice(TIERS),
        default="C0",
        show_default=True,
        help="Consequence tier of concepts.",
    ),
    click.option(
        "--owner", default="unassigned", show_default=True, help="Role that rules on the definitions."
    ),
    json_option,
    quiet_option,
)


def _importing(command: F) -> F:
    """Add the arguments and options that every import has."""
    for option in reversed(_SHARED):
        command = option(command)
    return command


@click.command(short_help="Begin an empty registry in FOLDER.")
@click.argument("folder", type=FOLDER)
@click.option("--name", required=True, help="Name of the registry, without spaces.")
@click.option("--version", default="0.1.0", show_default=True, help="Version of the draft.")
@click.option("--title", default="", help="What it is, in a line.")
@click.option("--licence", default="", help="SPDX identifier of its licence.")
@click.option(
    "--language", "languages", multiple=True, help="Language that texts may be in; may be repeated."
)
@json_option
@quiet_option
def new(
    folder: Path,
    *,
    name: str,
    version: str,
    title: str,
    licence: str,
    languages: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Begin an empty registry in FOLDER: a header, and a file for each kind of record."""
    from denotary.registry.exchange.writing import new_registry
    from denotary.registry.records import RegistryHeader

    header = RegistryHeader(
        schema="denotary.registry/1",
        name=name,
        version=version,
        title=title,
        licence=licence,
        languages=languages,
    )
    new_registry(folder, header)
    if as_json:
        print_json({"written": str(folder), "name": name, "version": version})
    elif not quiet:
        click.echo(f"written: {folder}; next: denotary registry import, or write concepts.jsonl by hand")


@click.group("import", short_help="Add what another format holds to a draft.")
def import_() -> None:
    """Add concepts and texts of another format to a draft. All are unreviewed and say where they came from."""


@import_.command("csv", short_help="Table with a concept, and at most one text, a row.")
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Column of a field that has another name; may be repeated.",
)
@click.option("--delimiter", default=",", show_default=True, help="Character between cells.")
@_importing
def import_csv(file: Path, *, columns: tuple[str, ...], delimiter: str, **options: Any) -> None:
    r"""Add the rows of FILE to the draft in FOLDER.

    Fields: code, text, language, script, definition, definition_language, parents, exact_matches, semantic_type,
    consequence_tier, owner, status. Several parents or exact matches of a cell stand apart by a vertical bar.
    """
    from denotary.registry.exchange.tables import read_csv

    if len(delimiter) != 1:
        raise click.UsageError("--delimiter is one character.")
    mapped = _mapped(columns)
    _take(lambda defaults: read_csv(file, defaults, columns=mapped, delimiter=delimiter), **options)


@import_.command("jsonl", short_help="JSON Lines with a concept, and at most one text, a line.")
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="FIELD=KEY",
    help="Key of a field that has another name; may be repeated.",
)
@_importing
def import_jsonl(file: Path, *, columns: tuple[str, ...], **options: Any) -> None:
    """Add the objects of FILE to the draft in FOLDER; fields as of import csv, parents and exact_matches lists."""
    from denotary.registry.exchange.tables import read_jsonl

    mapped = _mapped(columns)
    _take(lambda defaults: read_jsonl(file, defaults, columns=mapped), **options)


@import_.command("skos", short_help="SKOS vocabulary (extra skos).")
@click.option(
    "--syntax",
    type=click.Choice(["turtle", "nt", "n3", "xml"]),
    help="Syntax of FILE; default: as its name ends.",
)
@_importing
def import_skos(file: Path, *, syntax: str | None, **options: Any) -> None:
    """Add the concepts of FILE and their labels to the draft in FOLDER."""
    from denotary.registry.exchange.skos import read_skos

    _take(lambda defaults: read_skos(file, defaults, syntax=syntax), **options)


@import_.command("obo", short_help="OBO ontology: names and EXACT synonyms.")
@_importing
def import_obo(file: Path, **options: Any) -> None:
    """Add the terms of FILE to the draft in FOLDER. Synonyms that are not EXACT mean something else and are left."""
    from denotary.registry.exchange.obo import read_obo

    _take(lambda defaults: read_obo(file, defaults), **options)


@import_.command("sssom", short_help="SSSOM mapping table: labels of exact matches.")
@click.option(
    "--side",
    type=click.Choice(["object", "subject", "either"]),
    default="object",
    show_default=True,
    help="Side of a mapping that is registered; either: the one that begins with the prefix.",
)
@click.option(
    "--min-confidence",
    "least",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="Mappings that state less are left.",
)
@_importing
def import_sssom(file: Path, *, side: Side, least: float, **options: Any) -> None:
    """Add the terms of FILE's exact mappings to the draft in FOLDER, with the labels of both sides as texts."""
    from denotary.registry.exchange.sssom import read_sssom

    _take(lambda defaults: read_sssom(file, defaults, side=side, least_confidence=least), **options)


def _mapped(columns: tuple[str, ...]) -> dict[str, str]:
    pairs = [given.partition("=") for given in columns]
    if not all(equals and field and column for field, equals, column in pairs):
        raise click.UsageError("--column has the form FIELD=COLUMN.")
    return {field: column for field, _, column in pairs}


def _take(
    read: Callable[[Defaults], Gathered],
    *,
    folder: Path,
    language: str,
    prefix: str,
    semantic_type: str,
    tier: Tier,
    owner: str,
    as_json: bool,
    quiet: bool,
) -> None:
    from denotary.registry.exchange.gathering import Defaults
    from denotary.registry.exchange.writing import import_into
    from denotary.text import canonical_tag

    defaults = Defaults(canonical_tag(language), semantic_type, tier, owner, prefix)
    report = import_into(folder, read(defaults))
    if as_json:
        print_json(report)
        return
    if quiet:
        return
    click.echo(f"imported into {report.registry}")
    for name, value in report.about.items():
        click.echo(f"source {name}: {value}")
    print_table(("taken", "count"), list(report.taken.items()))
    if report.skipped:
        click.echo("")
        rows = [(item.what, item.why, item.count) for item in report.skipped]
        print_table(("skipped", "because", "count"), rows)
    for warning in report.warnings:
        click.echo(f"warning: {warning}")
    click.echo(f"next: denotary registry lint {folder}")


@click.group(short_help="Write a registry as SKOS or SSSOM.")
def export() -> None:
    """Write a registry in another format, and say what that cannot carry."""


@export.command("skos", short_help="SKOS vocabulary in Turtle.")
@click.argument("folder")
@click.argument("out", type=FILE)
@click.option("--base", help="What stands before a code in its IRI; default: urn:denotary:NAME:.")
@json_option
@quiet_option
def export_skos(folder: str, out: Path, *, base: str | None, as_json: bool, quiet: bool) -> None:
    """Write FOLDER's concepts and labels as a SKOS vocabulary, OUT, in Turtle."""
    from denotary.registry import load_registry
    from denotary.registry.exchange.skos_writing import write_skos

    _give(write_skos(load_registry(folder), base), out, as_json=as_json, quiet=quiet)


@export.command("sssom", short_help="SSSOM table of texts, exact matches and neighbours.")
@click.argument("folder")
@click.argument("out", type=FILE)
@json_option
@quiet_option
def export_sssom(folder: str, out: Path, *, as_json: bool, quiet: bool) -> None:
    """Write FOLDER's texts, exact matches and neighbours as an SSSOM mapping table, OUT."""
    from denotary.registry import load_registry
    from denotary.registry.exchange.sssom_writing import write_sssom

    _give(write_sssom(load_registry(folder)), out, as_json=as_json, quiet=quiet)


def _give(made: Export, out: Path, *, as_json: bool, quiet: bool) -> None:
    from denotary.files import write_atomic

    write_atomic(out, made.content)
    if as_json:
        print_json({"written": str(out), "not_carried": made.not_carried})
    elif not quiet:
        click.echo(f"written: {out}")
        if made.not_carried:
            print_table(("not carried", "count"), list(made.not_carried.items()))
