"""The panels of an identity report: each answers one question, and none is merged with another."""

from __future__ import annotations

from typing import Final

from denotary.reports.model import Panel

PANELS: Final = (
    Panel(
        "retrieval",
        "Candidate retrieval",
        "Is the right code among the candidates? It is evidence, never authority.",
    ),
    Panel("identity", "Final identity", "How often does a wrong code act with the authority of a right one?"),
    Panel(
        "selective",
        "Selective prediction and abstention",
        "What is covered, and what is refused, at the threshold?",
    ),
    Panel(
        "open_world",
        "Open world and ambiguity",
        "What happens where no code is right, or where the text cannot choose?",
    ),
    Panel(
        "robustness",
        "Robustness",
        "Does the decision follow the meaning when the wording changes, and only then?",
    ),
    Panel("multilingual", "Across languages", "Do aligned texts get one decision, and the right one?"),
    Panel("calibration", "Calibration", "Can a confidence be taken at its word?"),
    Panel(
        "conformance", "Registry conformance", "Does every reviewed expression resolve as the registry says?"
    ),
    Panel(
        "operation",
        "Operation",
        "Does every call get an answer, the same one each time, from the named snapshot?",
    ),
)
