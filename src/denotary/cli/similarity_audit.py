"""``denotary similarity audit`` and ``check``: what a score reads, and whether a corpus may say so."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denotary.cli.common import (
    json_option,
    print_fields,
    print_json,
    print_table,
    quiet_option,
    results_alone,
)
from denotary.cli.counting import counting, told
from denotary.cli.similarity_guard import print_chosen, print_cutoffs, print_guard, short
from denotary.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.instruments.similarity.auditing import Auditing, Scored
    from denotary.instruments.similarity.configurations import Configuration
    from denotary.instruments.similarity.manipulation import Check
    from denotary.instruments.similarity.results import Audit, AxisRow
    from denotary.reports.console import Line

_LEAST_P = 0.001

corpus_option = click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    help="Corpus folder, .jsonl of anchors or pairs, or .csv of pairs; default: the shipped corpus.",
)


@click.command(short_help="Does a similarity score read meaning or wording?")
@click.option(
    "--encoder",
    "encoders",
    multiple=True,
    help="May be repeated. Encoder: minilm, e5, hash-words, sentence-transformers:MODEL, python:MODULE:NAME, "
    "http(s)://…#MODEL, or a lexical baseline: token-jaccard, content-jaccard, character-3-grams, bm25, "
    "length-difference.",
)
@click.option(
    "--score",
    "functions",
    multiple=True,
    metavar="MODULE:NAME",
    help="A function of two texts that returns a number, such as a cross-encoder's, in place of an encoder or beside "
    "it; may be repeated. The current folder is on the import path.",
)
@corpus_option
@click.option("--prefix", default="", help="Put before every text, as some encoders ask.")
@click.option("--dimension", type=click.IntRange(1), help="Leading components that are kept; default: all.")
@click.option(
    "--metric",
    type=click.Choice(["cosine", "dot", "euclidean"]),
    default="cosine",
    show_default=True,
    help="From vectors to a score; euclidean is the negative distance. dot and euclidean take vectors as the encoder "
    "gives them: those of minilm, e5 and the hashed bags are of unit length, so that dot is the cosine.",
)
@click.option(
    "--gate",
    "rules",
    multiple=True,
    metavar="RULE",
    help="When your own gate approves, such as score>=0.8 or distance<=0.4; may be repeated.",
)
@click.option(
    "--limit",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.10,
    show_default=True,
    help="Upper bound of the wrong-approval rate: the lowest cutoff that keeps it on one half is judged on the other.",
)
@click.option(
    "--pairs-out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for one JSON line a pair and score: anchor, cell, class of change, overlap, score; never a text.",
)
@click.option(
    "--require",
    type=click.Choice(["meaning"]),
    help="Exit code 1 if a score reads wording, else 2 if one is undecided; without it 0 after every audit.",
)
@click.option(
    "--html",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for a page a configuration and one, index.html, that compares them with the lexical baselines.",
)
@json_option
@quiet_option
def audit(
    *,
    encoders: tuple[str, ...],
    functions: tuple[str, ...],
    corpus: Path | None,
    prefix: str,
    dimension: int | None,
    metric: str,
    rules: tuple[str, ...],
    limit: float,
    pairs_out: Path | None,
    require: str | None,
    html: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Score matched pairs and say whether the score reads their meaning or their wording.

    Prints the verdict, the decision axis beside that of lexical baselines, what gates do at their cutoffs, and what
    your gates and a drift guard catch by class of change and overlap; --json prints all figures, of several encoders
    as a list. The corpus must pass `similarity check`. Exit code 0 says that the audit was made, whatever its verdict,
    unless --require asks for one.
    """
    from denotary.files import encode_jsonl, write_atomic
    from denotary.instruments.similarity.auditing import Auditing
    from denotary.instruments.similarity.configurations import named
    from denotary.instruments.similarity.corpus import load_corpus
    from denotary.instruments.similarity.gates import gate
    from denotary.instruments.similarity.pair_rows import pair_rows
    from denotary.instruments.similarity.pair_scores import named_score

    if not encoders and not functions:
        raise click.UsageError("give --encoder or --score: there is nothing to audit.")
    own = [gate(rule) for rule in rules]
    loaded = load_corpus(corpus)
    asked = dict.fromkeys(encoders)
    texts = len(loaded.pairs.texts)
    auditing = Auditing(loaded, own, limit=limit)
    with results_alone():
        made = [named(name, prefix=prefix, dimension=dimension, metric=metric) for name in asked]
        made += [
            named_score(name, told(f"pairs scored by {name}", hidden=quiet))
            for name in dict.fromkeys(functions)
        ]
        shown = [_shown(configuration, auditing, texts, quiet=quiet) for configuration in made]
    found = [one for one, _ in shown]
    if pairs_out is not None:
        rows = [row for one, by in shown for row in pair_rows(loaded.pairs, by, one.configuration)]
        write_atomic(pairs_out, encode_jsonl(rows))
    if html is not None:
        beside = [_shown(other, auditing, texts, quiet=quiet)[0] for other in _others(asked)]
        _write(found, beside, loaded.notes, html)
    if as_json:
        print_json(found if len(found) > 1 else found[0])
    elif not quiet:
        for one in found:
            _page(one, loaded.notes)
        if html is not None:
            click.echo(f"\npages  {html / 'index.html'}")
    return _exit_code(found) if require else ExitCode.PROMOTE


def _exit_code(found: Sequence[Audit]) -> int:
    """Return what ``--require meaning`` says of all audits: one that reads wording blocks."""
    said = {one.verdict for one in found}
    if "reads wording" in said:
        return ExitCode.BLOCK
    return ExitCode.PROMOTE if said == {"reads meaning at matched overlap"} else ExitCode.INSUFFICIENT


def _shown(
    configuration: Configuration, auditing: Auditing, texts: int, *, quiet: bool
) -> tuple[Audit, Scored]:
    """Return an audit and its scores; how far its encoding is, of so many texts, stands on stderr."""
    hidden = quiet or configuration.prepare is None
    with counting(texts, f"{configuration.name}, encoding", "texts", hidden=hidden) as update:
        scored = auditing.score(configuration, update)
    return auditing.judge(configuration, scored), scored


def _others(asked: Mapping[str, None]) -> list[Configuration]:
    """Return the lexical baselines that were not asked for: every score is printed beside theirs."""
    from denotary.instruments.similarity.configurations import baselines

    return [one for one in baselines() if one.name not in asked]


def _write(found: Sequence[Audit], beside: Sequence[Audit], notes: Sequence[str], out: Path) -> None:
    from denotary.instruments.similarity.pages import write_pages

    write_pages([*found, *beside], notes, out)


@click.command(short_help="Is overlap of wording held equal between the decisions of a corpus?")
@corpus_option
@json_option
@quiet_option
def check(*, corpus: Path | None, as_json: bool, quiet: bool) -> int:
    """Make the manipulation check of a corpus: no encoder is loaded.

    Exit code 1 if a task or half fails: overlap of same less opposite pairs must lie within the tolerance with its
    whole interval, in every stratum, and the poles of overlap must lie apart. The same of content words alone is shown
    beside it and is no bar.
    """
    from denotary.instruments.similarity.corpus import load_corpus
    from denotary.instruments.similarity.manipulation import all_faults, checks, content_checks

    loaded = load_corpus(corpus)
    found = checks(loaded.pairs)
    faults = all_faults(loaded.pairs, found)
    without = "none" if any(item.half for item in found) else "all"
    rows = [row for item in found for row in _check_rows(item, without)]
    rows += [row for item in content_checks(loaded.pairs) for row in _content_rows(item, without)]
    if as_json:
        names = ("task", "half", "anchors", "figure", "value", "low", "high", "p")
        print_json(
            {
                "corpus": loaded.name,
                "corpus_sha256": loaded.digest,
                "faults": faults,
                "figures": [dict(zip(names, row, strict=True)) for row in rows],
                "second_reading": loaded.second_reading,
            }
        )
    elif not quiet:
        print_fields({"corpus": loaded.name, "pairs": len(loaded.pairs)})
        print_table(("task", "half", "anchors", "overlap", "difference", "low", "high", "p"), rows)
        for line in (*loaded.notes, *faults, "fails" if faults else "holds"):
            click.echo(line)
    return ExitCode.BLOCK if faults else ExitCode.PROMOTE


def _check_rows(found: Check, without: str) -> list[tuple[str | int | float | None, ...]]:
    figures = [
        *((f"{item.pole}, same less opposite", item.difference, item.p) for item in found.balance),
        ("close less distant", found.separation, float("nan")),
        ("all, same less opposite", found.coupling, float("nan")),
    ]
    return [
        (
            found.task,
            found.half or without,
            item.anchors,
            name,
            *(_known(value) for value in (item.value, item.low, item.high, p)),
        )
        for name, item, p in figures
    ]


def _content_rows(found: Check, without: str) -> Iterator[tuple[str | int | float | None, ...]]:
    """Yield the balance of overlap without closed-class words, which is no bar."""
    for row in _check_rows(found, without)[: len(found.balance)]:
        yield (*row[:3], f"{row[3]}, content words", *row[4:])


def _known(value: float) -> float | None:
    """Return the value to four decimals, never -0; None for NaN."""
    return None if value != value else round(value, 4) + 0.0  # noqa: PLR0124 - NaN without numpy


def _head(found: Audit, notes: Sequence[str]) -> Iterator[Line]:
    """Yield the verdict with its evidence, then what it stands on."""
    from denotary.instruments.similarity.verdict import advice, evidence
    from denotary.reports.console import Line

    mark, _, rest = found.verdict.partition(" at ")
    said = advice(found.verdict, found.readings, found.unmatched)
    yield Line(mark.upper(), f"At {rest}." if rest else said)
    yield from (Line(item.task, evidence(item)) for item in found.readings)
    yield Line()
    yield Line("configuration", found.configuration)
    yield Line("corpus", f"{found.corpus}, {found.anchors:,} anchors, {found.pairs:,} pairs")
    if found.truncated is None:
        yield Line("truncated", "the encoder names no window")
    else:
        yield Line("truncated", f"{found.truncated:,} pairs, left out")
    if found.scale == "other":
        yield Line(
            "scale", "no cosine: the cutoffs of shipped components are left out; --gate judges your own"
        )
    yield from (Line("note", note) for note in notes)


def _page(found: Audit, notes: Sequence[str]) -> None:
    from denotary.reports.console import print_lines

    print_lines(_head(found, notes), sys.stdout)
    _section("Axes: AUROC with 95 % interval over anchors")
    print_table(
        ("axis", "task", "of", "value", "low", "high", "p", "anchors", ""),
        [
            (
                row.axis, row.task, _part(row), *map(short, (row.value, row.low, row.high)), _p(row.p), row.anchors,
                "EXPLORATORY" if row.exploratory else "",
            )
            for row in found.axes
        ],
    )  # fmt: skip
    _section("Decision axis of lexical baselines, which cannot read meaning")
    print_table(
        ("baseline", "task", "value", "low", "high"),
        [(row.baseline, row.task, *map(short, (row.value, row.low, row.high))) for row in found.beside],
    )
    if found.operating:
        _section("Gates at their cutoffs: counts, 95 % upper bounds, Youden's J")
        _operating(found)
    _section("The cutoff that would have served best: balanced accuracy, (1 + J) / 2")
    print_cutoffs(found.cutoffs)
    for limit in dict.fromkeys(row.limit for row in found.chosen_cutoffs):
        _section(
            f"The lowest cutoff that bounds wrong approvals by {limit:g} on one half, judged on the other pairs"
        )
        print_chosen(found.chosen_cutoffs)
    for gate in dict.fromkeys(row.gate for row in found.guard):
        _section(f"Changes of meaning caught by {gate}: counts, 95 % upper bounds of the rates")
        print_guard([row for row in found.guard if row.gate == gate])


def _operating(found: Audit) -> None:
    print_table(
        ("approves", "task", "overlap", "wrong approvals", "bound", "wrong rejections", "bound", "J"),
        [
            (
                row.gate, row.task, row.pole or "both",
                f"{row.wrong_approvals}/{row.opposites}", short(row.approval_bound),
                f"{row.wrong_rejections}/{row.sames}", short(row.rejection_bound), short(row.youden),
            )
            for row in found.operating
        ],
    )  # fmt: skip


def _section(title: str) -> None:
    click.echo(f"\n{title}")


def _part(row: AxisRow) -> str:
    return row.mutation or row.pole or (f"half {row.half}" if row.half else "all")


def _p(value: float | None) -> float | str | None:
    """Return a p-value to three decimals: one that is small is never shown as none."""
    return f"<{_LEAST_P}" if value is not None and value < _LEAST_P else short(value)
