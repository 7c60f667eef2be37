"""One good call of every public function of the room, for the tests that put something bad into each argument."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from denotary.statistics import (
    agreement,
    auroc,
    betting,
    binomial,
    bootstrap,
    calibration,
    calibration_fit,
    calibration_smooth,
    clustered_auroc,
    dawid_skene,
    paired,
    paired_ratios,
    planning,
    ranking,
    relevance,
    risk_path,
    selective,
    sequential,
    strata,
    tails,
    threshold,
)

if TYPE_CHECKING:
    from collections.abc import Callable

COLUMN, TABLE, PAIR, WHOLE = [0.0, 1.0], [[0, 1], [1, 1]], [1, 2], 3


@dataclass(frozen=True)
class Call:
    """A public function with good arguments.

    Attributes:
        run: the function.
        good: its arguments.
        columns: names in the message when the first of them has another length; none if lengths are free.
        opaque: arguments that are no numbers, or are read by other rules.
        free: arguments that may have any shape.
    """

    run: Callable[..., Any]
    good: dict[str, Any]
    columns: tuple[str, ...] = ()
    opaque: tuple[str, ...] = ()
    free: tuple[str, ...] = ()


RATIO = {"numerator": [0, 1], "denominator": [1, 1], "size": [1, 2], "counts": PAIR, "alpha": 0.1}
SHARES = ("numerator", "denominator", "size", "counts")
COUNTS, ANCHORS = ("failures", "trials"), ("positive", "negative")
CASES = {"confidence": COLUMN, "correct": PAIR[:1] * 2}
RANKED = {"candidates": [[0, 1], [1, 2]], "scores": [[0.1, 0.2], [0.3, 0.4]], "gold": [0, 2]}
SUMS, PANEL = (COLUMN, [1.0, 2.0]), (TABLE, [[1.0, 1.0], [2.0, 1.0]])
TYPES = ([0, 1], [1, 1], [1, 0], [1, 1], [1, 1], PAIR)
RISK = threshold.Risk("r", [0, 1], [1, 1], 0.1)

CALLS = [
    Call(agreement.vote_counts, {"item": [0, 1], "label": [0, 1]}, ("item", "label")),
    Call(agreement.percent_agreement, {"votes": TABLE}),
    Call(agreement.krippendorff_alpha, {"votes": TABLE, "distance": [[0, 1], [1, 0]]}),
    Call(agreement.gwet_ac1, {"votes": TABLE}),
    Call(agreement.agreement_interval, {"votes": TABLE, "resamples": WHOLE, "confidence": 0.9}),
    Call(agreement.vote_entropy, {"votes": TABLE}),
    Call(auroc.auroc, {"scores": COLUMN, "positive": [0, 1]}, ("scores", "positive")),
    Call(auroc.delong_interval, {"found": auroc.Auroc(0.7, 0.1, 3, 3), "confidence": 0.9}, (), ("found",)),
    Call(
        auroc.stratified_auroc,
        {"scores": COLUMN, "positive": [0, 1], "stratum": [0, 1]},
        ("scores", "positive"),
    ),
    Call(auroc.anchor_bootstrap, {"positive": COLUMN, "negative": COLUMN, "resamples": WHOLE}, free=ANCHORS),
    Call(auroc.anchor_permutation, {"positive": COLUMN, "negative": COLUMN}, free=ANCHORS),
    Call(
        auroc.anchor_permutation,
        {"positive": list(range(20)), "negative": list(range(20)), "flips": WHOLE},
        free=ANCHORS,
    ),
    Call(auroc.permutation_floor, {"positives": WHOLE, "negatives": WHOLE}),
    Call(auroc.exact_permutation, {"scores": COLUMN, "positive": [0, 1]}, ("scores", "positive")),
    Call(betting.upper_mean, {"values": COLUMN, "counts": PAIR, "alpha": 0.1}),
    Call(betting.lower_mean, {"values": COLUMN, "counts": PAIR, "alpha": 0.1}),
    Call(betting.upper_ratio, RATIO, SHARES),
    Call(betting.lower_ratio, RATIO, ("numerator", "denominator")),
    Call(betting.upper_difference, {"values": COLUMN, "counts": PAIR, "alpha": 0.1}),
    Call(betting.p_value, {name: RATIO[name] for name in SHARES} | {"limit": 0.1}, SHARES),
    Call(
        betting.upper_ratios,
        {"columns": ([0], [1], [1], [1]), "row": [0], "rows": 1, "alpha": 0.1},
        (),
        ("columns", "rows"),
    ),
    Call(binomial.upper, {"failures": PAIR, "trials": [3, 3], "alpha": 0.1}, free=COUNTS),
    Call(binomial.lower, {"failures": PAIR, "trials": [3, 3], "alpha": 0.1}, free=COUNTS),
    Call(binomial.p_value, {"failures": PAIR, "trials": [3, 3], "limit": 0.1}, free=COUNTS),
    Call(binomial.wilson, {"failures": PAIR, "trials": [3, 3], "confidence": 0.9}, free=COUNTS),
    Call(
        binomial.design_effect,
        {"failures": PAIR, "trials": [3, 3], "counts": PAIR},
        ("failures", "trials", "counts"),
    ),
    Call(
        binomial.korn_graubard,
        {"failures": PAIR, "trials": [3, 3], "units": [2, 2], "effect": COLUMN[1:] * 2, "confidence": 0.9},
        free=(*COUNTS, "units", "effect"),
    ),
    Call(
        bootstrap.ratio,
        {"numerator": COLUMN, "denominator": COLUMN, "counts": PAIR, "resamples": WHOLE, "confidence": 0.9},
        ("numerator", "denominator"),
    ),
    Call(
        bootstrap.panel,
        {"numerators": TABLE, "denominators": TABLE, "counts": PAIR, "resamples": WHOLE, "confidence": 0.9},
    ),
    Call(
        bootstrap.macro_mean,
        {"numerators": TABLE, "denominators": TABLE, "counts": PAIR, "resamples": WHOLE, "confidence": 0.9},
    ),
    Call(
        bootstrap.interval,
        {"value": 0.5, "draws": COLUMN, "units": 2, "confidence": 0.9},
        (),
        ("value", "draws", "units"),
    ),
    Call(bootstrap.resampled_sums, {"table": TABLE, "counts": PAIR, "resamples": WHOLE}),
    Call(calibration.equal_width, CASES | {"bins": WHOLE, "group": [0, 1]}, ("confidence", "correct")),
    Call(calibration.equal_mass, CASES | {"bins": WHOLE}, ("confidence", "correct")),
    Call(
        calibration.accuracy_intervals,
        {"table": calibration.equal_width(COLUMN, [0, 1]), "confidence": 0.9},
        (),
        ("table",),
    ),
    Call(calibration.negative_log_likelihood, CASES | {"floor": 0.1}, ("confidence", "correct")),
    Call(calibration.null_error, CASES | {"bins": WHOLE, "repeats": WHOLE}, ("confidence", "correct")),
    Call(calibration_smooth.smooth_error, CASES, ("confidence", "correct")),
    Call(
        calibration_fit.temperature,
        {"logits": [[0.0, 1.0], [0.5, 0.0]], "label": [0, 1]},
        ("logits", "label"),
    ),
    Call(calibration_fit.platt, {"scores": COLUMN, "correct": [0, 1]}, ("scores", "correct")),
    Call(calibration_fit.isotonic, {"scores": COLUMN, "correct": [0, 1]}, ("scores", "correct")),
    Call(calibration_fit.platt(COLUMN, [0, 1]), {"scores": COLUMN}, free=("scores",)),
    Call(calibration_fit.isotonic(COLUMN, [0, 1]), {"scores": COLUMN}, free=("scores",)),
    Call(
        dawid_skene.fit,
        {"item": [0, 1], "worker": [0, 1], "label": [0, 1], "steps": WHOLE},
        ("item", "worker", "label"),
    ),
    Call(paired.discordant_p, {"first": PAIR, "second": PAIR}, free=("first", "second")),
    Call(paired.p_floor, {"discordant": PAIR}, free=("discordant",)),
    Call(paired.sign_test, {"differences": COLUMN}),
    Call(paired.mcnemar, {"first": [0, 1], "second": [1, 1]}, ("first", "second")),
    Call(paired.holm, {"p_values": COLUMN}),
    Call(paired.margin_test, {"differences": COLUMN, "margin": 0.1, "counts": PAIR, "alpha": 0.1}),
    Call(planning.units_for, {"limit": 0.1, "failures": 0, "alpha": 0.1}),
    Call(planning.failures_allowed, {"units": 9, "limit": 0.1, "alpha": 0.1}),
    Call(planning.power, {"units": 9, "limit": 0.1, "rates": COLUMN, "alpha": 0.1}, free=("rates",)),
    Call(planning.units_for_power, {"limit": 0.1, "rate": 0.01, "chance": 0.5, "alpha": 0.1}),
    Call(
        planning.sibling_power,
        {"units": 9, "limit": 0.1, "rate": 0.01, "siblings": planning.Siblings(2, 0.1), "alpha": 0.1}
        | {"repeats": WHOLE},
        (),
        ("siblings",),
    ),
    Call(planning.alpha_per_look, {"alpha": 0.1, "looks": WHOLE}),
    Call(planning.planned_units, {"needed": 9, "share": 0.5, "assurance": 0.9}),
    Call(planning.Siblings, {"size": 2, "correlation": 0.1, "assigned": 0.9}),
    Call(ranking.ranks, RANKED),
    Call(ranking.trec_ranks, RANKED | {"order": [0, 1, 2]}, (), ("scores",)),
    Call(ranking.intrusion, RANKED | {"negatives": [[1], [1]]}),
    Call(ranking.ranks(**RANKED).recall, {"k": WHOLE}),  # type: ignore[arg-type]
    Call(
        relevance.judged,
        {"documents": [[0, 1], [1, 0]], "scores": TABLE, "relevant": [[1], [1]], "gains": [[1], [1]]}
        | {"rule": relevance.Order.TREC, "position": PAIR},
        ("documents", "relevant"),
        ("rule",),
    ),
    Call(tails.at_most, {"hits": PAIR, "trials": [3, 3], "rate": COLUMN}, free=("hits", "trials", "rate")),
    Call(tails.at_least, {"hits": PAIR, "trials": [3, 3], "rate": COLUMN}, free=("hits", "trials", "rate")),
    Call(selective.risk_coverage, {"confidence": COLUMN, "loss": COLUMN}, ("confidence", "loss")),
    Call(selective.aurc, {"confidence": COLUMN, "loss": COLUMN}, ("confidence", "loss")),
    Call(selective.augrc, {"confidence": COLUMN, "loss": COLUMN}, ("confidence", "loss")),
    Call(sequential.log_e_process, {"values": COLUMN, "limit": 0.1, "group": [0, 1]}, ("values", "group")),
    Call(sequential.upper_sequence, {"values": COLUMN, "alpha": 0.1, "group": [0, 1]}, ("values", "group")),
    Call(sequential.units_to_certify, {"limit": 0.1, "failures": 0, "alpha": 0.1}),
    Call(
        threshold.choose_threshold,
        {"confidence": COLUMN, "risks": [RISK], "unit": [0, 1], "delta": 0.1, "starts": 1},
        ("confidence", "event", "population", "unit"),
        ("risks", "delta", "starts"),
    ),
    Call(threshold.threshold_p_values, {"confidence": COLUMN, "risk": RISK, "unit": [0, 1]}, (), ("risk",)),
    Call(threshold.fixed_sequence, {"passes": [1, 0], "start": 0}, (), ("start",)),
    Call(
        threshold.risk_at_share,
        {"wrong_known": 0.1, "accepted_known": 0.5, "accepted_unknown": 0.1, "share": 0.1},
        free=("wrong_known", "accepted_known", "accepted_unknown"),
    ),
    Call(
        strata.share_p_value,
        {"wrong": 1, "known": 30, "false": 0, "unknown": 9} | {"coverage": 0.5, "limit": 0.1, "share": 0.2},
    ),
    Call(
        clustered_auroc.separation,
        {"scores": COLUMN, "positive": [0, 1], "stratum": [0, 0], "anchor": [0, 1]}
        | {"resamples": WHOLE, "confidence": 0.9},
        ("scores", "positive"),
    ),
    Call(
        clustered_auroc.separation_difference,
        {"scores": COLUMN, "others": COLUMN, "positive": [0, 1], "stratum": [0, 0], "anchor": [0, 1]}
        | {"resamples": WHOLE, "confidence": 0.9},
        ("scores", "positive"),
    ),
    Call(
        paired.ratio_difference,
        {"first": SUMS, "second": SUMS, "counts": PAIR, "resamples": WHOLE, "confidence": 0.9},
        (),
        ("first", "second"),
    ),
    Call(
        paired.ratio_differences,
        {"first": PANEL, "second": PANEL, "counts": PAIR, "resamples": WHOLE, "confidence": 0.9},
        (),
        ("first", "second"),
    ),
    Call(paired.tolerated, {"margin": 0.1}),
    Call(
        paired_ratios.upper_differences,
        {"columns": TYPES, "row": [0, 0], "rows": 1, "alpha": 0.1},
        (),
        ("columns", "rows"),
    ),
    Call(paired_ratios.margin_test, {"columns": TYPES, "margin": 0.1, "alpha": 0.1}, (), ("columns",)),
    Call(risk_path.order_cases, {"confidence": COLUMN}),
]


def described(call: Call) -> str:
    return getattr(call.run, "__qualname__", type(call.run).__name__)
