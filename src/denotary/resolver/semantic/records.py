"""The records of a fitted lane's folder, and of the labelled texts that it is fitted and calibrated with."""

from __future__ import annotations

from typing import Literal

import msgspec

from denotary.canonical import digest
from denotary.encoders.base import EncoderIdentity
from denotary.records import Record


class Example(Record, frozen=True, gc=False):
    """One line of a file of labelled texts. Its repr shows the id alone."""

    id: str
    text: str
    code: str | None
    """The concept that the text means; null where no concept of the registry is meant."""
    language: str | None = None
    """Its tag (BCP 47); null for the language of the lane, which then must have one alone."""
    unit: str | None = None
    """What depends on each other: the variants of one seed, the texts of one author. Null for a text by itself."""

    def __repr__(self) -> str:
        return f"<Example {self.id}>"


class Model(Record, frozen=True):
    """``model.json``: what was fitted, on what. ``hash`` is the digest of its canonical JSON."""

    schema: Literal["denotary.semantic-model/1"]
    registry: str
    """Snapshot id of the registry."""
    encoder: str
    """What the encoder is loaded by."""
    encoder_identity: EncoderIdentity
    codes: tuple[str, ...]
    """Concepts that it can assign, in the order of the head's rows; then comes the row of unknown texts, if any."""
    rejects: bool
    """Whether the head has a row for texts that mean no concept."""
    head_hash: str
    """SHA-256 of the arrays in ``head.npz``."""
    fit_ids: tuple[str, ...]
    fit_texts: tuple[str, ...]
    """SHA-256 of each text that fit saw, sorted, so that calibration can refuse it."""
    languages: tuple[str, ...]
    """Primary subtags of the languages of the concepts' texts, sorted."""
    vectors_hash: str
    """SHA-256 of the identity of the dense index over the concepts' texts, whose vectors are in ``vectors.npz``."""
    checks_hash: str
    """SHA-256 of what the difference checks rest on: ``expressions.json``, word lists and reasons."""
    penalty: float
    seen: int
    fit_units: tuple[str, ...] = ()
    """Units of the texts that fit saw, sorted, so that calibration can refuse their siblings."""

    @property
    def hash(self) -> str:
        """SHA-256 in hexadecimal."""
        return digest(self)


class Calibration(Record, frozen=True, omit_defaults=False):
    """``calibration.json``: the threshold, or that none qualifies, and everything that it is bound to."""

    schema: Literal["denotary.semantic-calibration/1"]
    model_hash: str
    registry: str
    encoder_hash: str
    examples_hash: str
    """Digest of the calibration records, in any order."""
    threshold: float | None
    """Accept iff confidence is at least this; null accepts nothing; 0.0 accepts everything."""
    limit: float
    """What the assignment risk must stay below."""
    unknown_limit: float | None
    """What the share of unknown texts that are accepted must stay below; null if not asked for."""
    delta: float
    """Chance, over calibration sets, that the threshold violates a limit."""
    unknown_share: float | None
    """Share of unknown texts that the risk is stated at; null for the share as found in the calibration records."""
    known: int
    unknown: int
    accepted_known: int
    wrong_known: int
    accepted_unknown: int
    refused_known: int
    """Known texts that the difference checks refuse, whatever the threshold."""
    refused_unknown: int
    units: int | None = None
    """Independent units among the calibration records, which the guarantee then weighs alike; null if each record is
    one by itself."""
    content_sha256: str = ""
    """SHA-256 of the canonical JSON of all the rest; a lane does not open with another one."""

    @property
    def hash(self) -> str:
        """SHA-256 in hexadecimal of all that it says, but for ``content_sha256``, which states this digest."""
        content: dict[str, object] = msgspec.to_builtins(self)
        del content["content_sha256"]
        return digest(content)
