"""Two versions of a suite: what differs, and which version that demands."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.canonical import digest
from denotary.errors import InputError, IntegrityError
from denotary.suites import Correction, correct, diff, freeze, load_suite, units, withdraw
from denotary.suites.changes import joined_units
from denotary.suites.versions import LEVELS, least_version, version_key

Case = Callable[..., Any]
Make = Callable[..., Path]
PATCHES: list[dict[str, Any]] = [
    {"annotation": {"rationale": "other words"}},
    {"security": {"leakage_family": "family-7"}},
    {"construction": {"author": "author-2"}},
    {"construction": {"mechanisms": ["F01"]}},
    {"construction": {"source_document": "document-1"}},
    {"lineage": [{"operator": "typed anew"}]},
]
MINORS: list[dict[str, Any]] = [
    {"annotation": {"review": "reviewed"}},
    {"annotation": {"depth_tier": "A3"}},
    {"construction": {"equivalence_reviewed_by": "reviewer-9"}},
    {"security": {"visibility": "regression"}},
]
MAJORS: list[dict[str, Any]] = [
    {"gold": {"disposition": "UNKNOWN_REGISTRY"}},
    {"text": "something else"},
    {"semantic_seed_id": "seed-other"},
    {"parent_record_id": "c1"},
    {"construction": {"primary_family": "hard_negative"}},
    {"construction": {"tags": ["negation"]}},
    {"construction": {"generation_template": "t1"}},
    {"construction": {"attack_family": "instruction_override"}},
    {"construction": {"resolution": "resolved"}},
]


@pytest.fixture
def two(tmp_path: Path, frozen_registry: Path, suite_files: Make) -> Callable[..., Any]:
    """Compare two lists of cases, as versions 1.0.0 and another."""
    del frozen_registry

    def two_(old: list[Any], new: list[Any], version: str = "1.0.0", **manifest: Any) -> Any:
        folders = tmp_path / "old", tmp_path / "new"
        suite_files(folders[0], old)
        suite_files(folders[1], new, version=version, **manifest)
        return diff(*map(load_suite, folders))

    return two_


def test_the_same_suite_has_no_difference(two: Case, case: Case) -> None:
    found = two([case("c1")], [case("c1")])
    assert (found.demanded, found.records, found.reasons, found.is_enough) == ("none", (), (), True)
    assert not two([case("c1")], [case("c1")], version="0.9.0").is_enough


@pytest.mark.parametrize("parts", PATCHES)
def test_metadata_demands_a_patch(two: Case, case: Case, parts: dict[str, Any]) -> None:
    found = two([case("c1")], [case("c1", **parts)])
    assert (found.demanded, found.least, found.is_enough) == ("patch", "1.0.1", False)


@pytest.mark.parametrize("parts", MINORS)
def test_what_the_rates_may_support_demands_a_minor_version(
    two: Case, case: Case, parts: dict[str, Any]
) -> None:
    found = two([case("c1")], [case("c1", **parts)])
    assert (found.demanded, found.least) == ("minor", "1.1.0")


@pytest.mark.parametrize("parts", MAJORS)
def test_what_is_asked_right_or_counted_demands_a_major_version(
    two: Case, case: Case, parts: dict[str, Any]
) -> None:
    parts = dict(parts)
    gold = parts.pop("gold", "x.alpha")
    found = two([case("c1"), case("c2")], [case("c1"), case("c2", gold, **parts)], version="1.9.9")
    assert (found.demanded, found.least, found.is_enough) == ("major", "2.0.0", False)
    (item,) = found.records
    assert (item.record, item.change, item.level) == ("c2", "changed", "major")


def test_an_added_case_demands_a_minor_version_and_a_removed_one_a_major(two: Case, case: Case) -> None:
    one, both = [case("c1")], [case("c1"), case("c2")]
    assert (two(one, both).demanded, two(both, one).demanded) == ("minor", "major")
    found = two(one, both, version="1.1.0")
    assert found.is_enough
    assert [(item.record, item.old) for item in found.of("added")] == [("c2", None)]


def test_an_added_case_that_joins_units_demands_a_major_version(two: Case, case: Case) -> None:
    old = [case("c1"), case("c2")]
    bridge = case("c3", semantic_seed_id="seed-c1", parent_record_id="c2", lineage=[{"operator": "x"}])
    found = two(old, [*old, bridge], version="1.1.0")
    assert (found.joined, found.demanded) == (1, "major")
    assert found.reasons[0] == ("major", "units of earlier cases that added cases join: 1")


@pytest.mark.parametrize(
    ("manifest", "level"),
    [
        ({"notes": ["a note"]}, "patch"),
        ({"title": "a title"}, "patch"),
        ({"looks": 3}, "major"),
        ({"unknown_share": 0.25}, "major"),
        ({"role": "calibration"}, "major"),
    ],
)
def test_the_manifest_counts_as_far_as_it_says_the_task(
    two: Case, case: Case, manifest: dict[str, Any], level: str
) -> None:
    found = two([case("c1")], [case("c1")], **manifest)
    assert (found.demanded, found.manifest) == (level, tuple(manifest))


def test_another_registry_demands_a_major_version(
    two: Case, case: Case, tmp_path: Path, make_registry: Make
) -> None:
    from denotary.registry import freeze as freeze_registry

    found = two([case("c1")], [case("c1")])
    shutil.copytree(tmp_path / "new", tmp_path / "elsewhere/new")
    freeze_registry(make_registry(tmp_path / "elsewhere/registry", ambiguities=[]))
    found = diff(load_suite(tmp_path / "old"), load_suite(tmp_path / "elsewhere/new"))
    assert found.demanded == "major"
    assert found.registry is not None
    assert found.records == ()


def test_a_suite_of_another_name_is_no_version(two: Case, case: Case) -> None:
    with pytest.raises(InputError, match="other is no later version of small-suite"):
        two([case("c1")], [case("c1")], name="other")


def test_digests_name_the_records(two: Case, case: Case, tmp_path: Path) -> None:
    found = two([case("c1")], [case("c1", "x.beta")])
    assert found.records[0].parts == ("gold",)
    old, new = (load_suite(tmp_path / name).cases[0] for name in ("old", "new"))
    assert (found.records[0].old, found.records[0].new) == (digest(old), digest(new))


VERSIONS = st.tuples(*[st.integers(0, 3)] * 3)


@given(VERSIONS, VERSIONS, st.sampled_from(LEVELS))
def test_the_least_version_is_the_smallest_that_raises_its_part(
    before: tuple[int, int, int], after: tuple[int, int, int], level: Any
) -> None:
    least = version_key(least_version(".".join(map(str, before)), level))
    assert least is not None
    position = {"major": 0, "minor": 1, "patch": 2, "none": 3}[level]
    # By the definition: the first part that differs is the one that is raised, or one before it.
    raised = any(after[:n] == before[:n] and after[n] > before[n] for n in range(min(position, 2) + 1))
    assert (after >= least) == (raised or (level == "none" and after >= before))


SEEDS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8)


@given(SEEDS, st.integers(0, 8))
def test_units_that_additions_join_are_counted_as_by_comparing_partitions(
    keys: list[tuple[int, int]], earlier: int
) -> None:
    from denotary.suites.records import Annotation, Construction, Security
    from denotary.suites.records import Case as Envelope

    cases = [
        Envelope(
            record_id=f"c{n}",
            benchmark_version="1.0.0",
            registry_version="1",
            semantic_seed_id=f"s{seed}",
            construction=Construction(
                primary_family="f", generation_method="g", translation_family=f"t{family}" if family else None
            ),
            annotation=Annotation(review="unreviewed"),
            security=Security(visibility="public"),
        )
        for n, (seed, family) in enumerate(keys)
    ]
    old = cases[:earlier]
    together = units(cases)[: len(old)]
    expected = len(set(units(old))) - len(set(together))
    assert joined_units([case.record_id for case in old], cases) == expected


def add(folder: Path, record: Any) -> None:
    with (folder / "cases.jsonl").open("a") as handle:
        handle.write(json.dumps(record) + "\n")


def test_freezing_holds_the_version_against_the_change(
    frozen: Path, case: Case, gold: Case, decided: Case, set_version: Case
) -> None:
    add(frozen, case("c4"))
    set_version(frozen, "1.0.1")
    with pytest.raises(IntegrityError, match=r"1\.0\.1 is too early after 1\.0\.0 for a minor change"):
        freeze(frozen)
    (frozen / "suite.lock").unlink()
    correct(frozen, [gold("c2", "x.gamma")], decided())
    set_version(frozen, "1.1.0")
    with pytest.raises(IntegrityError, match=r"for a major change \(cases with other gold: 1\)") as caught:
        freeze(frozen)
    assert "set version 2.0.0 or later" in str(caught.value)
    set_version(frozen, "2.0.0")
    freeze(frozen)


def test_metadata_may_be_corrected_in_a_patch(frozen: Path, decided: Case, set_version: Case) -> None:
    change = Correction(record="c1", changes={"annotation.rationale": "in other words"})
    correct(frozen, [change], decided(cause=None, board=()))
    set_version(frozen, "1.0.1")
    freeze(frozen)


@pytest.mark.parametrize("name", ["annotation", "annotation.review"])
def test_a_review_may_be_corrected_in_a_minor_version(
    frozen: Path, decided: Case, set_version: Case, name: str
) -> None:
    value = {"review": "reviewed"} if name == "annotation" else "reviewed"
    correct(frozen, [Correction(record="c1", changes={name: value})], decided())
    set_version(frozen, "1.0.1")
    with pytest.raises(IntegrityError, match="for a minor change"):
        freeze(frozen)
    set_version(frozen, "1.1.0")
    freeze(frozen)


def test_a_withdrawal_and_a_change_of_the_task_demand_a_major_version(
    frozen: Path, decided: Case, set_version: Case
) -> None:
    withdraw(frozen, ["c3"], decided())
    set_version(frozen, "1.5.0")
    with pytest.raises(IntegrityError, match=r"cases removed: 1"):
        freeze(frozen)
    set_version(frozen, "2.0.0")
    freeze(frozen)
    path = frozen / "suite.toml"
    path.write_text(
        path.read_text().replace('role = "public-diagnostic"', 'role = "public-diagnostic"\nlooks = 2')
    )
    set_version(frozen, "2.1.0")
    with pytest.raises(IntegrityError, match=r"suite.toml: instrument or role or looks or unknown_share"):
        freeze(frozen)


def test_a_case_that_changed_behind_its_correction_is_found(
    frozen: Path, decided: Case, set_version: Case
) -> None:
    change = Correction(record="c2", changes={"annotation.rationale": "in other words"})
    correct(frozen, [change], decided(cause=None, board=()))
    path = frozen / "cases.jsonl"
    path.write_text(path.read_text().replace('"x.beta"', '"x.gamma"'))
    set_version(frozen, "3.0.0")
    with pytest.raises(IntegrityError, match="c2: was changed since the last freeze without an entry"):
        freeze(frozen)


def test_a_case_that_changed_between_two_corrections_is_found(
    frozen: Path, decided: Case, set_version: Case
) -> None:
    change = Correction(record="c2", changes={"annotation.rationale": "in other words"})
    correct(frozen, [change], decided(cause=None, board=()))
    path = frozen / "cases.jsonl"
    path.write_text(path.read_text().replace('"x.beta"', '"x.gamma"'))
    correct(frozen, [change], decided(cause=None, board=()))
    set_version(frozen, "3.0.0")
    with pytest.raises(IntegrityError, match="c2: was changed since the last freeze without an entry"):
        freeze(frozen)


def test_an_entry_without_its_change_is_found(
    frozen: Path, gold: Case, decided: Case, set_version: Case
) -> None:
    before = (frozen / "cases.jsonl").read_bytes()
    correct(frozen, [gold("c2", "x.gamma")], decided())
    (frozen / "cases.jsonl").write_bytes(before)
    set_version(frozen, "3.0.0")
    with pytest.raises(IntegrityError, match="c2: was changed"):
        freeze(frozen)


def test_a_changed_or_removed_case_needs_an_entry_in_the_ledger(frozen: Path, set_version: Case) -> None:
    path = frozen / "cases.jsonl"
    before = path.read_text()
    set_version(frozen, "3.0.0")
    path.write_text(before.replace('"x.beta"', '"x.gamma"'))
    with pytest.raises(IntegrityError, match="c2: was changed"):
        freeze(frozen)
    path.write_text("".join(before.splitlines(keepends=True)[:2]))
    with pytest.raises(IntegrityError, match="c3: was changed"):
        freeze(frozen)


@pytest.fixture
def successor(frozen: Path, tmp_path: Path) -> Path:
    """A copy of the frozen suite without its locks, to be a later version."""
    folder = tmp_path / "next"
    shutil.copytree(frozen, folder, ignore=shutil.ignore_patterns("suite.lock", "records.sha256"))
    return folder


def test_a_later_version_in_a_folder_of_its_own(
    frozen: Path, successor: Path, case: Case, gold: Case, decided: Case, set_version: Case
) -> None:
    add(successor, case("c4"))
    set_version(successor, "1.0.1")
    with pytest.raises(IntegrityError, match=r"for a minor change \(cases added: 1\)"):
        freeze(successor, on=frozen)
    correct(successor, [gold("c2", "x.gamma")], decided())
    set_version(successor, "2.0.0")
    freeze(successor, on=frozen)
    assert [item.change for item in diff(load_suite(frozen), load_suite(successor)).records] == [
        "changed",
        "added",
    ]
    # Frozen as it is, freezing again changes nothing, with and without its predecessor.
    assert freeze(successor, on=frozen) == freeze(successor)


def test_metadata_of_a_successor_needs_no_entry_and_gold_does(
    frozen: Path, successor: Path, set_version: Case
) -> None:
    path = successor / "cases.jsonl"
    path.write_text(path.read_text().replace('"human"', '"typed anew"'))
    set_version(successor, "1.0.1")
    freeze(successor, on=frozen)
    (successor / "suite.lock").unlink()
    path.write_text(path.read_text().replace('"x.beta"', '"x.gamma"'))
    set_version(successor, "2.0.0")
    with pytest.raises(IntegrityError, match=r"c2: was changed since version 1\.0\.0 without an entry"):
        freeze(successor, on=frozen)


def test_a_review_of_a_successor_needs_an_entry(
    frozen: Path, successor: Path, decided: Case, set_version: Case
) -> None:
    path = successor / "cases.jsonl"
    before = path.read_text()
    set_version(successor, "1.1.0")
    path.write_text(before.replace('"unreviewed"', '"reviewed"'))
    with pytest.raises(IntegrityError, match=r"c1: was changed since version 1\.0\.0 without an entry"):
        freeze(successor, on=frozen)
    path.write_text(before)
    changes = {"annotation": {"review": "reviewed"}}
    correct(successor, [Correction(record=f"c{n}", changes=changes) for n in (1, 2, 3)], decided())
    freeze(successor, on=frozen)


def test_a_predecessor_does_not_excuse_from_the_last_freeze_of_the_folder(
    frozen: Path, successor: Path, case: Case, decided: Case, set_version: Case
) -> None:
    set_version(successor, "1.1.0")
    add(successor, case("c4"))
    freeze(successor, on=frozen)
    add(successor, case("c5"))
    with pytest.raises(IntegrityError, match=r"version 1\.1\.0 was frozen with other content"):
        freeze(successor, on=frozen)
    # A case that came in after the predecessor and failed cannot vanish after the look.
    path = successor / "cases.jsonl"
    path.write_text(
        "".join(line for line in path.read_text().splitlines(keepends=True) if '"c4"' not in line)
    )
    set_version(successor, "1.2.0")
    with pytest.raises(IntegrityError, match=r"c4: was changed since the last freeze without an entry"):
        freeze(successor, on=frozen)
    assert [entry.new["version"] for entry in load_suite_ledger(successor)] == ["1.0.0", "1.1.0"]


def load_suite_ledger(folder: Path) -> list[Any]:
    from denotary.suites.ledger import read_ledger

    return [entry for entry in read_ledger(folder) if entry.what == "suite"]


def test_gold_of_a_successor_must_be_what_the_ledger_says(
    frozen: Path, successor: Path, gold: Case, decided: Case, set_version: Case
) -> None:
    correct(successor, [gold("c2", "x.gamma")], decided())
    path = successor / "cases.jsonl"
    path.write_text(path.read_text().replace('"x.gamma"', '"x.alpha"'))
    set_version(successor, "2.0.0")
    with pytest.raises(IntegrityError, match="c2: was changed"):
        freeze(successor, on=frozen)


def test_a_case_that_left_a_successor_was_withdrawn(
    frozen: Path, successor: Path, decided: Case, set_version: Case
) -> None:
    set_version(successor, "2.0.0")
    path = successor / "cases.jsonl"
    whole = path.read_text()
    path.write_text("".join(whole.splitlines(keepends=True)[:2]))
    with pytest.raises(IntegrityError, match="c3: was changed"):
        freeze(successor, on=frozen)
    path.write_text(whole)
    withdraw(successor, ["c3"], decided())
    freeze(successor, on=frozen)


def test_a_successor_keeps_the_ledger_of_a_frozen_predecessor(
    frozen: Path, successor: Path, set_version: Case
) -> None:
    set_version(successor, "1.0.1")
    (successor / "ledger.jsonl").unlink()
    with pytest.raises(IntegrityError, match=r"does not begin with the ledger of version 1\.0\.0"):
        freeze(successor, on=frozen)
    (frozen / "suite.lock").unlink()
    with pytest.raises(IntegrityError, match="the predecessor is not frozen"):
        freeze(successor, on=frozen)


def test_a_freeze_of_an_earlier_format_needs_the_predecessor(
    frozen: Path, tmp_path: Path, case: Case, set_version: Case
) -> None:
    from denotary.files import encode_jsonl
    from denotary.suites.ledger import append, draft, read_ledger

    first, second = read_ledger(frozen)
    (frozen / "ledger.jsonl").write_bytes(encode_jsonl([first]))
    new = {name: second.new[name] for name in ("version", "hash")}
    append(frozen, draft(kind="freeze", what="suite", who="keeper", why="release", new=new))
    shutil.copytree(frozen, tmp_path / "before")
    add(frozen, case("c4"))
    set_version(frozen, "1.1.0")
    with pytest.raises(IntegrityError, match="without a record of its task"):
        freeze(frozen)
    assert freeze(frozen, on=tmp_path / "before").version == "1.1.0"
