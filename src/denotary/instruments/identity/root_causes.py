"""The root-cause codes of a failure, E01 to E31."""

from __future__ import annotations

from typing import Final

ROOT_CAUSES: Final = {
    "E01": "wrong sibling",
    "E02": "too broad",
    "E03": "too narrow",
    "E04": "related, not identical",
    "E05": "negation collapse",
    "E06": "contradiction accepted",
    "E07": "role reversal",
    "E08": "scope or quantifier",
    "E09": "composition",
    "E10": "mention taken as assertion",
    "E11": "unknown meaning snapped to a concept",
    "E12": "ambiguity forced",
    "E13": "underspecification forced",
    "E14": "mixed concepts collapsed",
    "E15": "invalid input accepted",
    "E16": "language or variety",
    "E17": "code-switch",
    "E18": "transliteration",
    "E19": "Unicode or normalisation",
    "E20": "spelling or morphology",
    "E21": "domain shift",
    "E22": "long context or truncation",
    "E23": "prompt injection",
    "E24": "identifier spoof",
    "E25": "overconfidence",
    "E26": "nondeterminism",
    "E27": "version or provenance",
    "E28": "exact-path regression",
    "E29": "annotation error",
    "E30": "ontology defect",
    "E31": "harness error",
}
"""Code to what it means."""

OUTSIDE: Final = ("E29", "E30", "E31")
"""Causes that lie with the suite, the registry or the harness. A case leaves the rates only by an entry in the
suite's correction ledger, never by being called so."""
