"""Candidates wait beside a suite, become cases by a person's act, and never enter a frozen suite."""

import json
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
JUDGED: Record = {
    "review": "reviewed",
    "adjudication_status": "approved",
    "depth_tier": "A2",
    "independent_votes": ["x.alpha"] * 5,
    "reviewers": [f"reviewer-{number}" for number in range(5)],
}
"""What five people found, typed in by one."""


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
        (["n1"], {"changes": {"record_id": "c1"}}, "record_id cannot be given"),
        (["n1", "n3"], {"changes": {"record_id": "z"}}, "record_id cannot be given"),
        (["n1"], {"changes": {"semantic_seed_id": " "}}, "semantic_seed_id must be printable and not blank"),
        (["n1"], {"changes": {"semantic_seed_id": "\ud800"}}, "lone surrogate"),
        (["n1"], {"changes": {"annotation": JUDGED}}, "annotation cannot be given"),
        (["n1"], {"changes": {"annotation.review": "reviewed"}}, "annotation.review cannot be given"),
        (["n1"], {"changes": {"security": {"visibility": "public"}}}, "security cannot be given"),
        (["n1"], {"changes": {"security.visibility": "public"}}, "security.visibility cannot be given"),
        (["n1"], {"changes": {"construction.equivalence_reviewed_by": "r"}}, "carries a judgement"),
    ],
)
def test_a_wrong_act_changes_nothing(names: list[str], parts: Record, says: str, folder: Path) -> None:
    before = [(folder / name).read_bytes() for name in ("cases.jsonl", CANDIDATES)]
    with pytest.raises(InputError) as raised:
        accept(folder, names, **WHO | parts)
    assert says in str(raised.value)
    assert "durable" not in str(raised.value)
    assert [(folder / name).read_bytes() for name in ("cases.jsonl", CANDIDATES)] == before


def test_the_rationale_of_who_accepts_may_be_given(folder: Path) -> None:
    (made,) = accept(folder, ["n1"], changes={"annotation.rationale": "plain"}, **WHO)
    assert (made.annotation.review, made.annotation.rationale) == ("unreviewed", "plain")


@pytest.mark.parametrize(
    "parts",
    [
        {"record_id": "n9"},
        {"record_id": "n3"},
        {"annotation": JUDGED},
        {"annotation": {"review": "generated", "depth_tier": "A2"}},
        {"annotation": {"review": "generated", "reviewers": ["r"], "independent_votes": ["x.alpha"]}},
        {"record_id": "n1", "construction": {"equivalence_reviewed_by": "reviewer-2"}},
    ],
)
def test_a_candidate_that_was_edited_brings_no_judgement_and_no_other_id(
    folder: Path, case: Callable[..., Record], parts: Record
) -> None:
    first = CaseCandidate(
        candidate="n1", status="candidate", recipe="r sha256:0", mechanism="perturb", case=case("n1", **parts)
    )
    write_candidates(folder, [first, candidate(case("n3"))])
    before = (folder / "cases.jsonl").read_bytes()
    with pytest.raises(InputError, match=r"another id|carries a judgement"):
        accept(folder, ["n1", "n3"], **WHO)
    assert (folder / "cases.jsonl").read_bytes() == before


def test_an_acceptance_that_was_interrupted_is_finished_by_the_next_call(folder: Path) -> None:
    """The cases were written, and the candidates were not: the retry writes nothing twice, and marks them."""
    waiting = (folder / CANDIDATES).read_bytes()
    accept(folder, ["n1"], **WHO)
    written = (folder / "cases.jsonl").read_bytes()
    (folder / CANDIDATES).write_bytes(waiting)
    accept(folder, ["n1", "n3"], **WHO)
    assert statuses(folder) == {"n1": "accepted", "n2": "candidate", "n3": "accepted"}
    assert (folder / "cases.jsonl").read_bytes().startswith(written)
    assert list(load_suite(folder).by_id) == ["c1", "n1", "n3"]
    # Another content under the same id is another case.
    (folder / CANDIDATES).write_bytes(waiting)
    with pytest.raises(InputError, match="holds this record already, with another content"):
        accept(folder, ["n1"], **WHO | {"why": "read again"})


def test_an_error_of_the_file_quotes_no_content(folder: Path, case: Callable[..., Record]) -> None:
    secret = "a sealed text about quaggas"
    usual = {"candidate": "n1", "status": "candidate", "recipe": "r", "mechanism": "m", "case": case("n1")}
    for line in (usual | {"status": secret}, usual | {secret: 1}, usual | {"case": secret}):
        (folder / CANDIDATES).write_text(json.dumps(line) + "\n")
        for act in (lambda: read_candidates(folder), lambda: reject(folder, ["n1"], **WHO)):
            with pytest.raises(InputError) as raised:
                act()
            assert "quagga" not in f"{raised.value!r} {raised.value} {raised.value.hint}"
            assert raised.value.line == 1


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
