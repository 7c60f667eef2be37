"""Baselines of words: what they find in pairs whose wording gives the decision away, and not in others."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from denotary.canonical import canonical_json
from denotary.errors import InputError
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.pairs import OnePair, columns
from denotary.instruments.similarity.repairs.fitting import load_frozen, repair, write_frozen
from denotary.instruments.similarity.repairs.judges import AskedJudge, Labels
from denotary.instruments.similarity.repairs.worded import LEAST, PENALTY, Worded


def corpus(*rows: tuple[str, str, bool]) -> Corpus:
    held = [
        OnePair(f"a{at}", "t", "", "", "", same=same, close=True, first=first, second=second, overlap=0.5)
        for at, (first, second, same) in enumerate(rows)
    ]
    pairs = columns(held)
    return Corpus("made", "0" * 64, pairs, split="none")


def auroc(kind: str, fitted: Corpus, judged: Corpus) -> float:
    said = repair(kind).fit(fitted).score(list(judged.pairs.first), list(judged.pairs.second))
    assert not said.abstained.any()
    assert not said.failed.any()
    same = judged.pairs.same
    return float(roc_auc_score(same, said.scores))


def test_words_alone_tell_the_pairs_of_another_writer_with_the_same_habits(halves: Corpus) -> None:
    assert auroc("words", halves.half("A"), halves.half("B")) == 1.0


def test_what_hangs_on_the_first_text_is_beyond_the_second_one_alone() -> None:
    # "red" is added by same pairs and held by opposite ones from the start.
    rows = [
        row
        for n in range(12)
        for row in ((f"x{n} blue", f"x{n} red", True), (f"x{n} red", f"x{n} red", False))
    ]
    made = corpus(*rows)
    assert auroc("words", made, made) == 1.0
    assert auroc("second-text", made, made) == pytest.approx(0.5)


@pytest.mark.parametrize("kind", ["words", "second-text"])
def test_neither_reads_the_order_of_words(kind: str) -> None:
    rows = [
        row
        for n in range(12)
        for row in ((f"x{n} bit y{n}", f"x{n} bit y{n}", True), (f"x{n} bit y{n}", f"y{n} bit x{n}", False))
    ]
    assert auroc(kind, corpus(*rows), corpus(*rows)) == 0.5


def test_the_weights_are_those_of_another_library(halves: Corpus) -> None:
    half = halves.half("A")
    scores = Worded("second-text").fit(half).score(list(half.pairs.first), list(half.pairs.second)).scores
    texts = [set(second.lower().replace(",", "").split()) for second in half.pairs.second]
    known = sorted(w for w in set().union(*texts) if sum(w in text for text in texts) >= LEAST)
    held = np.array([[float(word in text) for word in known] for text in texts])
    held = held[:, held.std(axis=0) > 0]
    # scikit-learn minimises C * sum of losses + |w|^2 / 2.
    model = LogisticRegression(C=1 / (2 * PENALTY), tol=1e-10, max_iter=10_000)
    standard = (held - held.mean(axis=0)) / held.std(axis=0)
    expected = model.fit(standard, half.pairs.same).predict_proba(standard)[:, 1]
    assert scores == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("kind", ["words", "second-text"])
def test_a_file_gives_the_same_scores_and_holds_no_word(kind: str, halves: Corpus, tmp_path: Path) -> None:
    frozen = repair(kind).fit(halves.half("A"))
    write_frozen(frozen, tmp_path / "words.json")
    loaded = load_frozen(tmp_path / "words.json")
    texts = list(halves.pairs.first), list(halves.pairs.second)
    assert (loaded.score(*texts).scores == frozen.score(*texts).scores).all()
    assert loaded.digest == frozen.digest == repair(kind).fit(halves.half("A")).digest
    kept = canonical_json(frozen.record).decode()
    assert not [word for word in ("otter", "compulsory", "never") if word in kept]


def test_one_kind_is_not_loaded_as_the_other(halves: Corpus, tmp_path: Path) -> None:
    write_frozen(repair("words").fit(halves.half("A")), tmp_path / "words.json")
    text = (tmp_path / "words.json").read_text().replace('"kind":"words"', '"kind":"second-text"')
    (tmp_path / "words.json").write_text(text)
    with pytest.raises(InputError, match="fitted on other words"):
        load_frozen(tmp_path / "words.json")


@pytest.mark.parametrize("kind", ["words", "second-text"])
def test_it_takes_neither_encoder_nor_judge(kind: str) -> None:
    with pytest.raises(InputError, match="needs no encoder"):
        repair(kind, encoder="minilm")
    judge = AskedJudge("j", lambda *_: "same", Labels(("same",), ("opposite",)), {})
    with pytest.raises(InputError, match="hears no judge"):
        repair(kind, judge=judge)
