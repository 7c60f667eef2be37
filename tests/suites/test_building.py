"""Candidates wait beside a suite, become cases by a person's act, and never enter a frozen suite."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.errors import InputError, IntegrityError
from denotary.suites import freeze, load_suite
from denotary.suites.building import CANDIDATES, CaseCandidate, merged, read_candidates, write_candidates
from denotary.suites.building_acceptance import accept, reject

Make = Callable[..., Path]
Record = dict[str, Any]
WHO: Record = {"who": "reviewer-1", "why": "read it"}


def candidate(
    record: Record, *, needs: tuple[str, ...] = (), recipe: str = "r sha256:0", **parts: Any
) -> CaseCandidate:
    content = {name: value for name, value in record.items() if name not in needs}
    usual: Record = {"status": "candidate", "mechanism": "perturb", "recipe": recipe, "needs": needs}
    return CaseCandidate(candidate=record["record_id"], case=content, **usual | parts)


@pytest.fixture
def folder(make_suite: Make, case: Callable[..., Record]) -> Path:
    """One case, and three candidates, of which one needs its gold."""
    root = make_suite([case("c1")])
    write_candidates(
        root, [candidate(case("n1")), candidate(case("n2"), needs=("gold",)), candidate(case("n3"))]
    )
    return root


def statuses(root: Path) -> dict[str, str]:
    return {item.candidate: item.status for item in read_candidates(root)}


def test_an_accepted_candidate_is_a_case_and_says_who_and_why(folder: Path) -> None:
    (made,) = accept(folder, ["n1"], **WHO)
    suite = load_suite(folder)
    assert list(suite.by_id) == ["c1", "n1"]
    assert suite.by_id["n1"] == made
    assert made.annotation.rationale == "read it"
    found = read_candidates(folder)[0]
    assert (found.status, found.who, found.why) == ("accepted", "reviewer-1", "read it")


def test_what_a_candidate_needs_must_be_given(folder: Path) -> None:
    with pytest.raises(InputError, match="n2: needs gold"):
        accept(folder, ["n1", "n2"], **WHO)
    assert statuses(folder) == dict.fromkeys(("n1", "n2", "n3"), "candidate")
    assert len(load_suite(folder).cases) == 1
    gold = {"disposition": "UNKNOWN_REGISTRY"}
    accept(folder, ["n2"], changes={"gold": gold, "construction.tags": ["negation"]}, **WHO)
    case: Any = load_suite(folder).by_id["n2"]
    assert case.gold.disposition == "UNKNOWN_REGISTRY"
    assert case.construction.tags == ("negation",)


def test_a_frozen_suite_takes_no_candidate_and_freezing_takes_none_in(folder: Path) -> None:
    accept(folder, ["n1"], **WHO)
    lock = freeze(folder)
    assert lock.cases == 2
    assert CANDIDATES not in lock.files
    before = (folder / "cases.jsonl").read_bytes()
    with pytest.raises(IntegrityError, match="no candidate enters a frozen suite"):
        accept(folder, ["n3"], **WHO)
    assert (folder / "cases.jsonl").read_bytes() == before
    # Candidates beside a frozen suite are no part of it.
    write_candidates(folder, [])
    assert load_suite(folder).hash == lock.hash


@pytest.mark.parametrize(
    ("names", "parts", "says"),
    [
        (["n9"], {}, "n9: no such candidate"),
        ([], {}, "at least one candidate"),
        (["n1"], {"who": " "}, "who decides, and why"),
        (["n1"], {"why": ""}, "who decides, and why"),
        (["n1"], {"who": "generated-2"}, "a person decides"),
        (["n1"], {"changes": {"gold": 3}}, "would be no case"),
        (["n1"], {"changes": {"gold.disposition": "MAYBE"}}, "would be no case"),
        (["n1"], {"changes": {"input.script": "Cyrl"}}, "would be wrong"),
        (["n1"], {"changes": {"record_id": "c1"}}, "holds this record already"),
    ],
)
def test_a_wrong_act_changes_nothing(names: list[str], parts: Record, says: str, folder: Path) -> None:
    before = [(folder / name).read_bytes() for name in ("cases.jsonl", CANDIDATES)]
    with pytest.raises(InputError) as raised:
        accept(folder, names, **WHO | parts)
    assert says in str(raised.value)
    assert "durable" not in str(raised.value)
    assert [(folder / name).read_bytes() for name in ("cases.jsonl", CANDIDATES)] == before


def test_a_decision_is_taken_once(folder: Path) -> None:
    reject(folder, ["n1"], **WHO)
    assert statuses(folder)["n1"] == "rejected"
    for act in (accept, reject):
        with pytest.raises(InputError, match="is rejected already"):
            act(folder, ["n1"], **WHO)


def test_a_new_build_keeps_decisions_and_other_recipes(case: Callable[..., Record]) -> None:
    def made(name: str, recipe: str, status: str = "candidate") -> CaseCandidate:
        return candidate(case(name), recipe=f"{recipe} sha256:1", status=status)

    old = [
        made("a", "r"),
        made("b", "r", "accepted"),
        made("c", "r", "rejected"),
        made("d", "other"),
        made("e", "rr"),
    ]
    new = [made("b", "r"), made("c", "r"), made("f", "r")]
    found = merged(old, new, "r")
    assert [(item.candidate, item.status) for item in found] == [
        ("b", "accepted"), ("c", "rejected"), ("d", "candidate"), ("e", "candidate"), ("f", "candidate"),
    ]  # fmt: skip
    assert merged(found, new, "r") == found


def test_a_last_line_without_its_end_is_kept_apart(folder: Path) -> None:
    path = folder / "cases.jsonl"
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    accept(folder, ["n1", "n3"], **WHO)
    assert list(load_suite(folder).by_id) == ["c1", "n1", "n3"]
