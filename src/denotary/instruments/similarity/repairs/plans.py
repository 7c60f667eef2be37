"""Pre-registration: a plan is hashed before the run, and a plan that changed since is found out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from denotary.canonical import sha256
from denotary.errors import InputError, IntegrityError
from denotary.files import encode_toml, read_bytes, read_toml, write_atomic
from denotary.instruments.similarity.repairs.records import RegisteredPlan, RepairPlan, RepairReport
from denotary.instruments.similarity.repairs.reporting import bar_rows, prediction_rows

if TYPE_CHECKING:
    from pathlib import Path

    from denotary.instruments.similarity.repairs.records import Bar, Prediction

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


def register(path: Path) -> RegisteredPlan:
    """Check a plan and write its SHA-256 beside it, as ``NAME.lock.toml``.

    Raises:
        InputError: the plan is malformed or names what it does not define, a digest in it can be none, or it is of
            version 1 and was not registered before.
        IntegrityError: another content of this plan is registered already.
    """
    plan = read_plan(path)
    _require_digests(plan, path)
    lock = RegisteredPlan(
        schema="denotary.repair-plan-lock/1", name=plan.name, plan_sha256=sha256(read_bytes(path))
    )
    place = lock_path(path)
    if plan.held_against == "value" and not place.exists():
        raise InputError(
            "is a plan of version 1, whose bars are held against values without their intervals",
            path=path,
            hint='schema = "denotary.repair-plan/2" holds them against the lower ends',
        )
    if place.exists() and read_toml(place, RegisteredPlan) != lock:
        raise IntegrityError(
            "was registered with another content",
            path=path,
            hint="a changed plan is a new one: give it a new file",
        )
    content = {"schema": lock.schema, "name": lock.name, "plan_sha256": lock.plan_sha256}
    write_atomic(place, encode_toml(content))
    return lock


def _require_digests(plan: RepairPlan, path: Path) -> None:
    """Refuse what no file can have as its digest; a run of it could only fail.

    Raises:
        InputError: one is not 64 hex digits in lower case.
    """
    given = [(f"the digest of the repair {name!r}", digest) for name, digest in plan.repairs.items()]
    for corpus in plan.corpora:
        pins = (("sha256", corpus.sha256), ("pairs_sha256", corpus.pairs_sha256))
        given += [(f"{key} of the corpus {corpus.name!r}", digest) for key, digest in pins if digest]
    for what, digest in given:
        if _DIGEST.fullmatch(digest) is None:
            raise InputError(
                f"{what} must be 64 hex digits in lower case, found {digest!r}",
                path=path,
                hint="`similarity repair fit` prints that of a repair, `similarity repair digests` those of corpora",
            )


def registered(path: Path) -> tuple[RepairPlan, str]:
    """Return a registered plan and its SHA-256.

    Raises:
        InputError: the plan is malformed or was not registered.
        IntegrityError: it changed since.
    """
    place = lock_path(path)
    if not place.exists():
        raise InputError("is not registered", path=path, hint="denotary similarity repair register PLAN")
    found = sha256(read_bytes(path))
    if found != read_toml(place, RegisteredPlan).plan_sha256:
        raise IntegrityError(
            "changed since it was registered", path=path, hint="restore it, or register a new plan"
        )
    return read_plan(path), found


def read_report(data: bytes, path: Path) -> RepairReport:
    """Return the report in the bytes of a file.

    Raises:
        InputError: it is none.
    """
    try:
        return msgspec.json.decode(data, type=RepairReport)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise InputError("is no report of repairs", path=path) from None


def require_unchanged(report: RepairReport, path: Path) -> None:
    """Check that a report is one of this plan as it stands, and that its bars and predictions follow from its figures.

    The figures themselves can only be had again by judging again.

    Raises:
        IntegrityError: the plan changed after the run, or is another one, or the report was edited.
    """
    plan, found = registered(path)
    if found != report.plan_sha256:
        raise IntegrityError("is not the plan of this report: it changed after the run", path=path)
    bars = list(bar_rows(plan.bars, report.judged, plan.held_against))
    if report.schema == "denotary.repair-report/1":
        # Its bars stand without the lower end.
        bars = [msgspec.structs.replace(bar, low=None) for bar in bars]
    if (plan.repairs, plan.held_against, bars) != (report.repairs, report.held_against, [*report.bars]) or [
        *prediction_rows(plan.predictions, report.judged)
    ] != [*report.predictions]:
        raise IntegrityError(
            "is not what the report says of its repairs, bars and predictions: the report was edited",
            path=path,
        )


def lock_path(path: Path) -> Path:
    """Return where the lock of a plan lies."""
    return path.with_name(f"{path.stem}.lock.toml")


def read_plan(path: Path) -> RepairPlan:
    """Return the plan of a file, registered or not.

    Raises:
        InputError: it is malformed or names what it does not define.
    """
    plan = read_toml(path, RepairPlan)
    names = [corpus.name for corpus in plan.corpora]
    if not plan.repairs or not names or len(set(names)) != len(names):
        raise InputError("a plan needs repairs, and corpora with a name of their own each", path=path)
    expected: tuple[Bar | Prediction, ...] = (*plan.bars, *plan.predictions)
    for item in expected:
        if item.repair not in plan.repairs or item.corpus not in names:
            raise InputError(f"nothing is planned of {item.repair!r} on {item.corpus!r}", path=path)
    fitted = {corpus.name for corpus in plan.corpora if corpus.role == "in-sample"}
    idle = [bar for bar in plan.bars if bar.corpus in fitted]
    # A plan of version 1 runs as it was registered.
    if idle and plan.held_against == "lower":
        raise InputError(
            f"a bar on {idle[0].corpus!r}, which was fitted on, puts nothing to the test",
            path=path,
            hint="a bar needs a held-out corpus; write what you expect in-sample as a prediction",
        )
    strange = [pair for pair in plan.comparisons if len({*pair} & plan.repairs.keys()) < len(pair)]
    if strange:
        raise InputError(
            f"a comparison needs two repairs that are planned, found {strange[0][0]!r} and {strange[0][1]!r}",
            path=path,
        )
    wrong = [item for item in plan.predictions if item.low > item.high]
    if wrong:
        raise InputError(f"a prediction of {wrong[0].repair!r} begins above its end", path=path)
    if not any(corpus.role == "in-sample" for corpus in plan.corpora):
        raise InputError("a plan needs the corpus that was fitted on, with the role in-sample", path=path)
    return plan
