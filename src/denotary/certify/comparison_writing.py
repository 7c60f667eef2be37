"""Everything that comparing writes, made from a comparison by one pure function."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from denotary.canonical import canonical_json
from denotary.certify.comparison_statement import statement
from denotary.certify.comparison_summary import markdown
from denotary.certify.junit_xml import junit
from denotary.certify.writing import POLICY, refuse_others, write_signed
from denotary.files import encode_jsonl, encode_toml, remove
from denotary.records import Record

if TYPE_CHECKING:
    from pathlib import Path

    from denotary.certify.comparing import Compared
    from denotary.certify.signing import Signer

STATEMENT: Final = "comparison.json"
REPORT: Final = "report.html"
MIGRATION: Final = "migration.jsonl"
"""The migration records, where they were given and are not those of the new registry."""
PLACES: Final = "runs.toml"
"""Where both runs lie, as seen from the output folder; no part of the result, which names them by digest."""
NAMES: Final = (
    POLICY,
    "rows.jsonl",
    "comparisons.jsonl",
    "verdict.json",
    STATEMENT,
    REPORT,
    "summary.md",
    "junit.xml",
)


class Places(Record, frozen=True):
    """``runs.toml``: where the runs of a comparison lie, relative to its folder."""

    base: str
    new: str


def documents(compared: Compared) -> dict[str, bytes]:
    """Return the content of every document by file name. Equal inputs give equal bytes."""
    from denotary.certify.comparison_reporting import report
    from denotary.reports.comparison_page import html

    verdict, measurement = compared.verdict, compared.measurement
    made = {
        POLICY: compared.policy_source,
        "rows.jsonl": measurement.rows_jsonl(),
        "comparisons.jsonl": encode_jsonl(measurement.comparisons),
        "verdict.json": canonical_json(verdict) + b"\n",
        STATEMENT: canonical_json(statement(compared)) + b"\n",
        REPORT: html(report(compared)).encode(),
        "summary.md": markdown(compared).encode(),
        "junit.xml": junit(verdict),
    }
    return made if compared.migrations is None else made | {MIGRATION: encode_jsonl(compared.migrations)}


def write_comparison(compared: Compared, out: Path, *, signer: Signer | None = None) -> None:
    """Write every document into a folder, the statement last, and its signature after it.

    Args:
        compared: a comparison.
        out: the folder.
        signer: signs the statement. Without one, a signature that stands there is taken away, unless it is of this
            same statement.

    Raises:
        InputError: the folder holds other files and nothing that comparing wrote.
        StorageError: the folder cannot be written to.
    """
    refuse_others(out, (STATEMENT,), "compare")
    made = documents(compared) | {PLACES: encode_toml(_places(compared, out))}
    if MIGRATION not in made:
        remove(out / MIGRATION)
    write_signed(made, out, STATEMENT, signer)


def _places(compared: Compared, out: Path) -> dict[str, str]:
    """Return where the runs lie. Relative paths let all of it be moved together, and hold no machine's layout."""
    runs = {"base": compared.base.root, "new": compared.new.root}
    return {
        side: os.path.relpath(root.resolve(), out.resolve()).replace(os.sep, "/")
        for side, root in runs.items()
    }
