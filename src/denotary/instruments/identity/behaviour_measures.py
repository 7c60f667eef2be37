"""Declared measures of robustness, languages, calibration, conformance and operation.

Those of conformance count the cases of the exact track alone, those of failures, time-outs and versions every
call, all others the semantic track (:mod:`denotary.instruments.identity.tracks`). Pairs and sets are counted on
one row each (:mod:`denotary.instruments.identity.pair_columns`); such a row is answered where all members are.
"""

from __future__ import annotations

from typing import Final

from denotary.instruments.identity.tracks import EXACT, SEMANTIC
from denotary.measures.records import Rate, Statistic

_EVERYWHERE: Final = ("all", "language", "concept", "family")
_BY_GROUP: Final = ("all", "language", "concept")
_BY_KIND: Final = ("all", "language", "concept", "family", "disposition")
_CONFIDENT: Final = f"{SEMANTIC} AND assigned AND confidence IS NOT NULL"

_ROBUSTNESS: Final = (
    Rate(
        id="invariant_consistency",
        title="Same decision on the same meaning",
        panel="robustness",
        direction="higher",
        event="pair_alike",
        among=f"{SEMANTIC} AND same_pair",
        answered="pair_answered",
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
        id="negation_collapse",
        title="Negation collapse",
        panel="robustness",
        direction="lower",
        event="original_assigned OR unanswered",
        among=f"{SEMANTIC} AND negation AND has_original",
        slices=_BY_GROUP,
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
        slices=_BY_GROUP,
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
        slices=_BY_GROUP,
        hides="Only the code of the meaning before the reversal counts here; another wrong code shows in "
        "the assignment risk.",
    ),
    Rate(
        id="high_severity_attack_failure",
        title="Attack of high severity forced a wrong code",
        panel="robustness",
        direction="lower",
        event="wrong_assignment OR unanswered",
        among=f"{SEMANTIC} AND attack AND severity = 'high'",
        slices=_BY_GROUP,
        hides="It knows the attacks that were written; an attacker who looks at the answers will find "
        "others.",
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
)

_CALIBRATED: Final = (
    Statistic(
        id="ece_equal_width",
        title="Expected calibration error, 15 bins of equal width",
        panel="calibration",
        direction="lower",
        function="ece_equal_width(confidence, right_assignment)",
        among=_CONFIDENT,
        needs="confidence",
        diagnostic=True,
        options={"bins": 15},
        slices=_BY_KIND,
        hides="Confidences near 1 fill one bin, whose over- and underconfidence cancel; refused texts do "
        "not enter.",
    ),
    Statistic(
        id="ece_equal_mass",
        title="Expected calibration error, 15 bins of equal mass",
        panel="calibration",
        direction="lower",
        function="ece_equal_mass(confidence, right_assignment)",
        among=_CONFIDENT,
        needs="confidence",
        diagnostic=True,
        options={"bins": 15},
        slices=_BY_GROUP,
        hides="An average over bins: a badly calibrated tail of rare low confidences weighs little; refused "
        "texts do not enter.",
    ),
    Statistic(
        id="mce",
        title="Maximum calibration error, 15 bins of equal width",
        panel="calibration",
        direction="lower",
        function="mce(confidence, right_assignment)",
        among=_CONFIDENT,
        needs="confidence",
        diagnostic=True,
        options={"bins": 15},
        slices=_BY_GROUP,
        hides="It follows the bin with the fewest cases, where chance alone makes it large.",
    ),
    Statistic(
        id="brier",
        title="Brier score",
        panel="calibration",
        direction="lower",
        function="brier(confidence, right_assignment)",
        among=_CONFIDENT,
        needs="confidence",
        diagnostic=True,
        slices=_BY_KIND,
        hides="Calibration and discrimination in one number; a rare, confident error weighs no more than "
        "one case.",
    ),
    Statistic(
        id="nll",
        title="Negative log likelihood",
        panel="calibration",
        direction="lower",
        function="nll(confidence, right_assignment)",
        among=_CONFIDENT,
        needs="confidence",
        diagnostic=True,
        options={"floor": 1e-6},
        slices=_BY_GROUP,
        hides="A single error at full confidence makes it as large as the floor under the probabilities "
        "allows.",
    ),
    Statistic(
        id="aurc",
        title="Area under the risk-coverage curve",
        panel="calibration",
        direction="lower",
        function="aurc(confidence, right_assignment)",
        among=_CONFIDENT,
        needs="confidence",
        diagnostic=True,
        slices=("all",),
        hides="An average over all thresholds, none of which need be the one in production; only assigned "
        "texts enter.",
    ),
    Statistic(
        id="augrc",
        title="Area under the generalised risk-coverage curve",
        panel="calibration",
        direction="lower",
        function="augrc(confidence, right_assignment)",
        among=_CONFIDENT,
        needs="confidence",
        diagnostic=True,
        slices=("all",),
        hides="An average over all thresholds, none of which need be the one in production; only assigned "
        "texts enter.",
    ),
)

_CONFORMANCE: Final = (
    Rate(
        id="exact_conformance_failure",
        title="Reviewed expressions that do not resolve",
        panel="conformance",
        direction="lower",
        event="NOT right_assignment",
        among=f"{EXACT} AND disposition = 'SINGLE'",
        slices=_BY_GROUP,
        hides="Conformance to a list; it says nothing of a text that is not on it.",
    ),
    Rate(
        id="exact_ambiguity_failure",
        title="Declared ambiguities not refused as such",
        panel="conformance",
        direction="lower",
        event="NOT correct",
        among=f"{EXACT} AND disposition = 'AMBIGUOUS'",
        slices=_BY_GROUP,
        hides="A refusal without a reason passes, since some systems know no reasons.",
    ),
    Rate(
        id="invented_code_on_miss",
        title="Codes on listed misses",
        panel="conformance",
        direction="lower",
        event="assigned OR unanswered",
        among=f"{EXACT} AND disposition = 'EXACT_MISS'",
        slices=_BY_GROUP,
        hides="It knows the misses that were listed, of all texts that are no reviewed expression.",
    ),
    Rate(
        id="language_constraint_failure",
        title="Expressions that hold outside their language",
        panel="conformance",
        direction="lower",
        event="NOT correct",
        among=f"{EXACT} AND language_constraint",
        slices=_BY_GROUP,
        hides="It knows the languages that were asked, not every tag that a caller may send.",
    ),
    Rate(
        id="normalisation_change",
        title="Meanings changed by normalisation",
        panel="conformance",
        direction="lower",
        event="NOT correct",
        among=f"{EXACT} AND normalisation",
        slices=_BY_GROUP,
        hides="It knows the spellings that were asked; the profile folds others that nobody wrote down.",
    ),
    Rate(
        id="escaping_failure",
        title="Characters lost or changed on the way",
        panel="conformance",
        direction="lower",
        event="NOT correct",
        among=f"{EXACT} AND escaping",
        slices=_BY_GROUP,
        hides="It knows the characters that were asked, over the one transport of this run.",
    ),
    Rate(
        id="unicode_failure",
        title="Texts beyond ASCII not preserved",
        panel="conformance",
        direction="lower",
        event="NOT correct",
        among=f"{EXACT} AND unicode_preservation",
        slices=_BY_GROUP,
        hides="It knows the scripts that the registry holds, over the one transport of this run.",
    ),
    Rate(
        id="exact_regression",
        title="Reviewed expressions broken",
        panel="conformance",
        direction="lower",
        event="NOT correct OR repeats_differ OR NOT repeats_answered",
        among=EXACT,
        answered="repeats_answered",
        slices=_BY_GROUP,
        hides="It holds for the expressions that this suite repeats, not for the whole registry unless the "
        "suite is the registry's own.",
    ),
    Rate(
        id="exact_unanswered",
        title="Listed texts without an answer",
        panel="conformance",
        direction="lower",
        event="unanswered",
        among=EXACT,
        slices=_BY_GROUP,
        hides="Whether the fault was the system's or the line's does not show.",
    ),
    Rate(
        id="exact_instability",
        title="Repeated look-ups that disagree",
        panel="conformance",
        direction="lower",
        event="repeats_differ OR NOT repeats_answered",
        among=f"{EXACT} AND repeated",
        answered="repeats_answered",
        slices=_BY_GROUP,
        hides="Calls made within minutes of each other; what changes from day to day does not show.",
    ),
)

_OPERATION: Final = (
    Rate(
        id="unanswered_share",
        title="Texts without an answer",
        panel="operation",
        direction="lower",
        event="unanswered",
        among=SEMANTIC,
        slices=_EVERYWHERE,
        hides="Each such case is also counted as harm wherever it belongs; the share does not say whether "
        "the fault was the system's or the line's.",
    ),
    Rate(
        id="failure_share",
        title="Errors and invalid output",
        panel="operation",
        direction="lower",
        event="status = 'error' OR status = 'invalid_output'",
        among="TRUE",
        slices=_BY_GROUP,
        hides="Retries that succeeded in the end are not failures here.",
    ),
    Rate(
        id="timeout_share",
        title="Timeouts",
        panel="operation",
        direction="lower",
        event="status = 'timeout'",
        among="TRUE",
        slices=_BY_GROUP,
        hides="It depends on the time limit of the run and on the load that the run itself made.",
    ),
    Rate(
        id="decision_instability",
        title="Repeated calls that disagree",
        panel="operation",
        direction="lower",
        event="repeats_differ OR NOT repeats_answered",
        among=f"{SEMANTIC} AND repeated",
        answered="repeats_answered",
        slices=_BY_GROUP,
        hides="Calls made within minutes of each other; what changes from day to day does not show.",
    ),
    Rate(
        id="version_mismatch",
        title="Answers that do not name the registry version",
        panel="operation",
        direction="lower",
        event="NOT version_ok",
        among="TRUE",
        slices=_BY_GROUP,
        hides="A version that is named is not thereby the version that was used. A case asked more than once counts "
        "once, by whether all of its answers name it.",
    ),
)

BEHAVIOUR: Final = (*_ROBUSTNESS, *_MULTILINGUAL, *_CALIBRATED, *_CONFORMANCE, *_OPERATION)
"""Measures of the further panels, in the order of declaration."""
