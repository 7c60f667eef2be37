"""The acceptance threshold, from records that fit never saw, with the guarantee of fixed-sequence testing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.canonical import digest, digest_of_records
from denotary.errors import InputError
from denotary.resolver.semantic.certifying import certified
from denotary.resolver.semantic.features import features
from denotary.resolver.semantic.fitting import checked, text_hash
from denotary.resolver.semantic.head import probabilities
from denotary.resolver.semantic.records import Calibration
from denotary.resolver.semantic.storing import load_fitted, write_calibration
from denotary.statistics.threshold import refuse_shared_records

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from denotary.encoders.base import Encoder
    from denotary.resolver.semantic.records import Example, Model
    from denotary.resolver.semantic.storing import Fitted

    FloatArray = NDArray[np.float64]
    IntArray = NDArray[np.int64]
    BoolArray = NDArray[np.bool_]

REFUSED: Final = -1.0
"""Stands for the confidence of an answer that the difference checks refuse."""


def calibrate(
    folder: Path,
    examples: Sequence[Example],
    *,
    limit: float,
    unknown_limit: float | None = None,
    delta: float = 0.05,
    unknown_share: float | None = None,
    encoder: Encoder | None = None,
) -> Calibration:
    """Choose the threshold of a fitted lane and write ``calibration.json``; that none qualifies is a result too.

    Args:
        folder: of the fitted lane.
        examples: calibration records, with ids, texts and units that fit never saw. Records of one unit count as one.
        limit: what the assignment risk must stay below.
        unknown_limit: what the share of unknown texts that are accepted must stay below.
        delta: chance that the threshold violates a limit.
        unknown_share: share of unknown texts that the risk is stated at; None for the share as found.
        encoder: the encoder, if it is loaded already.

    Raises:
        InputError: fit saw a record, its text or a sibling of its unit, or its code is none that the lane can be asked
            about.
    """
    fitted = load_fitted(folder, encoder)
    records = _fresh(fitted.model, examples)
    confidence, right, unknown, refused = _judged(fitted, records)
    units = _units(records)
    threshold = certified(
        confidence,
        right,
        unknown,
        units,
        limit=limit,
        unknown_limit=unknown_limit,
        delta=delta,
        share=unknown_share,
    )
    threshold = None if threshold is None else max(threshold, 0.0)
    accepted = confidence >= (np.inf if threshold is None else threshold)
    calibration = Calibration(
        schema="denotary.semantic-calibration/1",
        model_hash=fitted.model.hash,
        registry=fitted.model.registry,
        encoder_hash=fitted.model.encoder_identity.hash,
        examples_hash=digest_of_records([digest(record) for record in records]),
        threshold=threshold,
        limit=limit,
        unknown_limit=unknown_limit,
        delta=delta,
        unknown_share=unknown_share,
        **_counts(accepted, right, unknown, refused),
        content_sha256="",
        units=None if units is None else int(units.max()) + 1,
    )
    return write_calibration(folder, calibration)


def _counts(accepted: BoolArray, right: BoolArray, unknown: BoolArray, refused: BoolArray) -> dict[str, int]:
    return {
        "known": int((~unknown).sum()),
        "unknown": int(unknown.sum()),
        "accepted_known": int((accepted & ~unknown).sum()),
        "wrong_known": int((accepted & ~unknown & ~right).sum()),
        "accepted_unknown": int((accepted & unknown).sum()),
        "refused_known": int((refused & ~unknown).sum()),
        "refused_unknown": int((refused & unknown).sum()),
    }


def _fresh(model: Model, examples: Sequence[Example]) -> list[Example]:
    """Return the records after checks; nothing of them may have been seen by fit."""
    records = checked(examples, model.codes)
    refuse_shared_records(fit=model.fit_ids, calibration=[record.id for record in records])
    units = [record.unit for record in records if record.unit is not None]
    refuse_shared_records(fit=model.fit_units, calibration=units)
    seen = set(model.fit_texts)
    for record in records:
        if text_hash(record.text) in seen:
            raise InputError("fit has seen this text", record=record.id, hint="leave it out of calibration")
    return records


def _judged(fitted: Fitted, records: Sequence[Example]) -> tuple[FloatArray, BoolArray, BoolArray, BoolArray]:
    """Return of each record the confidence of the answer, whether it is right, unknown, and refused by the checks.

    What is refused comes last in the walk along the thresholds, and counts as wrong there. If the walk passes even
    so, the rest passes alone: b wrong of n accepted is no more than b + r of n + r.
    """
    found = probabilities(
        features([record.text for record in records], fitted.encoder, fitted.ngrams), fitted.weights
    )[:, : len(fitted.model.codes)]
    answers = [fitted.model.codes[at] for at in found.argmax(axis=1)] if records else []
    asked = list(zip(records, answers, strict=True))
    refused = np.asarray(
        [bool(fitted.checks.refusal(r.text, code, fitted.language_of(r.language))) for r, code in asked],
        dtype=np.bool_,
    )
    right = np.asarray([code == r.code for r, code in asked], dtype=np.bool_) & ~refused
    unknown = np.asarray([record.code is None for record in records], dtype=np.bool_)
    return np.where(refused, REFUSED, found.max(axis=1, initial=0.0)), right, unknown, refused


def _units(records: Sequence[Example]) -> IntArray | None:
    """Return the code of each record's unit, shape (n,); None if every record is a unit by itself."""
    names = [f"u {record.unit}" if record.unit is not None else f"r {record.id}" for record in records]
    if len(set(names)) == len(names):
        return None
    codes: IntArray = np.unique(names, return_inverse=True)[1].astype(np.int64)
    return codes
