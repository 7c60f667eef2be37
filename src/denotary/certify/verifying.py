"""Rebuilding a certificate from the raw run: every figure, or the first places where it differs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from denotary.certify.comparison_verifying import verify_comparison
from denotary.certify.comparison_writing import STATEMENT as COMPARISON
from denotary.certify.differences import SHOWN, document_differences, record_differences
from denotary.certify.judged import judge
from denotary.certify.signing import load_public_key, signature_differences
from denotary.certify.writing import CERTIFICATE, NAMES, POLICY, RUN, documents, probes_beside
from denotary.errors import InputError
from denotary.files import encode_jsonl, file_digest, read_bytes, read_records
from denotary.measures import measure
from denotary.records import Record
from denotary.runs import load_run, plan, rebuild, seal_differences
from denotary.runs.auditing import LogAudit
from denotary.runs.folder import ANSWERS, CALLS, HEADER, PLAN, SALT, SEAL, SEALED, encode_salt, read_salt
from denotary.runs.headers import encode_header
from denotary.runs.records import Answer
from denotary.runs.sealing import encode_seal
from denotary.suites.ledger_checking import NAMED, beginning, certified_ledger
from denotary.systems.adapters.rules import describes
from denotary.systems.base import SystemDescriptor
from denotary.verdicts.records import Waiver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.runs import Run
    from denotary.suites.suite import Suite


class _Given(Record, frozen=True):
    """What a certificate says was given to the judge beside policy and run."""

    given: tuple[Waiver, ...]
    today: str
    policy: str
    """SHA-256 of the policy's file."""


def verify(
    path: Path | str,
    *,
    suite: Suite | None = None,
    key: Path | str | None = None,
    base: Path | None = None,
    new: Path | None = None,
) -> list[str]:
    """Rebuild a certificate, or a comparison, from its raw runs and return what differs; an empty list if nothing does.

    The replies are decoded anew from the raw log, sealed, measured, judged and certified by this version of
    denotary, and every file of the folder must come out byte for byte.

    Args:
        path: the folder that ``certify`` or ``compare`` wrote.
        suite: the suite, if it no longer lies where the run says.
        key: PEM file of an ed25519 public key, whose signature must stand beside the certificate.
        base: of a comparison, the base's run, if it no longer lies where ``runs.toml`` says.
        new: of a comparison, the release's run, likewise.

    Raises:
        InputError: there is no certificate or no run in the folder, or the key cannot be read.
    """
    out = Path(path)
    public = None if key is None else load_public_key(Path(key))
    if (out / COMPARISON).is_file():
        signed = signature_differences(out, public, COMPARISON)
        return [*signed, *verify_comparison(out, _run_differences, base=base, new=new)]
    for name in (CERTIFICATE, f"{RUN}/{HEADER}"):
        if not (out / name).is_file():
            raise InputError(
                f"there is no {name}", path=out, hint="give the folder that certify or compare wrote"
            )
    found = list(signature_differences(out, public))
    try:
        run = load_run(out / RUN, suite=suite)
        ledger = beginning(run.suite.ledger, certified_ledger(out))
        if ledger is None:
            found.append(f"{NAMED}: does not begin with the ledger that the certificate names")
        else:
            # What was recorded later rewrites no result.
            run = replace(run, suite=replace(run.suite, ledger=ledger))
        given = _given(out)
        found += _run_differences(run)
        if file_digest(out / POLICY) != given.policy:
            found.append(f"{POLICY}: is not the policy that the certificate names")
        judged = judge(measure(run), out / POLICY, waivers=given.given, today=given.today)
        found += _file_differences(out, documents(judged, probes_beside(run, out)))
    except InputError as error:
        # A damaged or edited file is what verification is there to find, not a user's mistake.
        found.append(str(error))
    return found


def _given(out: Path) -> _Given:
    path = out / CERTIFICATE
    try:
        content = msgspec.json.decode(read_bytes(path))
        waivers, policy = content["predicate"]["waivers"], content["predicate"]["policy"]["sha256"]
        given = {"given": waivers["given"], "today": waivers["today"], "policy": policy}
        return msgspec.convert(given, _Given)
    except (msgspec.MsgspecError, UnicodeDecodeError, LookupError, TypeError) as error:
        raise InputError("not a certificate", path=path) from error


def _run_differences(run: Run) -> Iterator[str]:
    """Yield where the folder of a run is not what its system, suite and raw log make it."""
    root = run.root
    if not run.complete:
        yield f"{RUN}/{SEAL}: the run is not sealed"
        return
    yield from (f"{RUN}/{name}: is not what the seal says" for name in seal_differences(root))
    yield from (f"{RUN}/{name}: is not what denotary writes for its content" for name in _not_canonical(run))
    if read_bytes(root / PLAN) != encode_jsonl(_planned(run)):
        yield f"{RUN}/{PLAN}: is not the plan of this suite"
    if not _describes_a_system(run.header.system):
        yield f"{RUN}/{HEADER}: does not describe a system"
        return
    audit = LogAudit(run)
    yield from (f"{RUN}/{CALLS}: {problem}" for problem in audit.read(SHOWN))
    rebuilt = rebuild(run)
    yield from record_differences(f"{RUN}/{SEALED}", run.answers, rebuilt, against=CALLS)
    by_call = {answer.call_id: answer for answer in rebuilt}
    arrived = [by_call[name] for name in audit.arrived if name in by_call]
    yield from record_differences(f"{RUN}/{ANSWERS}", _logged(root), arrived, against=CALLS)


def _describes_a_system(content: dict[str, Any]) -> bool:
    if "rule_hash" in content:
        return describes(content)
    try:
        msgspec.convert(content, SystemDescriptor)
    except msgspec.ValidationError:
        return False
    return True


def _logged(root: Path) -> list[Answer]:
    return list(read_records(root / ANSWERS, Answer))


def _not_canonical(run: Run) -> Iterator[str]:
    """Yield the names of files whose content could stand in other bytes than these."""
    made = {
        HEADER: encode_header(run.header),
        SALT: encode_salt(read_salt(run.root)),
        ANSWERS: encode_jsonl(_logged(run.root)),
        SEALED: encode_jsonl(run.answers),
        SEAL: encode_seal(run.root),
    }
    yield from (name for name, data in made.items() if read_bytes(run.root / name) != data)


def _planned(run: Run) -> Any:
    header = run.header
    return plan(run.suite, repeats=header.repeats, repeat_core=header.repeat_core, seed=header.seed)


def _file_differences(out: Path, made: dict[str, bytes]) -> Iterator[str]:
    for name in NAMES:
        path = out / name
        if not path.is_file():
            yield f"{name}: is missing"
        else:
            yield from document_differences(name, read_bytes(path), made[name])
