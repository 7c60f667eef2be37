"""The answers of the exact lane: the decision in the HTTP contract, and beside it what an auditor needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from denotary import __version__
from denotary.registry.records import Expression
from denotary.text import PROFILE, UNICODE_VERSION, VECTORS, Rejection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.registry.index import Snapshot, TextRecord

SYSTEM_VERSION: Final = f"denotary-exact/{__version__}"
"""What the lane calls itself in every answer."""


class Finding(msgspec.Struct, frozen=True):
    """What the lane found, before it is put into an answer.

    Attributes:
        decision: the decision as the contract has it.
        disposition: ``SINGLE``, ``AMBIGUOUS``, ``UNDERSPECIFIED``, ``INVALID_INPUT``; ``ABSTAIN`` says that
            the lane does not know, and claims nothing about the text.
        evidence: what explains it; never authority.
        record: the expression that gives the code, for a decision that assigns.
        senses: the codes among which the text cannot choose, as a sorted set.
        near: what evidence folds bring together with the text.
    """

    decision: dict[str, Any]
    disposition: str
    evidence: list[dict[str, Any]]
    record: Expression | None = None
    senses: list[str] | None = None
    near: list[dict[str, Any]] = msgspec.field(default_factory=list)


def shared_provenance(snapshot: Snapshot) -> dict[str, Any]:
    """Return the part of the provenance that all answers from one snapshot have in common."""
    return {
        "lane": "exact",
        "registry": snapshot.name,
        "registry_version": snapshot.version,
        "registry_hash": f"sha256:{snapshot.hash}",
        "profile": PROFILE,
        "unicode": UNICODE_VERSION,
        "vectors": VECTORS,
    }


def single(code: str, records: Sequence[Expression]) -> Finding:
    """Return the assignment of a concept; of several records the first by language and id stands for them."""
    return Finding(
        {"type": "concept", "concept_code": code},
        "SINGLE",
        [] if len(records) == 1 else [sense(record) for record in records],
        records[0],
    )


def several(codes: Sequence[str], records: Sequence[TextRecord]) -> Finding:
    """Return the refusal of a text that is known to have more senses than one.

    With two registered senses or more it is AMBIGUOUS. With fewer, the text is declared to have senses
    outside the registry, and is UNDERSPECIFIED.
    """
    disposition = "AMBIGUOUS" if len(codes) > 1 else "UNDERSPECIFIED"
    return Finding(
        {"type": "abstain", "reason": disposition.lower()},
        disposition,
        [sense(record) for record in records],
        senses=list(codes),
    )


def missed(reason: str, evidence: list[dict[str, Any]], near: list[dict[str, Any]]) -> Finding:
    """Return the refusal of a text that is no expression of the language asked for."""
    return Finding({"type": "abstain", "reason": reason}, "ABSTAIN", evidence, near=near)


def rejected(rejection: Rejection) -> Finding:
    """Return the rejection of what is no valid text."""
    shown: dict[str, Any] = {"kind": "rejected", "rule": rejection.rule}
    if rejection.rule == "not_utf8":
        shown |= {"byte": f"0x{rejection.code_point:02X}", "offset": rejection.offset}
    elif rejection.code_point is not None:
        shown |= {"code_point": f"U+{rejection.code_point:04X}", "offset": rejection.offset}
    return Finding({"type": "reject", "reason": "invalid_input"}, "INVALID_INPUT", [shown])


def sense(record: TextRecord, kind: str = "sense") -> dict[str, Any]:
    """Return a record as evidence: its language, codes and id, and its review or how it is declared."""
    shown = {"kind": kind, "language": record.language, "concept_codes": sorted(record.codes)}
    if isinstance(record, Expression):
        return shown | {"expression_id": record.id, "review": review(record)}
    return shown | {"ambiguity_id": record.id, "declared": record.kind}


def review(record: Expression) -> dict[str, str]:
    """Return who reviewed an expression, when, and with what result."""
    found = record.review
    return {"by": found.by, "on": found.on, "status": found.status}
