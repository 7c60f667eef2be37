"""Two versions of a suite: what differs, and which version that demands."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.canonical import digest
from denotary.errors import InputError
from denotary.suites import diff, load_suite, units
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
