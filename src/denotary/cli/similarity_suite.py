"""``denotary similarity suite``: a corpus of pairs as a suite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from denotary.cli.common import json_option, print_json, quiet_option
from denotary.cli.similarity_audit import corpus_option
from denotary.suites.records import Role

if TYPE_CHECKING:
    from denotary.suites.records import Role as RoleName

ROLES = tuple(role for role in get_args(Role) if role != "registry-exact-conformance")


@click.command(short_help="Write a corpus of pairs as a suite that a system can be certified on.")
@corpus_option
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder to write."
)
@click.option("--name", default="similarity-pairs", show_default=True, help="Name of the suite.")
@click.option("--version", default="1.0.0", show_default=True, help="Semantic version of the suite.")
@click.option(
    "--role",
    type=click.Choice(ROLES),
    default="public-diagnostic",
    show_default=True,
    help="What the suite may be used for.",
)
@json_option
@quiet_option
def suite(
    *, corpus: Path | None, out: Path, name: str, version: str, role: RoleName, as_json: bool, quiet: bool
) -> None:
    """Write the pairs of a corpus as a frozen suite of the instrument similarity, one pair a case.

    The corpus must pass `similarity check`. Then: denotary certify --suite FOLDER --policy similarity-gate --system
    encoder:minilm#gate=score>=0.8 --out RESULT.
    """
    from denotary.instruments.similarity.corpus import load_corpus
    from denotary.instruments.similarity.suite_building import build_suite

    lock = build_suite(load_corpus(corpus), out, name=name, version=version, role=role)
    if as_json:
        print_json(lock)
    elif not quiet:
        click.echo(f"frozen: {lock.identifier}, {lock.cases:,} pairs of {lock.units:,} anchors")
