"""What the page on audits shows of certifying a gate works: the callable, and the votes that a suite takes."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from tests.instruments.similarity.suites import sealed_suite

from denotary import systems
from denotary.instruments.similarity.corpus import Corpus, load_corpus
from denotary.instruments.similarity.review import review_sufficient
from denotary.instruments.similarity.suite_building import suite_cases
from denotary.runs import ask
from denotary.suites.records import Annotation

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "audit-a-gate.md"


def block(title: str) -> str:
    found = re.search(
        rf'^```\w+ title="{title}"\n(.*?)^```$', PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert found, f"the page has no {title}"
    return found[1]


def test_the_callable_of_the_page_answers_every_pair(
    corpus_of: Callable[[int], Corpus], tmp_path: Path
) -> None:
    names: dict[str, Any] = {}
    exec(block("my_gate.py"), names)
    suite = sealed_suite(corpus_of(12), tmp_path / "suite")
    answers = ask(systems.python(names["decide"]), suite, tmp_path / "run").answers
    assert {answer.status for answer in answers} == {"answered"}


def test_the_votes_of_the_page_review_a_pair_and_accepted_does_not(
    corpus_of: Callable[[int], Corpus], tmp_path: Path
) -> None:
    pair = {"text1": "keep it", "text2": "do keep it", "decision": "same", "review": "accepted"}
    (tmp_path / "pairs.jsonl").write_text(json.dumps(pair) + "\n", encoding="utf-8")
    given = tuple(suite_cases(load_corpus(tmp_path / "pairs.jsonl"), version="1.0.0", visibility="sealed"))
    suite = replace(sealed_suite(corpus_of(12), tmp_path / "suite"), cases=given)
    assert review_sufficient(suite).holds is False
    changes = json.loads(block("votes.jsonl"))["changes"]
    note = msgspec.convert(changes["annotation"], Annotation)
    reviewed = tuple(msgspec.structs.replace(case, annotation=note) for case in given)
    assert review_sufficient(replace(suite, cases=reviewed)).holds is True
