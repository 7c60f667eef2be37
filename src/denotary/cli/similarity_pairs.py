"""``denotary similarity propose`` and ``polarity-pack``: pairs for own anchors, and tests for an own gate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denotary.cli.common import json_option, print_fields, print_json, quiet_option, results_alone
from denotary.cli.similarity_audit import corpus_option

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command("polarity-pack", short_help="Write the polarity tests of a gate as pytest cases.")
@click.argument("gate", metavar="MODULE:NAME")
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write the two files to.",
)
@corpus_option
@click.option("--task", default="", help="Pairs of one task; default: of all.")
@click.option(
    "--per-class",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Anchors by task and class of change; each gives two pairs.",
)
@json_option
@quiet_option
def polarity_pack(
    gate: str, *, out: Path, corpus: Path | None, task: str, per_class: int, as_json: bool, quiet: bool
) -> None:
    """Write a test file that asks a gate whether it reads the decision of two texts.

    MODULE:NAME is a function of yours that takes two texts and returns whether it treats them as the same. Half of the
    pairs share their words and not their decision, half share their decision and not their words.
    """
    from denotary.instruments.similarity.corpus import load_corpus
    from denotary.instruments.similarity.polarity_pack import PAIRS, TEST, polarity_pairs, write_pack

    loaded = load_corpus(corpus)
    pairs = polarity_pairs(loaded, per_class=per_class, task=task)
    write_pack(out, pairs, gate=gate, source=loaded.name)
    written = {"test": str(out / TEST), "pairs": str(out / PAIRS), "cases": len(pairs)}
    if as_json:
        print_json(written)
    elif not quiet:
        print_fields(written)


@click.command(short_help="Propose variants of your own anchors, for a person to accept.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="File of pairs to write."
)
@click.option("--task", default="pairs", show_default=True, help="Named in every pair.")
@click.option(
    "--rewriter",
    metavar="MODULE:NAME",
    help="Function of yours from a text to one that says the same in other words; without it no distant pairs.",
)
@json_option
@quiet_option
def propose(file: Path, *, out: Path, task: str, rewriter: str | None, as_json: bool, quiet: bool) -> None:
    """Propose pairs for the anchors in FILE, one English text a line.

    Every pair is written with review "unreviewed" and is left out of each audit until a person has read it and set
    its review to "accepted". Rules make close variants; some of them are wrong.
    """
    from collections import Counter

    from denotary.errors import InputError
    from denotary.files import encode_jsonl, write_atomic
    from denotary.importing import import_callable
    from denotary.instruments.similarity.building import MOST_DISTANT
    from denotary.instruments.similarity.proposing import propose as proposed

    if out.exists():
        raise InputError("exists already", path=out, hint="what a person accepted in it would be lost")
    with results_alone():
        own: Any = import_callable(rewriter) if rewriter else None
    asked: list[None] = []

    def counted(text: str) -> str:
        asked.append(None)
        made: str = own(text)
        return made

    anchors = list(_anchors(file))
    with results_alone():
        pairs = list(proposed(anchors, task=task, rewriter=counted if own else None))
    write_atomic(out, encode_jsonl(pairs))
    counts = Counter((pair.mutation or "same", pair.pole or "") for pair in pairs)
    written: dict[str, str | int] = {
        "file": str(out),
        "anchors": len(anchors),
        "anchors without a proposal": len(anchors) - len({pair.anchor for pair in pairs}),
        "unreviewed": len(pairs),
    }
    if own:
        left_out = len(asked) - sum(pair.pole == "distant" for pair in pairs)
        written[f"rewrites left out, overlap above {MOST_DISTANT}"] = left_out
    written |= {f"{pole} {kind.replace('_', ' ')}": number for (kind, pole), number in sorted(counts.items())}
    if as_json:
        print_json(written)
    elif not quiet:
        print_fields(written)


def _anchors(file: Path) -> Iterator[tuple[str, str]]:
    """Yield ``line-N`` and text of each line that is not empty."""
    from denotary.errors import InputError
    from denotary.files import read_bytes

    try:
        lines = read_bytes(file).decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise InputError("is no text in UTF-8", path=file) from None
    if not any(line.strip() for line in lines):
        raise InputError("holds no text", path=file)
    return ((f"line-{number}", line.strip()) for number, line in enumerate(lines, 1) if line.strip())
