"""``denotary certify``: the main job."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denotary.cli.common import json_option, print_json, quiet_option
from denotary.cli.options import asking, load, read_identity, read_waivers, watching

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denotary.certify import Judged, Plan
    from denotary.runs.records import Identity
    from denotary.suites.suite import Suite
    from denotary.verdicts.prospects import Prospect


@click.command()
@asking
@click.option(
    "--policy",
    default="c3",
    show_default=True,
    help="registry-exact, c0 … c5, similarity-gate, or a policy file.",
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder to write."
)
@click.option(
    "--waivers", type=click.Path(dir_okay=False, path_type=Path), help="TOML file of [[waiver]] tables."
)
@click.option(
    "--today", default="", help="ISO date on which waivers are checked; the clock is never read for a result."
)
@click.option(
    "--require-feasible", is_flag=True, help="Stop before asking if the suite cannot support the claim."
)
@click.option(
    "--sign", type=click.Path(dir_okay=False, path_type=Path), help="Private key (PEM, ed25519) to sign with."
)
@click.option(
    "--probe",
    is_flag=True,
    help="Show also what the system does, in the report and in probes.html beside it; no gate reads it.",
)
@json_option
@quiet_option
def certify(
    *,
    policy: str,
    out: Path,
    waivers: Path | None,
    today: str,
    require_feasible: bool,
    sign: Path | None,
    probe: bool,
    as_json: bool,
    quiet: bool,
    **asked: Any,
) -> int:
    """Ask a system, measure its decisions, judge them by a policy, and write report and certificate.

    An interrupted run goes on where it stopped: give the same command again. The exit code is the verdict: 0 promote,
    1 block, 2 insufficient evidence.
    """
    from denotary.certify import certify as run
    from denotary.certify.writing import write_documents

    suite, system = load(asked["registry"], asked["suite"], asked["system"], asked["batch"])
    if probe:
        _refuse_probes(suite)
    identity = read_identity(asked["identity"])
    silent = quiet or as_json
    with watching(quiet=silent) as watcher:
        judged = run(
            system,
            suite,
            policy,
            out,
            identity=identity,
            concurrency=asked["concurrency"],
            timeout=asked["timeout"],
            attempts=asked["attempts"],
            repeats=asked["repeats"],
            repeat_core=asked["repeat_core"],
            waivers=read_waivers(waivers),
            today=today,
            only_if_feasible=require_feasible,
            sign=sign,
            # What stops is told by the error, whole; nothing is asked then.
            planned=None if silent or require_feasible else print_limits,
            progress=watcher,
        )
    if probe:
        _probe(suite, identity, out, asked)
        write_documents(judged, out)
    show(judged, out, as_json=as_json, quiet=quiet)
    return judged.exit_code


def _refuse_probes(suite: Suite) -> None:
    """Refuse probes, before anything is asked, for a suite whose systems are shown something else than one text.

    Raises:
        InputError: its instrument is not identity.
    """
    from denotary.errors import InputError

    if suite.manifest.instrument != "identity":
        raise InputError(
            f"--probe asks single texts for their concept; the suite is of the instrument {suite.manifest.instrument}",
            hint="leave --probe out; what a score of pairs does is described by denotary similarity audit",
        )


def _probe(suite: Suite, identity: Identity, out: Path, asked: Mapping[str, Any]) -> None:
    """Probe the same system once more and write what it does beside the report."""
    from denotary.instruments.identity.probing import probe
    from denotary.instruments.identity.probing.main import write
    from denotary.systems import from_spec

    # A system serves one run, so it is made anew.
    system = from_spec(asked["system"], registry=suite.registry, batch_size=asked["batch"])
    made, shown = probe(system, suite.registry, declared=identity.normalisation, timeout=asked["timeout"])
    write(made, shown, out)


def print_limits(made: Plan) -> None:
    """Say, before anything is asked, what cannot be claimed: one line a gate, its worst slice for all."""
    from denotary.measures.required import LANGUAGES
    from denotary.words import plural, slice_name

    worst: dict[str, Prospect] = {}
    for item in made.infeasible:
        if item.slice == LANGUAGES:
            continue
        if item.title not in worst or (item.have or 0) < (worst[item.title].have or 0):
            worst[item.title] = item
    if made.qualification:
        click.echo(f"under {made.policy} this suite can block a release, and never promote it", err=True)
    if any(item.slice == LANGUAGES for item in made.infeasible):
        click.echo(
            'no language is advertised, so no claim holds in any: --identity FILE with languages = ["en"]',
            err=True,
        )
    if worst:
        click.echo(
            f"even without a failure this suite cannot show {plural(len(worst), 'claim')} of {made.policy}:",
            err=True,
        )
    for title, item in worst.items():
        needed = max(item.needs[0].units if item.needs else 0, item.minimum_units)
        lacks = item.barred or f"{plural(item.have or 0, 'unit')} of {needed:,}"
        where = "" if item.slice == "all" else f" ({slice_name(item.slice)})"
        click.echo(f"  {title}{where}: {lacks}", err=True)
    if worst:
        click.echo("denotary plan lists every slice; asking goes on", err=True)


def show(judged: Judged, out: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Print a verdict as JSON, as a summary for people, or not at all."""
    if as_json:
        print_json(judged.verdict)
    elif not quiet:
        from denotary.certify import is_signed
        from denotary.certify.reporting import report
        from denotary.reports import terminal

        terminal(report(judged), sys.stdout)
        if out is not None:
            click.echo(f"\nreport       {out / 'report.html'}\ncertificate  {out / 'certificate.json'}")
            if is_signed(out):
                click.echo(f"signature    {out / 'certificate.dsse.json'}")
