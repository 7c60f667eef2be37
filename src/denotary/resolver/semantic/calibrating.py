"""The acceptance threshold, from records that fit never saw, with the guarantee of fixed-sequence testing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.canonical import canonical_json, digest, digest_of_records
from denotary.errors import InputError
from denotary.files import write_atomic
from denotary.resolver.semantic.features import features
from denotary.resolver.semantic.fitting import checked, load_fitted, text_hash
from denotary.resolver.semantic.head import probabilities
from denotary.resolver.semantic.records import Calibration
from denotary.statistics import binomial
from denotary.statistics.risk_path import order_cases
from denotary.statistics.threshold import (
    Risk,
    choose_threshold,
    fixed_sequence,
    refuse_shared_records,
    risk_at_share,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from denotary.encoders.base import Encoder
    from denotary.resolver.semantic.fitting import Fitted
    from denotary.resolver.semantic.records import Example

    FloatArray = NDArray[np.float64]
    BoolArray = NDArray[np.bool_]

CALIBRATION: Final = "calibration.json"
REFUSED: Final = -1.0
"""Stands for the confidence of an answer that the difference checks refuse."""
STARTS: Final = 3
"""Walks along the thresholds; each spends its share of delta."""
SPLIT: Final = (0.45, 0.1, 0.45)
"""Parts of delta for wrong and for accepted known texts, and for accepted unknown ones."""


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
        examples: calibration records, with ids and texts that fit never saw.
        limit: what the assignment risk must stay below.
        unknown_limit: what the share of unknown texts that are accepted must stay below.
        delta: chance that the threshold violates a limit.
        unknown_share: share of unknown texts that the risk is stated at; None for the share as found.
        encoder: the encoder, if it is loaded already.

    Raises:
        InputError: a record was seen by fit, or its code is none that the lane can be asked about.
    """
    fitted = load_fitted(folder, encoder)
    records = checked(examples, fitted.model.codes)
    refuse_shared_records(fit=fitted.model.fit_ids, calibration=[record.id for record in records])
    seen = set(fitted.model.fit_texts)
    for record in records:
        if text_hash(record.text) in seen:
            raise InputError("fit has seen this text", record=record.id, hint="leave it out of calibration")
    confidence, right, unknown, refused = _judged(fitted, records)
    threshold = certified(
        confidence, right, unknown, limit=limit, unknown_limit=unknown_limit, delta=delta, share=unknown_share
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
        known=int((~unknown).sum()),
        unknown=int(unknown.sum()),
        accepted_known=int((accepted & ~unknown).sum()),
        wrong_known=int((accepted & ~unknown & ~right).sum()),
        accepted_unknown=int((accepted & unknown).sum()),
        refused_known=int((refused & ~unknown).sum()),
        refused_unknown=int((refused & unknown).sum()),
    )
    write_atomic(folder / CALIBRATION, canonical_json(calibration) + b"\n")
    return calibration


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
    refused = np.asarray([bool(fitted.checks.against(r.text, code)) for r, code in asked], dtype=np.bool_)
    right = np.asarray([code == r.code for r, code in asked], dtype=np.bool_) & ~refused
    unknown = np.asarray([record.code is None for record in records], dtype=np.bool_)
    return np.where(refused, REFUSED, found.max(axis=1, initial=0.0)), right, unknown, refused


def certified(
    confidence: FloatArray,
    right: BoolArray,
    unknown: BoolArray,
    *,
    limit: float,
    unknown_limit: float | None,
    delta: float,
    share: float | None,
) -> float | None:
    """Return the laxest threshold that fixed-sequence testing certifies, or None.

    At the share as found, the records are one sample and the exact p-value of the gate decides. At a declared
    share, known and unknown records are strata, each bounded with its part of delta, and combined.

    Args:
        confidence: of the answer to each record, shape (n,).
        right: whether the answer is the record's concept.
        unknown: whether the record means no concept.
        limit: on the assignment risk.
        unknown_limit: on the share of unknown texts that are accepted; None for no limit.
        delta: error probability.
        share: declared share of unknown texts, in (0, 1); None for the share as found.
    """
    if share is None:
        risks = [Risk("assignment_risk", ~right | unknown, np.ones_like(right), limit)]
        if unknown_limit is not None:
            risks.append(Risk("unknown_far", unknown, unknown, unknown_limit, among_accepted=False))
        return choose_threshold(confidence, risks, delta=delta, starts=STARTS).threshold
    walk = order_cases(confidence)
    bad = np.cumsum((~right & ~unknown)[walk.order])[walk.ends]
    known = np.cumsum(~unknown[walk.order])[walk.ends]
    false = np.cumsum(unknown[walk.order])[walk.ends]
    alphas = [part * delta / STARTS for part in SPLIT]
    n, m = int((~unknown).sum()), int(unknown.sum())
    wrong = binomial.upper(bad, np.full_like(bad, n), alphas[0])
    accepted = np.maximum(binomial.lower(known, np.full_like(known, n), alphas[1]), wrong)
    passes = (
        risk_at_share(wrong, accepted, binomial.upper(false, np.full_like(false, m), alphas[2]), share)
        <= limit
    )
    if unknown_limit is not None:
        passes &= binomial.upper(false, np.full_like(false, m), delta / STARTS) <= unknown_limit
    # As in `choose_threshold`, a walk starts where scores alone show that enough is covered: here twice the coverage at
    # which a set without a single error would just do, or half-way to all of it.
    least = binomial.upper_bound(0, n, alphas[0]) / limit
    least += share * binomial.upper_bound(0, m, alphas[2]) / ((1.0 - share) * limit)
    wanted = min(2.0 * least, (1.0 + least) / 2.0) * (n + m)
    first, last = int(np.searchsorted(known + false, wanted)), walk.ends.size
    starts = sorted({first + (last - first) * at // STARTS for at in range(STARTS)}) if first < last else []
    reached = [fixed_sequence(passes, start) for start in starts]
    best = max((at for at in reached if at is not None), default=None)
    return None if best is None else float(walk.thresholds[best])
