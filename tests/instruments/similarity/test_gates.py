"""Gates: what a rule says at, below and above its cutoff."""

import numpy as np
import pytest

from denotary.errors import InputError
from denotary.instruments.similarity.gates import SHIPPED, gate


@pytest.mark.parametrize(
    ("rule", "approved", "high"),
    [
        ("score>=0.5", [False, True, True], True),
        ("score>0.5", [False, False, True], True),
        ("distance<=0.5", [False, True, True], True),
        ("Distance < .5", [False, False, True], True),
        ("score<0.5", [True, False, False], False),
        ("distance>=5e-1", [True, True, False], False),
    ],
)
def test_a_gate_approves_as_its_rule_says(rule: str, approved: list[bool], high: bool) -> None:
    found = gate(rule)
    assert found.approves(np.array([0.25, 0.5, 0.75])).tolist() == approved
    assert found.approves_high is high
    assert gate(found.rule).approves(np.array([0.25, 0.5, 0.75])).tolist() == approved


def test_a_gate_is_named_by_its_rule_or_as_told() -> None:
    assert gate("score >= 0.80").name == "score>=0.8"
    assert gate("score>=0.8", "cache").name == "cache"
    assert [item.cutoff for item in SHIPPED] == [0.30, 0.40, 0.80, 0.85, 0.95]


@pytest.mark.parametrize(
    "rule", ["", "score", "score=0.8", "cosine>0.8", "score>", "score>1.2.3", "score>=x"]
)
def test_what_is_no_rule_is_refused_with_an_example(rule: str) -> None:
    with pytest.raises(InputError, match="is no rule of a gate") as caught:
        gate(rule)
    assert "score>=0.8" in (caught.value.hint or "")


def test_a_rule_shows_its_cutoff_whole() -> None:
    assert gate("score>=0.12345671").rule == "score>=0.12345671"
    assert gate("score>=0.80").rule == "score>=0.8"
    assert gate("score>=1").rule == "score>=1"
