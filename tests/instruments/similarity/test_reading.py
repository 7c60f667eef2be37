"""Packets of the blind second reading: nothing leaks, nothing is lost, votes find their pair."""

import json
from collections import Counter
from pathlib import Path

import pytest

from denotary.errors import InputError
from denotary.instruments.similarity.anchors import CELLS, Anchor
from denotary.instruments.similarity.reading import Written, packets, read_votes, written_pairs


def written(count: int) -> list[Written]:
    anchors = [
        Anchor(
            anchor=f"a{i}",
            task="distinctness" if i % 2 else "constraint",
            register="clinical",
            mutation="negation",
            text=f"the pump {i} fails",
            same_close=f"the pump {i} breaks",
            same_distant=f"number {i} is out of order",
            opposite_close=f"the pump {i} never fails",
            opposite_distant=f"number {i} runs on",
        )
        for i in range(count)
    ]
    return [Written(anchor, "A", decision, pole) for anchor in anchors for decision, pole in CELLS]


def test_every_pair_is_packed_once_and_shows_only_task_and_texts() -> None:
    pairs = written(40)
    packed = [pair for packet in packets(pairs, 40) for pair in packet]
    assert sorted(pair.id for pair in packed) == sorted({pair.id for pair in pairs})
    assert {tuple(json.loads(_json(pair))) for pair in packed} == {("id", "task", "text1", "text2")}


def test_no_packet_holds_two_pairs_of_an_anchor_and_none_is_rich_in_a_cell() -> None:
    pairs = written(200)
    by_id = {pair.id: pair for pair in pairs}
    for packet in packets(pairs, 100):
        assert len(packet) == 100
        anchors = Counter(by_id[pair.id].anchor.anchor for pair in packet)
        assert max(anchors.values()) == 1
        cells = Counter((by_id[pair.id].decision, by_id[pair.id].pole) for pair in packet)
        assert min(cells[cell] for cell in CELLS) >= 10


def test_a_rewrite_follows_its_original_and_claims_come_in_both_orders() -> None:
    pairs = written(100)
    first = {"distinctness": 0, "constraint": 0}
    for pair in pairs:
        first[pair.anchor.task] += pair.packed().text1 == pair.anchor.text
    assert first["constraint"] == 200
    assert 60 < first["distinctness"] < 140


def test_votes_find_their_pair_and_those_on_changed_texts_none(tmp_path: Path) -> None:
    pairs = written(1)
    votes = tmp_path / "j.jsonl"
    votes.write_text(
        f'{{"id": "{pairs[0].id}", "vote": "same", "confidence": 0.9}}\n'
        f'{{"id": "{pairs[2].id}", "vote": "unsure", "confidence": 0.2}}\n'
        '{"id": "0000000000000000", "vote": "same", "confidence": 1}\n'
    )
    readings = read_votes(pairs, [("one", votes)])
    assert [len(reading.votes) for reading in readings] == [1, 0, 1, 0]
    assert [reading.agrees for reading in readings] == [True, False, False, False]
    assert readings[0].votes[0].judge == "one"


def test_a_judge_votes_once(tmp_path: Path) -> None:
    pairs = written(1)
    votes = tmp_path / "j.jsonl"
    votes.write_text(f'{{"id": "{pairs[0].id}", "vote": "same", "confidence": 0.9}}\n' * 2)
    with pytest.raises(InputError, match="second vote"):
        read_votes(pairs, [("one", votes)])


@pytest.mark.parametrize(
    "line", ['{"id": "x", "vote": "maybe", "confidence": 1}', '{"id": "x", "vote": "same", "confidence": 2}']
)
def test_what_is_no_vote_is_named_by_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "j.jsonl").write_text(line)
    with pytest.raises(InputError, match=r"j\.jsonl:1"):
        read_votes(written(1), [("one", tmp_path / "j.jsonl")])


def test_a_writers_file_gives_four_pairs_an_anchor(tmp_path: Path) -> None:
    anchor = written(1)[0].anchor
    (tmp_path / "x.jsonl").write_text(_json(anchor))
    pairs = written_pairs(tmp_path / "x.jsonl", "B")
    assert [(pair.decision, pair.pole) for pair in pairs] == list(CELLS)
    assert {pair.source for pair in pairs} == {"B"}


def _json(record: object) -> str:
    import msgspec

    return msgspec.json.encode(record).decode()
