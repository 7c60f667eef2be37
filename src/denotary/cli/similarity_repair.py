"""``denotary similarity repair``: fit a repair, pin and register its plan, judge it, show that nothing changed."""

from __future__ import annotations

from pathlib import Path

import click

from denotary.cli.common import (
    json_option,
    print_fields,
    print_json,
    print_table,
    quiet_option,
    results_alone,
)
from denotary.cli.similarity_audit import corpus_option

judge_option = click.option(
    "--judge",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File of the judge that the repair hears, judge.toml.",
)
plan_argument = click.argument("plan", type=click.Path(exists=True, dir_okay=False, path_type=Path))


@click.group(short_help="Fit and judge repairs of a similarity gate.")
def repair() -> None:
    """Fit repairs of a similarity gate on one author's pairs and judge them, frozen, on another's."""


@repair.command(short_help="Fit a repair on one half and freeze it.")
@click.argument(
    "kind", type=click.Choice(["encoder", "overlap", "judge", "polarity", "words", "second-text"])
)
@click.option("--encoder", default="", help="Encoder or lexical baseline, as for similarity audit.")
@judge_option
@corpus_option
@click.option("--half", default="", help="Half of the corpus to fit on; default: all of it.")
@click.option("--name", default="", help="As printed; default: made of the parts.")
@click.option(
    "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="File of the frozen repair."
)
@json_option
@quiet_option
def fit(
    *,
    kind: str,
    encoder: str,
    judge: Path | None,
    corpus: Path | None,
    half: str,
    name: str,
    out: Path,
    as_json: bool,
    quiet: bool,
) -> None:
    """Fit a repair of a KIND and write it: another encoder, overlap-conditioned, a judge, or the polarity-aware gate.

    The kinds words and second-text are baselines: what the words that a writer adds and drops tell, and what the second
    text alone does.

    Prints its digest, which a plan names. The same pairs give the same file.
    """
    from denotary.instruments.similarity.corpus import load_corpus
    from denotary.instruments.similarity.repairs.fitting import repair as made
    from denotary.instruments.similarity.repairs.fitting import write_frozen
    from denotary.instruments.similarity.repairs.judge_files import read_judge

    pairs = load_corpus(corpus)
    with results_alone():
        chosen = made(kind, encoder=encoder, judge=read_judge(judge) if judge else None, name=name)
        frozen = chosen.fit(pairs.half(half) if half else pairs)
    write_frozen(frozen, out)
    fitted = frozen.record.fitted_on
    if as_json:
        # The hashes of the pairs stand in the file alone.
        about = {name: getattr(fitted, name) for name in fitted.__struct_fields__ if name != "pair_hashes"}
        print_json({"name": frozen.record.name, "digest": frozen.digest, "fitted_on": about})
    elif not quiet:
        print_fields({"repair": frozen.record.name, "digest": frozen.digest, "pairs": fitted.pairs})


@repair.command(short_help="Print the digests that a plan pins its corpora by.")
@plan_argument
@json_option
@quiet_option
def digests(*, plan: Path, as_json: bool, quiet: bool) -> None:
    """Print of every corpus of a PLAN the SHA-256 of its file or files and of its pairs as they are read.

    No repair is asked. Put them into the plan before it is registered; digests that it holds already are not checked.
    """
    from denotary.instruments.similarity.repairs.planned import read_planned
    from denotary.instruments.similarity.repairs.plans import read_plan

    found = [(planned.name, read_planned(planned)) for planned in read_plan(plan).corpora]
    rows = [
        {"name": name, "pairs": len(of.pairs), "sha256": of.digest, "pairs_sha256": of.pairs.digest}
        for name, of in found
    ]
    if as_json:
        print_json(rows)
    elif not quiet:
        print_table(("corpus", "pairs", "sha256", "pairs_sha256"), [tuple(row.values()) for row in rows])


@repair.command(short_help="Hash a plan before the run.")
@plan_argument
@json_option
@quiet_option
def register(*, plan: Path, as_json: bool, quiet: bool) -> None:
    """Check a PLAN of bars and predictions and write its SHA-256 beside it, as NAME.lock.toml.

    Commit both files before the run. A plan that was registered with another content is refused.
    """
    from denotary.instruments.similarity.repairs.plans import register as lock
    from denotary.instruments.similarity.repairs.plans import registered

    found = lock(plan)
    if as_json:
        print_json(found)
    elif not quiet:
        print_fields({"plan": found.name, "SHA-256": found.plan_sha256})
        corpora = registered(plan)[0].corpora
        for key in ("sha256", "pairs_sha256"):
            loose = [corpus.name for corpus in corpora if not getattr(corpus, key)]
            if loose:
                click.echo(f"not pinned by {key}, so that they may change before the run: {', '.join(loose)}")


@repair.command(short_help="Judge frozen repairs as a registered plan has it.")
@plan_argument
@click.option(
    "--repair",
    "files",
    multiple=True,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File of a frozen repair; every one that the plan names.",
)
@judge_option
@click.option(
    "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="File of the report, JSON."
)
@json_option
@quiet_option
def judge(
    *, plan: Path, files: tuple[Path, ...], judge: Path | None, out: Path, as_json: bool, quiet: bool
) -> int:
    """Judge frozen repairs on the corpora of a registered PLAN and write the report.

    Prints in-sample and held-out figures, their difference, the comparisons that the plan names, and every bar and
    prediction, failed or not. A bar is reached if the lower end of the 95 % interval reaches it. Exit code 1 if a bar
    is not reached, 2 if the figure of one does not exist or the plan has no bar.
    """
    from denotary.canonical import canonical_json
    from denotary.cli.similarity_repair_report import print_report
    from denotary.files import write_atomic
    from denotary.instruments.similarity.repairs.fitting import load_frozen
    from denotary.instruments.similarity.repairs.judge_files import read_judge
    from denotary.instruments.similarity.repairs.judging import run
    from denotary.instruments.similarity.repairs.plans import registered
    from denotary.instruments.similarity.repairs.reporting import verdict

    given, digest = registered(plan)
    with results_alone():
        heard = read_judge(judge) if judge else None
        report = run(given, digest, [load_frozen(path, judge=heard) for path in files])
    write_atomic(out, canonical_json(report))
    if as_json:
        print_json(report)
    elif not quiet:
        print_report(report)
        click.echo(f"\nwritten: {out}")
    if not report.bars:
        click.echo("the plan has no bar, so that nothing was put to the test", err=True)
    return verdict(report)


@repair.command(name="check", short_help="Show that a plan did not change after its run.")
@click.argument("report", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@plan_argument
@json_option
@quiet_option
def check(*, report: Path, plan: Path, as_json: bool, quiet: bool) -> None:
    """Compare the SHA-256 in a REPORT with the PLAN as it stands: one that changed after the run is an error.

    So is a bar or a prediction that the figures of the report do not give.
    """
    from denotary.files import read_bytes
    from denotary.instruments.similarity.repairs.plans import read_report, require_unchanged

    found = read_report(read_bytes(report), report)
    require_unchanged(found, plan)
    if as_json:
        print_json({"plan": found.plan, "plan_sha256": found.plan_sha256, "unchanged": True})
    elif not quiet:
        click.echo(
            "the plan is the one that was registered before the run; bars and predictions follow from the figures"
        )
