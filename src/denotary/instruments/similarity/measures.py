"""The declared measures of the similarity instrument. Columns: :mod:`denotary.instruments.similarity.table`.

What a gate reads counts the pairs of halves that nothing was fitted on. In a harm rate a pair without a decision counts
as harmed: nobody knows what a caller does without one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity.baselines import BASELINES
from denotary.measures.records import Rate, Statistic

if TYPE_CHECKING:
    from denotary.measures.records import Measure
    from denotary.suites.suite import Suite

PAIR: Final = "anchor pair"
"""Independent unit of comparisons between anchors."""
_BOTH: Final = ("wrong_approval", "wrong_rejection")
_AXES: Final = ("all", "task", "mutation", "task_mutation", "pole", "half", "register", "length")

_DECISION: Final = (
    Statistic(
        id="decision_auroc",
        title="Decision AUROC at matched overlap",
        panel="decision",
        direction="higher",
        function="stratified_auroc(score, same, task_stratum)",
        among="judged AND scored",
        slices=("all", "task", "mutation", "pole", "half", "length"),
        beside=("decision_wins", "lexical_auroc"),
        hides="Pairs without a score are left out; in the bound over anchor pairs they are lost. It says nothing of "
        "any one cutoff.",
    ),
    Rate(
        id="decision_wins",
        title="Decision AUROC, lower bound over anchor pairs",
        panel="decision",
        direction="higher",
        event="won",
        among="judged",
        over="comparisons",
        unit_kind=PAIR,
        slices=("all", "task", "pole", "half"),
        beside=("decision_auroc",),
        hides="A tie counts as lost, so a system that gives few distinct scores is held below its AUROC. Each anchor "
        "is compared with one other alone, which costs width.",
    ),
    Rate(
        id="class_wins",
        title="Decision AUROC within a mutation class, lower bound over anchor pairs",
        panel="decision",
        direction="higher",
        event="won",
        among="judged",
        over="class_comparisons",
        unit_kind=PAIR,
        slices=("mutation", "task_mutation"),
        beside=("decision_auroc",),
        hides="Partners are of one class, so it says nothing of how the scores of one class lie to those of another.",
    ),
)

_WORDING: Final = (
    Statistic(
        id="lexical_auroc",
        title="Lexical AUROC within decisions (positive control)",
        panel="wording",
        direction="lower",
        function="stratified_auroc(score, close, task_decision)",
        among="judged AND scored",
        slices=("all", "task"),
        diagnostic=True,
        beside=("decision_auroc",),
        hides="A score may follow wording and meaning both; a high value alone is no fault.",
    ),
    Statistic(
        id="naive_auroc",
        title="Naive comparison: close opposites against distant agreements",
        panel="wording",
        direction="higher",
        function="stratified_auroc(score, same, task_number)",
        among="judged AND scored AND naive",
        slices=("task",),
        diagnostic=True,
        beside=("decision_auroc",),
        hides="Overlap goes against the decision here, so that wording alone looks inverted: shown for the artefact.",
    ),
    *(
        Statistic(
            id=f"decision_auroc_{name.replace('-', '_')}",
            title=f"Decision AUROC of the lexical baseline {name}",
            panel="wording",
            direction="higher",
            function=f"stratified_auroc({name.replace('-', '_')}, same, task_stratum)",
            among="judged",
            slices=("task",),
            diagnostic=True,
            beside=("decision_auroc",),
            hides="It cannot read meaning: what it reaches, matched overlap leaves to wording.",
        )
        for name in BASELINES
    ),
)

_GATE: Final = (
    Rate(
        id="wrong_approval",
        title="Wrong approval at the deployed cutoff",
        panel="gate",
        direction="lower",
        event="acted OR NOT decided",
        among="judged AND NOT same",
        needs="decisions",
        slices=_AXES,
        beside=("wrong_rejection",),
        hides="A gate that never acts has none; read it with the wrong rejections.",
    ),
    Rate(
        id="wrong_rejection",
        title="Wrong rejection at the deployed cutoff",
        panel="gate",
        direction="lower",
        event="NOT acted",
        among="judged AND same",
        needs="decisions",
        slices=_AXES,
        beside=("wrong_approval",),
        hides="A gate that always acts has none; read it with the wrong approvals.",
    ),
)

_FITTED: Final = (
    Rate(
        id="wrong_approval_fitted",
        title="Wrong approval on the halves it was fitted on",
        panel="fitted",
        direction="lower",
        event="acted OR NOT decided",
        among="NOT judged AND NOT same",
        needs="decisions",
        slices=("all", "task", "mutation"),
        diagnostic=True,
        beside=_BOTH,
        hides="The system was fitted on these pairs: this is no evidence for any other.",
    ),
    Rate(
        id="decision_wins_fitted",
        title="Decision AUROC on the halves it was fitted on, over anchor pairs",
        panel="fitted",
        direction="higher",
        event="won",
        among="NOT judged",
        over="comparisons",
        unit_kind=PAIR,
        slices=("all", "task"),
        diagnostic=True,
        beside=("decision_wins",),
        hides="The system was fitted on these pairs: this is no evidence for any other.",
    ),
)

_OPERATION: Final = (
    Rate(
        id="unanswered_share",
        title="Calls without an answer",
        panel="operation",
        direction="lower",
        event="NOT answered",
        among="TRUE",
        slices=("all", "task"),
        hides="It does not say which pairs are left without an answer; hard ones may be.",
    ),
    Rate(
        id="decision_instability",
        title="Repeated calls that disagree",
        panel="operation",
        direction="lower",
        event="repeats_differ OR NOT repeats_answered",
        among="repeated",
        answered="repeats_answered",
        needs="repeats",
        slices=("all", "task"),
        hides="Calls made within minutes of each other; what changes from day to day does not show.",
    ),
    Rate(
        id="truncated_share",
        title="Pairs of which the system read less than both texts",
        panel="operation",
        direction="lower",
        event="cut",
        among="TRUE",
        slices=("all", "task"),
        diagnostic=True,
        hides="It counts what the system says of itself; one that says nothing may still cut.",
    ),
)

MEASURES: Final[tuple[Measure, ...]] = (*_DECISION, *_WORDING, *_GATE, *_FITTED, *_OPERATION)
"""Every measure, in the order of its panel."""


def measures(suite: Suite) -> tuple[Measure, ...]:
    """Return the measures of a suite: the same for every similarity suite."""
    del suite
    return MEASURES
