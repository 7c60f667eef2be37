"""Which cases must be judged anew when the registry moves."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from denotary.errors import IntegrityError
from denotary.registry import Registry, load_registry, migration_map
from denotary.suites import load_suite
from denotary.suites.readjudication import SuiteMigration, readjudicate

Case = Callable[..., Any]
Make = Callable[..., Path]
UNKNOWN = {"disposition": "UNKNOWN_REGISTRY"}
INVALID = {"disposition": "INVALID_INPUT"}


def concept(code: str, *, meaning: str = "", neighbours: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "code": code,
        "definitions": {"en": meaning or f"the definition of {code.removeprefix('x.')}"},
        "semantic_type": "concept",
        "consequence_tier": "C1",
        "owner": "owner-1",
        "neighbours": [{"code": other, "type": "sibling", "reason": "another"} for other in neighbours],
    }


OLD = [concept("x.alpha", neighbours=("x.beta",)), concept("x.beta"), concept("x.gamma")]


def step(change: str, code: str, *to: str) -> dict[str, Any]:
    return {
        "from_version": "1.0.0",
        "from_code": code,
        "to_codes": list(to),
        "change": change,
        "reason": "so decided",
    }


@pytest.fixture
def move(tmp_path: Path, make_registry: Make, suite_files: Make, case: Case) -> Callable[..., SuiteMigration]:
    """Move a suite of cases to a later registry whose lists a test gives."""

    def move_(cases: list[Any], **lists: Any) -> SuiteMigration:
        old = load_registry(make_registry(tmp_path / "registry", concepts=OLD))
        same = {"concepts": OLD} | lists
        new: Registry = load_registry(make_registry(tmp_path / "later", **same))
        import msgspec

        new = replace(new, header=msgspec.structs.replace(new.header, version="2.0.0"))
        suite = load_suite(suite_files(tmp_path / "suite", cases))
        return readjudicate(suite, old, new, migration_map(old, new))

    return move_


def test_what_did_not_change_is_kept(move: Case, case: Case) -> None:
    found = move([case("c1"), case("c2", "x.gamma"), case("c3", UNKNOWN)])
    assert (found.again, found.renamed, found.stale, found.kept) == ((), (), (), 3)


def test_gold_that_changed_its_neighbours_and_what_cannot_be_placed_are_judged_anew(
    move: Case, case: Case
) -> None:
    changed = [
        concept("x.alpha", neighbours=("x.beta",)),
        concept("x.beta", meaning="a wider one"),
        concept("x.gamma"),
    ]
    cases = [
        case("itself", "x.beta"),
        case("beside", "x.alpha"),
        case("apart", "x.gamma"),
        case("unplaced", UNKNOWN),
        case("near", UNKNOWN, construction={"concept_neighbourhood": "x.beta"}),
        case("far", UNKNOWN, construction={"concept_neighbourhood": "x.gamma"}),
        case("invalid", INVALID),
    ]
    found = move(cases, concepts=changed, migrations=[step("boundary_changed", "x.beta", "x.beta")])
    assert {item.record: item.reasons for item in found.again} == {
        "itself": ("x.beta changed",),
        "beside": ("x.alpha lies beside x.beta",),
        "unplaced": ("names no concept and no neighbourhood, and concepts came in or changed",),
        "near": ("x.beta changed",),
    }
    assert found.kept == 3


def test_where_a_concept_came_in_every_open_gold_is_judged_anew(move: Case, case: Case) -> None:
    """A neighbourhood or a forbidden code says where the text lies, not that the new concept is not meant."""
    both = {"acceptable_concept_codes": ["x.alpha", "x.beta"]}
    cases = [
        case("placed", UNKNOWN, construction={"concept_neighbourhood": "x.gamma"}),
        case("refused", UNKNOWN | {"forbidden_neighbor_codes": ["x.gamma"]}),
        case("ambiguous", {"disposition": "AMBIGUOUS"} | both),
        case("short", {"disposition": "UNDERSPECIFIED"}),
        case("single", "x.gamma"),
        case("mixed", {"disposition": "MIXED"} | both),
        case("invalid", INVALID),
    ]
    found = move(cases, concepts=[*OLD, concept("x.delta")])
    assert {item.record: item.reasons for item in found.again} == dict.fromkeys(
        ("placed", "refused", "ambiguous", "short"), ("a concept that came in may be meant",)
    )


def test_a_renamed_code_is_renamed_and_not_judged(move: Case, case: Case) -> None:
    renamed = [*OLD[:2], concept("x.delta", meaning="the definition of gamma")]
    expressions: list[Any] = []
    found = move(
        [case("c1", "x.gamma", text="other words"), case("c2", UNKNOWN)],
        concepts=renamed,
        expressions=expressions,
        migrations=[step("renamed", "x.gamma", "x.delta")],
    )
    assert (found.again, found.renamed, found.kept) == ((), ("c1",), 1)


def test_a_retired_concept_makes_no_unknown_text_known(move: Case, case: Case) -> None:
    found = move(
        [case("c1", "x.gamma", text="other words"), case("c2", UNKNOWN)],
        concepts=OLD[:2],
        expressions=[],
        migrations=[step("retired", "x.gamma")],
    )
    assert [item.record for item in found.again] == ["c1"]


def test_a_text_that_an_expression_or_ambiguity_now_says_otherwise_is_judged_anew(
    move: Case, case: Case
) -> None:
    review = {"by": "reviewer-1", "on": "2026-01-05", "status": "approved"}
    moved = {
        "id": "e-quote",
        "text": 'the "gamma" part',
        "language": "en",
        "script": "Latn",
        "review": review,
    }
    cases = [
        case("moved", "x.gamma", text='The "Gamma" part'),
        case("same", "x.gamma", text="other words"),
        case("gone", text="a persistent name"),
        case("bank", UNKNOWN, text="bank"),
    ]
    found = move(cases, expressions=[moved | {"codes": ["x.alpha"]}], ambiguities=[])
    assert {item.record: item.reasons for item in found.again} == {
        "moved": ("its text is that of e-quote, which came, went or moved",),
        "gone": ("its text is that of e-persistent, which came, went or moved",),
        "bank": ("its text is that of a-bank, which came, went or moved",),
    }


def test_judged_pairs_of_a_changed_concept_are_stale(move: Case, case: Case) -> None:
    notes = [{"code": "x.beta", "type": "sibling", "reason": "another", "non_identity_judged": True}]
    cases = [case(f"c{n}", construction={"neighbours": notes}) for n in range(2)]
    changed = [OLD[0], concept("x.beta", meaning="a wider one"), OLD[2]]
    found = move(cases, concepts=changed, migrations=[step("boundary_changed", "x.beta", "x.beta")])
    assert found.stale == (("x.alpha", "x.beta", 2),)


def test_a_suite_of_another_snapshot_is_refused(
    tmp_path: Path, frozen_registry: Path, make_registry: Make, suite_files: Make, case: Case
) -> None:
    other = load_registry(make_registry(tmp_path / "other", concepts=OLD))
    suite = load_suite(suite_files(tmp_path / "suite", [case("c1")]))
    with pytest.raises(IntegrityError, match="which is not the earlier snapshot given"):
        readjudicate(suite, other, other, migration_map(other, other))
    del frozen_registry


def test_no_text_stands_in_the_result(move: Case, case: Case) -> None:
    found = move([case("c1", text="QUAGGA7391 bank"), case("c2", UNKNOWN, text="bank")], ambiguities=[])
    assert [item.record for item in found.again] == ["c2"]
    assert "QUAGGA" not in repr(found)
