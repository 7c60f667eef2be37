"""Everything that certifying writes beside the raw run, made from a judged run by one pure function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import denotary
from denotary.canonical import canonical_json
from denotary.certify.junit_xml import junit
from denotary.certify.sarif_log import sarif
from denotary.certify.statement import certificate, system_name
from denotary.certify.summary import markdown
from denotary.errors import InputError
from denotary.files import read_bytes, remove, storage_error, write_atomic
from denotary.reports.probed import probed_in
from denotary.runs.folder import HEADER
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from denotary.certify.judged import Judged
    from denotary.certify.signing import Signer
    from denotary.reports.probed import Probed
    from denotary.runs import Run

RUN: Final = "run"
"""Folder of the raw run within the output folder."""

CERTIFICATE: Final = "certificate.json"
ENVELOPE: Final = "certificate.dsse.json"
"""The certificate again with a signature, where one was asked for."""
POLICY: Final = "policy.toml"
NAMES: Final = (
    POLICY,
    "rows.jsonl",
    "verdict.json",
    CERTIFICATE,
    "report.html",
    "summary.md",
    "junit.xml",
    "gates.sarif",
)


def documents(judged: Judged, probed: Probed | None = None) -> dict[str, bytes]:
    """Return the content of every document by file name, in the order of ``NAMES``.

    Equal inputs give equal bytes; the report alone shows times, which it reads from the raw log.

    Args:
        judged: a judged run.
        probed: what probes of the same system showed; the report alone tells.
    """
    from denotary.certify.reporting import report
    from denotary.reports import html
    from denotary.reports.operating import operating_point

    verdict, measurement = judged.verdict, judged.measurement
    summary = markdown(
        verdict,
        judged.policy,
        subject=system_name(judged.run.header),
        suite=measurement.suite.identifier,
        registry=measurement.snapshot_id,
        standings=judged.standings,
        operating=operating_point(judged.run.header.identity.acceptance_threshold, measurement.rows),
    )
    return {
        POLICY: judged.policy_source,
        "rows.jsonl": measurement.rows_jsonl(),
        "verdict.json": canonical_json(verdict) + b"\n",
        CERTIFICATE: canonical_json(certificate(judged)) + b"\n",
        "report.html": html(report(judged, probed=probed)).encode(),
        "summary.md": summary.encode(),
        "junit.xml": junit(verdict),
        "gates.sarif": sarif(verdict, judged.policy, version=denotary.__version__),
    }


def is_signed(out: Path, signed: str = CERTIFICATE) -> bool:
    """Return whether a signature stands beside the certificate of a folder; whose it is, ``verify`` can say."""
    return (out / envelope_of(signed)).is_file()


def envelope_of(signed: str) -> str:
    """Return the name of the file that holds a certificate, or another statement, again with a signature."""
    return f"{signed.removesuffix('.json')}.dsse.json"


def refuse_others(
    out: Path, ours: Sequence[str] = (CERTIFICATE, f"{RUN}/{HEADER}"), by: str = "certify"
) -> None:
    """Refuse a folder that holds files and nothing that denotary wrote there: they might be overwritten.

    Args:
        out: the output folder; it need not exist.
        ours: files of which one shows that the folder is an output folder of ours.
        by: what would have written them.

    Raises:
        InputError: it does.
        StorageError: it cannot be read.
    """
    try:
        held = {path.name for path in out.iterdir()} - {RUN}
        known = any((out / name).exists() for name in ours)
    except FileNotFoundError:
        return
    except OSError as error:
        raise storage_error(out, error) from error
    if not known and held:
        raise InputError(
            f"the folder holds {plural(len(held), 'other file')} and nothing that {by} wrote",
            path=out,
            hint="choose an empty or a new folder",
        )


def write_documents(judged: Judged, out: Path, *, signer: Signer | None = None) -> None:
    """Write every document into a folder, the certificate last, and its signature after it.

    Probes of the same system that stand in the folder are told in the report.

    Args:
        judged: a judged run.
        out: the folder.
        signer: signs the certificate. Without one, a signature that stands there is taken away, unless it is of
            this same certificate.

    Raises:
        InputError: the folder holds other files and nothing that certify wrote.
        StorageError: the folder cannot be written to.
    """
    refuse_others(out)
    write_signed(documents(judged, probes_beside(judged.run, out)), out, CERTIFICATE, signer)


def probes_beside(run: Run, out: Path) -> Probed | None:
    """Return what the probes in an output folder showed of the system and registry of a run; None without such."""
    return probed_in(out, run.header.system, run.suite.registry.hash)


def write_signed(made: dict[str, bytes], out: Path, signed: str, signer: Signer | None) -> None:
    """Write documents into a folder, the one that states the result last, and its signature after it."""
    last = made.pop(signed)
    if not ((out / signed).is_file() and read_bytes(out / signed) == last):
        remove(out / envelope_of(signed))
    for name, content in made.items():
        write_atomic(out / name, content)
    write_atomic(out / signed, last)
    if signer is not None:
        write_atomic(out / envelope_of(signed), signer.envelope(last))
