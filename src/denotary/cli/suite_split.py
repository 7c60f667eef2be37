"""``denotary suite split``: check that no family of cases crosses, and deal a suite into parts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denotary.cli.common import json_option, print_json, print_table, quiet_option
from denotary.errors import ExitCode

if TYPE_CHECKING:
    from denotary.suites.split_records import Crossing, SplitCheck

SHOWN = 40
"""Crossings that the text form lists; ``--json`` lists all."""
RECORDS = 3
"""Records of each suite that a line names; the others are counted."""

waive_option = click.option(
    "--waive",
    multiple=True,
    type=click.Choice(["concept_neighbourhood", "author"]),
    help="Key that may cross; then the suites support a public qualification at most, never certification.",
)
similarity_option = click.option(
    "--similarity",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.7,
    show_default=True,
    help="Least Jaccard index of character 5-grams of folded texts that makes two texts near-duplicates.",
)


@click.group(short_help="Check that no family of cases crosses between suites; deal a suite into parts.")
def split() -> None:
    """Check that no family of cases crosses between suites of different roles, and deal a suite into parts."""


@split.command(short_help="List every family of cases that crosses between SUITES.")
@click.argument("suites", nargs=-1, required=True)
@waive_option
@similarity_option
@click.option(
    "--encoder",
    help="Compare the texts as vectors of this encoder too, such as minilm, or e5 across languages.",
)
@click.option(
    "--cosine",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.95,
    show_default=True,
    help="Least cosine of texts that are near as vectors; the right one depends on the encoder.",
)
@click.option(
    "--record", is_flag=True, help="Write the result into the ledgers of the suites, which must be frozen."
)
@click.option(
    "--who",
    default="suite keeper",
    show_default=True,
    help="Role or pseudonym of who checked, for the ledgers.",
)
@json_option
@quiet_option
def check(
    suites: tuple[str, ...],
    *,
    waive: tuple[Any, ...],
    similarity: float,
    encoder: str | None,
    cosine: float,
    record: bool,
    who: str,
    as_json: bool,
    quiet: bool,
) -> int:
    """List every family of cases that crosses between SUITES of different roles, and what shows it.

    Families are tied by the eight grouping keys, by parents, and by texts: the same, the same under every fold, or
    nearly the same by their n-grams, or the same but for a slot of a template; with an encoder also by their vectors.
    Records are named by id; no text is shown. Exit code 1 if anything crosses.
    """
    from denotary.suites import load_suite, split_check
    from denotary.suites.split_recording import record_split

    loaded = [load_suite(folder) for folder in suites]
    loaded_encoder = None
    if encoder is not None:
        from denotary.encoders import load_encoder

        loaded_encoder = load_encoder(encoder)
    found = split_check(loaded, waive=waive, similarity=similarity, encoder=loaded_encoder, cosine=cosine)
    if record:
        record_split(loaded, found, who=who, why="split check")
    if as_json:
        print_json(found)
    elif not quiet:
        _print(found)
    return ExitCode.PROMOTE if found.is_clean else ExitCode.BLOCK


@split.command(short_help="Deal the families of FOLDER to parts with stated shares.")
@click.argument("folder")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder to write the parts below.",
)
@click.option(
    "--share",
    "shares",
    multiple=True,
    required=True,
    metavar="PART=SHARE",
    help="Share of cases of public, calibration or sealed, such as sealed=0.6; once for each part.",
)
@click.option("--seed", type=int, required=True, help="Draws the order; the same seed deals the same parts.")
@waive_option
@similarity_option
@json_option
@quiet_option
def make(
    folder: str,
    *,
    out: Path,
    shares: tuple[str, ...],
    seed: int,
    waive: tuple[Any, ...],
    similarity: float,
    as_json: bool,
    quiet: bool,
) -> None:
    """Deal the families of cases of FOLDER to parts with stated shares, a whole family to each.

    Each part is a draft suite below the folder to write: public (public-diagnostic), calibration, and sealed
    (sealed-certification). A family with a case that is public or was disclosed goes to the public part.
    """
    from denotary.suites import load_suite
    from denotary.suites.dealing import deal, write_parts

    suite = load_suite(folder)
    found = deal(suite, _shares(shares), seed=seed, waive=waive, similarity=similarity)
    folders = write_parts(suite, found, out)
    counts = {part: found.cases(part) for part in found.shares}
    if as_json:
        print_json(
            {
                "parts": {part: {"folder": str(folders[part]), "cases": counts[part]} for part in counts},
                "families": found.families,
                "largest_family": found.largest,
                "not_separable": list(found.inseparable),
            }
        )
    elif not quiet:
        rows = [
            (part, counts[part], f"{counts[part] / len(suite.cases):.1%}", f"{share:.1%}", str(folders[part]))
            for part, share in found.shares.items()
        ]
        print_table(("part", "cases", "share", "wished", "folder"), rows)
        click.echo(f"{found.families:,} families, the largest with {found.largest:,} cases")
        for key in found.inseparable:
            click.echo(
                f"{key} has one value in all cases, so it separates nothing: the parts stay diagnostic"
            )


def _shares(texts: tuple[str, ...]) -> dict[str, float]:
    found: dict[str, float] = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            share = float(value)
        except ValueError:
            raise click.UsageError(f"--share {text!r:.40}: write PART=SHARE, such as sealed=0.6") from None
        if name in found:
            raise click.UsageError(f"--share {name!r:.40} is given twice")
        found[name] = share
    return found


def _print(found: SplitCheck) -> None:
    for number, suite in enumerate(found.suites, start=1):
        name = f"{suite.name} {suite.version} {suite.hash[:12] if suite.hash else '(draft)'}"
        click.echo(f"{number}  {suite.role}  {suite.cases:,} cases  {name}")
    click.echo("")
    heads = ("key", "state", "recorded", "blank", "does not apply", "values")
    keys = [(k.key, k.state, k.recorded, k.blank, k.not_applicable, k.values) for k in found.keys]
    print_table(heads, keys)
    click.echo("")
    if found.crossings:
        shown = sorted(found.crossings, key=lambda crossing: crossing.waived)[:SHOWN]
        print_table(("crosses by", "value", "records by suite"), [_row(item) for item in shown])
        if len(found.crossings) > SHOWN:
            click.echo(f"… and {len(found.crossings) - SHOWN:,} more; --json lists all")
        click.echo("")
    if found.encoding is None:
        click.echo("paraphrases and translations were not looked for: no --encoder was given")
    click.echo(
        f"{found.components:,} families, {found.crossing_components:,} of them crossing, "
        f"with {found.crossing_cases:,} cases"
    )
    click.echo(f"supports: {found.supports}{_because(found)}")


def _row(item: Crossing) -> tuple[str, str, str]:
    value = f"{item.similarity:.2f}" if item.similarity is not None else item.value
    sides = "; ".join(f"{side.suite + 1}: {_some(side.records)}" for side in item.sides)
    return f"{item.by} (waived)" if item.waived else item.by, value, sides


def _some(records: tuple[str, ...]) -> str:
    rest = f" and {len(records) - RECORDS:,} more" if len(records) > RECORDS else ""
    return ", ".join(records[:RECORDS]) + rest


def _because(found: SplitCheck) -> str:
    if not found.is_clean:
        return "; families cross"
    loose = [f"{k.key} {k.state}" for k in found.keys if k.state not in {"controlled", "does not apply"}]
    return f"; {', '.join(loose)}" if loose else ""
