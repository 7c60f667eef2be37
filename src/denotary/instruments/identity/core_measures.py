"""Declared measures of retrieval, identity, abstention and the open world.

All of them count the cases of the semantic track alone (:mod:`denotary.instruments.identity.tracks`). A harm
rate counts every case without an answer as harmed; its text says so. A rate whose direction is ``higher``
keeps such cases in its denominator, where they count as missed. Where the answer decides who belongs to the
population, the measure is a ratio. Columns are described in :mod:`denotary.instruments.identity.table`.
"""

from __future__ import annotations

from typing import Final

from denotary.instruments.identity.tracks import SEMANTIC
from denotary.measures.records import Rate, Ratio, Statistic

_EVERYWHERE: Final = ("all", "language", "concept", "family")
_BY_GROUP: Final = ("all", "language", "concept")
_IN_STRATA: Final = (*_EVERYWHERE, "overlap", "severity", "position", "script", "domain")
"""Further: words shared with the registry, severity of a change, place of the evidence, script and register."""
_SINGLE: Final = f"{SEMANTIC} AND disposition = 'SINGLE'"

_RETRIEVAL: Final = (
    Rate(
        id="recall_at_1",
        title="Recall@1",
        panel="retrieval",
        direction="higher",
        event="gold_rank <= 1",
        among=_SINGLE,
        needs="candidates",
        beside=("assignment_risk",),
        slices=_EVERYWHERE,
        hides="A right code on top of the list is evidence, not a decision; it says nothing of texts that "
        "have no right code.",
    ),
    Rate(
        id="recall_at_5",
        title="Recall@5",
        panel="retrieval",
        direction="higher",
        event="gold_rank <= 5",
        among=_SINGLE,
        needs="candidates",
        macro=True,
        beside=("assignment_risk",),
        slices=_EVERYWHERE,
        hides="A right code among five candidates may still be passed over for a wrong one; wrong "
        "assignments do not show here.",
    ),
    Rate(
        id="recall_at_10",
        title="Recall@10",
        panel="retrieval",
        direction="higher",
        event="gold_rank <= 10",
        among=_SINGLE,
        needs="candidates",
        beside=("assignment_risk",),
        slices=_EVERYWHERE,
        hides="With few concepts in the registry, ten candidates hold nearly all of them, and the figure is "
        "high by itself.",
    ),
    Rate(
        id="recall_listed",
        title="Recall among all candidates that the system lists",
        panel="retrieval",
        direction="higher",
        event="gold_rank IS NOT NULL",
        among=_SINGLE,
        needs="candidates",
        beside=("assignment_risk",),
        slices=_EVERYWHERE,
        hides="It depends on how long the list is: one that names every concept holds the right one, too.",
    ),
    Statistic(
        id="mrr",
        title="Mean reciprocal rank",
        panel="retrieval",
        direction="higher",
        function="mean_reciprocal(gold_rank)",
        among=_SINGLE,
        needs="candidates",
        beside=("recall_at_5", "assignment_risk"),
        slices=_BY_GROUP,
        diagnostic=True,
        hides="An average over ranks: a few texts whose right code is never found disappear behind many "
        "first places.",
    ),
    Rate(
        id="candidate_miss",
        title="Candidate miss (1 - Recall@5)",
        panel="retrieval",
        direction="lower",
        event="gold_rank > 5 OR gold_rank IS NULL",
        among=_SINGLE,
        needs="candidates",
        slices=_EVERYWHERE,
        hides="What is not missed need not be chosen; a low miss rate goes together with any number of "
        "wrong assignments.",
    ),
    Ratio(
        id="hard_negative_intrusion",
        title="Hard-negative intrusion",
        panel="retrieval",
        direction="lower",
        numerator="neighbour_above_gold OR unanswered",
        denominator="has_candidates OR unanswered",
        among=f"{_SINGLE} AND has_neighbours",
        needs="candidates",
        slices=_EVERYWHERE,
        hides="Ranking a neighbour first does no harm while the system refuses; only assigning it does. See "
        "the neighbour confusion rate.",
    ),
    Ratio(
        id="false_neighbour_rate",
        title="False-neighbour rate",
        panel="retrieval",
        direction="lower",
        numerator="neighbour_first OR unanswered",
        denominator="has_candidates OR unanswered",
        among=f"{SEMANTIC} AND has_neighbours",
        needs="candidates",
        slices=_EVERYWHERE,
        diagnostic=True,
        hides="It sees designated neighbours only; a system may rank other wrong concepts first and look "
        "clean here.",
    ),
    Statistic(
        id="score_margin",
        title="Score margin, first to second candidate",
        panel="retrieval",
        direction="higher",
        function="mean(margin)",
        among=SEMANTIC,
        needs="candidates",
        beside=("assignment_risk",),
        slices=_BY_GROUP,
        diagnostic=True,
        hides="Scores have no common scale between systems, and a wide margin to a wrong code is still a "
        "wide margin.",
    ),
)

_IDENTITY: Final = (
    Rate(
        id="faar",
        title="False authoritative assignment rate",
        panel="identity",
        direction="lower",
        event="wrong_assignment OR unanswered",
        among=SEMANTIC,
        macro=True,
        beside=("assignment_risk",),
        slices=_IN_STRATA,
        hides="A system that refuses everything scores zero. Read it with the assignment risk, whose "
        "denominator is what was asserted.",
    ),
    Ratio(
        id="assignment_risk",
        title="Assignment risk",
        panel="identity",
        direction="lower",
        numerator="wrong_assignment OR unanswered",
        denominator="assigned OR unanswered",
        among=SEMANTIC,
        macro=True,
        beside=("unknown_far",),
        slices=(*_IN_STRATA, "answered_code"),
        hides="It depends on the share of texts without a right code in the suite: more unknown texts, more "
        "risk. Read it with the unknown rate.",
    ),
    Rate(
        id="correct_known_coverage",
        title="Correct known coverage",
        panel="identity",
        direction="higher",
        event="right_assignment",
        among=_SINGLE,
        macro=True,
        beside=("assignment_risk", "unknown_far"),
        slices=_IN_STRATA,
        hides="Accuracy on texts that have a right code; forced codes on texts that have none do not show.",
    ),
    Rate(
        id="hncr",
        title="Hard-neighbour confusion rate",
        panel="identity",
        direction="lower",
        event="neighbour_assigned OR unanswered",
        among=f"{SEMANTIC} AND has_neighbours",
        macro=True,
        slices=_EVERYWHERE,
        hides="A pooled rate over many pairs: one pair that is always confused can hide behind hundreds "
        "that never are. See the pairs.",
    ),
    Rate(
        id="hncr_pair",
        title="Confusion of one concept with one named neighbour",
        panel="identity",
        direction="lower",
        event="confused OR unanswered",
        among="TRUE",
        over="neighbours",
        slices=("pair",),
        hides="Few cases stand behind a pair, and a text without an answer counts as confused with each neighbour "
        "that it names.",
    ),
)

_SELECTIVE: Final = (
    Rate(
        id="assignment_coverage",
        title="Assignment coverage",
        panel="selective",
        direction="higher",
        event="assigned",
        among=SEMANTIC,
        beside=("assignment_risk",),
        slices=_EVERYWHERE,
        hides="Coverage counts wrong assignments like right ones; it is a matter of usefulness, never of "
        "safety.",
    ),
    Rate(
        id="code_asserted",
        title="Code asserted, right or wrong",
        panel="selective",
        direction="lower",
        event="assigned OR unanswered",
        among=SEMANTIC,
        neutral=True,
        beside=("recall_at_5",),
        slices=_EVERYWHERE,
        hides="Harm only where no code may be asserted, under policy c0; elsewhere it is coverage, with the cases "
        "without an answer.",
    ),
    Ratio(
        id="abstention_precision",
        title="Abstention precision",
        panel="selective",
        direction="higher",
        numerator="refused AND disposition <> 'SINGLE'",
        denominator="refused",
        among=SEMANTIC,
        beside=("abstention_recall", "unknown_far"),
        slices=_EVERYWHERE,
        diagnostic=True,
        hides="It falls when a careful system refuses hard texts that do have a code, and says nothing of "
        "texts that should have been refused and were not.",
    ),
    Rate(
        id="abstention_recall",
        title="Abstention recall",
        panel="selective",
        direction="higher",
        event="refused",
        among=f"{SEMANTIC} AND disposition <> 'SINGLE'",
        beside=("abstention_precision", "unknown_far"),
        slices=_EVERYWHERE,
        diagnostic=True,
        hides="One number for unknown, ambiguous, underspecified, mixed and invalid texts; the kind that "
        "fails does not show.",
    ),
    Ratio(
        id="abstention_kind_accuracy",
        title="Right kind of refusal",
        panel="selective",
        direction="higher",
        numerator="kind_right AND NOT not_expressible",
        denominator="refused AND NOT not_expressible",
        among=SEMANTIC,
        needs="kinds",
        beside=("kind_not_expressible",),
        slices=_BY_GROUP,
        diagnostic=True,
        hides="Refusals of texts that have a code count as the wrong kind, so a low figure may be low "
        "coverage rather than confused kinds; the confusion table tells them apart.",
    ),
    Ratio(
        id="kind_not_expressible",
        title="Refusals whose kind the system cannot express",
        panel="selective",
        direction="lower",
        numerator="not_expressible",
        denominator="refused AND disposition <> 'SINGLE'",
        among=SEMANTIC,
        slices=(*_BY_GROUP, "disposition"),
        diagnostic=True,
        hides="Each is a justified refusal, counted in no measure of the kind; it rests on what is declared of the "
        "system, and where nothing is declared it is zero.",
    ),
)

_OPEN_WORLD: Final = (
    Rate(
        id="unknown_far",
        title="Unknown false assignment rate",
        panel="open_world",
        direction="lower",
        event="assigned OR unanswered",
        among=f"{SEMANTIC} AND disposition = 'UNKNOWN_REGISTRY'",
        macro=True,
        slices=_EVERYWHERE,
        hides="It is as hard as the unknown texts that were written: gibberish and far-off subjects are "
        "easy to refuse, near boundaries are not.",
    ),
    Rate(
        id="ambiguity_forced",
        title="Forced assignment on ambiguity",
        panel="open_world",
        direction="lower",
        event="assigned OR unanswered",
        among=f"{SEMANTIC} AND disposition = 'AMBIGUOUS'",
        macro=True,
        slices=_EVERYWHERE,
        hides="It rests on the judgement that the text cannot choose; a text that is only hard would make "
        "it look worse.",
    ),
    Rate(
        id="underspecified_forced",
        title="Forced assignment on underspecification",
        panel="open_world",
        direction="lower",
        event="assigned OR unanswered",
        among=f"{SEMANTIC} AND disposition = 'UNDERSPECIFIED'",
        macro=True,
        slices=_EVERYWHERE,
        hides="A system that asks back and one that refuses in silence score alike.",
    ),
    Rate(
        id="mixed_collapse",
        title="Collapse of mixed concepts",
        panel="open_world",
        direction="lower",
        event="assigned OR unanswered",
        among=f"{SEMANTIC} AND disposition = 'MIXED'",
        macro=True,
        slices=_EVERYWHERE,
        hides="It holds for the contract of one code a text; whether the concepts were recognised does not "
        "show.",
    ),
    Rate(
        id="invalid_accepted",
        title="Invalid input accepted",
        panel="open_world",
        direction="lower",
        event="assigned OR unanswered",
        among=f"{SEMANTIC} AND disposition = 'INVALID_INPUT'",
        slices=_EVERYWHERE,
        hides="An abstention is no acceptance, though the contract asks for a rejection; the outcome table "
        "tells them apart.",
    ),
    Rate(
        id="unknown_far_nearby",
        title="Unknown false assignment rate in the neighbourhood of a concept",
        panel="open_world",
        direction="lower",
        event="assigned OR unanswered",
        among="disposition = 'UNKNOWN_REGISTRY'",
        over="neighbourhoods",
        slices=("concept",),
        hides="A text that lies between concepts counts for each of them, and any code counts, not only that of the "
        "concept.",
    ),
    Rate(
        id="ambiguity_forced_nearby",
        title="Forced assignment on ambiguity in the neighbourhood of a concept",
        panel="open_world",
        direction="lower",
        event="assigned OR unanswered",
        among="disposition = 'AMBIGUOUS'",
        over="neighbourhoods",
        slices=("concept",),
        hides="A text counts for each of the concepts that it could mean, whichever of them was given.",
    ),
    Statistic(
        id="unknown_concentration",
        title="Concentration of candidates on unknown texts",
        panel="open_world",
        direction="lower",
        function="mean(top_share)",
        among=f"{SEMANTIC} AND disposition = 'UNKNOWN_REGISTRY'",
        needs="candidates",
        slices=_BY_GROUP,
        diagnostic=True,
        hides="Ranking a candidate is allowed, however dominant; only assigning it is an error. The share "
        "depends on how many candidates a system lists.",
    ),
)

CORE: Final = (*_RETRIEVAL, *_IDENTITY, *_SELECTIVE, *_OPEN_WORLD)
"""Measures of the four panels that every report has, in the order of declaration."""
