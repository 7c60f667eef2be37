"""The exact lane: the one lane with authority, because a reviewer stands behind every answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from denotary.registry.compiled import open_compiled
from denotary.registry.index import MemoryIndex
from denotary.registry.loading import BUNDLED, load_registry
from denotary.registry.model import Registry
from denotary.registry.records import Expression
from denotary.resolver.answers import (
    SYSTEM_VERSION,
    Finding,
    missed,
    rejected,
    review,
    sense,
    several,
    shared_provenance,
    single,
)
from denotary.resolver.near import near_exact
from denotary.resolver.requests import read_request
from denotary.text import Rejection, normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import TracebackType
    from typing import Self

    from denotary.registry.index import Index, TextRecord


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
        self._provenance = shared_provenance(self._index.snapshot)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

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
        if isinstance(normal, Rejection):
            found, changed = rejected(normal), False
        else:
            found, changed = self._decide(normal.text, languages), normal.changed
        record = found.record
        answer: dict[str, Any] = {
            "decision": found.decision,
            "disposition": found.disposition,
            "registry_version_returned": request.get("registry_version") or self._index.snapshot.version,
            "system_version": SYSTEM_VERSION,
            "provenance": {
                **self._provenance,
                "authority": record is not None,
                "expression_id": None if record is None else record.id,
                "review": None if record is None else review(record),
            },
            "evidence": found.evidence,
            "near_exact": found.near,
            "input": {
                "nfc_changed": changed,
                "language_requested": languages[0] if languages else None,
                "language_used": None if record is None else record.language,
            },
        }
        if found.senses is not None:
            answer["senses"] = found.senses
        if "record_id" in request:
            answer["record_id"] = request["record_id"]
        return answer

    def resolve_batch(self, requests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers to requests in their order, each as if it had been asked alone."""
        return [self.resolve(request) for request in requests]

    def _decide(self, text: str, languages: Sequence[str]) -> Finding:
        found = self._index.find(text)
        records = _under(found, languages)
        if not records:
            return self._missed(text, languages, found)
        if len(records) == 1 and len(records[0].codes) == 1 and isinstance(records[0], Expression):
            return single(records[0].codes[0], (records[0],))
        codes = sorted({code for record in records for code in record.codes})
        expressions = [record for record in records if isinstance(record, Expression)]
        if len(codes) == 1 and len(expressions) == len(records):
            return single(codes[0], expressions)
        return several(codes, records)

    def _missed(self, text: str, languages: Sequence[str], elsewhere: Sequence[TextRecord]) -> Finding:
        evidence = [sense(record, "other_language") for record in elsewhere]
        if languages and self._index.snapshot.languages.isdisjoint(languages):
            evidence.append({"kind": "language_not_in_registry"})
        if self._index.is_code(text):
            evidence.append({"kind": "text_is_a_concept_code"})
        reason = "other_language_only" if elsewhere else "unknown_expression"
        return missed(reason, evidence, near_exact(self._index, text, languages))


def _index(source: Registry | Path | str) -> Index:
    if isinstance(source, Registry):
        return MemoryIndex(source)
    if str(source).startswith(BUNDLED) or Path(source).is_dir():
        return MemoryIndex(load_registry(source))
    return open_compiled(source)


def _under(found: Sequence[TextRecord], languages: Sequence[str]) -> Sequence[TextRecord]:
    """Return the records of the first language that has any; all of them if no language is asked for."""
    if not languages:
        return found
    for language in languages:
        records = [record for record in found if record.language == language]
        if records:
            return records
    return ()
