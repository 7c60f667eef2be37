"""What a gate may reply, and which class each reply falls into."""

import math

import pytest

from denotary.instruments.similarity.answers import OUTCOMES, decode, outcome, perfect
from denotary.suites.instrument import AnswerError


def act(score: float | None = 0.9) -> dict[str, object]:
    return {"decision": {"type": "act"}} | ({} if score is None else {"score": score})


def test_score_and_decision_are_read_and_strangers_passed_over() -> None:
    found = decode(act() | {"truncated": True, "system_version": "7", "more": [1]})
    assert found == {"act": True, "score": 0.9, "truncated": True, "system_version": "7"}
    assert decode({"decision": {"type": "do_not_act"}})["act"] is False
    assert decode({"score": 1})["act"] is None
    assert decode({"score": 1})["score"] == 1.0


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ([], "not_an_object"),
        ({}, "no_decision"),
        ({"score": None, "decision": None}, "no_decision"),
        ({"decision": "act"}, "bad_decision"),
        ({"decision": {"type": "approve"}}, "bad_type"),
        ({"decision": {}}, "bad_type"),
        ({"score": "0.9"}, "bad_score"),
        ({"score": True}, "bad_score"),
        ({"score": math.nan}, "score_not_finite"),
        ({"score": math.inf} | act(None), "score_not_finite"),
        (act() | {"truncated": "no"}, "bad_truncated"),
    ],
)
def test_what_is_no_answer_has_a_problem(reply: object, problem: str) -> None:
    with pytest.raises(AnswerError) as caught:
        decode(reply)
    assert caught.value.problem == problem


def test_every_pair_is_in_one_class() -> None:
    says = {
        True: {"act": True, "score": 1.0},
        False: {"act": False, "score": 0.0},
        None: {"act": None, "score": 0.5},
    }
    found = {
        (gold, said): outcome(gold, "answered", says[said])  # type: ignore[arg-type]
        for gold in ("same", "opposite")
        for said in (True, False, None)
    }
    assert found == {
        ("same", True): "right",
        ("same", False): "refused_otherwise",
        ("opposite", True): "wrong",
        ("opposite", False): "refused_rightly",
        ("same", None): "undecided",
        ("opposite", None): "undecided",
    }
    assert all(outcome("same", status, None) == status for status in OUTCOMES[-4:])


def test_a_perfect_system_fails_nowhere() -> None:
    assert outcome("same", "answered", perfect("same")) == "right"
    assert outcome("opposite", "answered", perfect("opposite")) == "refused_rightly"
