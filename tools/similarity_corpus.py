"""Build the shipped corpus of matched anchors from writers' files and second readers' votes.

python tools/similarity_corpus.py --half A=FOLDER --half B=FOLDER --instruction A=FILE --instruction B=FILE \
    --votes FOLDER --writer NAME --out src/denotary/data/similarity [--name NAME] [--version 1.0.0] [--note TEXT]...

Prints what fell and why, then the manipulation check; leaves with 1 if that fails. Writers' files are as in
`tools/similarity_packets.py`, which also made the packets that the votes are about. An anchor falls if a vote on one
of its pairs differs; it stays in `rejected.jsonl` with the cause. So does one
with a pair that nobody has read yet: it is left out as `unread`.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click

from denotary.errors import DenotaryError
from denotary.instruments.similarity.building import Source, build, write_corpus
from denotary.instruments.similarity.corpus import load_corpus
from denotary.instruments.similarity.manipulation import checks, shown
from denotary.instruments.similarity.reading import Written, read_votes, written_pairs

NOTES = (
    "Written by language models under two instructions, each half without sight of the other; no person reviewed it.",
    "Generated and unreviewed; read blind, one reader a pair, by language models of one family: no annotators.",
    "The halves are an instruction split: one kind of writer wrote both, so that no author change is claimed.",
)


@click.command(help=__doc__)
@click.option("--half", "halves", multiple=True, required=True, metavar="NAME=FOLDER")
@click.option("--instruction", "instructions", multiple=True, required=True, metavar="NAME=FILE")
@click.option("--votes", required=True, multiple=True, type=click.Path(path_type=Path, exists=True))
@click.option("--writer", default="generated-language-model", show_default=True)
@click.option("--out", required=True, type=click.Path(path_type=Path))
@click.option("--name", default="matched-pairs", show_default=True)
@click.option("--version", default="1.0.0", show_default=True)
@click.option(
    "--note",
    "notes",
    multiple=True,
    default=NOTES,
    help="Of the manifest, for every report; may be repeated.",
)
def main(  # noqa: PLR0917 - click gives them by name
    halves: tuple[str, ...],
    instructions: tuple[str, ...],
    votes: tuple[Path, ...],
    writer: str,
    out: Path,
    name: str,
    version: str,
    notes: tuple[str, ...],
) -> None:
    """Build, print, and leave with 1 where the manipulation check fails."""
    folders, told = _named(halves), _named(instructions)
    sources = {half: Source(half, writer, told[half].read_text("utf-8")) for half in folders}
    pairs: list[Written] = [
        pair
        for half, folder in folders.items()
        for path in sorted(folder.glob("*.jsonl"))
        for pair in written_pairs(path, half)
    ]
    files = [
        (f"generated-{path.relative_to(root).with_suffix('')}", path)
        for root in votes
        for path in sorted(root.rglob("*.jsonl"))
    ]
    readings = read_votes(pairs, files)
    read = Counter((r.pair.source, r.pair.anchor.task, r.agrees) for r in readings if r.votes)
    for half, task in sorted({key[:2] for key in read}):
        agreed, total = read[half, task, True], read[half, task, True] + read[half, task, False]
        click.echo(f"read: {half} {task} {total} pairs, {agreed / total:.1%} as written")
    built = build(readings, sources)
    write_corpus(out, built, sources.values(), name=name, version=version, notes=notes)
    for cause, count in sorted(Counter((a.half, a.task, a.cause) for a in built.rejected).items()):
        click.echo(f"fell: {' '.join(cause)} {count}")
    for key, count in sorted(Counter((a.half, a.task, a.mutation) for a in built.kept).items()):
        click.echo(f"kept: {' '.join(key)} {count}")
    found = checks(load_corpus(out).pairs)
    for check in found:
        balance = ", ".join(f"{item.pole} {shown(item.difference)}" for item in check.balance)
        click.echo(
            f"{check.half} {check.task}: {check.anchors} anchors, {balance}; {'holds' if check.holds else 'FAILS'}"
        )
    sys.exit(0 if all(check.holds for check in found) else 1)


def _named(options: tuple[str, ...]) -> dict[str, Path]:
    return {name: Path(path) for name, _, path in (option.partition("=") for option in options)}


if __name__ == "__main__":
    try:
        main()
    except DenotaryError as error:
        click.echo(error, err=True)
        sys.exit(error.exit_code)
