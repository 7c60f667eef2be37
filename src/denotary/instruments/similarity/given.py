"""What a run's answers say of each pair, as columns in the order of the suite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from denotary.errors import IntegrityError
from denotary.instruments.similarity.answers import outcome
from denotary.instruments.similarity.instrument import similarity_cases

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from denotary.runs.records import Answer
    from denotary.suites.suite import Suite


Said = tuple[str, "dict[str, Any] | None"]
"""Status and decoded body of a call."""


@dataclass(frozen=True, slots=True)
class Given:
    """Columns of shape (N,).

    Attributes:
        status: of the first call.
        outcome: outcome class by it.
        act: 1 for act, 0 for do not act, -1 without a decision.
        score: NaN without one.
        cut: the system said that it read less than both texts.
        repeated: the pair was asked more than once.
        differ: a further call was decided otherwise than the first, or scored otherwise where none is decided.
        repeats_answered: every call was answered.
    """

    status: NDArray[Any]
    outcome: list[str]
    act: NDArray[np.int64]
    score: NDArray[np.float64]
    cut: NDArray[np.bool_]
    repeated: NDArray[np.bool_]
    differ: NDArray[np.bool_]
    repeats_answered: NDArray[np.bool_]


def given(suite: Suite, answers: Iterable[Answer]) -> Given:
    """Return the columns of a run's answers.

    Raises:
        IntegrityError: an answer is to a case that the suite does not hold, or a call is answered twice.
    """
    calls: dict[str, dict[int, Answer]] = {case.record_id: {} for case in suite.cases}
    for answer in answers:
        if answer.case_id not in calls:
            raise IntegrityError("an answer is to a case that is not in the suite", record=answer.case_id)
        if answer.repeat in calls[answer.case_id]:
            raise IntegrityError("a call is answered twice", record=answer.call_id)
        calls[answer.case_id][answer.repeat] = answer
    cases = similarity_cases(suite)
    every = [_ordered(calls[case.record_id]) for case in cases]
    first = [said[0] for said in every]
    bodies = [body or {} for _, body in first]
    return Given(
        status=np.array([status for status, _ in first], dtype=object),
        outcome=[outcome(case.gold.decision, *said) for case, said in zip(cases, first, strict=True)],
        act=np.array([_act(body) for body in bodies], dtype=np.int64),
        score=np.array([_score(body) for body in bodies], dtype=np.float64),
        cut=_flags(bool(body.get("truncated")) for body in bodies),
        repeated=_flags(len(said) > 1 for said in every),
        differ=_flags(len({_decided(*call) for call in said}) > 1 for said in every),
        repeats_answered=_flags(all(status == "answered" for status, _ in said) for said in every),
    )


def _ordered(calls: dict[int, Answer]) -> list[Said]:
    """Return status and body of each call to a pair, the first one first."""
    first: Said = ("not_run", None)
    return [
        (calls[0].status, calls[0].body) if 0 in calls else first,
        *((calls[n].status, calls[n].body) for n in sorted(calls) if n),
    ]


def _flags(values: Iterable[bool]) -> NDArray[np.bool_]:
    return np.array(list(values), dtype=np.bool_)


def _act(body: dict[str, Any]) -> int:
    return -1 if body.get("act") is None else int(body["act"])


def _score(body: dict[str, Any]) -> float:
    return float("nan") if body.get("score") is None else float(body["score"])


def _decided(status: str, body: dict[str, Any] | None) -> tuple[str, Any]:
    """Return what a further call is held to: the decision, or the score where there is none."""
    if body is None:
        return status, None
    return status, body["score"] if body["act"] is None else body["act"]
