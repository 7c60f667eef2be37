"""A service of one's own, described in TOML: what is sent, and where in the reply code, score and refusal stand."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlencode

import msgspec

from denotary.canonical import digest
from denotary.errors import InputError
from denotary.files import read_toml
from denotary.records import Record
from denotary.systems.adapters.asked import FORM, AdaptedSystem, Exchange
from denotary.systems.adapters.pointers import ABSENT, find, steps
from denotary.systems.adapters.reading import broken, listing, mapping, name, number, share
from denotary.systems.adapters.rules import NOT_EXPRESSIBLE, answer, declared
from denotary.systems.wire import public_url

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.systems.adapters.asked import Send
    from denotary.systems.adapters.rules import DecisionRule
    from denotary.systems.base import CallFailure

SHOWN = ("text", "language", "registry_version", "record_id")
"""Fields of a request that a template may name, as ``{text}``."""
FROM_ENVIRONMENT = "env:"
"""What a header's value begins with if the rest names an environment variable."""


class Candidates(Record, frozen=True, kw_only=True):
    """Where the ranking stands: a list, and code and score within each item."""

    list: str
    code: str = ""
    score: str


class Reading(Record, frozen=True, kw_only=True):
    """``[answer]``: JSON Pointers into the reply, and what their values mean."""

    code: str
    none: tuple[str, ...] = ()
    """Codes that mean a refusal, such as ``"none"``; absent, null and empty always do."""
    match: str | None = None
    """Where ``true`` must stand for a code to be asserted."""
    score: str | None = None
    scale: float | None = None
    """The highest score, if scores are to be read as confidences."""
    threshold: float | None = None
    """Least score of an assertion; 0 means 0."""
    reason: str | None = None
    """Where the service says why it refuses."""
    reasons: dict[str, str] = msgspec.field(default_factory=dict)
    """The service's reasons to reasons of the contract; one that is not listed says nothing."""
    version: str | None = None
    """Where the registry version stands that the answer is for."""
    candidates: Candidates | None = None


class Template(Record, frozen=True, kw_only=True):
    """One TOML file."""

    schema: Literal["denotary.template/1"]
    url: str
    method: Literal["GET", "POST", "PUT"] = "POST"
    headers: dict[str, str] = msgspec.field(default_factory=dict)
    query: dict[str, str] = msgspec.field(default_factory=dict)
    """Parameters of the query string."""
    body: dict[str, Any] | None = None
    """Sent as JSON; every string in it may hold ``{text}`` and the like."""
    form: dict[str, str] | None = None
    """Sent as a form, in place of ``body``."""
    answer: Reading


@dataclass(frozen=True, slots=True)
class TemplateDialogue:
    """A template with its pointers read."""

    template: Template
    paths: Mapping[str, tuple[str, ...]]
    batch_size: int = 1

    async def ask(
        self, send: Send, requests: Sequence[dict[str, Any]]
    ) -> Sequence[dict[str, Any] | CallFailure]:
        """Ask one text."""
        (request,) = requests
        given = await send(self._exchange(request))
        code = find(given, self.paths["code"])
        said = find(given, self.paths["version"]) if "version" in self.paths else None
        version = said if isinstance(said, str) else None
        candidates = self._candidates(given)
        score = self._score(given)
        if self._refused(given, code, score):
            reason = self._reason(given)
            return [answer(request, None, candidates=candidates, version=version, reason=reason)]
        confidence = None if score is None else share(score, self.template.answer.scale)
        return [answer(request, name(code), confidence=confidence, candidates=candidates, version=version)]

    def _exchange(self, request: Mapping[str, Any]) -> Exchange:
        made = self.template
        values = {field: "" if request.get(field) is None else str(request[field]) for field in SHOWN}
        query = urlencode({key: _filled(text, values) for key, text in made.query.items()})
        url = made.url + (("&" if "?" in made.url else "?") + query if query else "")
        if made.form is not None:
            form = urlencode({key: _filled(text, values) for key, text in made.form.items()})
            return Exchange(made.method, url, form.encode(), FORM)
        body = None if made.body is None else msgspec.json.encode(_filled(made.body, values))
        return Exchange(made.method, url, body)

    def _score(self, given: Any) -> float | None:
        if "score" not in self.paths:
            return None
        found = find(given, self.paths["score"])
        return None if found is ABSENT or found is None else number(found)

    def _refused(self, given: Any, code: Any, score: float | None) -> bool:
        rule = self.template.answer
        if code is ABSENT or code is None or code == "" or code in rule.none:
            # A reply in which not even the way to the code exists must at least be an object or a list.
            if not isinstance(given, (dict, list)):
                raise broken("bad_shape")
            return True
        if "match" in self.paths and find(given, self.paths["match"]) is not True:
            return True
        return rule.threshold is not None and (score is None or score < rule.threshold)

    def _reason(self, given: Any) -> str:
        found = find(given, self.paths["reason"]) if "reason" in self.paths else None
        known = self.template.answer.reasons
        return known.get(found, NOT_EXPRESSIBLE) if isinstance(found, str) else NOT_EXPRESSIBLE

    def _candidates(self, given: Any) -> list[tuple[str, float]] | None:
        if "list" not in self.paths:
            return None
        found = find(given, self.paths["list"])
        if found is ABSENT or found is None:
            return []
        items = [mapping(item, "bad_candidates") for item in listing(found, "bad_candidates")]
        return [
            (name(find(i, self.paths["item code"])), number(find(i, self.paths["item score"]))) for i in items
        ]


def template(path: Path | str) -> AdaptedSystem:
    """Return the service that a TOML file describes.

    Args:
        path: the file; see the reference of ``Template``.

    Raises:
        InputError: the file cannot be read, or a field cannot be used.
    """
    path = Path(path)
    made = read_toml(path, Template)
    if made.body is not None and made.form is not None:
        raise InputError("give body or form, not both", path=path)
    if made.answer.threshold is not None and made.answer.score is None:
        raise InputError("a threshold needs to know where the score stands", path=path)
    headers = {key: _secret(value, key, path) for key, value in made.headers.items()}
    return AdaptedSystem(TemplateDialogue(made, _paths(made.answer)), _rule(made), headers=headers)


def _paths(rule: Reading) -> dict[str, tuple[str, ...]]:
    fields = {field: getattr(rule, field) for field in ("code", "match", "score", "reason", "version")}
    if rule.candidates is not None:
        ranking = rule.candidates
        fields |= {"list": ranking.list, "item code": ranking.code, "item score": ranking.score}
    return {field: steps(text, f"answer: {field}") for field, text in fields.items() if text is not None}


def _rule(made: Template) -> DecisionRule:
    """Return the declaration; the whole file stands in it by digest, but for the headers, which may be secret."""
    rule = made.answer
    sent = {"method": made.method, "query": made.query, "body": made.body, "form": made.form}
    asserted = ["the value at the pointer code"]
    if rule.match is not None:
        asserted.append("where match is true")
    if rule.threshold is not None:
        asserted.append("where score is at least the threshold")
    fields = {
        k: v for k, v in msgspec.to_builtins(rule).items() if k not in {"none", "reasons", "candidates"}
    }
    return declared(
        "template",
        public_url(made.url),
        f"template: {', '.join(asserted)}; else abstain",
        parameters={**fields, "request": digest(sent)},
        dispositions={
            "absent, null or empty code": "abstain",
            **dict.fromkeys(rule.none, "abstain"),
            **{f"reason {key}": f"abstain, {value}" for key, value in rule.reasons.items()},
            "no listed reason": NOT_EXPRESSIBLE,
        },
    )


def _secret(value: str, header: str, path: Path) -> str:
    if not value.startswith(FROM_ENVIRONMENT):
        return value
    variable = value.removeprefix(FROM_ENVIRONMENT)
    if variable not in os.environ:
        raise InputError(f"headers: {header}: environment variable {variable} is not set", path=path)
    return os.environ[variable]


def _filled(content: Any, values: Mapping[str, str]) -> Any:
    """Return a template with its places filled; what is filled in is never read as a template again."""
    if isinstance(content, str):
        for field in SHOWN:
            if content == f"{{{field}}}":
                return values[field]
        return _parts(content, values)
    if isinstance(content, dict):
        return {key: _filled(item, values) for key, item in content.items()}
    if isinstance(content, list):
        return [_filled(item, values) for item in content]
    return content


def _parts(content: str, values: Mapping[str, str]) -> str:
    made, rest = [], content
    while rest:
        places = [(rest.find(f"{{{field}}}"), field) for field in SHOWN]
        place, field = min(((at, field) for at, field in places if at >= 0), default=(len(rest), ""))
        made.append(rest[:place])
        made.append(values.get(field, ""))
        rest = rest[place + len(field) + 2 :] if field else ""
    return "".join(made)
