from types import SimpleNamespace
from typing import Any

import pytest

from denotary import systems
from denotary.systems.adapters.rules import DecisionRule


class Model:
    classes_ = ("b", "a")

    def __init__(self, row: Any) -> None:
        self.row = row

    def predict_proba(self, texts: Any) -> Any:
        assert len(texts) == 1
        return [self.row]


def test_a_classifier_asserts_from_its_threshold_on(answers: Any) -> None:
    given = answers(systems.classifier(Model([0.5, 0.5]), threshold=0.5, prefix="c."), "x")[0]
    assert given["decision"] == {"type": "concept", "concept_code": "c.a", "confidence": 0.5}
    given = answers(systems.classifier(Model([0.5, 0.5]), threshold=0.51), "x")[0]
    assert given["decision"] == {"type": "abstain", "reason": "not_expressible"}
    assert [item["concept_code"] for item in given["candidates"]] == ["a", "b"]


@pytest.mark.parametrize("row", [[float("nan"), 0.5], [0.1], [1.5, 0.0], "ab"])
def test_probabilities_that_are_none(answers: Any, row: Any) -> None:
    assert answers(systems.classifier(Model(row), threshold=0.0), "x")[0][0] == "invalid_output"


def test_an_exception_is_an_outcome(answers: Any) -> None:
    assert answers(systems.classifier(object(), threshold=0.5), "x") == [("error", "raised_AttributeError")]


def test_scikit_learn_itself(answers: Any) -> None:
    pytest.importorskip("sklearn")
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(CountVectorizer(), MultinomialNB()).fit(["red", "blue"], ["r", "b"])
    system = systems.classifier(model, threshold=0.6)
    # Laplace smoothing over two words, equal priors: (1 + 1) / (1 + 2) against 1 / 3.
    said = answers(system, "red", "green")
    assert said[0]["decision"]["concept_code"] == "r"
    assert said[0]["decision"]["confidence"] == pytest.approx(2 / 3)
    assert said[1]["decision"]["type"] == "abstain"


@pytest.mark.parametrize(
    ("choice", "decision"),
    [
        (
            SimpleNamespace(name="r", confidence=0.9),
            {"type": "concept", "concept_code": "r", "confidence": 0.9},
        ),
        (SimpleNamespace(name="r", similarity_score=-1.0), {"type": "concept", "concept_code": "r"}),
        (SimpleNamespace(name="r"), {"type": "concept", "concept_code": "r"}),
        (SimpleNamespace(name=None), {"type": "abstain", "reason": "not_expressible"}),
        (None, {"type": "abstain", "reason": "not_expressible"}),
    ],
)
def test_a_router_is_read_as_it_answers(answers: Any, choice: Any, decision: Any) -> None:
    assert answers(systems.semantic_router(lambda _: choice), "x")[0]["decision"] == decision


def test_a_router_declares_an_unset_threshold() -> None:
    class Router:
        confidence_threshold: float | None = None

        def __call__(self, _: str) -> None:
            return None

    router = Router()
    unset = systems.semantic_router(router).descriptor
    router.confidence_threshold = 0.0
    zero = systems.semantic_router(router).descriptor
    assert isinstance(unset, DecisionRule)
    assert isinstance(zero, DecisionRule)
    assert "confidence_threshold" not in unset.rule_parameters
    assert zero.rule_parameters["confidence_threshold"] == "0.0"
    assert unset.rule_hash != zero.rule_hash
