"""Complaints of users that a suite must expose: what a resolver of each kind does, and the measure that shows it."""

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import measured as m  # type: ignore[import-not-found]

from denotary.instruments.identity.answers import decode
from denotary.instruments.identity.measures import MEASURES
from denotary.instruments.identity.table import table
from denotary.measures.engine import evaluate
from denotary.runs.records import Answer
from denotary.systems.adapters.rasa import Rasa

Resolver = Callable[[str], dict[str, Any]]


def fractions(cases: Iterable[Any], resolve: Resolver) -> dict[str, tuple[int, int]]:
    suite = m.suite(cases)
    given = [
        Answer(
            call_id=f"{case.record_id}#0",
            case_id=case.record_id,
            repeat=0,
            status="answered",
            body=decode(resolve(case.input.text)),
        )
        for case in suite.cases
    ]
    found = evaluate(MEASURES, table(suite, given), instrument="identity", unit_kind="seed", resamples=0)
    return {row.measure: (row.numerator or 0, row.denominator or 0) for row in found if row.slice == "all"}


def cosine(first: str, second: str) -> float:
    """Return the cosine of two texts as bags of words, in [0, 1]."""
    a, b = Counter(first.casefold().split()), Counter(second.casefold().split())
    return sum(a[word] * b[word] for word in a) / math.sqrt(
        sum(n * n for n in a.values()) * sum(n * n for n in b.values())
    )


def nearest(known: dict[str, str], least: float) -> Resolver:
    """Return a resolver that asserts the concept of the nearest known text from a cosine on."""

    def resolve(text: str) -> dict[str, Any]:
        score, code = max((cosine(text, own), code) for own, code in known.items())
        if score < least:
            return {"decision": {"type": "abstain", "reason": "unknown"}}
        return {"decision": {"type": "concept", "concept_code": code, "confidence": min(score, 1.0)}}

    return resolve


def test_row_12_an_entity_that_is_not_held_is_given_to_one_of_the_same_name() -> None:
    """facebookresearch/BLINK#77, explosion/spaCy#9114: the best of those present is returned."""
    cases = [
        m.case("n1", text="John Smith the cricketer"),
        m.case(
            "n2",
            "UNKNOWN_REGISTRY",
            text="John Smith the astronaut",
            forbidden_neighbor_codes=("c.one", "c.two"),
        ),
    ]
    known = {"John Smith the cricketer": "c.one", "John Smith the clergyman": "c.two"}
    linked, exact = fractions(cases, nearest(known, 0.0)), fractions(cases, nearest(known, 0.999))
    assert (linked["unknown_far"], linked["hncr"], linked["assignment_risk"]) == ((1, 1), (1, 1), (1, 2))
    assert (exact["unknown_far"], exact["hncr"], exact["correct_known_coverage"]) == ((0, 1), (0, 1), (1, 1))


def test_row_13_a_message_that_is_out_of_scope_is_given_the_nearest_intent() -> None:
    """RasaHQ/rasa#387, with the reply that stands in the thread, read by the adapter's rule."""
    text = "What do we have for breakfast today?"
    ranking = [
        {"confidence": 0.7674252665064972, "name": "higher_education"},
        {"confidence": 0.15787478616804707, "name": "ticket_status"},
        {"confidence": 0.027504302721879363, "name": "greet"},
    ]

    async def send(_: Any) -> Any:
        return {"entities": [], "intent": ranking[0], "intent_ranking": ranking, "text": text}

    def asked(threshold: float) -> Resolver:
        rasa = Rasa("http://h", ("nlu_fallback",), threshold, "", None)

        def resolve(sent: str) -> dict[str, Any]:
            (given,) = asyncio.run(rasa.ask(send, [{"record_id": "r", "text": sent}]))
            assert isinstance(given, dict)
            return given

        return resolve

    cases = [m.case("n1", "UNKNOWN_REGISTRY", text=text)]
    assert fractions(cases, asked(0.0))["unknown_far"] == (1, 1)
    assert fractions(cases, asked(0.7))["unknown_far"] == (1, 1)
    assert fractions(cases, asked(0.8))["unknown_far"] == (0, 1)


def test_row_14_a_reversal_passes_a_cosine_that_a_paraphrase_fails() -> None:
    """zilliztech/GPTCache#694, run-llama/llama_index#22729, microsoft/semantic-kernel#14295."""
    known = {"move money from savings to checking": "c.one"}
    reversed_text, paraphrase = "move money from checking to savings", "top up checking out of savings"
    assert cosine(reversed_text, next(iter(known))) > 0.999
    assert cosine(paraphrase, next(iter(known))) < 0.8
    cases = [
        m.case(
            "n1",
            "UNKNOWN_REGISTRY",
            text=reversed_text,
            tags=("role_reversal",),
            concept_neighbourhood="c.one",
            forbidden_neighbor_codes=("c.one",),
        ),
        m.case("n2", text=paraphrase),
    ]
    for least in (0.75, 0.8, 0.99):
        found = fractions(cases, nearest(known, least))
        assert (found["role_reversal_confusion"], found["hncr"]) == ((1, 1), (1, 1))
        assert (found["correct_known_coverage"], found["assignment_risk"]) == ((0, 1), (1, 1))
