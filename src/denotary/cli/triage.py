"""``denotary triage``: the root cause of every failed case, proposed by rule or set by a person."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denotary.cli.common import json_option, print_json, print_table, quiet_option
from denotary.cli.evidence import run_argument, suite_option
from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.certify.triaging import Triage
    from denotary.runs import Run
    from denotary.runs.triage import Failure

CASE_HEADS = ("case", "failed by", "expected", "answered", "cause", "named by", "evidence")
CAUSE_HEADS = ("cause", "", "cases", "set", "proposed", "units", "refusals")


class _DefaultGroup(click.Group):
    """A group that lists where its first argument is no command of its own."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name, ``list`` if they name none."""
        return super().resolve_command(ctx, args if args and args[0] in self.commands else ["list", *args])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Hand options before the run to the command that lists."""
        known = {"--help", "-h", *self.commands}
        return super().parse_args(ctx, args if not args or args[0] in known else ["list", *args])


@click.group(cls=_DefaultGroup)
def triage() -> None:
    """Name the root cause of every failed case of a run.

    Without a word of its own, RUN is listed: denotary triage RUN is short for denotary triage list RUN.
    """


@triage.command("list")
@run_argument
@suite_option
@click.option("--cause", help="List only cases with this cause, such as E05; none for those without one.")
@click.option("--refusals", is_flag=True, help="List refusals too: they cost coverage and are no failure.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the JSON to this file.")
@json_option
@quiet_option
def list_(
    *,
    run: Path,
    suite: str | None,
    cause: str | None,
    refusals: bool,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """List failed cases, causes and evidence.

    For each failed case of RUN the cause that a person set stands before the one that a rule proposes. No case is
    quoted: a sealed suite stays sealed.
    """
    from denotary.canonical import canonical_json
    from denotary.certify import triage as triaged
    from denotary.files import write_atomic

    found = triaged(_loaded(run, suite))
    listed = _chosen(found, cause, refusals=refusals)
    if out is not None:
        write_atomic(out, canonical_json(found.content(listed)) + b"\n")
    if as_json:
        print_json(found.content(listed))
    elif not quiet:
        _print(found, listed)


@triage.command("set")
@run_argument
@click.argument("case")
@click.argument("code")
@click.option("--who", required=True, help="Role or pseudonym of who sets it.")
@click.option("--why", required=True, help="The reason, in a sentence.")
@suite_option
@json_option
@quiet_option
def set_(
    *, run: Path, case: str, code: str, who: str, why: str, suite: str | None, as_json: bool, quiet: bool
) -> None:
    """Set the cause of one failed case.

    CODE becomes the root cause of CASE: a line of triage.jsonl in the folder of RUN. A cause set before is superseded
    and kept. The sealed files are not touched, and no rate changes.
    """
    from denotary.certify import judge_cause

    loaded = _loaded(run, suite)
    judgement = judge_cause(loaded, case, code, who=who, why=why)
    if as_json:
        print_json(judgement)
    elif not quiet:
        title = loaded.suite.instrument.root_causes()[code]
        former = "" if judgement.supersedes is None else f", supersedes judgement {judgement.supersedes}"
        click.echo(f"{case}: {code} {title} (proposed: {judgement.proposed or 'none'}{former})")
        if code in loaded.suite.instrument.outside_causes():
            click.echo(_ledger_note(code))


def _loaded(run: Path, suite: str | None) -> Run:
    from denotary.runs import load_run
    from denotary.suites import load_suite

    if (run / "certificate.json").exists() and (run / "run").is_dir():
        raise InputError("this folder holds a run and is not one", path=run, hint=f"give {run / 'run'}")
    return load_run(run, suite=load_suite(suite) if suite else None)


def _chosen(found: Triage, cause: str | None, *, refusals: bool) -> list[Failure]:
    if cause is not None and cause not in {*found.titles, "none"}:
        raise InputError(f"no root-cause code {cause!r:.20}", hint="one of E01 to E31, or none")
    wanted = None if cause is None else cause.replace("none", "")
    return [
        failure
        for failure in found.failures
        if (refusals or failure.counts) and wanted in {None, found.cause(failure)[0]}
    ]


def _print(found: Triage, listed: Sequence[Failure]) -> None:
    causes = found.causes()
    if listed:
        print_table(CASE_HEADS, [_row(found, failure) for failure in listed])
        click.echo()
    if causes.lines:
        rows: list[list[Any]] = [
            [line.code or "none", line.title, line.cases, line.set, line.proposed, line.units, line.refusals]
            for line in causes.lines
        ]
        print_table(CAUSE_HEADS, rows)
        click.echo()
    click.echo(
        f"{causes.failed:,} failed: {causes.set:,} set by a person, {causes.proposed:,} proposed by a rule, "
        f"{causes.untriaged:,} untriaged; {causes.refusals:,} refusals are no failure (--refusals lists them)"
    )
    if found.untriaged:
        click.echo(f"untriaged: {', '.join(failure.case for failure in found.untriaged)}")
    outside = [line.code for line in causes.lines if line.outside]
    if outside:
        click.echo(_ledger_note(", ".join(outside)))
    if found.torn:
        click.echo(f"triage.jsonl: a torn last line of {found.torn:,} bytes was passed over", err=True)


def _row(found: Triage, failure: Failure) -> list[str]:
    from denotary.text import visible

    code, by = found.cause(failure)
    judgement = found.standing.get(failure.case)
    evidence = failure.proposals[0].evidence if failure.proposals else ""
    if judgement is not None:
        evidence = f"{judgement.who}: {judgement.why}"
    named_by = {"set": "a person", "proposed": "a rule", "none": "nobody"}[by]
    cells = (failure.case, failure.kind, failure.expected, failure.answered, code or "-", named_by, evidence)
    return list(map(visible, cells))


def _ledger_note(codes: str) -> str:
    return (
        f"{codes}: such a case leaves the rates only by an entry in the suite's correction ledger, never by this; "
        "see denotary suite correct"
    )
