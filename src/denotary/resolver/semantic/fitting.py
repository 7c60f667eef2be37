"""Fitting the semantic lane, and reading its folder back with every digest checked."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec
import numpy as np

from denotary.canonical import canonical_json, sha256
from denotary.encoders import load_encoder
from denotary.errors import InputError, IntegrityError
from denotary.files import read_bytes, write_atomic
from denotary.resolver.semantic.checks import Checks, Expressions, expressions
from denotary.resolver.semantic.features import NGrams, features
from denotary.resolver.semantic.head import fit_head
from denotary.resolver.semantic.records import Example, Model
from denotary.text import Rejection, canonical_tag, normalise, primary_subtag

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from denotary.encoders.base import Encoder
    from denotary.registry.model import Registry

T = TypeVar("T")

MODEL: Final = "model.json"
HEAD: Final = "head.npz"
EXPRESSIONS: Final = "expressions.json"
PENALTY: Final = 2e-6
"""Of two values tried with the test split of a public set of intents in sight, the worse; see the case study."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted lane in memory.

    Attributes:
        model: what it was fitted on.
        encoder: the encoder that the model names.
        ngrams: the n-gram features.
        weights: of the head, shape (classes, d).
        checks: of candidates, by their expressions.
    """

    model: Model
    encoder: Encoder
    ngrams: NGrams
    weights: NDArray[np.float64]
    checks: Checks

    def language_of(self, tag: str | None) -> str | None:
        """Return the primary subtag of a language tag; without one that of the lane, or None if it has several."""
        return only(self.model.languages) if tag is None else primary_subtag(tag)


def fit(
    registry: Registry,
    examples: Sequence[Example],
    folder: Path,
    *,
    encoder: str | Encoder = "minilm",
    penalty: float = PENALTY,
) -> Fitted:
    """Fit a lane for a frozen registry and write its folder.

    Args:
        registry: its authorised expressions of one concept are examples too.
        examples: labelled texts; those with code None teach what means no concept.
        folder: where ``model.json``, ``head.npz`` and ``expressions.json`` are written; the last holds texts.
        encoder: an encoder, or what :func:`denotary.encoders.load_encoder` takes.
        penalty: strength of the ridge.

    Raises:
        InputError: the registry is a draft, a code is none of it, an id is used twice, a text is invalid, or
            fewer than two concepts have a text, or a text
            has no language while others are in several.
    """
    known = [
        Example(id=item.id, text=item.text, code=item.codes[0], language=item.language)
        for item in registry.authorised
        if len(item.codes) == 1
    ]
    records = checked([*known, *examples], tuple(registry.concepts))
    codes = tuple(sorted({record.code for record in records if record.code is not None}))
    if len(codes) < 2:  # noqa: PLR2004 - a choice needs two
        raise InputError("fewer than two concepts have a text to learn from", hint="give labelled texts")
    loaded = load_encoder(encoder) if isinstance(encoder, str) else encoder
    texts = [record.text for record in records]
    ngrams = NGrams.learn(texts)
    row = {code: at for at, code in enumerate(codes)}
    labels = np.asarray([row[r.code] if r.code is not None else len(codes) for r in records])
    rejects = bool((labels == len(codes)).any())
    weights = fit_head(features(texts, loaded, ngrams), labels, len(codes) + rejects, penalty)
    checks = Checks(_wordings(records))
    model = Model(
        schema="denotary.semantic-model/1",
        registry=registry.snapshot_id,
        encoder=encoder if isinstance(encoder, str) else loaded.identity.name,
        encoder_identity=loaded.identity,
        codes=codes,
        rejects=rejects,
        head_hash=_arrays_hash(ngrams, weights),
        languages=tuple(sorted({language for known in checks.known.values() for language in known})),
        fit_ids=tuple(sorted(record.id for record in records)),
        fit_texts=tuple(sorted({text_hash(text) for text in texts})),
        checks_hash=checks.hash,
        penalty=penalty,
        seen=len(records),
        fit_units=tuple(sorted({record.unit for record in records if record.unit is not None})),
    )
    buffer = io.BytesIO()
    np.savez(buffer, idf=ngrams.idf, projection=ngrams.projection, weights=weights)
    write_atomic(folder / HEAD, buffer.getvalue())
    write_atomic(folder / EXPRESSIONS, canonical_json(checks.known) + b"\n")
    write_atomic(folder / MODEL, canonical_json(model) + b"\n")
    return Fitted(model, loaded, ngrams, weights, checks)


def load_fitted(folder: Path, encoder: Encoder | None = None) -> Fitted:
    """Return the lane in a folder.

    Raises:
        InputError: the folder holds none, or its encoder cannot be loaded.
        IntegrityError: the arrays or the encoder are not those that the model names.
    """
    model = decoded(folder / MODEL, Model)
    try:
        arrays = np.load(io.BytesIO(read_bytes(folder / HEAD)), allow_pickle=False)
        ngrams, weights = NGrams(arrays["idf"], arrays["projection"]), arrays["weights"]
    except (ValueError, KeyError, OSError) as error:
        raise IntegrityError("is no file of arrays that fit writes", path=folder / HEAD) from error
    checks = Checks(decoded(folder / EXPRESSIONS, dict[str, dict[str, Expressions]]))
    if checks.hash != model.checks_hash:
        raise IntegrityError(
            "expressions or word lists are not those that model.json names",
            path=folder / EXPRESSIONS,
            hint="fit and calibrate anew with this version",
        )
    loaded = load_encoder(model.encoder) if encoder is None else encoder
    if _arrays_hash(ngrams, weights) != model.head_hash:
        raise IntegrityError("the arrays are not those that model.json names", path=folder / HEAD)
    if loaded.identity.hash != model.encoder_identity.hash:
        raise IntegrityError(
            "the encoder is not the one that the lane was fitted with",
            path=folder / MODEL,
            hint="install the versions that encoder_identity names, or fit and calibrate anew",
        )
    return Fitted(model, loaded, ngrams, weights, checks)


def _wordings(records: Sequence[Example]) -> dict[str, dict[str, Expressions]]:
    """Return the expressions of each concept by language.

    Raises:
        InputError: a text has no language, and those that have one are in several.
    """
    given = {primary_subtag(record.language) for record in records if record.language is not None}
    texts: dict[str, dict[str, list[str]]] = {}
    for record in records:
        if record.code is None:
            continue
        language = only(given) if record.language is None else primary_subtag(record.language)
        if language is None:
            raise InputError("the text has no language", record=record.id, hint="give its BCP 47 tag")
        texts.setdefault(record.code, {}).setdefault(language, []).append(record.text)
    return {
        code: {language: expressions(own, language) for language, own in sorted(spoken.items())}
        for code, spoken in sorted(texts.items())
    }


def only(languages: Collection[str]) -> str | None:
    """Return the one language that there is; None if there are none or several."""
    return next(iter(languages)) if len(languages) == 1 else None


def checked(records: Sequence[Example], codes: Sequence[str]) -> list[Example]:
    """Return the records with their texts in NFC, after checks.

    Raises:
        InputError: a code is none of the registry, an id is used twice, or a text or language tag is invalid.
    """
    known, seen, found = set(codes), set[str](), []
    for record in records:
        normal = normalise(record.text)
        if record.id in seen:
            raise InputError("the id is used twice", record=record.id)
        if record.code is not None and record.code not in known:
            raise InputError("the code is no concept of the registry", record=record.id)
        if isinstance(normal, Rejection):
            raise InputError(f"the text is not valid: {normal}", record=record.id)
        seen.add(record.id)
        found.append(msgspec.structs.replace(record, text=normal.text, language=_tag(record)))
    return found


def _tag(record: Example) -> str | None:
    """Return the language of a record in canonical case; None for the undetermined one."""
    try:
        tag = canonical_tag(record.language or "und")
    except InputError as error:
        raise InputError(error.message, record=record.id, hint=error.hint) from None
    return None if tag == "und" else tag


def decoded(path: Path, kind: type[T]) -> T:
    """Return the record in a JSON file.

    Raises:
        InputError: absent, or no such record.
    """
    try:
        return msgspec.json.decode(read_bytes(path), type=kind)
    except msgspec.DecodeError as error:
        raise InputError(f"not a valid {kind.__name__}", path=path) from error


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text."""
    return sha256(text.encode())


def _arrays_hash(ngrams: NGrams, weights: NDArray[np.float64]) -> str:
    parts = (ngrams.idf, ngrams.projection, weights)
    return sha256(b"".join(repr((part.shape, str(part.dtype))).encode() + part.tobytes() for part in parts))
