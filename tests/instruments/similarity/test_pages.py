"""Pages of audits: everything is on them, nothing is fetched, and no text of a user is markup."""

import re
from collections.abc import Callable
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from denotary.instruments.similarity.auditing import audit
from denotary.instruments.similarity.configurations import baseline, encoded
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.pages import INDEX, pages
from denotary.instruments.similarity.results import Audit
from denotary.reports.figures.spans import Span, spans

ATTACK = "</bdi><script>window.taken=1</script><img src=x onerror='window.taken=1'>"


@pytest.fixture
def corpus(corpus_of: Callable[[int], Corpus]) -> Corpus:
    """Of as many anchors a task as a claim needs."""
    return corpus_of(16)


@pytest.fixture(scope="module")
def made() -> dict[str, Audit]:
    return {}


@pytest.fixture
def audits(corpus: Corpus, meaning: object, wording: object, made: dict[str, Audit]) -> list[Audit]:
    """The same few audits for every test: each costs some seconds."""
    if not made:
        for one in (
            encoded(meaning, "meaning"),  # type: ignore[arg-type]
            encoded(wording, "wording", checkpoint="shared"),  # type: ignore[arg-type]
            encoded(wording, "wording", checkpoint="shared", metric="dot"),  # type: ignore[arg-type]
            baseline("token-jaccard"),
        ):
            made[one.name] = audit(one, corpus)
    return list(made.values())


def test_there_is_a_page_a_configuration_and_one_that_leads_to_them(audits: list[Audit]) -> None:
    found = pages(audits, ["a note"])
    assert list(found) == ["meaning.html", "wording.html", "wording-dot.html", "token-jaccard.html", INDEX]
    links = re.findall(r'<a href="([a-z0-9-]+\.html)">', found[INDEX])
    assert links == list(found)[:-1]
    assert found == pages(audits, ["a note"])


def test_a_page_says_the_verdict_with_its_evidence_and_every_class(audits: list[Audit]) -> None:
    found = pages(audits, ["a note"])
    page = found["meaning.html"]
    assert "<h1>Reads meaning at matched overlap</h1>" in page
    assert audits[0].sentence in page
    wording = msgspec.structs.replace(audits[1], verdict="reads wording", sentence="Keep it.")
    assert "<h1>Reads wording</h1>" in pages([wording], [])["wording.html"]
    for name in ("Negation (exploratory)", "Quantity unit (exploratory)", "score&gt;=0.8<", "a note"):
        assert name in page, name
    assert "share the checkpoint <bdi>shared</bdi>" in found[INDEX]


def test_a_page_fetches_nothing(audits: list[Audit]) -> None:
    for page in pages(audits, []).values():
        assert "default-src &#39;none&#39;" in page
        assert not re.search(r'(?:src|href)="(?!#|[a-z0-9-]+\.html")', page)
        assert "http" not in page.replace("http-equiv", "")
        assert "<script" not in page


def test_no_text_of_a_user_is_markup(audits: list[Audit]) -> None:
    axes = tuple(
        msgspec.structs.replace(row, task=ATTACK, mutation=row.mutation and ATTACK) for row in audits[0].axes
    )
    hostile = msgspec.structs.replace(
        audits[0],
        configuration=ATTACK,
        corpus=ATTACK,
        checkpoint=ATTACK,
        settings={ATTACK: ATTACK},
        axes=axes,
    )
    for page in pages([hostile, audits[1]], [ATTACK]).values():
        assert "<script" not in page
        assert "<img" not in page
    assert "script-window" in next(iter(pages([hostile], [])))


def test_two_configurations_whose_names_look_alike_have_two_pages(audits: list[Audit]) -> None:
    named = [msgspec.structs.replace(audits[0], configuration=name) for name in ("a:b", "a b", "index", "§")]
    assert list(pages(named, [])) == ["a-b.html", "a-b-2.html", "index-2.html", "configuration.html", INDEX]


def test_a_corpus_without_classes_or_halves_has_its_page(corpus: Corpus, meaning: object) -> None:
    pairs = corpus.pairs
    blank = np.array([""] * len(pairs), dtype=object)
    bare = replace(corpus, pairs=replace(pairs, mutation=blank, half=blank))
    page = pages([audit(encoded(meaning, "meaning"), bare)], [])["meaning.html"]  # type: ignore[arg-type]
    assert "The corpus names no class of change." in page


def place(figure: str) -> Callable[[str], list[float]]:
    def of(cls: str) -> list[float]:
        path = re.findall(rf'<path d="([^"]*)" class="{cls}"', figure)[0]
        return [float(x) for x in re.findall(r"M([\d.]+) ", path)]

    return of


def test_a_value_lies_where_the_axis_says_and_a_missing_one_nowhere() -> None:
    drawn = spans(
        "x", "t", [Span("half", 0.5, 0.25, 0.75), Span("none", None)], marks=[(0.5, "chance")], hides="h"
    )
    at = place(str(drawn.svg))
    assert at("dot") == at("limit") == [400.0]
    assert at("ci") == [315.0]
    assert drawn.rows == (("half", "0.500", "0.250", "0.750", ""), ("none", "–", "–", "–", ""))
