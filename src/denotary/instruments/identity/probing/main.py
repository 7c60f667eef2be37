"""Planning, asking and reading probes in one step, and the files that hold what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from denotary.canonical import canonical_json
from denotary.errors import InputError
from denotary.files import encode_jsonl, write_atomic
from denotary.instruments.identity.probing.asking import run
from denotary.instruments.identity.probing.findings import findings, folds
from denotary.instruments.identity.probing.plan import plan
from denotary.reports.probed import RESULT, Finding, Probed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from denotary.instruments.identity.probing.records import Shown
    from denotary.registry import Registry
    from denotary.systems.base import BlockingSystem, System

PAGE: Final = "probes.html"
LINES: Final = "probes.jsonl"


def probe(
    system: System | BlockingSystem,
    registry: Registry,
    *,
    declared: str = "",
    timeout: float = 30.0,
) -> tuple[Probed, tuple[Shown, ...]]:
    """Ask a system the probes of a registry.

    Args:
        system: the black box.
        registry: variants are made from its reviewed expressions.
        declared: what the owner says of normalisation.
        timeout: seconds that one call may take.

    Returns:
        What the answers show, and the answers.

    Raises:
        InputError: the system compares two texts, and no probe has a second one.
        UnreachableError: nothing answered at all.
    """
    if system.descriptor.kind == "encoder":
        raise InputError(
            f"{system.descriptor.spec} compares two texts, and probes ask one text for its concept",
            hint="denotary similarity audit describes what a score of pairs does",
        )
    shown = run(system, plan(registry), timeout=timeout)
    described: dict[str, Any] = msgspec.to_builtins(system.descriptor)
    parameters = described.get("rule_parameters", {})
    nonsense, *rest = findings(shown, pinned=parameters.get("pinned"))
    threshold = _threshold(parameters, nonsense)
    made = Probed(
        schema="denotary.probes/1",
        registry=f"{registry.name} {registry.version}",
        registry_hash=registry.hash if registry.is_frozen else "",
        system=described,
        declared=declared,
        findings=(nonsense, threshold, *rest),
        folds=folds(shown),
        probes=len(shown),
        unanswered=sum(one.status != "answered" for one in shown),
    )
    return made, shown


def _threshold(parameters: Mapping[str, str], nonsense: Finding) -> Finding:
    """Return what is known of the threshold: as declared, and whether nonsense passes it."""
    values = {name: value for name, value in parameters.items() if "threshold" in name}
    said = ", ".join(f"{name} = {value}" for name, value in values.items()) or "none is declared: unset"
    return Finding(
        id="threshold",
        title="Threshold",
        state="noted",
        count=nonsense.count,
        asked=nonsense.asked,
        meaning=f"{said}; with it {nonsense.count} of {nonsense.asked} nonsense texts pass",
    )


def write(made: Probed, shown: tuple[Shown, ...], out: Path) -> None:
    """Write the lines, the result and the page into a folder; equal answers give equal bytes.

    Raises:
        StorageError: the folder cannot be written to.
    """
    from denotary.reports.page import rendered

    write_atomic(out / LINES, encode_jsonl(shown))
    write_atomic(out / PAGE, rendered("probes.html", probed=made).encode())
    write_atomic(out / RESULT, canonical_json(made) + b"\n")
