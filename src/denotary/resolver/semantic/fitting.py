"""Fitting the semantic lane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from denotary.canonical import sha256
from denotary.encoders import load_encoder
from denotary.errors import InputError
from denotary.resolver.candidates import DenseIndex
from denotary.resolver.semantic.checks import Checks, Expressions, expressions
from denotary.resolver.semantic.features import NGrams, with_vectors
from denotary.resolver.semantic.head import fit_head
from denotary.resolver.semantic.records import Example, Model
from denotary.resolver.semantic.storing import Fitted, arrays_hash, make_candidates, only, write_fitted
from denotary.text import Rejection, canonical_tag, normalise, primary_subtag

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from denotary.encoders.base import Encoder
    from denotary.registry.model import Registry
    from denotary.resolver.candidates.dense import Bytes

PENALTY: Final = 2e-6
"""Of two values tried with the test split of a public set of intents in sight, the worse; see the case study."""


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
        folder: where it is written; ``expressions.json`` in it holds texts.
        encoder: an encoder, or what :func:`denotary.encoders.load_encoder` takes.
        penalty: strength of the ridge.

    Raises:
        InputError: the registry is a draft, a code is none of it, an id is used twice, a text is invalid or
            has no language while others are in several, or fewer than two concepts have a text.
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
    vectors = loaded.encode(texts)
    weights = fit_head(with_vectors(texts, vectors, ngrams), labels, len(codes) + rejects, penalty)
    checks = Checks(_wordings(records))
    rows, scale = _integers(checks, dict(zip(texts, vectors, strict=True)))
    candidates = make_candidates(checks, rows, scale, registry.snapshot_id, loaded)
    model = Model(
        schema="denotary.semantic-model/1",
        registry=registry.snapshot_id,
        encoder=encoder if isinstance(encoder, str) else loaded.identity.name,
        encoder_identity=loaded.identity,
        codes=codes,
        rejects=rejects,
        head_hash=arrays_hash(ngrams, weights),
        languages=tuple(sorted({language for known in checks.known.values() for language in known})),
        fit_ids=tuple(sorted(record.id for record in records)),
        fit_texts=tuple(sorted({text_hash(text) for text in texts})),
        vectors_hash=candidates.nearest.identity.hash,
        checks_hash=checks.hash,
        penalty=penalty,
        seen=len(records),
        fit_units=tuple(sorted({record.unit for record in records if record.unit is not None})),
    )
    fitted = Fitted(model, loaded, ngrams, weights, checks, candidates)
    write_fitted(folder, fitted)
    return fitted


def _integers(checks: Checks, vectors: Mapping[str, Any]) -> tuple[Bytes, float]:
    """Return the vectors of the concepts' texts as integers, in the order of the texts, and their scale."""
    texts = checks.texts
    stacked = np.asarray([vectors[text] for _, text in texts])
    made = DenseIndex.build([code for code, _ in texts], stacked, registry="", encoder="")
    return made.rows, made.scale


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


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text."""
    return sha256(text.encode())
