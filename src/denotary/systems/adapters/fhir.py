"""FHIR terminology services: ``ValueSet/$expand`` with a filter for candidates, ``$validate-code`` for the decision.

FHIR has no operation from text to one code: what a filter means is left to the server. So the filter only proposes, and
a code is asserted where ``CodeSystem/$validate-code`` accepts it *with the asked text as its display*.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from denotary.errors import InputError
from denotary.systems.adapters.asked import AdaptedSystem, Exchange
from denotary.systems.adapters.reading import broken, listing, mapping, name
from denotary.systems.adapters.rules import NOT_EXPRESSIBLE, answer, declared
from denotary.systems.base import CallFailure
from denotary.systems.wire import public_url, under

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.systems.adapters.asked import Send

REFUSED = frozenset({"http_400", "http_404", "http_422"})
"""How servers say that a filter matches nothing or a code is unknown, where they do not say it in the body."""
DISPLAY = "invalid-display"
ACCEPTED = "application/fhir+json, application/json;q=0.9"
"""The media type of the specification; a server need not know the general one."""


@dataclass(frozen=True, slots=True)
class Fhir:
    """Which value set is searched, and how many candidates are validated."""

    url: str
    value_set: str
    count: int
    prefix: str
    pinned: str | None
    batch_size: int = 1

    async def ask(
        self, send: Send, requests: Sequence[dict[str, Any]]
    ) -> Sequence[dict[str, Any] | CallFailure]:
        """Ask one text: candidates first, then each candidate by itself."""
        (request,) = requests
        contained = await self._expand(send, request)
        accepted: dict[str, str | None] = {}
        for system, code in contained:
            version = await self._validate(send, request, system, code)
            if version is not None:
                accepted[self.prefix + code] = version or None
        ranked = [(self.prefix + code, -float(rank)) for rank, (_, code) in enumerate(contained, start=1)]
        if len(accepted) == 1:
            ((code, said),) = accepted.items()
            return [answer(request, code, candidates=ranked, version=said or self.pinned)]
        reason = "ambiguous" if accepted else NOT_EXPRESSIBLE
        return [answer(request, None, candidates=ranked, version=self.pinned, reason=reason)]

    async def _expand(self, send: Send, request: Mapping[str, Any]) -> list[tuple[str, str]]:
        query = {"url": self.value_set, "filter": request["text"], "count": str(self.count)}
        given = await self._get(send, "ValueSet/$expand", request, query)
        if given is None:
            return []
        items = islice(_selectable(mapping(given.get("expansion")).get("contains", [])), self.count)
        return [(name(item.get("system")), name(item.get("code"))) for item in items]

    async def _validate(self, send: Send, request: Mapping[str, Any], system: str, code: str) -> str | None:
        """Return the version that the code was validated in, empty if none is said; None if it is refused."""
        query = {"url": system, "code": code, "display": request["text"]}
        given = await self._get(send, "CodeSystem/$validate-code", request, query)
        if given is None:
            return None
        parameters = [mapping(item) for item in listing(given.get("parameter"))]
        named = {item.get("name"): item for item in parameters}
        verdict = mapping(named.get("result")).get("valueBoolean")
        if not isinstance(verdict, bool):
            raise broken("no_decision")
        # A server may accept the code and only warn that the display is another concept's.
        warned = DISPLAY in _issue_codes(named.get("issues"))
        version = mapping(named.get("version", {})).get("valueString")
        return (version if isinstance(version, str) else "") if verdict and not warned else None

    async def _get(
        self, send: Send, operation: str, request: Mapping[str, Any], query: dict[str, str]
    ) -> dict[str, Any] | None:
        if request.get("language"):
            query["displayLanguage"] = request["language"]
        try:
            given = await send(Exchange("GET", under(self.url, operation, query)))
        except CallFailure as failure:
            if failure.problem in REFUSED:
                return None
            raise
        return mapping(given)


def _selectable(contains: Any) -> Iterator[dict[str, Any]]:
    """Yield the entries of an expansion that are codes to choose, in their order, from every level of it.

    An entry without a code, or marked abstract, groups others.
    """
    waiting = [iter(listing(contains))]
    while waiting:
        item = next(waiting[-1], None)
        if item is None:
            waiting.pop()
            continue
        entry = mapping(item, "bad_candidates")
        if "code" in entry and entry.get("abstract") is not True:
            yield entry
        waiting.append(iter(listing(entry.get("contains", []))))


def _issue_codes(issues: Any) -> set[str]:
    """Return the codes of ``tx-issue-type`` in an ``issues`` parameter, if there are any to be read."""
    if not isinstance(issues, dict):
        return set()
    resource = issues.get("resource")
    found = resource.get("issue") if isinstance(resource, dict) else None
    details = [i.get("details") for i in found if isinstance(i, dict)] if isinstance(found, list) else []
    codings = [d.get("coding") for d in details if isinstance(d, dict)]
    return {
        coding["code"]
        for group in codings
        if isinstance(group, list)
        for coding in group
        if isinstance(coding, dict) and isinstance(coding.get("code"), str)
    }


def fhir(
    url: str,
    *,
    value_set: str,
    count: int = 5,
    prefix: str = "",
    pinned: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> AdaptedSystem:
    """Return a FHIR terminology service as a system.

    Args:
        url: base of the service.
        value_set: canonical URL of the value set that is searched.
        count: most candidates that are validated; each is one request.
        prefix: put before each code to make a concept code.
        pinned: registry version that the owner declares the service to serve, where it says none itself.
        headers: sent with each request; never recorded.

    Raises:
        InputError: the URL or the value set cannot be used.
    """
    if not value_set or count < 1:
        raise InputError("fhir: expected a value set to search", hint="add url=CANONICAL after #")
    rule = declared(
        "fhir",
        public_url(url),
        "FHIR: the one candidate of $expand that $validate-code accepts with the asked text as display; "
        "with several accepted, or none, abstain",
        parameters={"url": value_set, "count": count, "prefix": prefix, "pinned": pinned},
        dispositions={
            "one code accepted": "concept",
            "several codes accepted": "abstain, ambiguous",
            "no code accepted": "abstain, not_expressible",
            "issue invalid-display": "not accepted",
            "language": "sent as displayLanguage",
        },
    )
    sent = {"Accept": ACCEPTED, **(headers or {})}
    return AdaptedSystem(Fhir(url, value_set, count, prefix, pinned), rule, headers=sent)
