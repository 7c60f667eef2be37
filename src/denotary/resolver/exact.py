"""The exact lane: the one lane with authority, because a reviewer stands behind every answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from denotary import __version__
from denotary.registry.compiled import open_compiled
from denotary.registry.index import MemoryIndex
from denotary.registry.loading import BUNDLED, load_registry
from denotary.registry.model import Registry
from denotary.registry.records import Expression
from denotary.resolver.answers import NORMALISATION, Answers, sense
from denotary.resolver.near import near_exact
from denotary.resolver.requests import read_request
from denotary.text import Rejection, normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import TracebackType
    from typing import Self

    from denotary.registry.index import Index, Snapshot, TextRecord
    from denotary.text import Normalised


ABSENT: Final = (
    "semantic_model", "embedding_model", "reranker", "prompt", "confidence_transformation", "tokenizer",
    "preprocessing", "index_parameters",
)  # fmt: skip
"""Parts of a run's identity that this lane does without."""
UNREVIEWED: Final = "unreviewed"
"""Review status of an expression that is shown as evidence and resolves nothing."""


class ExactLane:
    """Resolves a text that is registered, whole and in its language, and refuses every other.

    The identity of a text is its language and its NFC form under the profile ``esid-nfc/1``; nothing else is
    folded. The same request gets the same answer alone or in a batch, from any thread, in memory or from a
    compiled file.
    """

    def __init__(self, source: Registry | Path | str) -> None:
        """Open the lane over a frozen registry.

        Args:
            source: a registry; its folder (``bundled:NAME`` for a shipped one); or a compiled registry's
                file.

        Raises:
            InputError: the source does not exist, is no registry, or is a draft.
            IntegrityError: the source was edited after it was frozen, or is damaged.
        """
        self._index = _index(source)
        self._answers = Answers(self._index.snapshot)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def snapshot(self) -> Snapshot:
        """The frozen registry that answers."""
        return self._index.snapshot

    @property
    def components(self) -> dict[str, str]:
        """What the lane is made of, by field of a run's identity; there is no model in it."""
        found = dict.fromkeys(ABSENT, "none")
        return found | {
            "system": "denotary exact lane",
            "system_version": __version__,
            "index": self.snapshot.id,
            "normalisation": NORMALISATION,
            "candidate_generator": "none: the whole text is looked up",
            "language_detection": "none: the request says the language",
            "truncation": "none: a text that is too long is refused",
        }

    def is_code(self, text: str) -> bool:
        """Whether a text is the code of a concept."""
        return self._index.is_code(text)

    def close(self) -> None:
        """Release what a compiled registry holds open."""
        self._index.close()

    def resolve(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to one request of the HTTP contract.

        What a request may hold is said in :func:`denotary.resolver.requests.read_request`. The reason of a
        refusal is ``ambiguous`` or ``underspecified`` (declared, or a collision), ``other_language_only``,
        ``unknown_expression`` (no expression is this text, which says nothing of its meaning), or, where
        nothing can be resolved, ``invalid_input``. ``evidence`` and ``near_exact`` explain a refusal and
        never authorise a code. ``provenance`` stands in every answer.

        Raises:
            InputError: the request is malformed or asks for a registry version that is not loaded. That is an
                error of the caller; the loaded version is never put in its place.
        """
        text, languages = read_request(request, self._index.snapshot)
        normal = normalise(text)
        answer = (
            self._answers.rejected(normal)
            if isinstance(normal, Rejection)
            else self._decide(normal, languages)
        )
        if "registry_version" in request:
            answer["registry_version_returned"] = request["registry_version"] or self._index.snapshot.version
        if "record_id" in request:
            answer["record_id"] = request["record_id"]
        return answer

    def resolve_batch(self, requests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers to requests in their order, each as if it had been asked alone."""
        return [self.resolve(request) for request in requests]

    def _decide(self, text: Normalised, languages: Sequence[str]) -> dict[str, Any]:
        found = self._index.find(text.text)
        only = found[0] if len(found) == 1 else None
        if (
            isinstance(only, Expression)
            and len(only.codes) == 1
            and only.review.status != UNREVIEWED
            and (not languages or only.language in languages)
        ):
            # Nearly every hit: what follows would say the same, with sets and sorting.
            return self._answers.single((only,), nfc_changed=text.changed)
        reviewed = [record for record in found if not _is_unreviewed(record)]
        records = _under(reviewed, languages)
        if not records:
            waiting = _under([record for record in found if _is_unreviewed(record)], languages)
            return self._missed(text, languages, reviewed, waiting)
        expressions = [record for record in records if isinstance(record, Expression)]
        codes = {code for record in records for code in record.codes}
        if len(codes) == 1 and len(expressions) == len(records):
            return self._answers.single(expressions, nfc_changed=text.changed)
        return self._answers.several(sorted(codes), records, nfc_changed=text.changed)

    def _missed(
        self,
        text: Normalised,
        languages: Sequence[str],
        elsewhere: Sequence[TextRecord],
        waiting: Sequence[TextRecord],
    ) -> dict[str, Any]:
        evidence = [sense(record, "other_language") for record in elsewhere]
        evidence += [sense(record, UNREVIEWED) for record in waiting]
        if languages and self._index.snapshot.languages.isdisjoint(languages):
            evidence.append({"kind": "language_not_in_registry"})
        if self._index.is_code(text.text):
            evidence.append({"kind": "text_is_a_concept_code"})
        reason = "other_language_only" if elsewhere else "unknown_expression"
        near = near_exact(self._index, text.text, languages)
        return self._answers.missed(reason, evidence, near, nfc_changed=text.changed)


def _index(source: Registry | Path | str) -> Index:
    if isinstance(source, Registry):
        return MemoryIndex(source)
    if str(source).startswith(BUNDLED) or Path(source).is_dir():
        return MemoryIndex(load_registry(source))
    return open_compiled(source)


def _is_unreviewed(record: TextRecord) -> bool:
    return isinstance(record, Expression) and record.review.status == UNREVIEWED


def _under(found: Sequence[TextRecord], languages: Sequence[str]) -> Sequence[TextRecord]:
    """Return the records of the first language that has any; all of them if no language is asked for."""
    if not languages:
        return found
    for language in languages:
        records = [record for record in found if record.language == language]
        if records:
            return records
    return ()
