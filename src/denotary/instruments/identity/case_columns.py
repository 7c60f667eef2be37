"""Columns of the table that depend on the cases alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.instruments.identity.cases import DISPOSITIONS
from denotary.instruments.identity.families import FAMILIES
from denotary.instruments.identity.instrument import identity_cases
from denotary.instruments.identity.probes import ESCAPING, LANGUAGE, NORMALISATION, UNICODE
from denotary.measures.table import Coded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.measures.table import BoolArray, IntArray
    from denotary.suites.records import Construction
    from denotary.suites.suite import Suite

CRITICAL: Final = ("C3", "C4", "C5")
"""Consequence tiers whose concepts are critical."""
TIERS: Final = ("C0", "C1", "C2", "C3", "C4", "C5")
ALL_DISPOSITIONS: Final = (*DISPOSITIONS, "EXACT_MISS")
SEVERITIES: Final = ("low", "medium", "high")
ATTACKS: Final = ("adversarial_paraphrase", "malicious_input")
"""Families of attacks; a case with an attack family is an attack too."""
BOUNDARIES: Final = ("hard_negative", "minimal_contrast", "negation_contradiction")
"""Families whose cases lie at the boundary of a concept; a case with a neighbour or in a contrast set does
too."""
ROBUSTNESS: Final = frozenset(
    (
        "unicode_punctuation",
        "spelling_noise",
        "morphology",
        "dialect_variety",
        "code_switch",
        "cross_script",
        "romanised",
    )
)
"""Families and tags of robustness cases."""
CONTRADICTIONS: Final = frozenset(
    ("contradiction", "contradictory_conjunction", "contradictory_long_context", "antonym")
)
"""Tags of a text that contradicts what its original says without negating it."""


class Codes(dict[str | None, int]):
    """A number for every concept code, given out on first sight; None is -1."""

    def __init__(self) -> None:
        super().__init__({None: -1})

    def __missing__(self, code: str | None) -> int:
        self[code] = number = len(self) - 1
        return number

    def labels(self) -> list[str]:
        """Return the codes by number."""
        return [code for code in self if code is not None]


@dataclass(frozen=True, slots=True)
class CaseColumns:
    """What the join needs of the cases, and the columns that go into the table as they are.

    Attributes:
        row: row of each record id.
        codes: number of each concept code; registered ones come first.
        registered: how many codes are registered.
        gold: shape (N,), number of the one right code, or -1.
        neighbourhood: shape (N,), number of the concept in whose neighbourhood the case lies, or -1.
        acceptable: packed pairs of row and acceptable code, ascending.
        neighbours: packed pairs of row and designated neighbour, ascending.
        plain: boolean columns.
        coded: text columns.
        unit: shape (N,), number of the case's unit.
    """

    row: Mapping[str, int]
    codes: Codes
    registered: int
    gold: IntArray
    neighbourhood: IntArray
    acceptable: IntArray
    neighbours: IntArray
    plain: Mapping[str, Any]
    coded: Mapping[str, Coded]
    unit: IntArray

    def is_neighbour(self, rows: IntArray, codes: IntArray) -> BoolArray:
        """Return whether each code is a designated neighbour of its row, shape of both arguments."""
        return contains(self.neighbours, pack(rows, codes))


def pack(rows: IntArray, codes: IntArray) -> IntArray:
    """Return a row and a code (-1 or more) as one number that orders by row."""
    packed: IntArray = (rows.astype(np.int64) << 32) + codes + 1
    return packed


def contains(ascending: IntArray, values: IntArray) -> BoolArray:
    """Return which values stand in an ascending array."""
    if not len(ascending):
        return np.zeros(values.shape, dtype=np.bool_)
    at = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    found: BoolArray = ascending[at] == values
    return found


def case_columns(suite: Suite) -> CaseColumns:
    """Return the columns of a suite's cases, N rows in the order of the suite."""
    cases = identity_cases(suite)
    codes = Codes()
    for code in sorted(suite.registry.concepts):
        codes[code]
    registered = len(codes) - 1
    dispositions = [case.gold.disposition for case in cases]
    gold = [
        case.gold.acceptable_concept_codes[0] if disposition == "SINGLE" else None
        for case, disposition in zip(cases, dispositions, strict=True)
    ]
    near = [case.construction.concept_neighbourhood for case in cases]
    acceptable = _pairs([case.gold.acceptable_concept_codes for case in cases], codes)
    neighbours = _pairs([case.gold.forbidden_neighbor_codes for case in cases], codes)
    concepts = Coded.of([own or other or "" for own, other in zip(gold, near, strict=True)])
    coded = _coded(cases, dispositions)
    coded |= {"concept": concepts, "tier": _tiers(concepts, suite)}
    plain = _flags(cases)
    plain["has_neighbours"] = _held(len(cases), neighbours >> 32)
    plain |= _floors([case.construction for case in cases], plain["has_neighbours"])
    plain["critical"] = np.isin(coded["tier"].codes, [TIERS.index(tier) for tier in CRITICAL])
    return CaseColumns(
        {case.record_id: index for index, case in enumerate(cases)},
        codes,
        registered,
        np.fromiter((codes[code] for code in gold), np.int32, len(cases)),
        np.fromiter((codes[code] for code in near), np.int32, len(cases)),
        acceptable,
        neighbours,
        plain,
        coded,
        _units(suite.units),
    )


def _units(names: Sequence[str]) -> IntArray:
    number: dict[str, int] = {}
    return np.fromiter((number.setdefault(name, len(number)) for name in names), np.int64, len(names))


def _pairs(groups: Sequence[tuple[str, ...]], codes: Codes) -> IntArray:
    """Return the packed pairs of row and code, ascending."""
    flat = [codes[code] for group in groups for code in group]
    rows = np.repeat(np.arange(len(groups)), np.fromiter(map(len, groups), np.int64, len(groups)))
    return np.sort(pack(rows, np.asarray(flat, dtype=np.int64)))


def _held(size: int, rows: IntArray) -> BoolArray:
    held = np.zeros(size, dtype=np.bool_)
    held[rows] = True
    return held


def _tiers(concepts: Coded, suite: Suite) -> Coded:
    known = suite.registry.concepts
    tier = [TIERS.index(known[label].consequence_tier) if label in known else -1 for label in concepts.labels]
    return Coded(np.asarray([*tier, -1], dtype=np.int32)[concepts.codes], TIERS)


def _coded(cases: Sequence[IdentityCase], dispositions: Sequence[str]) -> dict[str, Coded]:
    made = [case.construction for case in cases]
    families = [item.primary_family for item in made]
    return {
        "disposition": Coded.of(dispositions, ALL_DISPOSITIONS),
        "family": Coded.of(families, (*FAMILIES, *sorted(set(families) - set(FAMILIES)))),
        "language": Coded.of([case.language_slice for case in cases]),
        "script": Coded.of([case.input.script or "" for case in cases]),
        "domain": Coded.of([case.input.domain or "" for case in cases]),
        "severity": Coded.of([item.variant_severity for item in made], SEVERITIES),
    }


def _flags(cases: Sequence[IdentityCase]) -> dict[str, BoolArray]:
    made = [case.construction for case in cases]
    tags = [item.tags for item in made]
    families = [item.primary_family for item in made]
    negation = _flag("negation" in group for group in tags)
    reversal = _flag("role_reversal" in group for group in tags)
    contradicting = _flag(not CONTRADICTIONS.isdisjoint(group) for group in tags)
    contrary = _flag(family == "negation_contradiction" for family in families)
    attack = _flag(item.attack_family is not None or item.primary_family in ATTACKS for item in made)
    return {
        "negation": negation,
        "role_reversal": reversal,
        "contradiction": contradicting | (contrary & ~negation & ~reversal),
        "attack": attack,
        "language_constraint": _flag(LANGUAGE in group for group in tags),
        "normalisation": _flag(NORMALISATION in group for group in tags),
        "escaping": _flag(ESCAPING in group for group in tags),
        "unicode_preservation": _flag(UNICODE in group for group in tags),
        "native": _flag(item.native_author is True for item in made),
        "translated": _flag(item.translated for item in made),
    }


def _floors(made: Sequence[Construction], has_neighbours: BoolArray) -> dict[str, BoolArray]:
    """Return the kinds of case that evidence floors count."""
    contrast = _flag(item.contrast is not None or item.primary_family in BOUNDARIES for item in made)
    kinds = (ROBUSTNESS.intersection((item.primary_family, *item.tags)) for item in made)
    return {"boundary": has_neighbours | contrast, "robustness": _flag(bool(kind) for kind in kinds)}


def _flag(values: Iterable[bool]) -> BoolArray:
    return np.fromiter(values, dtype=np.bool_)
