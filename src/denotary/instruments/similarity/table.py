"""The joined table of a similarity suite and its answers, one row a pair.

Columns that a text of a measure may name:

* of the case: ``same``, ``close``, ``naive`` (same at the distant pole or opposite at the close one), ``judged`` (in a
  half that nothing of the system was fitted on), ``task_stratum`` (task and pole), ``task_decision`` (task and
  decision), ``task_number``; the lexical baselines ``token_jaccard``, ``character_3_grams``, ``bm25`` and
  ``length_difference``; as texts ``task``, ``half``, ``pole``, ``mutation``, ``task_mutation``, ``register``;
* of the answer: ``outcome``, ``answered``, ``decided``, ``acted``, ``score``, ``scored``, ``cut`` (the system said that
  it read less than both texts), ``length`` (``whole`` or ``cut``), ``repeated``, ``repeats_differ``,
  ``repeats_answered``.

A system that never gives a score has its decisions for scores, 1 and 0. ``comparisons`` and ``class_comparisons`` are
related: one row a comparison between two anchors of a task and half, and of the same mutation class too
(:mod:`denotary.instruments.similarity.comparisons`), with ``won``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from denotary.instruments.similarity.answers import OUTCOMES
from denotary.instruments.similarity.baselines import BASELINES
from denotary.instruments.similarity.comparisons import matched
from denotary.instruments.similarity.fitting import judged
from denotary.instruments.similarity.floors import floors
from denotary.instruments.similarity.given import Given, given
from denotary.instruments.similarity.instrument import similarity_cases
from denotary.measures.table import Coded, Table

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from denotary.instruments.similarity.cases import SimilarityCase
    from denotary.runs.records import Answer, Identity
    from denotary.suites.suite import Suite

SLASH = " / "
"""Stands between a task and a mutation class."""
_ALONG = ("judged", "answered")
_NAMED = ("task", "half", "pole", "mutation", "task_mutation", "outcome")


def table(suite: Suite, answers: Iterable[Answer], identity: Identity) -> Table:
    """Return the joined table. A case without an answer is ``not_run``.

    Args:
        suite: the suite, N cases.
        answers: the answers of a run, in any order.
        identity: what it was fitted on decides which rows are evidence.

    Raises:
        InputError: it is declared to be fitted on a half that the suite does not have.
        IntegrityError: an answer is to a case that the suite does not hold, or a call is answered twice.
    """
    cases, found = similarity_cases(suite), given(suite, answers)
    _, unit = np.unique(np.asarray(suite.units, dtype=object), return_inverse=True)
    coded = _coded(cases) | {
        "outcome": Coded.of(found.outcome, OUTCOMES),
        "length": Coded.of(["cut" if cut else "whole" for cut in found.cut], ("whole", "cut")),
    }
    plain = _plain(cases, coded) | {"judged": judged(suite, identity)} | _answered(found)
    made = Table(unit.astype(np.int64), plain, coded, _capabilities(found, plain))
    short = {floor.group for floor in floors(made) if floor.have < floor.need}
    enough = frozenset(coded["mutation"].labels) - short
    return Table(
        made.unit,
        plain,
        coded,
        made.capabilities,
        {"mutation": enough},
        {
            "comparisons": _compared(suite, cases, made, [(c.input.task, c.design.half) for c in cases]),
            "class_comparisons": _compared(suite, cases, made, [_class(case) for case in cases]),
        },
    )


def _class(case: SimilarityCase) -> Hashable:
    design = case.design
    return (case.input.task, design.half, design.mutation) if design.mutation else None


def _coded(cases: Sequence[SimilarityCase]) -> dict[str, Coded]:
    return {
        "task": Coded.of([case.input.task for case in cases]),
        "half": Coded.of([case.design.half for case in cases]),
        "pole": Coded.of([case.design.pole for case in cases]),
        "mutation": Coded.of([case.design.mutation for case in cases]),
        "task_mutation": Coded.of(
            [
                f"{case.input.task}{SLASH}{case.design.mutation}" if case.design.mutation else ""
                for case in cases
            ]
        ),
        "register": Coded.of([case.design.register for case in cases]),
    }


def _plain(cases: Sequence[SimilarityCase], coded: dict[str, Coded]) -> dict[str, Any]:
    same = np.array([case.gold.decision == "same" for case in cases], dtype=np.bool_)
    close = np.array([case.design.pole == "close" for case in cases], dtype=np.bool_)
    task = coded["task"].codes.astype(np.float64)
    first = [case.input.text1 for case in cases]
    second = [case.input.text2 for case in cases]
    return {
        "same": same,
        "close": close,
        "naive": same != close,
        "task_stratum": 2.0 * task + close,
        "task_decision": 2.0 * task + same,
        "task_number": task,
        **{name.replace("-", "_"): score(first, second) for name, score in BASELINES.items()},
    }


def _answered(found: Given) -> dict[str, Any]:
    answered = found.status == "answered"
    decided = answered & (found.act >= 0)
    by_score = ~np.isnan(found.score)
    score = found.score if by_score.any() else np.where(decided, found.act, np.nan).astype(np.float64)
    return {
        "answered": answered,
        "decided": decided,
        "acted": decided & (found.act == 1),
        "score": score,
        "scored": ~np.isnan(score),
        "cut": found.cut,
        "repeated": found.repeated,
        "repeats_differ": found.differ,
        "repeats_answered": found.repeats_answered,
    }


def _capabilities(found: Given, plain: dict[str, Any]) -> frozenset[str]:
    """Return what the system showed. Only valid answers show that it gives no decision: failures alone are counted."""
    shown = {
        "decisions": bool(plain["decided"].any() or not plain["answered"].any()),
        "repeats": bool(found.repeated.any()),
        "scores": bool((~np.isnan(found.score)).any()),
    }
    return frozenset(name for name, held in shown.items() if held)


def _compared(
    suite: Suite, cases: Sequence[SimilarityCase], made: Table, groups: Sequence[Hashable]
) -> Table:
    """Return one row a comparison; what it is of is read off its same pair, whose anchor shares all of it."""
    poles = [case.design.pole for case in cases]
    pairs = matched(suite.units, groups, poles, made.flag("same").tolist())
    score = made.plain["score"]
    plain: dict[str, Any] = {name: made.plain[name][pairs.same] for name in _ALONG}
    with np.errstate(invalid="ignore"):
        # A score that never came is above none and below none: the comparison is lost.
        plain["won"] = score[pairs.same] > score[pairs.opposite]
    plain["answered"] = plain["answered"] & made.flag("answered")[pairs.opposite]
    coded = {name: Coded(made.coded[name].codes[pairs.same], made.coded[name].labels) for name in _NAMED}
    return Table(pairs.unit, plain, coded)
