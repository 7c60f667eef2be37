"""Rebuilding a comparison from both raw runs: every figure, or the first places where it differs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from denotary.certify.comparing import compare, run_folder
from denotary.certify.comparison_writing import MIGRATION, NAMES, PLACES, STATEMENT, Places, documents
from denotary.certify.differences import document_differences
from denotary.certify.writing import POLICY
from denotary.errors import InputError, IntegrityError
from denotary.files import file_digest, read_bytes, read_toml
from denotary.records import Record
from denotary.runs import load_run
from denotary.suites.ledger_checking import NAMED, beginning
from denotary.verdicts.records import Waiver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from denotary.runs import Run


class _Given(Record, frozen=True):
    """What a statement says was given to the judge beside policy and runs."""

    waivers: tuple[Waiver, ...]
    today: str
    policy: str
    """SHA-256 of the policy's file."""
    inputs: dict[str, str]
    """SHA-256 by name of everything that the statement rests on."""


def verify_comparison(
    out: Path,
    run_differences: Callable[[Run], Iterator[str]],
    *,
    base: Path | None = None,
    new: Path | None = None,
) -> list[str]:
    """Rebuild a comparison from its runs and return what differs; an empty list if nothing does.

    Args:
        out: the folder that ``compare`` wrote.
        run_differences: yields where a run's folder is not what its system, suite and raw log make it.
        base: the run of the base, if it no longer lies where ``runs.toml`` says.
        new: the run of the release, likewise.
    """
    found: list[str] = []
    try:
        before, after = (
            _as_stated(load_run(root), out, side) for side, root in _places(out, base, new).items()
        )
        for side, run in (("base", before), ("new", after)):
            found += [f"{side}: {difference}" for difference in run_differences(run)]
        given = _given(out)
        if file_digest(out / POLICY) != given.policy:
            found.append(f"{POLICY}: is not the policy that the statement names")
        migration = out / MIGRATION if (out / MIGRATION).is_file() else None
        compared = compare(
            before, after, out / POLICY, migration=migration, waivers=given.waivers, today=given.today
        )
        found += _file_differences(out, documents(compared))
    except InputError as error:
        # A damaged or edited file is what verification is there to find, not a user's mistake.
        found.append(str(error))
    return found


def _places(out: Path, base: Path | None, new: Path | None) -> dict[str, Path]:
    """Return the folder of each run by its side."""
    if base is not None and new is not None:
        return {"base": run_folder(base), "new": run_folder(new)}
    places = read_toml(out / PLACES, Places)
    return {
        "base": run_folder(base) if base else out / places.base,
        "new": run_folder(new) if new else out / places.new,
    }


def _as_stated(run: Run, out: Path, side: str) -> Run:
    """Return a run with the ledger of its suite as the statement names it: what came later rewrites no result.

    Raises:
        IntegrityError: the ledger does not begin with the one that the statement names.
    """
    name = f"{side}: {NAMED}"
    ledger = beginning(run.suite.ledger, _given(out).inputs.get(name, ""))
    if ledger is None:
        raise IntegrityError(
            f"names a ledger as {name} with which the one at hand does not begin", path=out / STATEMENT
        )
    return replace(run, suite=replace(run.suite, ledger=ledger))


def _given(out: Path) -> _Given:
    path = out / STATEMENT
    try:
        predicate = msgspec.json.decode(read_bytes(path))["predicate"]
        given = {
            "waivers": predicate["waivers"]["given"],
            "today": predicate["waivers"]["today"],
            "policy": predicate["policy"]["sha256"],
            "inputs": {item["name"]: item["sha256"] for item in predicate["inputs"]},
        }
        return msgspec.convert(given, _Given)
    except (msgspec.MsgspecError, UnicodeDecodeError, LookupError, TypeError) as error:
        raise InputError("not a statement on a comparison", path=path) from error


def _file_differences(out: Path, made: dict[str, bytes]) -> Iterator[str]:
    for name in made.keys() | set(NAMES):
        path = out / name
        if not path.is_file():
            yield f"{name}: is missing"
        else:
            yield from document_differences(name, read_bytes(path), made[name])
