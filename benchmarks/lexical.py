"""Lexical candidates against tantivy called directly, over 100,000 and 1,000,000 concepts.

One expression a concept: three to six words of a vocabulary of 30,000 with the frequencies of Zipf's law. A query is
an expression with an edit every six letters (one left out, doubled, exchanged with the next, or replaced) and, in one
of three, a word left out or two exchanged. Both sides search the same words and character 3-grams by BM25 and return
50 codes. The peer is what anybody would write: terms into a query, the best 50 documents, their stored codes. Ours
fetches more, and orders by (score on the grid, code). The share of queries whose concept is among the 50 is beside the
times. Building is timed for information, and so is the fallback, SQLite's FTS5, over 100,000 concepts on a slice.
"""

from __future__ import annotations

import itertools
import os
import random
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from _harness import Peer, compare, main

from denotary.resolver.candidates import LexicalIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZES = tuple(int(size) for size in os.environ.get("DENOTARY_BENCH_CONCEPTS", "100000,1000000").split(","))
QUERIES, FOUND, FALLBACK_SLICE, MOST = 200, 50, 20, 1.5
LETTERS = "etaoinshrdlucmfwypvbgkqjxz"


def corpus(count: int) -> list[tuple[str, str]]:
    """Concepts with an expression each, drawn from a seed."""
    source = random.Random(20260601)
    weights = [1 / (1 + at) for at in range(len(LETTERS))]
    words = ["".join(source.choices(LETTERS, weights, k=source.randint(3, 11))) for _ in range(30_000)]
    zipf = list(itertools.accumulate(1 / (20 + at) for at in range(len(words))))
    return [
        (f"concept.{at:07}", " ".join(source.choices(words, cum_weights=zipf, k=source.randint(3, 6))))
        for at in range(count)
    ]


def spoilt(text: str, source: random.Random) -> str:
    """Return a text as somebody in a hurry would type it."""
    letters = list(text)
    for _ in range(max(2, len(text) // 6)):
        at = source.randrange(len(letters) - 1)
        kind = source.randrange(4)
        if kind == 0:
            del letters[at]
        elif kind == 1:
            letters.insert(at, letters[at])
        elif kind == 2:  # noqa: PLR2004 - the third of four
            letters[at], letters[at + 1] = letters[at + 1], letters[at]
        else:
            letters[at] = source.choice(LETTERS)
    words = "".join(letters).split()
    if source.random() < 1 / 3 and len(words) > 1:
        at = source.randrange(len(words) - 1)
        if source.random() < 1 / 2:
            del words[at]
        else:
            words[at], words[at + 1] = words[at + 1], words[at]
    return " ".join(words)


class Direct:
    """tantivy as its manual shows it."""

    def __init__(self, expressions: Sequence[tuple[str, str]]) -> None:
        import tantivy

        self.tantivy: Any = tantivy
        lower = tantivy.Filter.lowercase()
        self.analysers = {
            "words": tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(lower).build(),
            "grams": tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.ngram(3, 3)).filter(lower).build(),
        }
        builder = tantivy.SchemaBuilder()
        for name in self.analysers:
            builder.add_text_field(name, tokenizer_name=name, index_option="freq")
        builder.add_text_field("code", stored=True, tokenizer_name="raw", index_option="basic")
        self.schema = builder.build()
        index = tantivy.Index(self.schema)
        for name, analyser in self.analysers.items():
            index.register_tokenizer(name, analyser)
        writer = index.writer(256 << 20, 1)
        for code, text in expressions:
            writer.add_document(tantivy.Document(words=text, grams=text, code=code))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self.searcher = index.searcher()

    def search(self, text: str) -> list[str]:
        """Return the stored codes of the best documents."""
        query, should = self.tantivy.Query, self.tantivy.Occur.Should
        terms = [
            (should, query.term_query(self.schema, name, term))
            for name, analyser in self.analysers.items()
            for term in set(analyser.analyze(text))
        ]
        hits = self.searcher.search(query.boolean_query(terms), FOUND, count=False).hits
        return [self.searcher.doc(address)["code"][0] for _, address in hits]


def ask_ours(index: LexicalIndex, texts: Sequence[str]) -> list[list[str]]:
    return [[hit.code for hit in index.search(text, FOUND)] for text in texts]


def ask_direct(index: Direct, texts: Sequence[str]) -> list[list[str]]:
    return [index.search(text) for text in texts]


def recall(found: Sequence[Sequence[str]], codes: Sequence[str]) -> float:
    return sum(code in some for some, code in zip(found, codes, strict=False)) / len(found)


def build() -> list[dict[str, Any]]:
    return [record for size in SIZES for record in measure(size)]


def measure(size: int) -> list[dict[str, Any]]:
    """Measure one size; ours may take at most 1.5 times as long, and must find as many."""
    expressions = corpus(size)
    source = random.Random(1)
    sample = source.sample(expressions, QUERIES)
    codes, texts = [code for code, _ in sample], [spoilt(text, source) for _, text in sample]
    ours, built = timed(partial(LexicalIndex, expressions, registry="bench", engine="tantivy"))
    direct, built_directly = timed(partial(Direct, expressions))
    shares: dict[str, float] = {}

    def not_lower(answer: list[list[str]], _: str, other: list[list[str]]) -> None:
        shares.update(ours=recall(answer, codes), direct=recall(other, codes))
        if shares["ours"] < shares["direct"]:
            raise AssertionError(f"recall {shares}")

    peer = Peer("tantivy called directly", partial(ask_direct, direct, texts), goal=1 / MOST)
    record = compare(
        f"lexical candidates, {QUERIES} misspelt texts among {size:,} concepts",
        partial(ask_ours, ours, texts),
        [peer],
        not_lower,
    )
    record["recall"] = [
        {"index": "ours, tantivy", "recall@50": shares["ours"], "build CPU-s": built},
        {"index": "tantivy directly", "recall@50": shares["direct"], "build CPU-s": built_directly},
    ]
    if size <= 100_000:  # noqa: PLR2004 - beyond it the fallback is no choice
        record["recall"].append(fallback(expressions, texts, codes))
    for row in record["recall"]:
        print(" ", row)
    return [record]


def fallback(
    expressions: Sequence[tuple[str, str]], texts: Sequence[str], codes: Sequence[str]
) -> dict[str, Any]:
    index, built = timed(partial(LexicalIndex, expressions, registry="bench", engine="fts5"))
    found, asked = timed(partial(ask_ours, index, texts[:FALLBACK_SLICE]))
    name = f"ours, fts5, {1000 * asked / FALLBACK_SLICE:.0f} ms a text"
    return {"index": name, "recall@50": recall(found, codes), "build CPU-s": built}


def timed(make: Any) -> tuple[Any, float]:
    start = time.process_time()
    made = make()
    return made, time.process_time() - start


if __name__ == "__main__":
    main(build)
