"""The semantic lane: answers requests of the HTTP contract, and refuses all until a threshold is certified."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from denotary import __version__
from denotary.errors import InputError, IntegrityError
from denotary.resolver.answers import NORMALISATION
from denotary.resolver.candidates.joined import DIGITS
from denotary.resolver.requests import read_languages, refuse_other_version
from denotary.resolver.semantic.features import with_vectors
from denotary.resolver.semantic.head import probabilities
from denotary.resolver.semantic.storing import load_calibration, load_fitted
from denotary.text import PROFILE, UNICODE_VERSION, Rejection, normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from denotary.encoders.base import Encoder
    from denotary.registry.model import Registry
    from denotary.resolver.candidates.joined import Similarities

SYSTEM_VERSION: Final = f"denotary-semantic/{__version__}"
CANDIDATES: Final = 10
"""Concepts shown beside a decision, by (score on the declared grid, code)."""
ADDED: Final = 5
"""Concepts that each index adds to these in the evidence."""


class SemanticLane:
    """Resolves a text by what it was fitted on, where its confidence reaches the certified threshold.

    The same request gets the same answer alone or in a batch.
    """

    def __init__(
        self, folder: Path | str, *, registry: Registry | None = None, encoder: Encoder | None = None
    ) -> None:
        """Open a fitted lane.

        Args:
            folder: what :func:`denotary.resolver.semantic.fit` wrote.
            registry: the registry that is asked about; it must be the snapshot that the lane was fitted for.
            encoder: the encoder, if it is loaded already.

        Raises:
            InputError: the folder holds no lane.
            IntegrityError: registry, encoder, arrays or calibration do not belong together.
        """
        self._fitted = load_fitted(Path(folder), encoder)
        model = self._fitted.model
        if registry is not None and registry.snapshot_id != model.registry:
            raise IntegrityError(
                f"the lane was fitted for {model.registry}, asked for is {registry.snapshot_id}",
                hint="fit and calibrate it for this registry",
            )
        self.calibration = load_calibration(Path(folder), model.hash)
        found = self.calibration
        self._version = model.registry.split()[1]
        self._provenance: dict[str, Any] = {
            "lane": "semantic",
            "authority": False,
            "registry": model.registry,
            "model_hash": f"sha256:{model.hash}",
            "encoder": model.encoder_identity.name,
            "checks_hash": f"sha256:{model.checks_hash}",
            "index_hash": f"sha256:{self._fitted.candidates.hash}",
            "encoder_hash": f"sha256:{model.encoder_identity.hash}",
            "calibration_hash": None if found is None else f"sha256:{found.hash}",
            "threshold": None if found is None else found.threshold,
            "profile": PROFILE,
            "unicode": UNICODE_VERSION,
        }

    @property
    def components(self) -> dict[str, str]:
        """What the lane is made of, by field of a run's identity, with digests."""
        model, found = self._fitted.model, self.calibration
        encoder, candidates = model.encoder_identity, self._fitted.candidates
        certified = {} if found is None else {"calibration": f"sha256:{found.hash}"}
        if found is not None and found.threshold is not None:
            certified["acceptance_threshold"] = repr(found.threshold)
        return certified | {
            "system": "denotary semantic lane",
            "system_version": __version__,
            "semantic_model": f"head over vectors and n-grams sha256:{model.hash}",
            "embedding_model": f"{encoder.name} sha256:{encoder.hash}",
            "reranker": "none",
            "prompt": "none",
            "confidence_transformation": "none: probability of the head",
            "tokenizer": "of the encoder",
            "normalisation": NORMALISATION,
            "language_detection": "none: the request says the language",
            "index": model.registry,
            "index_parameters": f"{candidates.lexical.identity.engine} {candidates.lexical.identity.version} "
            f"and exact int8 sha256:{candidates.hash}, for evidence alone",
            "candidate_generator": "all concepts that were fitted",
            "preprocessing": f"typed difference checks sha256:{model.checks_hash}",
            "truncation": f"{encoder.window or 'no known number of'} tokens",
        }

    def resolve(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to one request: ``text``, and if wanted ``language``, ``registry_version``, ``record_id``.

        The language chooses the word lists of the checks; without one it is that of the lane's own texts, if they
        have but one. The reason of a refusal is ``uncertified`` (there is no threshold), ``below_threshold``,
        ``language_not_given``, ``unchecked_language`` (the checks have no list of it, or the concept no text in it),
        one of :data:`denotary.resolver.semantic.checks.REASONS`, or ``invalid_input``.

        Raises:
            InputError: there is no text, the language tag is malformed, or another registry version is asked for.
        """
        return self.resolve_batch([request])[0]

    def resolve_batch(self, requests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers to requests in their order, each as if it had been asked alone."""
        asked = list(requests)
        normals = [self._read(request) for request in asked]
        tags = [next(iter(read_languages(request)), None) for request in asked]
        texts = [normal.text for normal in normals if not isinstance(normal, Rejection)]
        vectors = self._fitted.encoder.encode(texts)
        rows = with_vectors(texts, vectors, self._fitted.ngrams)
        similar = self._fitted.candidates.similarities(vectors)
        scores = iter(zip(probabilities(rows, self._fitted.weights), similar, strict=True))
        answers = []
        for request, normal, tag in zip(asked, normals, tags, strict=True):
            answer = (
                self._refusal("reject", "invalid_input", "INVALID_INPUT")
                if isinstance(normal, Rejection)
                else self._decide(*next(scores), normal.text, self._fitted.language_of(tag))
            )
            if "record_id" in request:
                answer["record_id"] = request["record_id"]
            answers.append(answer)
        return answers

    def _read(self, request: Mapping[str, Any]) -> Any:
        text = request.get("text")
        refuse_other_version(request, self._version, self._fitted.model.registry)
        if not isinstance(text, str):
            raise InputError("the semantic lane needs a text")
        return normalise(text)

    def _decide(self, scores: Any, similar: Similarities, text: str, language: str | None) -> dict[str, Any]:
        codes = self._fitted.model.codes
        order = sorted(range(len(codes)), key=lambda at: (-scores[at], codes[at]))[:CANDIDATES]
        best = order[0]
        threshold = self._provenance["threshold"]
        checks = self._fitted.checks
        refused = checks.refusal(text, codes[best], language)
        if threshold is None:
            answer = self._refusal("abstain", "uncertified", "ABSTAIN")
        elif not scores[best] >= threshold:  # NaN is above nothing and below nothing: it is refused
            answer = self._refusal("abstain", "below_threshold", "ABSTAIN")
        elif refused is not None:
            answer = self._refusal("abstain", refused, "ABSTAIN")
        else:
            answer = self._refusal("concept", "", "SINGLE")
            answer["decision"] = {
                "type": "concept",
                "concept_code": codes[best],
                "confidence": float(scores[best]),
            }
            answer["provenance"]["authority"] = True
        answer["candidates"] = [{"concept_code": codes[at], "score": float(scores[at])} for at in order]
        answer["evidence"] = self._evidence(text, similar, {codes[at]: float(scores[at]) for at in order})
        answer["provenance"]["language"] = language
        answer["provenance"]["differences"] = [
            difference.kind for difference in checks.against(text, codes[best], language or "")
        ]
        if self._fitted.model.rejects:
            answer["provenance"]["unknown_score"] = float(scores[-1])
        return answer

    def _evidence(self, text: str, similar: Similarities, scores: dict[str, float]) -> list[dict[str, Any]]:
        """Return what speaks for each candidate of the head, of the letters and of the vector; it decides nothing."""
        fitted = self._fitted
        return [
            {"kind": "candidate"}
            | found
            | {"overlap": round(fitted.checks.overlap(text, found["concept_code"]), DIGITS)}
            for found in fitted.candidates.features(text, similar, scores, ADDED)
        ]

    def _refusal(self, kind: str, reason: str, disposition: str) -> dict[str, Any]:
        return {
            "decision": {"type": kind, "reason": reason},
            "disposition": disposition,
            "registry_version_returned": self._version,
            "system_version": SYSTEM_VERSION,
            "provenance": dict(self._provenance),
            "candidates": [],
            "evidence": [],
        }
