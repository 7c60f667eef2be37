"""Annif: ``suggest``, or ``suggest-batch`` for up to 32 texts at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import quote, urlencode

from denotary.errors import InputError
from denotary.systems.adapters.asked import FORM, AdaptedSystem, Exchange, each
from denotary.systems.adapters.reading import listing, mapping, name, number, share
from denotary.systems.adapters.rules import answer, declared
from denotary.systems.wire import public_url, under

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.systems.adapters.asked import Send
    from denotary.systems.base import CallFailure

MOST_DOCUMENTS: Final = 32
"""Most documents in one ``suggest-batch``, by Annif's own description of its interface."""
CodeField = Literal["uri", "notation"]


@dataclass(frozen=True, slots=True)
class Annif:
    """A project, and from which score on its best suggestion is read as an assertion."""

    url: str
    threshold: float
    limit: int
    field: CodeField
    prefix: str
    pinned: str | None
    batch_size: int

    async def ask(
        self, send: Send, requests: Sequence[dict[str, Any]]
    ) -> Sequence[dict[str, Any] | CallFailure]:
        """Ask one text by ``suggest``, several by ``suggest-batch``."""
        # The threshold is applied here and not by the service, so that candidates below it are still seen.
        if self.batch_size == 1:
            form = urlencode({"text": requests[0]["text"], "limit": self.limit}).encode()
            given = await send(Exchange("POST", under(self.url, "suggest"), form, FORM))
            return [self._read(requests[0], given)]
        documents = [{"text": r["text"], "document_id": str(n)} for n, r in enumerate(requests)]
        url = under(self.url, "suggest-batch", {"limit": str(self.limit)})
        items = listing(await send(Exchange.json(url, {"documents": documents})))
        named = {item.get("document_id"): item for item in items if isinstance(item, dict)}
        return [
            each(lambda n=n, r=r: self._read(r, named.get(str(n))))  # type: ignore[misc]
            for n, r in enumerate(requests)
        ]

    def _read(self, request: Mapping[str, Any], given: Any) -> dict[str, Any]:
        found = [
            mapping(item, "bad_candidates") for item in listing(mapping(given, "missing_item").get("results"))
        ]
        scored = [(self._code(item), number(item.get("score"))) for item in found]
        ranked = sorted(scored, key=lambda pair: -pair[1])
        candidates = [(code, score) for code, score in ranked if code is not None]
        code, score = ranked[0] if ranked else (None, 0.0)
        if code is None or score < self.threshold:
            return answer(request, None, candidates=candidates, version=self.pinned)
        return answer(request, code, confidence=share(score, 1.0), candidates=candidates, version=self.pinned)

    def _code(self, item: Mapping[str, Any]) -> str | None:
        """Return the code of a suggestion; None for a subject without a notation, which not every one has."""
        if self.field == "notation" and item.get("notation") is None:
            return None
        return self.prefix + name(item.get(self.field))


def annif(
    url: str,
    *,
    project: str,
    threshold: float,
    limit: int = 10,
    field: CodeField = "uri",
    prefix: str = "",
    pinned: str | None = None,
    batch_size: int = 1,
    headers: Mapping[str, str] | None = None,
) -> AdaptedSystem:
    """Return an Annif project as a system.

    Args:
        url: of the interface, ``/v1`` included.
        project: its id.
        threshold: least score of an assertion; 0 means 0.
        limit: most suggestions a text.
        field: which field of a suggestion is its code.
        prefix: put before each code.
        pinned: registry version that the owner declares the project to be trained for.
        batch_size: texts in one request, at most 32.
        headers: sent with each request; never recorded.

    Raises:
        InputError: the URL, the field or the batch size cannot be used.
    """
    if not project or field not in {"uri", "notation"}:
        raise InputError("annif: expected a project, and uri or notation as code", hint="project=ID after #")
    if not 1 <= batch_size <= MOST_DOCUMENTS:
        raise InputError(f"annif: expected a batch size of 1 to {MOST_DOCUMENTS}, found {batch_size}")
    options = {"project": project, "threshold": threshold, "limit": limit, "code": field}
    rule = declared(
        "annif",
        public_url(url),
        "Annif: the suggestion with the highest score, if that is at least the threshold; else abstain",
        parameters={**options, "prefix": prefix, "pinned": pinned},
        dispositions={
            "a suggestion at or above the threshold": "concept",
            "no suggestion, or all below": "abstain, not_expressible",
            "the best suggestion has no notation": "abstain, not_expressible",
            "language": "not sent: the project has one",
        },
    )
    where = under(url, f"projects/{quote(project, safe='')}")
    dialogue = Annif(where, threshold, limit, field, prefix, pinned, batch_size)
    return AdaptedSystem(dialogue, rule, headers=headers)
