"""The shapes of requests and answers, as the OpenAPI description publishes them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from denotary.text.languages import TAG_PATTERN

BASE64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"


class ResolveRequest(msgspec.Struct):
    """One text to resolve: ``text``, or ``text_b64`` for bytes that are no text."""

    text: str | msgspec.UnsetType | None = msgspec.UNSET
    text_b64: Annotated[str, msgspec.Meta(pattern=BASE64)] | msgspec.UnsetType = msgspec.UNSET
    record_id: str | msgspec.UnsetType = msgspec.UNSET
    language: Annotated[str, msgspec.Meta(pattern=TAG_PATTERN)] | None = None
    language_match: Literal["exact", "extended"] = "exact"
    registry_version: str | None = None


class Decision(msgspec.Struct, omit_defaults=True):
    """What may be acted on."""

    type: Literal["concept", "abstain", "reject"]
    concept_code: str | msgspec.UnsetType = msgspec.UNSET
    reason: str | msgspec.UnsetType = msgspec.UNSET


class Provenance(msgspec.Struct):
    """Which snapshot answered under which rules, and on whose review."""

    lane: Literal["exact"]
    authority: bool
    registry: str
    registry_version: str
    registry_hash: str
    profile: str
    unicode: str
    vectors: str
    expression_id: str | None
    language: str | None
    review: dict[str, str] | None
    nfc_changed: bool


class ResolveAnswer(msgspec.Struct, omit_defaults=True):
    """The answer to one request, refusals too."""

    decision: Decision
    disposition: Literal["SINGLE", "AMBIGUOUS", "UNDERSPECIFIED", "INVALID_INPUT", "ABSTAIN"]
    registry_version_returned: str
    system_version: str
    provenance: Provenance
    evidence: list[dict[str, Any]]
    near_exact: list[dict[str, Any]]
    senses: list[str] | msgspec.UnsetType = msgspec.UNSET
    record_id: str | msgspec.UnsetType = msgspec.UNSET


class Batch(msgspec.Struct):
    """Requests that are answered in their order, each as if it had been sent alone."""

    items: list[ResolveRequest]


class ProblemDetails(msgspec.Struct, omit_defaults=True):
    """An error, RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    hint: str = ""


class FailedItem(msgspec.Struct, omit_defaults=True):
    """What stands in a batch for a request that could not be answered."""

    problem: ProblemDetails
    record_id: str | msgspec.UnsetType = msgspec.UNSET
