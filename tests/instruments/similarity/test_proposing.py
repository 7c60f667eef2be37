"""Proposals for own anchors: what the rules make, and that nobody reads one before a person accepted it."""

import json
from pathlib import Path

import pytest

from denotary.errors import InputError
from denotary.files import encode_jsonl
from denotary.instruments.similarity.corpus import load_corpus
from denotary.instruments.similarity.corpus_records import UserPair
from denotary.instruments.similarity.overlap import overlap
from denotary.instruments.similarity.proposing import propose


def proposed(text: str) -> dict[str, str]:
    return {pair.mutation or "same": pair.text2 for pair in propose([("a", text)], task="own")}


@pytest.mark.parametrize(
    ("text", "mutation", "expected"),
    [
        ("The nurse must check the dose first.", "negation", "The nurse must not check the dose first."),
        ("Do not open the valve at night.", "negation", "Open the valve at night."),
        ("The pump isn't safe to run at night.", "negation", "The pump is safe to run at night."),
        ("Store the vials in the cold room.", "negation", "Do not store the vials in the cold room."),
        ("You must rinse the cup with water.", "modal_downgrade", "You should rinse the cup with water."),
        ("You must not rinse the cup with it.", "modal_downgrade", "You should not rinse the cup with it."),
        ("Guests may bring a dog to the hotel.", "modal_upgrade", "Guests must bring a dog to the hotel."),
        ("Take 5 ml of the syrup in the morning.", "quantity_unit", "Take 10 ml of the syrup in the morning."),
        ("Pay the sum of 1,500 euros to the bank.", "quantity_unit", "Pay the sum of 3,000 euros to the bank."),
        ("Before the meal, wash both of your hands.", "temporal_order", "After the meal, wash both of your hands."),
        ("Delete the log unless the court asks.", "condition", "Delete the log if the court asks."),
        ("Scan every folder except the archive one.", "exception", "Scan every folder including the archive one."),
        ("All the doors are locked at ten o'clock.", "scope", "Some the doors are locked at ten o'clock."),
        (
            "Answer the customer in writing by letter, within two days.",
            "constraint_deletion",
            "Answer the customer in writing by letter.",
        ),
        ("Please open the main valve of the tank.", "antonym", "Please close the main valve of the tank."),
    ],
)  # fmt: skip
def test_rules_change_the_decision_and_little_else(text: str, mutation: str, expected: str) -> None:
    assert proposed(text)[mutation] == expected


def test_a_close_restatement_is_proposed_beside_them() -> None:
    assert proposed("Wash both hands prior to the meal.")["same"] == "Wash both hands before the meal."


def test_what_leaves_its_pole_is_left_out() -> None:
    assert "modal_downgrade" not in proposed("Must stop.")  # one word of three is shared
    pairs = list(
        propose([("a", "The nurse must check the dose first.")], task="own", rewriter=lambda text: text)
    )
    assert {pair.pole for pair in pairs} == {"close"}  # a rewriter that changes no word gives no distant pair


def test_a_rewriter_gives_distant_pairs_of_both_decisions() -> None:
    said: list[str] = []

    def rewriter(text: str) -> str:
        said.append(text)
        return f"wholly other words {len(said)}"

    text = "The nurse must check the dose first."
    pairs = list(propose([("a", text)], task="own", rewriter=rewriter))
    distant = [pair for pair in pairs if pair.pole == "distant"]
    assert said[0] == text
    assert "The nurse must not check the dose first." in said
    assert distant[0].decision == "same"
    assert {pair.mutation for pair in distant[1:]} == {pair.mutation for pair in pairs if pair.mutation}
    assert all(overlap(pair.text1, pair.text2) <= 0.25 for pair in distant)


@pytest.mark.parametrize("answer", ["", "  ", None, 5])
def test_a_rewriter_without_an_answer_is_an_error_that_shows_no_text(answer: object) -> None:
    with pytest.raises(InputError, match="gave no text") as caught:
        list(propose([("a7", "The nurse must check it.")], task="own", rewriter=lambda _: answer))  # type: ignore[arg-type, return-value]
    assert "a7" in str(caught.value)
    assert "nurse" not in str(caught.value)


def test_a_rewriter_that_raises_is_an_error_that_shows_no_text() -> None:
    def rewriter(text: str) -> str:
        raise ValueError(text)

    with pytest.raises(InputError, match="raised ValueError") as caught:
        list(propose([("a7", "The nurse must check it.")], task="own", rewriter=rewriter))
    assert "nurse" not in str(caught.value)


def test_nobody_reads_a_proposal_before_it_is_accepted(tmp_path: Path) -> None:
    pairs = list(propose([("a", "The nurse must check the dose first.")], task="own"))
    assert {pair.review for pair in pairs} == {"unreviewed"}
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(encode_jsonl(pairs))
    with pytest.raises(InputError, match=f"holds no pair but {len(pairs)} unreviewed"):
        load_corpus(path)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0]["review"] = "accepted"
    path.write_text("\n".join(map(json.dumps, lines)))
    corpus = load_corpus(path)
    assert len(corpus.pairs) == 1
    assert corpus.notes == (f"{len(pairs) - 1} unreviewed pairs of the file are left out.",)


def test_a_csv_may_hold_proposals_too(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("text1,text2,decision,review\na b,a c,same,unreviewed\na b,a d,opposite,\n")
    assert len(load_corpus(path).pairs) == 1


def test_a_pair_shows_no_text() -> None:
    assert repr(UserPair(text1="x", text2="y", decision="same", anchor="a")) == "UserPair(a)"
