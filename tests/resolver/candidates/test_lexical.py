"""The lexical index: one interface, two engines, an order that depends on nothing but scores and codes."""

import importlib.util
import random
from collections import Counter
from math import log
from typing import Any

import pytest

from denotary.errors import InputError
from denotary.resolver.candidates import LexicalIndex, engines

ENGINES = [
    pytest.param(
        "tantivy",
        marks=pytest.mark.skipif(
            importlib.util.find_spec("tantivy") is None, reason="extra lexical is absent"
        ),
    ),
    "fts5",
]
SNAPSHOT = "bench 1 sha256:0"
each = pytest.mark.parametrize("engine", ENGINES)


def corpus(size: int) -> list[tuple[str, str]]:
    source = random.Random(7)
    words = ["".join(source.choices("abcdefghijklmnop", k=source.randint(4, 9))) for _ in range(400)]
    return [(f"c{at // 2:04}", " ".join(source.choices(words, k=4))) for at in range(size)]


@each
def test_a_misspelt_text_finds_its_concept(engine: str) -> None:
    known = corpus(600)
    index = LexicalIndex(known, registry=SNAPSHOT, engine=engine)
    source, found = random.Random(8), 0
    for code, text in source.sample(known, 100):
        at = source.randrange(len(text))
        found += code in [hit.code for hit in index.search(text[:at] + text[at + 1 :], 10)]
    assert found >= 98


@each
def test_equal_scores_are_told_apart_by_the_code_alone(engine: str) -> None:
    codes = [f"c{at:03}" for at in range(300)]
    shuffled = random.Random(1).sample(codes, 300)
    index = LexicalIndex([(code, "open the account") for code in shuffled], registry=SNAPSHOT, engine=engine)
    assert [hit.code for hit in index.search("open account", 50)] == codes[:50]


@each
def test_the_order_of_the_input_and_the_batch_change_nothing(engine: str) -> None:
    known = corpus(500)
    one = LexicalIndex(known, registry=SNAPSHOT, engine=engine)
    two = LexicalIndex(reversed(known), registry=SNAPSHOT, engine=engine)
    asked = [text[1:] for _, text in known[:40]]
    assert one.search_batch(asked) == [two.search(text) for text in reversed(asked)][::-1]
    assert one.identity.hash == two.identity.hash


@each
def test_a_concept_comes_once_and_few_are_asked_for_as_of_many(engine: str) -> None:
    index = LexicalIndex([("a", f"open account {at}") for at in range(500)] + [("b", "open it")], registry=SNAPSHOT,
                         engine=engine)  # fmt: skip
    found = index.search("open account", 2)
    assert [hit.code for hit in found] == ["a", "b"]
    assert index.search("open account", 1) == found[:1]


@each
@pytest.mark.parametrize(
    "text", ["", " ", "?!", 'a" OR b', "NEAR(x)", "zzzz qqqq", "北京", "x" * 2000, "-a*", "q\0zq zz"]
)
def test_any_text_is_only_text(engine: str, text: str) -> None:
    index = LexicalIndex([("a", "open account"), ("b", "北京市")], registry=SNAPSHOT, engine=engine)
    assert [hit.code for hit in index.search(text)] == (["b"] if text == "北京市" else [])
    assert [hit.code for hit in index.search("北京市")] == ["b"]


@each
def test_no_expressions_find_nothing(engine: str) -> None:
    assert LexicalIndex([], registry=SNAPSHOT, engine=engine).search("open") == []


@each
def test_a_score_is_bm25_over_words_and_grams(engine: str) -> None:
    """Robertson and Zaragoza 2009, with k1 = 1.2 and b = 0.75; SQLite multiplies by k1 + 1 as they do, tantivy too."""
    texts = ["open account", "close account", "open the card", "sell"]
    index = LexicalIndex(
        [(f"c{at}", text) for at, text in enumerate(texts)], registry=SNAPSHOT, engine=engine
    )
    fields: list[Any] = [
        lambda text: text.split(),
        lambda text: [text[at : at + 3] for at in range(len(text) - 2)],
    ]
    expected = 0.0
    for split in fields:
        bags = [Counter(split(text)) for text in texts]
        mean = sum(bag.total() for bag in bags) / len(bags)
        for term in split("sell"):
            met = sum(term in bag for bag in bags)
            count = bags[3][term]
            length = 0.25 + 0.75 * bags[3].total() / mean
            # The two engines differ in whether idf has a 1 added under the logarithm.
            idf = log((len(texts) - met + 0.5) / (met + 0.5) + (engine == "tantivy"))
            expected += idf * count * 2.2 / (count + 1.2 * length)
    # tantivy keeps the length of a text in one byte; up to 40 terms that is exact.
    assert index.search("sell")[0].score == pytest.approx(expected, abs=0.006)


def test_an_identity_names_all_that_can_change_an_answer() -> None:
    known = corpus(20)
    identities = [
        LexicalIndex(texts, registry=registry, engine="fts5").identity.hash
        for texts, registry in ((known, SNAPSHOT), (known[1:], SNAPSHOT), (known, "bench 2 sha256:1"))
    ]
    assert len(set(identities)) == 3


def test_an_engine_that_is_absent_or_unknown_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no lexical engine"):
        LexicalIndex([], registry=SNAPSHOT, engine="grep")
    monkeypatch.setitem(__import__("sys").modules, "tantivy", None)
    with pytest.raises(InputError, match="denotary\\[lexical\\]"):
        LexicalIndex([], registry=SNAPSHOT, engine="tantivy")
    monkeypatch.setattr("denotary.resolver.candidates.lexical.find_spec", lambda _: None)
    assert LexicalIndex([("a", "open")], registry=SNAPSHOT).identity.engine == engines.FTS5


@each
def test_threads_get_the_same(engine: str) -> None:
    from concurrent.futures import ThreadPoolExecutor

    known = corpus(300)
    index = LexicalIndex(known, registry=SNAPSHOT, engine=engine)
    asked: list[Any] = [text for _, text in known[:60]]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(index.search, asked)) == index.search_batch(asked)
