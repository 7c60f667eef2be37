"""The panels of a similarity report: each answers one question, and none is merged with another."""

from __future__ import annotations

from typing import Final

from denotary.reports.model import Panel

PANELS: Final = (
    Panel("decision", "Decision axis", "Does the score follow the decision where wording is held equal?"),
    Panel("wording", "Wording", "Does the score follow wording where the decision is held equal?"),
    Panel("gate", "The gate at its cutoff", "What does the deployed gate approve, and what does it reject?"),
    Panel("fitted", "In sample", "What does the system do where it was fitted? No gate reads it."),
    Panel("operation", "Operation", "Does every call get an answer, and the same one each time?"),
)
