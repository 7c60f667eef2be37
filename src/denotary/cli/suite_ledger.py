"""``denotary suite correct``, ``withdraw`` and ``ledger``: the recorded acts, and the record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from denotary.cli.common import json_option, print_json, print_table, quiet_option
from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.suites import Correction, Decision
    from denotary.suites.records import LedgerEntry

F = TypeVar("F", bound="Callable[..., Any]")

folder_argument = click.argument("folder", type=click.Path(file_okay=False, exists=True, path_type=Path))
who_option = click.option("--who", required=True, help="Role or pseudonym of who records it.")
why_option = click.option("--why", required=True, help="The reason.")

_DECIDING = (
    who_option,
    why_option,
    click.option(
        "--cause",
        type=click.Choice(["E29", "E30", "E31", "disclosed", "leakage", "rights"]),
        help="E29 annotation error, E30 ontology defect, E31 harness error; the others for withdrawals alone.",
    ),
    click.option(
        "--board",
        multiple=True,
        metavar="PSEUDONYM:ROLE",
        help="Who decided, such as reviewer-3:independent; once for each. The registry-owner never decides alone.",
    ),
    click.option(
        "--affects",
        multiple=True,
        help="A result that was made with the old value: a folder that certify wrote, a file, or its name.",
    ),
)


def deciding(command: F) -> F:
    """Add the options of every command that records a decision of the board."""
    for option in reversed(_DECIDING):
        command = option(command)
    return command


def decision(who: str, why: str, cause: Any, board: tuple[str, ...], affects: tuple[str, ...]) -> Decision:
    """Return what the options say of a decision."""
    from denotary.suites import Decision
    from denotary.suites.board import member

    return Decision(
        who=who,
        why=why,
        cause=cause,
        board=tuple(member(item) for item in board),
        affects=tuple(_result(item) for item in affects),
    )


@click.command(short_help="Change gold or metadata of RECORD on the record.")
@folder_argument
@click.argument("record", required=False)
@click.option(
    "--set",
    "parts",
    multiple=True,
    metavar="PART=JSON",
    help='What changes, such as gold={"disposition": "UNKNOWN_REGISTRY"} or construction.tags=["negation"].',
)
@click.option(
    "--from",
    "source",
    type=click.Path(dir_okay=False, path_type=Path),
    help="JSON Lines instead of RECORD and --set: record and changes, one record a line.",
)
@deciding
@json_option
@quiet_option
def correct(
    folder: Path,
    record: str | None,
    parts: tuple[str, ...],
    source: Path | None,
    *,
    as_json: bool,
    quiet: bool,
    **decided: Any,
) -> None:
    """Change one RECORD of the suite in FOLDER, or those of a file, and write why into its ledger.

    The suite is a draft again; set the next version and freeze it. Results of earlier versions stand.
    """
    from denotary.suites import correct as change

    cases = change(folder, _corrections(record, parts, source), decision(**decided))
    _tell([case.record_id for case in cases], "corrected", as_json=as_json, quiet=quiet)


@click.command(short_help="Take RECORDS out of the suite on the record.")
@folder_argument
@click.argument("records", nargs=-1, required=True)
@deciding
@json_option
@quiet_option
def withdraw(folder: Path, records: tuple[str, ...], *, as_json: bool, quiet: bool, **decided: Any) -> None:
    """Take RECORDS out of the suite in FOLDER, and write why into its ledger. The suite is a draft again."""
    from denotary.suites import withdraw as remove

    remove(folder, records, decision(**decided))
    _tell(list(records), "withdrawn", as_json=as_json, quiet=quiet)


@click.group(short_help="Show and verify the ledger of a suite.")
def ledger() -> None:
    """Show and verify the ledger of a suite: freezes, corrections, withdrawals, disclosures."""


@ledger.command()
@click.argument("folder")
@json_option
def show(folder: str, *, as_json: bool) -> None:
    """Print the ledger of the suite in FOLDER, oldest entry first. Neither texts nor gold are shown."""
    from denotary.suites.ledger import read_ledger
    from denotary.suites.loading import folder_of

    entries = read_ledger(folder_of(folder))
    if as_json:
        print_json([_shown(entry) for entry in entries])
    else:
        heads = ("entry", "kind", "what", "record", "cause", "board", "who", "why")
        print_table(heads, [tuple(_row(entry).values()) for entry in entries])


@ledger.command(short_help="Check that the ledger is whole: no entry edited, moved or cut off.")
@click.argument("folder")
@click.option(
    "--head",
    "heads",
    multiple=True,
    help="Digest of a last entry that was published once; it must be in the chain.",
)
@click.option(
    "--certificate",
    "certificates",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A certificate, or the folder that certify wrote; the ledger that it names must be the beginning of this one.",
)
@json_option
@quiet_option
def verify(
    folder: str, *, heads: tuple[str, ...], certificates: tuple[Path, ...], as_json: bool, quiet: bool
) -> None:
    """Check the ledger of the suite in FOLDER: the chain, the rule of each kind, and the lock's own freeze.

    A chain cannot show that its end was cut off. What was published of it can: give --head or --certificate.
    """
    from denotary.suites.ledger import head
    from denotary.suites.ledger_checking import verify_ledger

    entries = verify_ledger(folder, heads=heads, certificates=certificates)
    if as_json:
        print_json({"entries": len(entries), "head": head(entries)})
    elif not quiet:
        click.echo(f"{len(entries):,} entries, whole; head {head(entries)}")


def _corrections(record: str | None, parts: tuple[str, ...], source: Path | None) -> tuple[Correction, ...]:
    from denotary.suites import Correction
    from denotary.suites.correcting import load_corrections

    if source is not None:
        if record or parts:
            raise click.UsageError("give either --from, or RECORD and --set")
        return load_corrections(source)
    if not record or not parts:
        raise click.UsageError("give RECORD and what to --set, or --from")
    return (Correction(record=record, changes=dict(map(set_part, parts))),)


def set_part(text: str) -> tuple[str, Any]:
    """Return part and value of a ``--set PART=JSON``."""
    name, sign, value = text.partition("=")
    try:
        return name.strip(), json.loads(value)
    except ValueError as error:
        what = "is not JSON" if sign else "has no value"
        raise InputError(
            f"--set {name.strip()!r:.40} {what}", hint='write PART=JSON, such as annotation.depth_tier="A2"'
        ) from error


def _result(text: str) -> str:
    """Return the name and digest of a result, so that the ledger does not depend on where it lies."""
    from denotary.certify.writing import CERTIFICATE
    from denotary.files import file_digest

    path = Path(text)
    if path.is_dir():
        path /= CERTIFICATE
    return f"{path.name} sha256:{file_digest(path)}" if path.is_file() else text


def _tell(records: list[str], what: str, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json({what: records})
    elif not quiet:
        click.echo(f"{what}: {', '.join(records)}; set the next version in suite.toml and freeze it")


def _shown(entry: LedgerEntry) -> dict[str, Any]:
    return _row(entry) | {
        "parts": sorted(entry.new) if entry.kind == "correction" and isinstance(entry.new, dict) else [],
        "old_digest": entry.old_digest,
        "new_digest": entry.new_digest,
        "affects": list(entry.affects),
        "previous": entry.previous,
    }


def _row(entry: LedgerEntry) -> dict[str, Any]:
    what = f"suite {entry.new['version']}" if entry.kind == "freeze" and entry.what == "suite" else entry.what
    return {
        "entry": entry.sequence,
        "kind": entry.kind,
        "what": what,
        "record": entry.record,
        "cause": entry.cause,
        "board": [f"{item.who}:{item.role}" for item in entry.board],
        "who": entry.who,
        "why": entry.why,
    }
