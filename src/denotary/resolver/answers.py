"""The answers of the exact lane: the decision in the HTTP contract, and beside it what an auditor needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from denotary import __version__
from denotary.registry.records import Expression
from denotary.text import PROFILE, UNICODE_VERSION, VECTORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.registry.index import Snapshot, TextRecord
    from denotary.text import Rejection

    Answer = dict[str, Any]

SYSTEM_VERSION: Final = f"denotary-exact/{__version__}"
"""What the lane calls itself in every answer."""
NORMALISATION: Final = f"{PROFILE}, Unicode {UNICODE_VERSION}, vectors {VECTORS}"
"""What both lanes do to a text before they read it, for the identity of a run."""


class Answers:
    """Builds the answers that one snapshot gives.

    Keys of an answer: ``decision``; ``disposition`` (``SINGLE``, ``AMBIGUOUS``, ``UNDERSPECIFIED``,
    ``INVALID_INPUT``, or ``ABSTAIN``: the lane does not know, and claims nothing about the text);
    ``registry_version_returned``; ``system_version``; ``provenance``; ``evidence`` and ``near_exact``, which
    never authorise a code; and ``senses`` where the text cannot choose among several, as a sorted set.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        """Prepare what all answers have in common."""
        self._version = snapshot.version
        # Copied and filled in for each answer, which is cheaper than building it key by key.
        self._provenance: Answer = {
            "lane": "exact",
            "authority": False,
            "registry": snapshot.name,
            "registry_version": snapshot.version,
            "registry_hash": f"sha256:{snapshot.hash}",
            "profile": PROFILE,
            "unicode": UNICODE_VERSION,
            "vectors": VECTORS,
            "expression_id": None,
            "language": None,
            "review": None,
            "nfc_changed": False,
        }

    def single(self, records: Sequence[Expression], *, nfc_changed: bool) -> Answer:
        """Return the assignment of the concept that all the records have.

        Of several records, in several languages, the first by language and id stands for them.
        """
        record = records[0]
        provenance = self._provenance.copy()
        provenance["authority"] = True
        provenance["expression_id"] = record.id
        provenance["language"] = record.language
        provenance["review"] = review(record)
        provenance["nfc_changed"] = nfc_changed
        return {
            "decision": {"type": "concept", "concept_code": record.codes[0]},
            "disposition": "SINGLE",
            "registry_version_returned": self._version,
            "system_version": SYSTEM_VERSION,
            "provenance": provenance,
            "evidence": [] if len(records) == 1 else [sense(record) for record in records],
            "near_exact": [],
        }

    def several(self, codes: Sequence[str], records: Sequence[TextRecord], *, nfc_changed: bool) -> Answer:
        """Return the refusal of a text that is known to have more senses than one.

        With two registered senses or more it is AMBIGUOUS. With fewer, the text is declared to have senses
        outside the registry, and is UNDERSPECIFIED.
        """
        disposition = "AMBIGUOUS" if len(codes) > 1 else "UNDERSPECIFIED"
        decision = {"type": "abstain", "reason": disposition.lower()}
        evidence = [sense(record) for record in records]
        answer = self._refusal(decision, disposition, evidence, nfc_changed=nfc_changed)
        answer["senses"] = list(codes)
        return answer

    def missed(self, reason: str, evidence: list[Answer], near: list[Answer], *, nfc_changed: bool) -> Answer:
        """Return the refusal of a text that is no expression of the language asked for."""
        answer = self._refusal(
            {"type": "abstain", "reason": reason}, "ABSTAIN", evidence, nfc_changed=nfc_changed
        )
        answer["near_exact"] = near
        return answer

    def rejected(self, rejection: Rejection) -> Answer:
        """Return the rejection of what is no valid text."""
        shown: Answer = {"kind": "rejected", "rule": rejection.rule}
        if rejection.rule == "not_utf8":
            shown |= {"byte": f"0x{rejection.code_point:02X}", "offset": rejection.offset}
        elif rejection.code_point is not None:
            shown |= {"code_point": f"U+{rejection.code_point:04X}", "offset": rejection.offset}
        decision = {"type": "reject", "reason": "invalid_input"}
        return self._refusal(decision, "INVALID_INPUT", [shown], nfc_changed=False)

    def _refusal(
        self, decision: dict[str, str], disposition: str, evidence: list[Answer], *, nfc_changed: bool
    ) -> Answer:
        return {
            "decision": decision,
            "disposition": disposition,
            "registry_version_returned": self._version,
            "system_version": SYSTEM_VERSION,
            "provenance": self._provenance | {"nfc_changed": nfc_changed},
            "evidence": evidence,
            "near_exact": [],
        }


def sense(record: TextRecord, kind: str = "sense") -> Answer:
    """Return a record as evidence: its language, codes and id, and its review or how it is declared."""
    shown = {"kind": kind, "language": record.language, "concept_codes": sorted(record.codes)}
    if isinstance(record, Expression):
        return shown | {"expression_id": record.id, "review": review(record)}
    return shown | {"ambiguity_id": record.id, "declared": record.kind}


def review(record: Expression) -> dict[str, str]:
    """Return who reviewed an expression, when, and with what result."""
    found = record.review
    return {"by": found.by, "on": found.on, "status": found.status}
