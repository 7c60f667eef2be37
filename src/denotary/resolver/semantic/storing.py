"""The folder of a fitted semantic lane: written whole, and read back with every digest checked."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec
import numpy as np

from denotary.canonical import canonical_json, sha256
from denotary.encoders import load_encoder
from denotary.errors import InputError, IntegrityError
from denotary.files import read_bytes, write_atomic
from denotary.resolver.candidates import Candidates
from denotary.resolver.semantic.checks import Checks, Expressions
from denotary.resolver.semantic.features import NGrams
from denotary.resolver.semantic.records import Calibration, Model
from denotary.text import primary_subtag

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from numpy.typing import NDArray

    from denotary.encoders.base import Encoder
    from denotary.resolver.candidates.dense import Bytes

T = TypeVar("T")

MODEL: Final = "model.json"
HEAD: Final = "head.npz"
EXPRESSIONS: Final = "expressions.json"
VECTORS: Final = "vectors.npz"
CALIBRATION: Final = "calibration.json"


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted lane in memory.

    Attributes:
        model: what it was fitted on.
        encoder: the encoder that the model names.
        ngrams: the n-gram features.
        weights: of the head, shape (classes, d).
        checks: of candidates, by their expressions.
        candidates: the expressions, by their letters and vectors.
    """

    model: Model
    encoder: Encoder
    ngrams: NGrams
    weights: NDArray[np.float64]
    checks: Checks
    candidates: Candidates

    def language_of(self, tag: str | None) -> str | None:
        """Return the primary subtag of a language tag; without one that of the lane, or None if it has several."""
        return only(self.model.languages) if tag is None else primary_subtag(tag)


def write_fitted(folder: Path, fitted: Fitted) -> None:
    """Write ``head.npz``, ``vectors.npz``, ``expressions.json`` and, last, ``model.json``.

    Raises:
        StorageError: the folder cannot be written to.
    """
    ngrams, nearest = fitted.ngrams, fitted.candidates.nearest
    _write(folder / HEAD, idf=ngrams.idf, projection=ngrams.projection, weights=fitted.weights)
    _write(folder / VECTORS, rows=nearest.rows, scale=np.asarray(nearest.scale))
    write_atomic(folder / EXPRESSIONS, canonical_json(fitted.checks.known) + b"\n")
    write_atomic(folder / MODEL, canonical_json(fitted.model) + b"\n")


def load_fitted(folder: Path, encoder: Encoder | None = None) -> Fitted:
    """Return the lane in a folder.

    Raises:
        InputError: the folder holds none, or its encoder cannot be loaded.
        IntegrityError: the arrays or the encoder are not those that the model names.
    """
    model = decoded(folder / MODEL, Model)
    idf, projection, weights = _read(folder / HEAD, "idf", "projection", "weights")
    ngrams = NGrams(idf, projection)
    checks = Checks(decoded(folder / EXPRESSIONS, dict[str, dict[str, Expressions]]))
    if checks.hash != model.checks_hash:
        raise IntegrityError(
            "expressions or word lists are not those that model.json names",
            path=folder / EXPRESSIONS,
            hint="fit and calibrate anew with this version",
        )
    loaded = load_encoder(model.encoder) if encoder is None else encoder
    if arrays_hash(ngrams, weights) != model.head_hash:
        raise IntegrityError("the arrays are not those that model.json names", path=folder / HEAD)
    if loaded.identity.hash != model.encoder_identity.hash:
        raise IntegrityError(
            "the encoder is not the one that the lane was fitted with",
            path=folder / MODEL,
            hint="install the versions that encoder_identity names, or fit and calibrate anew",
        )
    rows, scale = _read(folder / VECTORS, "rows", "scale")
    candidates = make_candidates(checks, rows, float(scale), model.registry, loaded)
    if candidates.nearest.identity.hash != model.vectors_hash:
        raise IntegrityError("the vectors are not those that model.json names", path=folder / VECTORS)
    return Fitted(model, loaded, ngrams, weights, checks, candidates)


def write_calibration(folder: Path, calibration: Calibration) -> Calibration:
    """Write ``calibration.json`` with the digest of what it says, and return it so.

    Raises:
        StorageError: the folder cannot be written to.
    """
    whole = msgspec.structs.replace(calibration, content_sha256=calibration.hash)
    write_atomic(folder / CALIBRATION, canonical_json(whole) + b"\n")
    return whole


def load_calibration(folder: Path, model_hash: str) -> Calibration | None:
    """Return the calibration in a folder, or None if there is none.

    Args:
        folder: of the lane.
        model_hash: digest of the model that the threshold must belong to.

    Raises:
        InputError: the file is no calibration.
        IntegrityError: it was edited, or belongs to another model.
    """
    path = folder / CALIBRATION
    if not path.exists():
        return None
    found = decoded(path, Calibration)
    if found.threshold is not None and not np.isfinite(found.threshold):
        raise IntegrityError("the threshold is no number", path=path)
    if found.content_sha256 != found.hash:
        raise IntegrityError(
            "its content is not that of its digest content_sha256: it was edited, or written by an older version",
            path=path,
            hint="run denotary resolver calibrate; no threshold is set by hand",
        )
    if found.model_hash != model_hash:
        raise IntegrityError(
            "the threshold belongs to another model", path=path, hint="run denotary resolver calibrate"
        )
    return found


def make_candidates(checks: Checks, rows: Bytes, scale: float, registry: str, encoder: Encoder) -> Candidates:
    """Return the candidates of the texts that the checks know, whose vectors are integers already."""
    return Candidates(checks.texts, rows, scale, registry=registry, encoder=encoder.identity.hash)


def decoded(path: Path, kind: type[T]) -> T:
    """Return the record in a JSON file.

    Raises:
        InputError: absent, or no such record.
    """
    try:
        return msgspec.json.decode(read_bytes(path), type=kind)
    except msgspec.DecodeError as error:
        raise InputError(f"not a valid {kind.__name__}", path=path) from error


def only(languages: Collection[str]) -> str | None:
    """Return the one language that there is; None if there are none or several."""
    return next(iter(languages)) if len(languages) == 1 else None


def arrays_hash(ngrams: NGrams, weights: NDArray[np.float64]) -> str:
    """Return the SHA-256 of the arrays of a head."""
    parts = (ngrams.idf, ngrams.projection, weights)
    return sha256(b"".join(repr((part.shape, str(part.dtype))).encode() + part.tobytes() for part in parts))


def _write(path: Path, **arrays: NDArray[Any]) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    write_atomic(path, buffer.getvalue())


def _read(path: Path, *names: str) -> list[NDArray[Any]]:
    """Return arrays of a file by name.

    Raises:
        InputError: the file is absent.
        IntegrityError: it is no file that fit writes.
    """
    try:
        arrays = np.load(io.BytesIO(read_bytes(path)), allow_pickle=False)
        return [arrays[name] for name in names]
    except (ValueError, KeyError, OSError) as error:
        raise IntegrityError("is no file of arrays that fit writes", path=path) from error
