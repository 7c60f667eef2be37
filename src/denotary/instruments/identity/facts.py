"""What gates of the identity instrument read and is no rate."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from denotary.instruments.identity.conformance import uncovered
from denotary.instruments.identity.declared import day, declared_threshold
from denotary.instruments.identity.needed import NEEDED
from denotary.instruments.identity.review import review_sufficient
from denotary.instruments.identity.tally import confusions
from denotary.instruments.identity.tracks import FAMILY, semantic
from denotary.measures.records import Fact
from denotary.suites.split_recording import recorded_splits
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from denotary.measures.table import Table
    from denotary.runs.records import Identity
    from denotary.suites.split_records import SplitEvidence
    from denotary.suites.suite import Suite

CONTROLS: Final = ("near_duplicates", "contamination_scan", "separation")
"""Leakage controls that the manifest declares, beside the split check that the ledger records: no case has a near
duplicate on the other side, by meaning too; training and prompt corpora were scanned; whoever built the system could
not see the cases."""

CRITICAL_ERROR: Final = "critical_error"
"""Key under which the manifest's controls name the critical error of the use case."""

_SHA256: Final = re.compile(r"\b[0-9a-f]{64}\b")
_SUPPORTS: Final = {"public-diagnostic": ("certification", "qualification")}
"""What the recorded split check must support, for roles that need less than certification."""
_LISTED: Final = 5
"""Names listed in a sentence; the others are counted."""


def facts(suite: Suite, table: Table, identity: Identity) -> tuple[Fact, ...]:
    """Return every fact, whatever the policy reads.

    Args:
        suite: the suite.
        table: its table, as measured.
        identity: what the owner of the system declared.
    """
    found = (
        _conformance_complete(suite, table),
        _repeats_complete(table),
        _registry_frozen(suite),
        _no_systematic_cluster(table),
        _calibration_fixed(table, identity),
        _leakage_audit(suite, calibrated=bool(identity.acceptance_threshold)),
        review_sufficient(suite, table),
        _critical_error_named(suite),
    )
    return tuple(fact.told_by(NEEDED) for fact in found)


def _fact(name: str, detail: str, *, holds: bool | None) -> Fact:
    return Fact(name=name, holds=holds, detail=detail)


def _conformance_complete(suite: Suite, table: Table) -> Fact:
    """Whether every expression and declared ambiguity of the snapshot is asked, with its gold."""
    name = "conformance_complete"
    expected = len(suite.registry.authorised) + len(suite.registry.ambiguities)
    if not suite.registry.authorised:
        return _fact(name, "the registry holds no reviewed expression", holds=None)
    if not table.is_label("family", FAMILY).any():
        return _fact(name, "the suite asks no reviewed expression", holds=False)
    missing = uncovered(suite)
    if missing:
        detail = f"{len(missing)} of {expected} expressions and ambiguities are not asked: {_some(missing)}"
        return _fact(name, detail, holds=False)
    misses = int(table.is_label("disposition", "EXACT_MISS").sum())
    detail = (
        f"all {expected} expressions and ambiguities of the snapshot are asked, and {misses} listed misses"
    )
    return _fact(name, detail, holds=True)


def _repeats_complete(table: Table) -> Fact:
    """Whether every listed text was planned more than once."""
    listed = table.is_label("family", FAMILY)
    total, again = int(listed.sum()), int((listed & table.flag("repeated")).sum())
    detail = f"{again:,} of {plural(total, 'listed text')} asked more than once"
    return _fact("repeats_complete", detail, holds=again == total if total else None)


def _registry_frozen(suite: Suite) -> Fact:
    frozen = suite.registry.is_frozen
    detail = (
        f"the registry is frozen as {suite.registry.snapshot_id}" if frozen else "the registry is a draft"
    )
    return _fact("registry_frozen", detail, holds=frozen)


def _no_systematic_cluster(table: Table) -> Fact:
    """Whether no ordered pair of a right and a given code was confused in two or more independent units.

    Where no code is right, the pair is of the disposition and a neighbour that the cases name.
    """
    name = "no_systematic_cluster"
    found = [cell for cell in confusions(table) if cell.units > 1]
    if found:
        pairs = [f"{cell.expected} taken for {cell.answered} in {cell.units} units" for cell in found]
        detail = f"{plural(len(found), 'ordered pair')} confused in two or more units: {_some(pairs)}"
        return _fact(name, detail, holds=False)
    confusable = table.is_label("disposition", "SINGLE") | table.flag("has_neighbours")
    if not (semantic(table.coded["family"]) & table.flag("answered") & confusable).any():
        return _fact(name, "no text with one right code or a named neighbour was answered", holds=None)
    return _fact(name, "no ordered pair is confused in more than one unit", holds=True)


def _calibration_fixed(table: Table, identity: Identity) -> Fact:
    """Whether threshold and calibration were declared, fixed before the cases were opened, and kept to.

    The days are the owner's word, like the rest of the identity block: the certificate holds them, no clock is read.
    """
    name = "calibration_fixed"
    if not identity.acceptance_threshold or not _SHA256.search(identity.calibration):
        detail = "the identity block must name the acceptance threshold and the SHA-256 of its calibration"
        return _fact(name, detail, holds=None)
    threshold = declared_threshold(identity)
    if threshold is None:
        detail = "the declared acceptance threshold is no number in [0, 1], where confidences lie"
        return _fact(name, detail, holds=None)
    # Written so that a code without a confidence counts: NaN is not above any threshold.
    judged = semantic(table.coded["family"]) & table.flag("assigned")
    broken = int((judged & ~(table.plain["confidence"] >= threshold)).sum())
    if broken:
        detail = f"{broken} codes were assigned without a confidence of the declared {threshold:g} or more"
        return _fact(name, detail, holds=False)
    fixed, opened = day(identity.threshold_fixed_on), day(identity.test_date)
    if fixed is None or opened is None:
        detail = (
            "the identity block must say in threshold_fixed_on and test_date, as ISO dates, when the threshold was "
            "fixed and the cases opened"
        )
        return _fact(name, detail, holds=None)
    if fixed >= opened:
        later = f"the threshold was fixed on {fixed}, and the cases were opened on {opened}"
        # Which came first within one day is not known.
        return _fact(name, later, holds=False if fixed > opened else None)
    detail = (
        f"threshold {threshold:g} was fixed with its calibration on {fixed}, before the cases were opened on {opened}, "
        "and no answer breaks it"
    )
    return _fact(name, detail, holds=True)


def _leakage_audit(suite: Suite, *, calibrated: bool = False) -> Fact:
    """Whether no case was disclosed, no family crosses, by record, and the other controls were carried out."""
    name = "leakage_audit"
    spent = suite.spent
    if spent:
        detail = (
            f"{plural(len(spent), 'case')} of disclosed units are no fresh evidence: {_some(sorted(spent))}"
        )
        return _fact(name, detail, holds=False)
    splits = recorded_splits(suite)
    enough = _SUPPORTS.get(suite.manifest.role, ("certification",))
    weak = [split for split in splits if split.supports not in enough]
    if weak:
        found = "; ".join(f"{split.supports} against {_some(_others(suite, [split]))}" for split in weak)
        # A crossing was seen; a check of too few keys has seen none, and shows too little.
        crossed = any(split.crossings or split.supports == "nothing" for split in weak)
        return _fact(name, f"the recorded split checks support: {found}", holds=False if crossed else None)
    declared = suite.manifest.controls
    missing = [control for control in CONTROLS if not declared.get(control, "").strip()]
    lacking = _unchecked(splits, calibrated=calibrated)
    if lacking or missing:
        undeclared = [f"not declared in the manifest's controls: {_some(missing)}"] if missing else []
        return _fact(name, "; ".join((*lacking, *undeclared)), holds=None)
    similarity = max(split.similarity for split in splits)
    detail = "; ".join(f"{control}: {declared[control]}" for control in CONTROLS)
    against = ", ".join(_others(suite, splits))
    detail = f"no family crosses to {against}, texts compared at a similarity of {similarity:g}; {detail}"
    return _fact(name, detail, holds=True)


def _others(suite: Suite, splits: Iterable[SplitEvidence]) -> list[str]:
    """Return the names of the suites on the other side, each once."""
    sides = (item for split in splits for item in split.suites if item.role != suite.manifest.role)
    return list(dict.fromkeys(item.name for item in sides))


def _unchecked(splits: Sequence[SplitEvidence], *, calibrated: bool) -> list[str]:
    """Return which split checks a suite wants for; a declared threshold was chosen on calibration cases."""
    if not splits:
        return ["no split check of this content is recorded in the ledger"]
    if calibrated and not any(item.role == "calibration" for split in splits for item in split.suites):
        return ["no recorded split check holds a calibration suite, and the run declares a threshold"]
    return []


def _critical_error_named(suite: Suite) -> Fact:
    named = suite.manifest.controls.get(CRITICAL_ERROR, "").strip()
    detail = (
        f"the critical error of the use case: {named}" if named else f"controls.{CRITICAL_ERROR} names none"
    )
    return _fact("critical_error_named", detail, holds=True if named else None)


def _some(names: list[str] | tuple[str, ...]) -> str:
    rest = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + rest
