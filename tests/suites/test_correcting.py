"""Corrections and withdrawals: what the ledger keeps of them, and that nothing changes behind its back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.canonical import digest
from denotary.errors import InputError, IntegrityError
from denotary.suites import Correction, correct, freeze, load_suite, withdraw
from denotary.suites.correcting import load_corrections

Case = Callable[..., Any]
SECRET = "QUAGGA7391"


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_correction_records_old_and_new_and_opens_the_suite(
    frozen: Path, gold: Case, decided: Case, set_version: Case
) -> None:
    others = (frozen / "cases.jsonl").read_text().splitlines()
    old = load_suite(frozen).by_id["c2"]
    decision = decided(affects=("certificate.json sha256:00",))
    (case,) = correct(frozen, [gold("c2", "x.gamma")], decision)
    suite = load_suite(frozen)
    assert not suite.is_frozen
    assert suite.by_id["c2"] == case
    lines = (frozen / "cases.jsonl").read_text().splitlines()
    assert (lines[0], lines[2]) == (others[0], others[2])
    entry = suite.ledger[-1]
    assert (entry.kind, entry.what, entry.record, entry.who) == ("correction", "record", "c2", "secretary")
    assert entry.old == {"gold": {"disposition": "SINGLE", "acceptable_concept_codes": ["x.beta"]}}
    assert entry.new == {"gold": {"disposition": "SINGLE", "acceptable_concept_codes": ["x.gamma"]}}
    assert (entry.old_digest, entry.new_digest) == (digest(old), digest(case))
    assert (entry.cause, entry.board, entry.affects) == ("E29", decision.board, decision.affects)
    set_version(frozen, "2.0.0")
    assert freeze(frozen).version == "2.0.0"
    assert load_suite(frozen).is_frozen


def test_the_ledger_never_holds_what_is_asked(make_suite: Case, case: Case, decided: Case) -> None:
    folder = make_suite([case("c1", text=f"{SECRET} one"), case("c2", text=f"{SECRET} two")])
    freeze(folder)
    new = {"text": f"{SECRET} three", "language": "en", "script": "Latn"}
    correct(folder, [Correction(record="c1", changes={"input": new})], decided(cause="E31"))
    withdraw(folder, ["c2"], decided())
    assert SECRET not in (folder / "ledger.jsonl").read_text()
    entry = load_suite(folder).ledger[-2]
    assert entry.new == {"input": {"sha256": digest(new)}}
    assert load_suite(folder).ledger[-1].old == {
        "gold": {"disposition": "SINGLE", "acceptable_concept_codes": ["x.alpha"]}
    }


def test_one_field_of_the_construction_is_corrected_by_its_name(frozen: Path, decided: Case) -> None:
    change = Correction(record="c1", changes={"construction.tags": ["negation"]})
    (case,) = correct(frozen, [change], decided())
    assert case.construction.tags == ("negation",)
    assert case.construction.primary_family == "compositional"
    entry = load_suite(frozen).ledger[-1]
    assert (entry.old, entry.new) == ({"construction.tags": None}, {"construction.tags": ["negation"]})


def test_a_withdrawn_case_stays_in_the_ledger(frozen: Path, decided: Case, set_version: Case) -> None:
    withdraw(frozen, ["c3"], decided(cause="E30"))
    suite = load_suite(frozen)
    assert [case.record_id for case in suite.cases] == ["c1", "c2"]
    entry = suite.ledger[-1]
    assert (entry.what, entry.record, entry.cause, entry.new_digest) == ("withdrawal", "c3", "E30", None)
    set_version(frozen, "2.0.0")
    assert freeze(frozen).cases == 2


def test_many_are_corrected_at_once_or_none(frozen: Path, gold: Case, decided: Case) -> None:
    before = content(frozen)
    with pytest.raises(InputError, match="c9: no such record"):
        correct(frozen, [gold("c1", "x.beta"), gold("c9", "x.beta")], decided())
    with pytest.raises(InputError, match="c1: is named twice"):
        correct(frozen, [gold("c1", "x.beta"), gold("c1", "x.gamma")], decided())
    with pytest.raises(InputError, match="c1: is named twice"):
        withdraw(frozen, ["c1", "c1"], decided())
    assert content(frozen) == before
    correct(frozen, [gold("c3", "x.beta"), gold("c1", "x.gamma")], decided())
    assert [entry.record for entry in load_suite(frozen).ledger[-2:]] == ["c3", "c1"]


@pytest.mark.parametrize(
    "changes",
    [
        {"gold": {"disposition": "MAYBE"}},
        {"gold.disposition.x": "SINGLE"},
        {"nothing": 1},
        {"record_id": "c8"},
        {"record_id.x": "c8"},
        {"parent_record_id.x": 1},
    ],
)
def test_a_correction_that_is_malformed_changes_nothing(
    frozen: Path, decided: Case, changes: dict[str, Any]
) -> None:
    before = content(frozen)
    with pytest.raises(InputError, match="c2: "):
        correct(frozen, [Correction(record="c2", changes=changes)], decided())
    assert content(frozen) == before


COUNTS: list[dict[str, Any]] = [
    {"semantic_seed_id": "seed-of-its-own"},
    {"parent_record_id": "c1"},
    {"construction.variant_severity": "low"},
    {"construction.primary_family": "reviewed_exact"},
    {"construction.tags": []},
    {"construction.equivalence_reviewed_by": "reviewer-9"},
    {"construction": {"primary_family": "compositional", "generation_method": "human"}},
    {"annotation": {"review": "reviewed"}},
    {"annotation.review": "reviewed"},
    {"security.visibility": "regression"},
]


@pytest.mark.parametrize("changes", COUNTS)
def test_what_a_unit_a_rate_or_a_gate_reads_changes_by_cause_and_board(
    frozen: Path, decided: Case, changes: dict[str, Any]
) -> None:
    before = content(frozen)
    for parts, problem in (
        ({"cause": None}, "must name its cause"),
        ({"board": ()}, "names no board member"),
    ):
        with pytest.raises(IntegrityError, match=f"c3: .*{problem}"):
            correct(frozen, [Correction(record="c3", changes=changes)], decided(**parts))
    assert content(frozen) == before
    correct(frozen, [Correction(record="c3", changes=changes)], decided())


@pytest.mark.parametrize(
    "changes",
    [
        {"annotation.rationale": "in other words"},
        {"construction.source_document": "document-1"},
        {"lineage": [{"operator": "typed anew"}]},
    ],
)
def test_metadata_changes_by_whoever_keeps_the_suite(
    frozen: Path, decided: Case, changes: dict[str, Any]
) -> None:
    correct(frozen, [Correction(record="c3", changes=changes)], decided(cause=None, board=()))


def test_the_ledger_holds_no_sentence_about_a_text(frozen: Path, decided: Case) -> None:
    note = {"code": "x.gamma", "type": "sibling", "reason": f"{SECRET} said"}
    changes: list[dict[str, Any]] = [
        {"annotation": {"review": "reviewed", "rationale": f"{SECRET} is meant"}},
        {"annotation.rationale": SECRET},
        {"lineage": [{"operator": "typed", "detail": SECRET}]},
        {"construction.neighbours": [note]},
        {"construction.source_document": f"{SECRET} and more"},
        {
            "construction": {
                "primary_family": "compositional",
                "generation_method": "human",
                "neighbours": [note],
            }
        },
    ]
    for change in changes:
        correct(frozen, [Correction(record="c1", changes=change)], decided())
    assert SECRET not in (frozen / "ledger.jsonl").read_text()
    assert load_suite(frozen).ledger[-1].new["construction"]["primary_family"] == "compositional"


@pytest.mark.parametrize(
    ("parts", "problem"),
    [({"cause": None}, "must name its cause"), ({"board": ()}, "names no board member who decided")],
)
def test_a_decision_that_lacks_something_changes_nothing(
    frozen: Path, gold: Case, decided: Case, parts: dict[str, Any], problem: str
) -> None:
    before = content(frozen)
    with pytest.raises(IntegrityError, match=f"c2: .*{problem}"):
        correct(frozen, [gold("c2", "x.gamma")], decided(**parts))
    with pytest.raises(IntegrityError, match=f"c2: .*{problem}"):
        withdraw(frozen, ["c2"], decided(**parts))
    assert content(frozen) == before


def test_nothing_is_corrected_in_a_suite_that_was_edited(frozen: Path, gold: Case, decided: Case) -> None:
    with (frozen / "cases.jsonl").open("ab") as handle:
        handle.write(b"\n")
    with pytest.raises(IntegrityError):
        correct(frozen, [gold("c2", "x.gamma")], decided())


def test_corrections_stand_in_a_file(tmp_path: Path, gold: Case) -> None:
    path = tmp_path / "corrections.jsonl"
    path.write_text(json.dumps({"record": "c2", "changes": {"gold": {"disposition": "MIXED"}}}) + "\n")
    assert load_corrections(path) == (Correction(record="c2", changes={"gold": {"disposition": "MIXED"}}),)
    assert repr(gold("c2", "x.gamma")) == "<Correction c2>"


def test_an_error_of_a_file_of_corrections_quotes_no_content(tmp_path: Path) -> None:
    secret = "a sealed text about quaggas"
    path = tmp_path / "corrections.jsonl"
    for line in ({"record": "c2", "changes": {}, secret: 1}, {"record": "c2", "changes": secret}):
        path.write_text(json.dumps(line) + "\n")
        with pytest.raises(InputError) as raised:
            load_corrections(path)
        assert "quagga" not in f"{raised.value!r} {raised.value} {raised.value.hint}"
        assert raised.value.line == 1
