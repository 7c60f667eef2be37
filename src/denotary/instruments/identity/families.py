"""The twenty-two families of cases: the gold that each allows, the failure mechanisms that each exercises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from denotary.instruments.identity.cases import CODE_SWITCH, DISPOSITIONS, Disposition

if TYPE_CHECKING:
    from denotary.instruments.identity.cases import IdentityCase

MECHANISMS = {
    "F01": "nearest-neighbour snap",
    "F02": "sibling confusion",
    "F03": "lexical-overlap shortcut",
    "F04": "negation or contradiction collapse",
    "F05": "role or direction reversal",
    "F06": "composition error, mention taken as assertion",
    "F07": "ambiguity collapse",
    "F08": "underspecification guess",
    "F09": "mixed-concept collapse",
    "F10": "cross-language drift",
    "F11": "script, code-switch or transliteration failure",
    "F12": "normalisation collision",
    "F13": "context length, truncation, decoys",
    "F14": "instruction or identifier injection",
    "F15": "overconfidence",
    "F16": "instability",
    "F17": "version drift",
    "F18": "evaluation leakage",
    "F19": "ontology defect",
}
"""Ways in which a system comes to assert a code that is not justified. F19 is escalated, never forced into a
label."""

ANY: frozenset[Disposition] = frozenset(DISPOSITIONS)


@dataclass(frozen=True, slots=True)
class Family:
    """One primary family.

    Attributes:
        name: as it stands in ``construction.primary_family``.
        allowed: the gold that a case of the family may have by itself.
        mechanisms: the failure mechanisms that its cases exercise unless a case names its own.
        follows_parent: the gold follows from the relation to the parent; ``allowed`` holds for cases without
            one.
        flips: a flipped member of a contrast may have any gold.
        holds: what the family must hold, in one sentence.
    """

    name: str
    allowed: frozenset[Disposition]
    mechanisms: tuple[str, ...]
    holds: str
    follows_parent: bool = False
    flips: bool = False


def _only(*dispositions: Disposition) -> frozenset[Disposition]:
    return frozenset(dispositions)


_FAMILIES = (
    Family(
        "reviewed_exact",
        _only("SINGLE", "AMBIGUOUS", "EXACT_MISS"),
        ("F12", "F16", "F17"),
        "every reviewed expression of the snapshot, plus misses and collisions",
    ),
    Family(
        "held_out_paraphrase",
        _only("SINGLE"),
        ("F01", "F03", "F15"),
        "new wordings whose author saw no output of the system, in strata of measured lexical overlap",
    ),
    Family(
        "adversarial_paraphrase",
        _only("SINGLE"),
        ("F03", "F15"),
        "wordings that keep the meaning and are made to make a named system fail",
    ),
    Family(
        "hard_negative",
        _only("SINGLE", "UNKNOWN_REGISTRY"),
        ("F01", "F02", "F03"),
        "a text beside a named neighbour, with the written reason why the neighbour is not its meaning",
    ),
    Family(
        "minimal_contrast",
        _only("SINGLE", "UNKNOWN_REGISTRY"),
        ("F02", "F03"),
        "triples of a text, a small change that keeps its meaning, and a small change that does not",
        flips=True,
    ),
    Family(
        "negation_contradiction",
        _only("SINGLE", "UNKNOWN_REGISTRY"),
        ("F04", "F05"),
        "negation, exception, antonym, role reversal and contradiction, never mapped to an invented opposite",
        flips=True,
    ),
    Family(
        "compositional",
        _only("SINGLE", "UNKNOWN_REGISTRY", "MIXED"),
        ("F05", "F06"),
        "the meaning of the whole against that of a salient part; mention against assertion",
        flips=True,
    ),
    Family(
        "shadow_concept_unknown",
        _only("UNKNOWN_REGISTRY"),
        ("F01", "F15"),
        "coherent meanings for which no code of the registry is right",
    ),
    Family(
        "ambiguity",
        _only("AMBIGUOUS", "SINGLE"),
        ("F07",),
        "families of three: unresolved, and resolved to either reading by added context",
    ),
    Family(
        "underspecified_short",
        _only("UNDERSPECIFIED", "AMBIGUOUS", "SINGLE", "INVALID_INPUT"),
        ("F07", "F08"),
        "very short inputs: single words, abbreviations, acronyms, homographs, and the empty text",
    ),
    Family(
        "mixed_concept",
        _only("MIXED"),
        ("F09",),
        "two or more registered concepts expressed together",
    ),
    Family(
        "paired_multilingual",
        ANY,
        ("F10",),
        "one meaning aligned across languages, native-authored marked apart from translated",
        follows_parent=True,
    ),
    Family(
        CODE_SWITCH,
        ANY,
        ("F10", "F11"),
        "texts that switch languages within or between sentences",
        follows_parent=True,
    ),
    Family(
        "cross_script",
        ANY,
        ("F11",),
        "one wording in its native script and in attested romanisations",
        follows_parent=True,
    ),
    Family(
        "unicode_punctuation",
        ANY,
        ("F12",),
        "changes of code points and punctuation, each with its reviewed relation to the original",
        follows_parent=True,
    ),
    Family(
        "spelling_noise",
        ANY,
        ("F03", "F12"),
        "controlled and naturalistic misspellings by severity",
        follows_parent=True,
    ),
    Family(
        "morphology",
        ANY,
        ("F03", "F04"),
        "inflection, which keeps the meaning, apart from derivation, which may change it",
        follows_parent=True,
    ),
    Family(
        "dialect_variety",
        ANY,
        ("F10",),
        "regional and social varieties from sources, never standard language misspelled",
        follows_parent=True,
    ),
    Family(
        "rare_language",
        ANY,
        ("F10", "F15"),
        "languages outside strong training distributions",
        follows_parent=True,
    ),
    Family(
        "domain_shift",
        _only("SINGLE", "UNKNOWN_REGISTRY"),
        ("F01", "F03"),
        "the same concepts in other registers, and new concepts of those domains that are absent",
    ),
    Family(
        "long_context",
        ANY,
        ("F13",),
        "long texts with the decisive evidence at a known place, decoys, later negation, or no unique target",
    ),
    Family(
        "malicious_input",
        ANY,
        ("F14",),
        "instructions, fake fields and identifiers inside the text, which are data and no authority",
        follows_parent=True,
    ),
)

FAMILIES = {family.name: family for family in _FAMILIES}
"""Family by name."""

UNKNOWN_KINDS = (
    "registry_absent",
    "withheld_shadow",
    "near_boundary",
    "future_concept",
    "out_of_domain",
    "open_class_novelty",
    "category_error",
    "gibberish",
)
"""Tags of which a case of ``shadow_concept_unknown`` carries one."""

TAGS = (
    CODE_SWITCH,
    "romanised",
    "cross_script",
    "unicode_punctuation",
    "spelling_noise",
    "morphology",
    "dialect_variety",
    "rare_language",
    "long_context",
    "domain_shift",
    "negation",
    "role_reversal",
    "prompt_like",
    "identifier_spoof",
    "one_token",
    "two_tokens",
)
"""Tags that quotas count; a case also counts for the tag that is the name of its family. Other tags are
free."""


def is_flipped(case: IdentityCase) -> bool:
    """Whether the case is the member of a contrast whose meaning was changed."""
    construction = case.construction
    by_role = construction.contrast is not None and construction.contrast.role in ("x_flip", "changed")
    return by_role or construction.meaning_relation_to_parent == "DIFFERENT_MEANING"


def allowed_gold(family: Family, case: IdentityCase, parent: IdentityCase | None) -> frozenset[Disposition]:
    """Return the dispositions that the gold of a case may have.

    In a family that follows its parent, SAME_MEANING keeps the parent's, POTENTIALLY_AMBIGUOUS adds
    AMBIGUOUS, and DIFFERENT_MEANING allows any.

    Args:
        family: the case's primary family.
        case: the case.
        parent: its parent, if it has one in the suite.
    """
    if family.flips and is_flipped(case):
        return ANY
    if not family.follows_parent or parent is None:
        return family.allowed
    relation = case.construction.meaning_relation_to_parent
    if relation == "SAME_MEANING":
        return frozenset((parent.gold.disposition,))
    if relation == "POTENTIALLY_AMBIGUOUS":
        return frozenset((parent.gold.disposition, "AMBIGUOUS"))
    return ANY


def mechanisms_of(case: IdentityCase) -> tuple[str, ...]:
    """Return the failure mechanisms that a case exercises: its own, or else those of its family."""
    family = FAMILIES.get(case.construction.primary_family)
    return case.construction.mechanisms or (family.mechanisms if family else ())
