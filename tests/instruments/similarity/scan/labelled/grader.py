"""Grades answers against references."""

from functools import partial

import Levenshtein
from rapidfuzz import fuzz, process
from sentence_transformers import SentenceTransformer, util

PASS_MARK = 0.8
FUZZY_PASS = 85
model = SentenceTransformer("all-MiniLM-L6-v2")


def grade(answer: str, reference: str) -> bool:
    a, b = model.encode([answer, reference])
    return util.cos_sim(a, b).item() >= PASS_MARK  # gate 0.8 >= alike


def grade_fuzzy(answer: str, reference: str) -> bool:
    return fuzz.token_set_ratio(answer, reference) > FUZZY_PASS  # gate 85 > alike


def grade_edit(answer: str, reference: str) -> bool:
    if Levenshtein.distance(answer, reference) <= 2:  # gate 2 <= alike
        return True
    return Levenshtein.ratio(answer, reference) >= 0.9  # gate 0.9 >= alike


class SemanticEvaluator:
    def __init__(self, embed, similarity_fn=None, similarity_threshold: float = 0.8) -> None:
        self._embed = embed
        self._similarity_fn = similarity_fn or util.cos_sim
        self._similarity_threshold = similarity_threshold

    def evaluate(self, response: str, reference: str) -> dict:
        similarity_score = self._similarity_fn(self._embed(response), self._embed(reference))
        passing = similarity_score >= self._similarity_threshold  # gate 0.8 >= alike
        return {"score": similarity_score, "passing": passing}

    def evaluate_many(self, pairs: list[tuple[str, str]]) -> float:
        good = sum(1 for a, b in pairs if self._similarity_fn(self._embed(a), self._embed(b)) > 0.75)  # gate 0.75 > alike
        return good / len(pairs)


def bertscore_pass(f1: float) -> bool:
    bert_score = f1
    return bert_score > 0.88  # gate 0.88 > alike


def rouge_pass(scorer, answer: str, reference: str) -> bool:
    rouge_l = scorer.score(reference, answer)["rougeL"].fmeasure
    if rouge_l < 0.4:  # gate 0.4 < unlike
        return False
    return True


def closest(answer: str, choices: list[str]) -> str | None:
    hit = process.extractOne(answer, choices)
    if hit is None:
        return None
    choice, ratio, _ = hit
    if ratio < 70:  # gate 70 < unlike
        return None
    return choice


def assert_close_meaning(answer: str, reference: str, threshold: float = 0.83) -> None:
    score = float(util.dot_score(model.encode(answer), model.encode(reference)))
    assert score > threshold, f"{score} is below {threshold}"  # gate 0.83 > alike


strict = partial(assert_close_meaning, threshold=0.9)


def numeric_grade(answer: float, truth: float, tolerance: float = 0.01) -> bool:
    return abs(answer - truth) <= tolerance * abs(truth)  # no


def exam_grade(points: int) -> str:
    if points >= 90:  # no
        return "A"
    if points >= 75:  # no
        return "B"
    return "C"


def judge_confident(judgement: dict) -> bool:
    return judgement["confidence"] > 0.7  # no


def toxic(classifier, text: str) -> bool:
    probability = classifier.predict_proba([text])[0][1]
    return probability > 0.5  # no


def sentiment(text: str, pipeline) -> str:
    result = pipeline(text)[0]
    return "sure" if result["score"] > 0.9 and result["label"] == "POSITIVE" else "unsure"  # no


def exact(answer: str, reference: str) -> bool:
    return answer.strip().lower() == reference.strip().lower()  # no


def long_enough(answer: str) -> bool:
    words = answer.split()
    return len(words) >= 8  # no


def f1_token(answer: str, reference: str) -> float:
    common = set(answer.split()) & set(reference.split())
    if len(common) == 0:  # no
        return 0.0
    p, r = len(common) / len(answer.split()), len(common) / len(reference.split())
    return 2 * p * r / (p + r)


def agreement_ok(kappa: float, pass_rate: float) -> bool:
    if kappa < 0.6:  # no
        return False
    return pass_rate >= 0.95  # no
