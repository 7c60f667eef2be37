"""The shipped corpus: large enough, balanced, read by others than wrote it, and honest about who they were."""

import json
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from denotary.files import read_records
from denotary.instruments.similarity.corpus import BUNDLED, Corpus, load_corpus
from denotary.instruments.similarity.corpus_records import RejectedAnchor, SecondReading
from denotary.instruments.similarity.manipulation import content_checks, require


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


def test_close_pairs_lean_in_their_content_words_and_distant_ones_do_not(shipped: Corpus) -> None:
    """A known limit, which the documentation states: it describes, and refuses nothing."""
    for check in content_checks(shipped.pairs):
        close, distant = (item.difference for item in check.balance)
        assert -0.11 < close.low < close.high < 0
        assert abs(distant.value) < 0.001


HALF_C = Path(__file__).parents[3] / "examples" / "case_studies" / "similarity_repairs" / "half-c"


@pytest.mark.parametrize(
    ("folder", "expected"),
    [(BUNDLED, SecondReading(1408, 40, 5632, 40)), (HALF_C, SecondReading(374, 4, 1496, 4))],
)
def test_the_second_reading_counts_the_anchors_that_fell_by_it(folder: Path, expected: SecondReading) -> None:
    """Counted from the raw files: of the anchors that stayed alone, agreement is 100 % by construction."""
    lines = [json.loads(line) for path in folder.glob("*.jsonl") for line in path.read_text().splitlines()]
    votes = [[vote != cell.partition("_")[0] for vote in read["votes"]] for line in lines
             for cell, read in line["second_reading"].items()]  # fmt: skip
    against = [line["anchor"] for line in lines if any(
        vote != cell.partition("_")[0] for cell, read in line["second_reading"].items() for vote in read["votes"]
    )]  # fmt: skip
    assert expected == SecondReading(len(lines), len(against), len(votes), sum(map(any, votes)))
    corpus = load_corpus(folder)
    assert corpus.second_reading == expected
    assert f"{expected.disputed} of {expected.anchors:,} anchors were disputed and taken out" in " ".join(
        corpus.notes
    )


def test_the_notes_say_who_wrote_and_read(shipped: Corpus) -> None:
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
