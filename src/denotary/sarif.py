"""The frame of a SARIF 2.1.0 log, whatever it reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from denotary.canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Sequence


def sarif_log(
    rules: Sequence[dict[str, Any]], results: Sequence[dict[str, Any]], *, version: str, **run: Any
) -> bytes:
    """Return a log of one run as canonical JSON.

    Args:
        rules: reporting descriptors.
        results: what was found, each naming its rule.
        version: of denotary.
        run: further properties of the run.
    """
    driver = {"name": "denotary", "version": version, "rules": rules}
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results, **run}],
    }
    return canonical_json(log) + b"\n"
