"""A suite in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from denotary.errors import IntegrityError
from denotary.suites.instrument import instrument
from denotary.suites.keys import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from denotary.registry import Registry
    from denotary.suites.instrument import Instrument
    from denotary.suites.records import Case, LedgerEntry, Manifest, SuiteLock


@dataclass(frozen=True, slots=True, repr=False)
class Suite:
    """What is right, case by case, against one registry. Its repr shows no text.

    Attributes:
        manifest: the content of ``suite.toml``.
        cases: in the order of ``cases.jsonl``.
        units: the independent unit of each case, aligned with ``cases``.
        lines: the line of each case in ``cases.jsonl``, counted from 1, aligned with ``cases``.
        registry: the registry that the gold refers to.
        lock: what freezing wrote, or None for a draft.
        ledger: freezes, corrections and disclosures, oldest first.
        root: the folder.
        by_id: case by record id.
    """

    manifest: Manifest
    cases: tuple[Case, ...]
    units: tuple[str, ...]
    lines: tuple[int, ...]
    registry: Registry
    lock: SuiteLock | None
    ledger: tuple[LedgerEntry, ...]
    root: Path
    by_id: Mapping[str, Case] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {case.record_id: case for case in self.cases})

    def __repr__(self) -> str:
        state = "draft" if self.lock is None else f"sha256:{self.lock.hash}"
        return f"<Suite {self.name} {self.version} {state} {len(self.cases)} cases>"

    @property
    def name(self) -> str:
        """Name of the suite."""
        return self.manifest.name

    @property
    def version(self) -> str:
        """Semantic version of the suite."""
        return self.manifest.version

    @property
    def is_frozen(self) -> bool:
        """Whether the suite has a lock."""
        return self.lock is not None

    @property
    def hash(self) -> str:
        """SHA-256 that names this content of the suite.

        Raises:
            IntegrityError: the suite is not frozen.
        """
        return self._frozen().hash

    @property
    def identifier(self) -> str:
        """``name version sha256:hash``, the suite's name in every report.

        Raises:
            IntegrityError: the suite is not frozen.
        """
        return self._frozen().identifier

    @property
    def instrument(self) -> Instrument:
        """The instrument that the manifest names."""
        return instrument(self.manifest.instrument)

    @property
    def disclosed(self) -> frozenset[str]:
        """Ids of the records whose content was disclosed, also of those that were withdrawn since."""
        return frozenset(entry.record for entry in self.ledger if entry.kind == "disclosure" and entry.record)

    @property
    def spent(self) -> frozenset[str]:
        """Ids of the cases here that are no fresh evidence: disclosed, or of a unit that held a record that was."""
        disclosed = self.disclosed
        if not disclosed:
            return disclosed
        seeds = {seed for entry in self.ledger if entry.kind == "disclosure" for seed in _seeds(entry)}
        known = {
            unit
            for case, unit in zip(self.cases, self.units, strict=True)
            if case.record_id in disclosed or shown(case.semantic_seed_id) in seeds
        }
        return frozenset(
            case.record_id for case, unit in zip(self.cases, self.units, strict=True) if unit in known
        )

    def _frozen(self) -> SuiteLock:
        if self.lock is None:
            raise IntegrityError(
                "the suite is not frozen, so its content has no name",
                path=self.root,
                hint="freeze it: denotary suite freeze FOLDER",
            )
        return self.lock


def _seeds(entry: LedgerEntry) -> Iterable[str]:
    """Return the semantic seeds of the unit that a record was disclosed in."""
    return entry.new.get("unit", ()) if isinstance(entry.new, dict) else ()
