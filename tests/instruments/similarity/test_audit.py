"""The audit as a whole: scores that read one thing alone, corpora that fail, truncated pairs, the bars."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from unittest.mock import MagicMock

import msgspec
import numpy as np
import pytest

from denotary.canonical import canonical_json
from denotary.errors import InputError
from denotary.instruments.similarity import axes, manipulation
from denotary.instruments.similarity.auditing import Auditing, audit
from denotary.instruments.similarity.axes import CLAIMED
from denotary.instruments.similarity.configurations import Configuration, TextEncoder, baseline, encoded
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.gates import gate
from denotary.instruments.similarity.results import Audit, AxisRow, BaselineRow
from denotary.instruments.similarity.verdict import overall, sentence, task_reading


@pytest.fixture
def corpus(corpus_of: Callable[[int], Corpus]) -> Corpus:
    """Of as many anchors a task as a claim needs."""
    return corpus_of(16)


def test_an_encoder_of_the_decision_reads_meaning(corpus: Corpus, meaning: TextEncoder) -> None:
    found = audit(encoded(meaning, "meaning"), corpus)
    assert found.verdict == "reads meaning at matched overlap"
    assert {reading.decision for reading in found.readings} == {1.0}
    assert (found.pairs, found.anchors, found.truncated) == (256, 64, None)
    assert msgspec.json.decode(canonical_json(found), type=Audit) == found


def test_a_score_of_wording_with_noise_reads_wording(corpus_of: Callable[[int], Corpus]) -> None:
    corpus = corpus_of(60)
    noise = np.random.default_rng(3).normal(0, 0.02, len(corpus.pairs))
    table = dict(zip(corpus.pairs.second, corpus.pairs.overlap + noise, strict=True))
    wording = Configuration("noise", "noise", lambda _, second: np.array([table.get(t, 0.0) for t in second]))
    found = audit(wording, corpus)
    assert found.verdict == "reads wording"
    assert [reading.lexical for reading in found.readings] == [1.0, 1.0]
    assert "surface form" in found.sentence


def test_progress_counts_every_text_of_the_corpus(corpus: Corpus, meaning: TextEncoder) -> None:
    told = list[int]()
    audit(encoded(meaning, "meaning"), corpus, progress=told.append)
    assert sum(told) == len({*corpus.pairs.first, *corpus.pairs.second})


def test_own_gates_come_first(corpus: Corpus, wording: TextEncoder) -> None:
    found = audit(encoded(wording, "wording"), corpus, [gate("score>0.77", "mine")])
    assert [row.gate for row in found.operating[:6]] == ["mine"] * 6
    assert len(found.operating) == 6 * 6


def test_cutoffs_made_for_cosines_say_nothing_of_another_score(corpus: Corpus, meaning: TextEncoder) -> None:
    cosine = audit(encoded(meaning, "meaning"), corpus)
    assert cosine.scale == "cosine"
    assert {row.policy.partition(" (")[0] for row in cosine.beyond} >= {"redundancy filter", "answer grader"}
    found = audit(encoded(meaning, "meaning", metric="euclidean"), corpus, [gate("score>=-0.5", "mine")])
    assert found.scale == "other"
    assert {row.gate for row in found.operating} == {row.gate for row in found.guard} == {"mine"}
    assert {row.policy for row in found.beyond} == {"continuous score", "top-k mining", "adaptive chunker"}
    assert found.displacement == ()
    assert found.verdict == cosine.verdict
    none = audit(encoded(meaning, "meaning", metric="dot"), corpus)
    assert (none.operating, none.guard) == ((), ())


def test_lexical_baselines_lie_where_cosines_do(corpus: Corpus) -> None:
    assert audit(baseline("bm25"), corpus).scale == "cosine"
    own = Configuration("own", "own", lambda first, _: np.arange(len(first), dtype=float))
    assert audit(own, corpus).operating == ()


def test_a_corpus_that_fails_its_check_is_not_scored(corpus: Corpus) -> None:
    def never(first: object, second: object) -> np.ndarray:
        raise RuntimeError

    keep = corpus.pairs.same | ~corpus.pairs.close
    with pytest.raises(InputError, match="manipulation check fails"):
        audit(Configuration("never", "never", never), replace(corpus, pairs=corpus.pairs.where(keep)))


def test_truncated_pairs_stand_apart(corpus: Corpus, meaning: TextEncoder) -> None:
    long = {str(text) for text in corpus.pairs.first[corpus.pairs.of(half="A", task="constraint")]}
    made = replace(encoded(meaning, "meaning"), cut=lambda texts: np.array([t in long for t in texts]))
    found = audit(made, corpus)
    assert found.truncated == 64
    assert found.pairs == 192
    assert {row.task for row in found.truncated_axes} == {"constraint"}
    assert found.truncated_axes[0].pairs == 64


def test_configurations_of_one_corpus_share_what_is_not_theirs(
    corpus: Corpus, meaning: TextEncoder, wording: TextEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = {str(text) for text in corpus.pairs.first[corpus.pairs.of(half="A", task="constraint")]}
    configurations = [
        encoded(meaning, "meaning"),
        encoded(wording, "wording"),
        replace(encoded(meaning, "cut"), cut=lambda texts: np.array([t in long for t in texts])),
    ]
    alone = [audit(one, corpus) for one in configurations]
    checked, beside = MagicMock(wraps=manipulation.require), MagicMock(wraps=axes.beside)
    monkeypatch.setattr(manipulation, "require", checked)
    monkeypatch.setattr(axes, "beside", beside)
    auditing = Auditing(corpus)
    assert [auditing.audit(one) for one in configurations] == alone
    assert checked.call_count == 1
    assert beside.call_count == 2  # the last configuration leaves out other pairs


def row(
    axis: str, value: float | None, low: float | None, high: float | None, anchors: int = CLAIMED
) -> AxisRow:
    return AxisRow(axis=axis, task="t", value=value, anchors=anchors, pairs=9, low=low, high=high)


@pytest.mark.parametrize(
    ("decision", "control", "expected"),
    [
        ((0.8, 0.70, 0.9), 0.5, "reads meaning at matched overlap"),
        ((0.8, 0.699, 0.9), 0.9, "undecided"),
        ((0.5, 0.45, 0.599), 0.81, "reads wording"),
        ((0.5, 0.45, 0.60), 0.81, "undecided"),
        ((0.5, 0.45, 0.599), 0.80, "undecided"),
        ((0.5, None, None), 0.9, "undecided"),
    ],
)
def test_bars(decision: tuple[float, float | None, float | None], control: float, expected: str) -> None:
    reading = task_reading(row("decision", *decision), row("lexical", 0.95, control, 1.0), [])
    assert reading.reading == expected
    assert overall([reading, reading]) == expected
    assert sentence(reading.reading, [reading]).startswith(expected.capitalize())


@pytest.mark.parametrize("decision", [(0.9, 0.8, 1.0), (0.5, 0.45, 0.55)])
def test_few_anchors_claim_nothing(decision: tuple[float, float, float]) -> None:
    reading = task_reading(
        row("decision", *decision, anchors=CLAIMED - 1), row("lexical", 0.95, 0.9, 1.0), []
    )
    assert reading.reading == "undecided"
    said = sentence("undecided", [reading])
    assert "from 29 anchors where a claim needs 30" in said
    assert said.endswith("Too few anchors to say: a claim needs 30 in each task.")


@pytest.mark.parametrize(("value", "high"), [(0.5, 0.6), (0.6, None)])
def test_meaning_is_not_said_where_words_alone_may_do_as_well(value: float, high: float | None) -> None:
    axes_of = row("decision", 0.9, 0.8, 1.0), row("lexical", 0.9, 0.85, 1.0)
    rows = [
        BaselineRow(baseline="bm25", task="t", value=value, low=None, high=high),
        BaselineRow(baseline="token-jaccard", task="t", value=0.5, low=0.4, high=0.59),
        BaselineRow(baseline="token-jaccard", task="other", value=0.9, low=0.8, high=1.0),
    ]
    assert task_reading(*axes_of, rows[1:]).reading == "reads meaning at matched overlap"
    reading = task_reading(*axes_of, rows)
    assert (reading.reading, reading.wording, reading.wording_high) == ("undecided", "bm25", 0.6)
    assert "Wording alone may do as well on these pairs: bm25 up to 0.600 in t." in sentence(
        "undecided", [reading]
    )


def cut_in(long: set[str], texts: Sequence[str]) -> np.ndarray:
    return np.array([text in long for text in texts], dtype=np.bool_)


def test_no_verdict_stands_on_pairs_that_truncation_left_unmatched(
    corpus: Corpus, meaning: TextEncoder
) -> None:
    same = {str(text) for text in corpus.pairs.second[corpus.pairs.same & corpus.pairs.close]}
    base = encoded(meaning, "meaning")
    assert audit(base, corpus).unmatched == ()
    for long in (same, set(corpus.pairs.texts)):
        found = audit(replace(base, cut=partial(cut_in, long)), corpus)
        assert found.verdict == "undecided"
        assert found.unmatched
        assert "Without the truncated pairs the manipulation check fails" in found.sentence


def test_tasks_that_differ_leave_it_undecided() -> None:
    one = task_reading(row("decision", 0.9, 0.8, 1.0), row("lexical", 0.9, 0.85, 1.0), [])
    other = task_reading(row("decision", 0.5, 0.4, 0.55), row("lexical", 0.9, 0.85, 1.0), [])
    said = overall([one, other])
    assert said == "undecided"
    assert "0.900 [0.800, 1.000]" in sentence(said, [one, other])
    assert sentence(said, [one, other]).endswith("The tasks differ: t reads meaning, t reads wording.")
    assert "unknown" in sentence(
        said, [task_reading(row("decision", None, None, None), row("lexical", 0.9, None, None), [])]
    )
