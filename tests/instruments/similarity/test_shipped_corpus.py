"""The shipped corpus: large enough, balanced, read by others than wrote it, and honest about who they were."""

from collections import Counter
from itertools import product

import pytest

from denotary.files import read_records
from denotary.instruments.similarity.corpus import BUNDLED, Corpus, load_corpus
from denotary.instruments.similarity.corpus_records import RejectedAnchor
from denotary.instruments.similarity.manipulation import require


@pytest.fixture(scope="module")
def shipped() -> Corpus:
    return load_corpus()


def test_every_task_and_half_holds_three_hundred_anchors_over_all_registers_and_classes(
    shipped: Corpus,
) -> None:
    pairs = shipped.pairs
    for task, half in product(("constraint", "distinctness"), "AB"):
        at = pairs.where(pairs.of(task=task, half=half))
        assert len(set(at.anchor)) >= 300
        assert len(at.values("register")) == 6
        assert len(at.values("mutation")) == 11
        assert set(Counter(at.anchor).values()) == {4}


def test_overlap_is_balanced_in_every_task_half_and_stratum(shipped: Corpus) -> None:
    assert len(require(shipped.pairs)) == 4


def test_every_pair_was_read_as_written_and_the_notes_say_by_whom(shipped: Corpus) -> None:
    assert set(shipped.readings) == {"agrees"}
    assert sum(shipped.readings.values()) == len(shipped.pairs)
    assert shipped.split == "instruction"
    notes = " ".join(shipped.notes)
    assert "Generated and unreviewed" in notes
    assert "no author change is claimed" in notes


def test_what_fell_is_kept_with_its_cause(shipped: Corpus) -> None:
    fallen = read_records(BUNDLED / "rejected.jsonl", RejectedAnchor)
    assert {item.cause for item in fallen} == {"second_reading", "overlap"}
    assert not {item.anchor for item in fallen} & set(shipped.pairs.anchor)
    disputed = [item for item in fallen if item.cause == "second_reading"]
    assert all(any(r.result == "disputed" for r in item.second_reading.values()) for item in disputed)
