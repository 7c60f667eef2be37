"""Make packets of pairs for a blind second reading of a written corpus, and read the votes back.

python tools/similarity_packets.py make FOLDER... --out PACKETS [--size 80]
python tools/similarity_packets.py read FOLDER... --votes FILE... [--disputed FILE]

FOLDER holds the writers' files (`*.jsonl`, one anchor a line: `instruments/similarity/anchors.py`). `make` writes
`PACKETS/packet-0001.jsonl` and so on, lines `{"id", "task", "text1", "text2"}`, and the guideline beside them. A
packet tells neither decision nor class nor cell nor file; the four pairs of an anchor are spread over packets; ids
are digests of the texts. A second call packs what has been written or changed since, in new packets; the others
stay as they are. What is packed is chosen by digests, so that the same files give the same packets.

A judge answers `{"id", "vote": "same" | "opposite" | "unsure", "confidence": 0 to 1}`, one a line, in a file of any
name ending in `.jsonl`; the judge is called by the name of that file, below the folder given. `read` prints agreement
by task, class and cell, what is still without a vote and, with `--disputed`, every pair on which a vote differs from
what was intended.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denotary.errors import DenotaryError
from denotary.files import encode_jsonl, read_bytes, read_records, write_atomic
from denotary.instruments.similarity.reading import (
    GUIDELINE,
    PacketPair,
    Written,
    packets,
    read_votes,
    written_pairs,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from denotary.instruments.similarity.reading import Reading

FOLDERS = click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))


@click.group(help=__doc__)
def main() -> None:
    """Run one of the two commands."""


@main.command()
@FOLDERS
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of the packets.")
@click.option("--size", default=80, show_default=True, type=click.IntRange(min=4), help="Pairs in a packet.")
def make(folders: tuple[Path, ...], out: Path, size: int) -> None:
    """Write packets of all pairs that stand in no packet yet."""
    written = _written(folders)
    there = sorted(out.glob("packet-*.jsonl"))
    packed = {pair.id for path in there for pair in read_records(path, PacketPair)}
    fresh = [pair for pair in written if pair.id not in packed]
    new = packets(fresh, size)
    for number, pairs in enumerate(new, start=len(there) + 1):
        write_atomic(out / f"packet-{number:04}.jsonl", encode_jsonl(pairs))
    write_atomic(out / "guideline.md", read_bytes(GUIDELINE))
    stale = packed - {pair.id for pair in written}
    click.echo(
        f"{len(fresh)} pairs in {len(new)} new packets; {len(packed)} packed before, "
        f"{len(stale)} of them changed or gone since"
    )


@main.command()
@FOLDERS
@click.option(
    "--votes",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="File or folder.",
)
@click.option(
    "--disputed", type=click.Path(path_type=Path), help="Where to write the pairs that a vote disputes."
)
def read(folders: tuple[Path, ...], votes: tuple[Path, ...], disputed: Path | None) -> None:
    """Join votes with what was intended and print how far they agree."""
    written = _written(folders)
    readings = read_votes(written, _voters(votes))
    voted = [reading for reading in readings if reading.votes]
    click.echo(f"{len(voted)} of {len(readings)} pairs have a vote")
    for title, of in (("task", _task), ("class", _class), ("cell", _cell), ("half", _half)):
        _agreement(title, voted, [of(reading.pair) for reading in voted])
    against = [reading for reading in voted if not reading.agrees]
    click.echo(f"disputed: {len(against)} pairs of {len({r.pair.anchor.anchor for r in against})} anchors")
    if disputed is not None:
        write_atomic(disputed, encode_jsonl(reading.record() for reading in against))


def _agreement(title: str, readings: Sequence[Reading], groups: Iterable[str]) -> None:
    counts: dict[str, Counter[str]] = {}
    for reading, group in zip(readings, groups, strict=True):
        counts.setdefault(group, Counter()).update(
            "agree" if vote.vote == reading.pair.decision else "unsure" if vote.vote == "unsure" else "differ"
            for vote in reading.votes
        )
    for group, found in sorted(counts.items()):
        total = found.total()
        click.echo(
            f"  {title:6} {group:22} votes {total:5}  agree {found['agree'] / total:6.1%}"
            f"  differ {found['differ']:4}  unsure {found['unsure']:4}"
        )


def _task(pair: Written) -> str:
    return pair.anchor.task


def _class(pair: Written) -> str:
    return pair.anchor.mutation


def _cell(pair: Written) -> str:
    return f"{pair.decision} {pair.pole}"


def _half(pair: Written) -> str:
    return pair.source


def _written(folders: Iterable[Path]) -> list[Written]:
    return [
        pair
        for folder in folders
        for path in sorted(folder.glob("*.jsonl"))
        for pair in written_pairs(path, folder.name)
    ]


def _voters(paths: Iterable[Path]) -> list[tuple[str, Path]]:
    return [
        (str(file.relative_to(path).with_suffix("")) if path.is_dir() else path.stem, file)
        for path in paths
        for file in _files([path])
    ]


def _files(paths: Iterable[Path]) -> list[Path]:
    return [file for path in paths for file in (sorted(path.rglob("*.jsonl")) if path.is_dir() else [path])]


if __name__ == "__main__":
    try:
        main()
    except DenotaryError as error:
        click.echo(error, err=True)
        sys.exit(error.exit_code)
