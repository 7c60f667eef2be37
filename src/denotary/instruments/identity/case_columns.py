"""Columns of the table that depend on the cases alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from denotary.instruments.identity.cases import CODE_SWITCH, DISPOSITIONS
from denotary.instruments.identity.critical import TIERS as CRITICAL
from denotary.instruments.identity.families import FAMILIES
from denotary.instruments.identity.instrument import identity_cases
from denotary.instruments.identity.probes import DECLARED, ESCAPING, LANGUAGE, NORMALISATION, UNICODE
from denotary.measures.table import Coded
from denotary.suites.keys import hidden
from denotary.text.languages import primary_subtag

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.measures.table import BoolArray, IntArray
    from denotary.suites.suite import Suite

TIERS: Final = ("C0", "C1", "C2", "C3", "C4", "C5")
ALL_DISPOSITIONS: Final = (*DISPOSITIONS, "EXACT_MISS")
SEVERITIES: Final = ("low", "medium", "high")
RESOLUTIONS: Final = ("open", "resolved")
STRATA: Final = ("high", "moderate", "low")
POSITIONS: Final = ("begin", "quarter", "middle", "three_quarter", "end")
NEIGHBOUR: Final = ("named", "none named")
"""Labels of the column that tells cases with a designated neighbour from others."""
NOISE: Final = frozenset(("spelling_noise", "morphology"))
"""Families and tags of texts that are misspelled or inflected."""
ATTACKS: Final = ("adversarial_paraphrase", "malicious_input")
"""Families of attacks; a case with an attack family is an attack too."""
BOUNDARIES: Final = ("hard_negative", "minimal_contrast", "negation_contradiction")
"""Families whose cases lie at the boundary of a concept; a case with a neighbour, in a contrast set or tagged
``boundary`` does too."""
BOUNDARY: Final = "boundary"
"""Tag of a case of another family that says what a case at a boundary says: a variant of one, in another form."""
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

INJECTIONS: Final = frozenset(("malicious_input", "prompt_like", "identifier_spoof"))
"""Families and tags of texts that give orders or name codes themselves."""
ZERO_REGRESSION: Final = "zero_regression"
"""Tag of a case that, once passed, must be passed by every later release: a failure that was mended."""


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
        ids: record id of each row.
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

    ids: list[str]
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


def unpack(packed: IntArray) -> tuple[IntArray, IntArray]:
    """Return the rows and codes that :func:`pack` packed."""
    return packed >> 32, (packed & ((1 << 32) - 1)) - 1


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
    codes.update({code: number for number, code in enumerate(sorted(suite.registry.concepts))})
    registered = len(codes) - 1
    plain, coded = _described(cases)
    gold = _gold(cases, coded["disposition"].codes == ALL_DISPOSITIONS.index("SINGLE"), codes, registered)
    coded |= {"concept": gold.concept, "tier": _tiers(gold.concept, suite)}
    plain["has_neighbours"] = _held(len(cases), gold.neighbours >> 32)
    plain["boundary"] |= plain["has_neighbours"]
    coded["neighbour"] = Coded(np.where(plain["has_neighbours"], 0, 1), NEIGHBOUR)
    plain["critical"] = np.isin(coded["tier"].codes, [TIERS.index(tier) for tier in sorted(CRITICAL)])
    ids = [case.record_id for case in cases]
    return CaseColumns(
        ids,
        dict(zip(ids, range(len(ids)), strict=True)),
        codes,
        registered,
        gold.single,
        gold.neighbourhood,
        gold.acceptable,
        gold.neighbours,
        plain,
        coded,
        _units(suite.units),
    )


@dataclass(frozen=True, slots=True)
class _Gold:
    """Codes of the gold of each case; see :class:`CaseColumns` for the arrays."""

    concept: Coded
    single: IntArray
    neighbourhood: IntArray
    acceptable: IntArray
    neighbours: IntArray


def _gold(cases: Sequence[IdentityCase], is_single: BoolArray, codes: Codes, registered: int) -> _Gold:
    """Return the codes of the gold, looked up once for each distinct gold.

    A label that is no concept of the registry is its SHA-256: in a draft a text may stand where a code belongs.
    """
    number: dict[tuple[Any, ...], int] = {}
    kind = np.asarray(
        [
            number.setdefault(
                (gold.acceptable_concept_codes, gold.forbidden_neighbor_codes, near), len(number)
            )
            for gold, near in ((case.gold, case.construction.concept_neighbourhood) for case in cases)
        ],
        dtype=np.int64,
    )
    first = np.asarray([codes[accepted[0]] if accepted else -1 for accepted, _, _ in number], dtype=np.int64)
    near = np.asarray([codes[code] for _, _, code in number], dtype=np.int64)
    single = np.where(is_single, first[kind], -1)
    concept = np.where(is_single, single, near[kind])
    names = codes.labels()
    found = np.unique(concept[concept >= 0])
    labels = ["", *(names[at] if at < registered else hidden(names[at]) for at in found.tolist())]
    order = sorted(range(len(labels)), key=labels.__getitem__)
    place = np.empty(len(labels), dtype=np.int32)
    place[order] = np.arange(len(labels))
    position = np.where(concept >= 0, np.searchsorted(found, concept) + 1, 0)
    return _Gold(
        Coded(place[position], tuple(labels[index] for index in order)),
        single,
        near[kind],
        _pairs([accepted for accepted, _, _ in number], kind, codes),
        _pairs([forbidden for _, forbidden, _ in number], kind, codes),
    )


def _units(names: Sequence[str]) -> IntArray:
    number: dict[str, int] = {}
    return np.asarray([number.setdefault(name, len(number)) for name in names], dtype=np.int64)


def _pairs(groups: Sequence[tuple[str, ...]], kind: IntArray, codes: Codes) -> IntArray:
    """Return the packed pairs of row and code, ascending; each row has the codes of its kind's group."""
    flat = np.asarray([codes[code] for group in groups for code in group], dtype=np.int64)
    sizes = np.asarray([len(group) for group in groups], dtype=np.int64)
    starts = np.cumsum(sizes) - sizes
    of_row = sizes[kind]
    rows = np.repeat(np.arange(len(kind)), of_row)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(of_row) - of_row, of_row)
    return np.sort(pack(rows, flat[starts[kind[rows]] + within]))


def _held(size: int, rows: IntArray) -> BoolArray:
    held = np.zeros(size, dtype=np.bool_)
    held[rows] = True
    return held


def _tiers(concepts: Coded, suite: Suite) -> Coded:
    known = suite.registry.concepts
    tier = [TIERS.index(known[label].consequence_tier) if label in known else -1 for label in concepts.labels]
    return Coded(np.asarray([*tier, -1], dtype=np.int32)[concepts.codes], TIERS)


class _Kind(NamedTuple):
    """What many cases have in common. A suite has far fewer kinds than cases, so columns are made per kind."""

    family: str
    tags: tuple[str, ...]
    language: str | None
    script: str | None
    domain: str | None
    disposition: str
    severity: str | None
    resolution: str | None
    overlap: str | None
    position: str | None
    native: bool | None
    translated: bool
    attacked: bool
    contrasted: bool


def _described(cases: Sequence[IdentityCase]) -> tuple[dict[str, BoolArray], dict[str, Coded]]:
    """Return the columns that follow from the kind of each case."""
    number: dict[tuple[Any, ...], int] = {}
    # Written out in place: a call a case would cost as much as all of the rest.
    kind = np.asarray(
        [
            number.setdefault(
                (
                    made.primary_family,
                    made.tags,
                    shown.language,
                    shown.script,
                    shown.domain,
                    gold.disposition,
                    made.variant_severity,
                    made.resolution,
                    made.overlap_stratum,
                    made.position_of_evidence,
                    made.native_author,
                    made.translated,
                    made.attack_family is not None,
                    made.contrast is not None,
                ),
                len(number),
            )
            for made, shown, gold in ((case.construction, case.input, case.gold) for case in cases)
        ],
        dtype=np.int64,
    )
    kinds = [_Kind(*key) for key in number]
    example = [cases[index] for index in np.unique(kind, return_index=True)[1]]
    families = [item.family for item in kinds]
    columns = {
        "disposition": Coded.of([item.disposition for item in kinds], ALL_DISPOSITIONS),
        "family": Coded.of(families, (*FAMILIES, *sorted(set(families) - set(FAMILIES)))),
        "language": Coded.of([case.language_slice for case in example]),
        "script": Coded.of([item.script or "" for item in kinds]),
        "domain": Coded.of([item.domain or "" for item in kinds]),
        "severity": Coded.of([item.severity for item in kinds], SEVERITIES),
        "resolution": Coded.of([item.resolution for item in kinds], RESOLUTIONS),
        "overlap": Coded.of([item.overlap for item in kinds], STRATA),
        "position": Coded.of([item.position for item in kinds], POSITIONS),
        "variety": Coded.of([item.language or "und" for item in kinds]),
        "matrix_language": Coded.of([primary_subtag(item.language or "und") for item in kinds]),
    }
    coded = {name: Coded(column.codes[kind], column.labels) for name, column in columns.items()}
    flags = [_flags(item) for item in kinds]
    plain = {name: np.asarray([flag[name] for flag in flags], dtype=np.bool_)[kind] for name in _FLAGS}
    return plain, coded


_FLAGS: Final = (
    "negation",
    "role_reversal",
    "contradiction",
    "attack",
    "declared_ambiguity",
    "language_constraint",
    "normalisation",
    "escaping",
    "unicode_preservation",
    "native",
    "translated",
    "boundary",
    "robustness",
    "injection",
    "zero_regression",
    "noisy",
    "code_switched",
)
"""Columns that :func:`_flags` yields."""


def _flags(kind: _Kind) -> dict[str, bool]:
    negation, reversal = "negation" in kind.tags, "role_reversal" in kind.tags
    contrary = kind.family == "negation_contradiction" and not negation and not reversal
    return {
        "negation": negation,
        "role_reversal": reversal,
        "contradiction": contrary or not CONTRADICTIONS.isdisjoint(kind.tags),
        "attack": kind.attacked or kind.family in ATTACKS,
        "declared_ambiguity": DECLARED in kind.tags,
        "language_constraint": LANGUAGE in kind.tags,
        "normalisation": NORMALISATION in kind.tags,
        "escaping": ESCAPING in kind.tags,
        "unicode_preservation": UNICODE in kind.tags,
        "native": kind.native is True,
        "translated": kind.translated,
        "boundary": kind.contrasted or kind.family in BOUNDARIES or BOUNDARY in kind.tags,
        "robustness": not ROBUSTNESS.isdisjoint((kind.family, *kind.tags)),
        "injection": not INJECTIONS.isdisjoint((kind.family, *kind.tags)),
        "zero_regression": ZERO_REGRESSION in kind.tags,
        "noisy": not NOISE.isdisjoint((kind.family, *kind.tags)),
        "code_switched": CODE_SWITCH in (kind.family, *kind.tags),
    }
