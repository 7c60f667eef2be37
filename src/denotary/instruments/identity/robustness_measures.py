"""Declared measures of robustness and of languages, over the semantic track.

Pairs and sets are counted on one row each (:mod:`denotary.instruments.identity.pair_columns`), or on a row a pair
(:mod:`denotary.instruments.identity.related`); such a row is answered where all members are.
"""

from __future__ import annotations

from typing import Final

from denotary.instruments.identity.tracks import SEMANTIC
from denotary.measures.records import Rate

_BY_GROUP: Final = ("all", "language", "concept")
_OF_ORIGINAL: Final = ("all", "language", "original", "family")
"""What a changed text is taken for is a matter of the concept that it was changed from."""

_ROBUSTNESS: Final = (
    Rate(
        id="invariant_consistency",
        title="Same decision on the same meaning",
        panel="robustness",
        direction="higher",
        event="pair_alike",
        among=f"{SEMANTIC} AND same_pair",
        answered="pair_answered",
        beside=("pair_correct",),
        slices=_BY_GROUP,
        hides="Two texts that are both decided wrongly, and alike, count as consistent. Read it with the "
        "share of pairs that are right.",
    ),
    Rate(
        id="pair_correct",
        title="Both of a same-meaning pair right",
        panel="robustness",
        direction="higher",
        event="pair_correct",
        among=f"{SEMANTIC} AND same_pair",
        answered="pair_answered",
        slices=_BY_GROUP,
        hides="A pair fails whether one member or both are wrong, and whether by a wrong code or by a "
        "refusal.",
    ),
    Rate(
        id="contrast_sensitivity",
        title="A change of meaning is noticed",
        panel="robustness",
        direction="higher",
        event="contrast_noticed",
        among=f"{SEMANTIC} AND contrast_turns",
        answered="contrast_answered",
        beside=("contrast_consistency",),
        slices=_BY_GROUP,
        hides="A different decision need not be the right one: from one wrong code to another also counts "
        "as noticed.",
    ),
    Rate(
        id="contrast_consistency",
        title="Whole contrast set right",
        panel="robustness",
        direction="higher",
        event="contrast_correct",
        among=f"{SEMANTIC} AND contrast_set",
        answered="contrast_answered",
        slices=_BY_GROUP,
        hides="Sets of three are harder than pairs, so the figure depends on the sizes of the sets.",
    ),
    Rate(
        id="flip_correct",
        title="Both sides of a change of meaning right",
        panel="robustness",
        direction="higher",
        event="flip_correct",
        among=f"{SEMANTIC} AND flip_pair",
        answered="flip_answered",
        slices=_BY_GROUP,
        hides="A pair fails whether the original or the changed text is wrong, and whether by a wrong code or by "
        "a refusal.",
    ),
    Rate(
        id="negation_collapse",
        title="Negation collapse",
        panel="robustness",
        direction="lower",
        event="original_assigned OR unanswered",
        among=f"{SEMANTIC} AND negation AND has_original",
        slices=_OF_ORIGINAL,
        hides="Only the code of the negated meaning counts here; another wrong code given to a negated text "
        "shows in the assignment risk.",
    ),
    Rate(
        id="contradiction_acceptance",
        title="Contradiction accepted",
        panel="robustness",
        direction="lower",
        event="original_assigned OR unanswered",
        among=f"{SEMANTIC} AND contradiction AND has_original",
        slices=_OF_ORIGINAL,
        hides="Only the code of the contradicted meaning counts here; another wrong code shows in the "
        "assignment risk.",
    ),
    Rate(
        id="role_reversal_confusion",
        title="Role-reversal confusion",
        panel="robustness",
        direction="lower",
        event="original_assigned OR unanswered",
        among=f"{SEMANTIC} AND role_reversal AND has_original",
        slices=_OF_ORIGINAL,
        hides="Only the code of the meaning before the reversal counts here; another wrong code shows in "
        "the assignment risk.",
    ),
    Rate(
        id="noise_faar",
        title="False authoritative assignment on misspelled and inflected texts",
        panel="robustness",
        direction="lower",
        event="wrong_assignment OR unanswered",
        among=f"{SEMANTIC} AND noisy",
        beside=("noise_correct",),
        slices=("all", "language", "family", "severity"),
        hides="One average over light and severe noise, and over noise that keeps the meaning and derivation that "
        "changes it: see the severities.",
    ),
    Rate(
        id="noise_correct",
        title="Misspelled and inflected texts decided rightly",
        panel="robustness",
        direction="higher",
        event="correct",
        among=f"{SEMANTIC} AND noisy",
        beside=("noise_faar",),
        slices=("all", "language", "family", "severity"),
        hides="A wrong code and a refusal fail alike; only the rate of wrong codes tells how dangerous the noise "
        "is.",
    ),
    Rate(
        id="high_severity_attack_failure",
        title="Attack of high severity forced a wrong code",
        panel="robustness",
        direction="lower",
        event="wrong_assignment OR unanswered",
        among=f"{SEMANTIC} AND attack AND severity = 'high'",
        slices=(*_BY_GROUP, "resolution"),
        hides="It knows the attacks that were written; an attacker who looks at the answers will find "
        "others. A record that calls a weakness resolved excuses nothing: an attack that works is unresolved.",
    ),
)

_MULTILINGUAL: Final = (
    Rate(
        id="cross_language_agreement",
        title="Agreement across languages",
        panel="multilingual",
        direction="higher",
        event="aligned_alike",
        among=f"{SEMANTIC} AND aligned_set",
        answered="aligned_answered",
        beside=("cross_language_correct_agreement",),
        slices=("all", "concept"),
        hides="All languages may agree on the same wrong code. Read it with the share that agrees and is "
        "right.",
    ),
    Rate(
        id="cross_language_correct_agreement",
        title="Right in every language",
        panel="multilingual",
        direction="higher",
        event="aligned_correct",
        among=f"{SEMANTIC} AND aligned_set",
        answered="aligned_answered",
        slices=("all", "concept"),
        hides="It does not say which language broke a set, and sets in more languages are harder.",
    ),
    Rate(
        id="language_pair_agreement",
        title="Decided as in another language",
        panel="multilingual",
        direction="higher",
        event="alike",
        among="TRUE",
        over="translations",
        beside=("language_pair_correct",),
        slices=("language",),
        hides="It does not say which of two languages is at fault, and both may be wrong alike.",
    ),
    Rate(
        id="language_pair_correct",
        title="Right in this and in another language",
        panel="multilingual",
        direction="higher",
        event="both_correct",
        among="TRUE",
        over="translations",
        slices=("language",),
        hides="A language is charged with the errors of the languages that it is paired with.",
    ),
    Rate(
        id="code_switch_faar",
        title="False authoritative assignment on code-switched texts",
        panel="multilingual",
        direction="lower",
        event="wrong_assignment OR unanswered",
        among=f"{SEMANTIC} AND code_switched",
        beside=("code_switch_correct",),
        slices=("all", "matrix_language"),
        hides="It goes by the language that a text is tagged with, whatever share of its words is in another.",
    ),
    Rate(
        id="code_switch_correct",
        title="Code-switched texts decided rightly",
        panel="multilingual",
        direction="higher",
        event="correct",
        among=f"{SEMANTIC} AND code_switched",
        beside=("code_switch_faar",),
        slices=("all", "matrix_language"),
        hides="A wrong code and a refusal fail alike; only the rate of wrong codes tells which it was.",
    ),
)

ROBUSTNESS: Final = (*_ROBUSTNESS, *_MULTILINGUAL)
"""Measures of the panels robustness and multilingual, in the order of declaration."""
