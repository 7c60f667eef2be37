"""``denotary measure``, ``judge``, ``report`` and ``verify``: the way from a run to a verdict, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from denotary.cli.certify import show
from denotary.cli.common import json_option, print_json, print_table, quiet_option
from denotary.cli.options import read_waivers
from denotary.errors import ExitCode, InputError

if TYPE_CHECKING:
    from denotary.certify import Judged
    from denotary.measures import Measurement

ROW_HEADS = ("measure", "slice", "events", "of", "units", "value", "95 % low", "high", "bound", "evidence")
ROW_FIELDS = (
    "measure",
    "slice",
    "numerator",
    "denominator",
    "units",
    "value",
    "low",
    "high",
    "bound",
    "status",
)

run_argument = click.argument("run", type=click.Path(file_okay=False, exists=True, path_type=Path))
policy_option = click.option(
    "--policy", default="c3", show_default=True, help="registry-exact, c0 … c5, or a file."
)
suite_option = click.option("--suite", help="Suite folder, if it no longer lies where the run says.")
waivers_option = click.option(
    "--waivers", type=click.Path(dir_okay=False, path_type=Path), help="TOML file of waivers."
)
today_option = click.option("--today", default="", help="ISO date on which waivers are checked.")


def _measured(run: Path, suite: str | None) -> Measurement:
    from denotary.measures import measure
    from denotary.runs import load_run
    from denotary.suites import load_suite

    if (run / "certificate.json").exists() and (run / "run").is_dir():
        raise InputError("this folder holds a run and is not one", path=run, hint=f"give {run / 'run'}")
    return measure(load_run(run, suite=load_suite(suite) if suite else None))


def _say_unfinished(measured: Measurement) -> None:
    """Say that a run was stopped: its verdict is true and not the one that was meant."""
    missing = measured.outcomes.get("not_run", 0)
    # In a complete run, these are later turns of dialogues in which an earlier one has no answer.
    if missing and not measured.run.complete:
        click.echo(
            f"unfinished: {missing:,} of {sum(measured.outcomes.values()):,} cases were not asked, and each counts as "
            "the bad event; give the command that began the run again",
            err=True,
        )


def _judged(run: Path, suite: str | None, policy: str, waivers: Path | None, today: str) -> Judged:
    from denotary.certify import judge as decide

    return decide(_measured(run, suite), policy, waivers=read_waivers(waivers), today=today)


@click.command()
@run_argument
@suite_option
@click.option(
    "--slice",
    "wanted",
    default="all",
    show_default=True,
    help="Slice to print, such as language=de; * for all.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write all rows as JSON Lines.")
@json_option
@quiet_option
def measure(
    *, run: Path, suite: str | None, wanted: str, out: Path | None, as_json: bool, quiet: bool
) -> None:
    """Turn the answers of RUN into rows: counts, two-sided intervals, one-sided bounds."""
    from denotary.files import write_atomic

    measured = _measured(run, suite)
    if out is not None:
        write_atomic(out, measured.rows_jsonl())
    if not (as_json or quiet):
        _say_unfinished(measured)
    rows = [row for row in measured.rows if wanted in ("*", row.slice)]
    if not rows:
        known = ", ".join(sorted({row.slice for row in measured.rows}))
        raise InputError(f"no slice {wanted!r}", hint=f"the run has: {known}; or * for all")
    if as_json:
        print_json({"outcomes": dict(measured.outcomes), "rows": rows, "facts": measured.facts})
    elif not quiet:
        print_table(ROW_HEADS, [[getattr(row, name) for name in ROW_FIELDS] for row in rows])


@click.command()
@run_argument
@policy_option
@suite_option
@waivers_option
@today_option
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Also write report and certificate here."
)
@json_option
@quiet_option
def judge(
    *,
    run: Path,
    policy: str,
    suite: str | None,
    waivers: Path | None,
    today: str,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Judge RUN by a policy. The exit code is the verdict: 0 promote, 1 block, 2 insufficient evidence."""
    judged = _judged(run, suite, policy, waivers, today)
    if out is not None:
        from denotary.certify import write_documents

        write_documents(judged, out)
    if not (as_json or quiet):
        _say_unfinished(judged.measurement)
    show(judged, out, as_json=as_json, quiet=quiet)
    return judged.exit_code


@click.command()
@run_argument
@policy_option
@suite_option
@waivers_option
@today_option
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="HTML file to write."
)
@json_option
@quiet_option
def report(
    *,
    run: Path,
    policy: str,
    suite: str | None,
    waivers: Path | None,
    today: str,
    out: Path,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write the report of RUN, judged by a policy, as one HTML file that works offline."""
    judged = _judged(run, suite, policy, waivers, today)
    judged.report(out)
    if as_json:
        print_json({"written": str(out), "decision": judged.decision})
    elif not quiet:
        _say_unfinished(judged.measurement)
        click.echo(f"written: {out}")


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, exists=True, path_type=Path))
@suite_option
@click.option(
    "--base",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Of a comparison: the base's run, if it no longer lies where runs.toml says.",
)
@click.option(
    "--new",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Of a comparison: the release's run, if it no longer lies where runs.toml says.",
)
@click.option(
    "--key",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Public key (PEM, ed25519) whose signature the certificate must bear.",
)
@json_option
@quiet_option
def verify(
    folder: Path,
    *,
    suite: str | None,
    base: Path | None,
    new: Path | None,
    key: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Rebuild every figure in FOLDER (written by certify or compare) from raw runs. Exit code 1 if one differs.

    Without --key this shows that the folder is consistent, not who made it: whoever can write to it could have
    written other replies, and made everything else anew from them.
    """
    from denotary.certify import is_signed
    from denotary.certify import verify as rebuild
    from denotary.certify.comparison_writing import STATEMENT
    from denotary.suites import load_suite

    differences = rebuild(folder, suite=load_suite(suite) if suite else None, base=base, new=new, key=key)
    held = is_signed(folder) or is_signed(folder, STATEMENT)
    signature = "checked" if key is not None else "not checked" if held else "none"
    if as_json:
        print_json({"verified": not differences, "differences": differences, "signature": signature})
    elif not quiet:
        for difference in differences:
            click.echo(difference)
        signed = "signed with this key" if key is not None else f"signature: {signature}"
        said = f"verified: every figure was rebuilt from the raw run; {signed}"
        click.echo("NOT VERIFIED" if differences else said)
    return ExitCode.BLOCK if differences else ExitCode.PROMOTE
