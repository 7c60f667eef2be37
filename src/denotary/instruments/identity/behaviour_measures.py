"""Declared measures of calibration, conformance and operation.

Those of conformance count the cases of the exact track alone, those of failures, time-outs and versions every
call, all others the semantic track (:mod:`denotary.instruments.identity.tracks`).
"""

from __future__ import annotations

from typing import Final

from denotary.instruments.identity.tracks import EXACT, SEMANTIC
from denotary.measures.records import Rate, Statistic

_EVERYWHERE: Final = ("all", "language", "concept", "family")
_BY_GROUP: Final = ("all", "language", "concept")
_BY_KIND: Final = ("all", "language", "concept", "family", "disposition", "neighbour")
"""Known against unknown meanings, and hard negatives against other texts, among others."""
_CONFIDENT: Final = f"{SEMANTIC} AND assigned AND confidence IS NOT NULL"

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
        beside=("assignment_risk",),
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
        beside=("assignment_risk",),
        slices=_BY_KIND,
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
        beside=("assignment_risk",),
        slices=_BY_KIND,
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
        beside=("assignment_risk",),
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
        beside=("assignment_risk",),
        slices=_BY_KIND,
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
        beside=("assignment_risk",),
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
        beside=("assignment_risk",),
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
        id="exact_ambiguity_forced",
        title="Codes on declared ambiguities",
        panel="conformance",
        direction="lower",
        event="assigned OR unanswered",
        among=f"{EXACT} AND (disposition = 'AMBIGUOUS' OR declared_ambiguity)",
        slices=_BY_GROUP,
        hides="Whether the refusals say why does not show; see the ambiguities not refused as such.",
    ),
    Rate(
        id="exact_ambiguity_failure",
        title="Declared ambiguities not refused as such",
        panel="conformance",
        direction="lower",
        event="NOT correct",
        among=f"{EXACT} AND (disposition = 'AMBIGUOUS' OR declared_ambiguity)",
        needs="ambiguity",
        slices=_BY_GROUP,
        hides="A refusal without a reason passes where nothing is declared of the reasons that the system knows.",
    ),
    Rate(
        id="invented_code_on_miss",
        title="Codes on listed misses",
        panel="conformance",
        direction="lower",
        event="assigned OR unanswered",
        among=f"{EXACT} AND disposition = 'EXACT_MISS' AND NOT declared_ambiguity",
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
        beside=("wrong_in_a_repeat",),
        slices=_BY_GROUP,
        hides="Calls made within minutes of each other; what changes from day to day does not show.",
    ),
    Rate(
        id="wrong_in_a_repeat",
        title="Wrong in at least one of the repeated calls",
        panel="operation",
        direction="lower",
        event="repeats_wrong OR NOT repeats_answered",
        among=f"{SEMANTIC} AND repeated",
        answered="repeats_answered",
        slices=_BY_GROUP,
        hides="It grows with the number of repeats; every other rate rests on the first call alone, and none is an "
        "average over repeats.",
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

BEHAVIOUR: Final = (*_CALIBRATED, *_CONFORMANCE, *_OPERATION)
"""Measures of the further panels, in the order of declaration."""
