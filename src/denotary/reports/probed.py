"""What probes of a system showed, as every page says it; no gate reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from denotary.files import read_bytes
from denotary.records import Record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

RESULT: Final = "probes.json"

State = Literal["seen", "sometimes", "not seen", "not expressible", "nothing to ask", "noted"]
"""``seen``: in every probe that was sent; ``sometimes``: in some; ``nothing to ask``: there is no such probe."""


class Finding(Record, frozen=True, kw_only=True, omit_defaults=False):
    """What one family of probes shows."""

    id: str
    title: str
    state: State
    count: int
    """Probes that showed it."""
    asked: int
    """Probes, or pairs of them, that could show it."""
    meaning: str


class Probed(Record, frozen=True, kw_only=True, omit_defaults=False):
    """``probes.json``: everything that the page says."""

    schema: Literal["denotary.probes/1"]
    registry: str
    registry_hash: str
    system: dict[str, Any]
    declared: str
    """What the owner says of normalisation; empty if nothing."""
    findings: tuple[Finding, ...]
    folds: tuple[Finding, ...]
    """Observed normalisation: changes of a registered text that the system undoes, silently."""
    probes: int
    unanswered: int

    @property
    def rule(self) -> dict[str, str]:
        """What is declared of the system, name to text."""
        held = {name: value for name, value in self.system.items() if isinstance(value, str) and value}
        for group in ("rule_parameters", "dispositions"):
            held |= {name: str(value) or "(empty)" for name, value in self.system.get(group, {}).items()}
        return held


def probed_in(out: Path, system: Mapping[str, Any], registry_hash: str) -> Probed | None:
    """Return what the probes in a folder showed of a system; None where there are none, or they are not of it.

    Args:
        out: the folder.
        system: the description of the system, as in the run's header.
        registry_hash: SHA-256 of the frozen registry that the probes must be made from.

    Raises:
        StorageError: the file cannot be read.
    """
    path = out / RESULT
    if not path.is_file():
        return None
    try:
        found = msgspec.json.decode(read_bytes(path), type=Probed)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    same = all(found.system.get(name) == system.get(name) for name in ("kind", "spec", "rule_hash"))
    return found if same and found.registry_hash == registry_hash else None
