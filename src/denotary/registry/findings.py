"""What a lint rule finds, before waivers are applied and lines are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """One breach of a rule by one record.

    Attributes:
        rule: name of the rule.
        file: file of the record.
        record: id of the record, or None for the header.
        message: what is wrong and what was expected; never a text.
        severity: whether the registry can be frozen all the same.
    """

    rule: str
    file: str
    record: str | None
    message: str
    severity: Literal["error", "warning"] = "error"
