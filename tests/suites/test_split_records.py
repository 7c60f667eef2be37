"""The record of a split check: of which content it speaks, and how long it stands."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.errors import IntegrityError
from denotary.suites import Decision, freeze, load_suite, split_check, withdraw
from denotary.suites.keys import KEYS
from denotary.suites.records import BoardMember
from denotary.suites.split_recording import evidence, record_split, recorded_splits

Case = Callable[..., Any]
Make = Callable[..., Path]
REVIEWER = BoardMember(who="reviewer-3", role="independent")


SAID = ("a parcel never came", "who may sign", "the bridge is closed", "seven red apples")


@pytest.fixture
def frozen_two(tmp_path: Path, frozen_registry: Path, suite_files: Make, case: Case) -> list[Path]:
    del frozen_registry
    folders = []
    for number, (name, role) in enumerate((("tuning", "calibration"), ("sealed", "sealed-certification"))):
        keys = {key: f"{key}-{number}" for key in KEYS[1:]}
        cases = [
            case(
                f"{name}-{n}", text=SAID[2 * number + n], construction=keys, security={"visibility": "sealed"}
            )
            for n in range(2)
        ]
        folders.append(suite_files(tmp_path / name, cases, name=name, role=role))
    return folders


def test_a_record_names_the_content_that_was_checked(frozen_two: list[Path]) -> None:
    loaded = [load_suite(folder) for folder in frozen_two]
    with pytest.raises(IntegrityError, match="recorded of frozen suites only"):
        record_split(loaded, split_check(loaded), who="keeper", why="split check")
    for folder in frozen_two:
        assert not load_suite(folder).ledger
        freeze(folder)
    loaded = [load_suite(folder) for folder in frozen_two]
    found = split_check(loaded)
    assert recorded_splits(loaded[1]) == ()
    record_split(loaded, found, who="keeper", why="split check")
    for folder in frozen_two:
        again = load_suite(folder)
        assert again.is_frozen
        assert recorded_splits(again) == (evidence(found),)
        assert again.ledger[-1].what == "clean"
    side = evidence(found).suites[1]
    assert (side.hash, side.registry) == (
        loaded[1].hash,
        loaded[1].lock.registry_hash if loaded[1].lock else None,
    )


def test_a_record_of_other_content_says_nothing_of_this(
    frozen_two: list[Path], set_version: Callable[[Path, str], None], case: Case
) -> None:
    for folder in frozen_two:
        freeze(folder)
    loaded = [load_suite(folder) for folder in frozen_two]
    record_split(loaded, split_check(loaded), who="keeper", why="split check")
    (frozen_two[1] / "suite.lock").unlink()
    with (frozen_two[1] / "cases.jsonl").open("a") as handle:
        handle.write(json.dumps(case("later", security={"visibility": "sealed"})) + "\n")
    set_version(frozen_two[1], "1.1.0")
    assert recorded_splits(load_suite(frozen_two[1])) == ()
    freeze(frozen_two[1])
    assert recorded_splits(load_suite(frozen_two[1])) == ()


def test_a_refused_check_is_recorded_as_such(frozen_two: list[Path]) -> None:
    path = frozen_two[1] / "cases.jsonl"
    path.write_text(path.read_text().replace("author-1", "author-0", 1))
    for folder in frozen_two:
        freeze(folder)
    loaded = [load_suite(folder) for folder in frozen_two]
    record_split(loaded, split_check(loaded), who="keeper", why="split check")
    again = load_suite(frozen_two[1])
    (found,) = recorded_splits(again)
    assert (found.supports, found.crossings, again.ledger[-1].what) == ("nothing", 1, "refused")


def test_a_refused_check_stands_until_the_same_suites_are_clean(
    frozen_two: list[Path],
    tmp_path: Path,
    suite_files: Make,
    case: Case,
    set_version: Callable[[Path, str], None],
) -> None:
    """A check against a dummy, or one that hardly compares, takes nothing back."""
    tuning, sealed = frozen_two
    path = tuning / "cases.jsonl"
    wrong = path.read_text()
    path.write_text(wrong.replace("author-0", "author-1", 1))
    dummy = suite_files(tmp_path / "dummy", [case("d", text="rain")], name="dummy", role="public-diagnostic")
    for folder in (*frozen_two, dummy):
        freeze(folder)

    def record(*folders: Path, similarity: float = 0.7) -> list[str]:
        loaded = [load_suite(folder) for folder in folders]
        record_split(loaded, split_check(loaded, similarity=similarity), who="keeper", why="split check")
        return [found.supports for found in recorded_splits(load_suite(sealed))]

    assert record(tuning, sealed) == ["nothing"]
    assert record(dummy, sealed)[0] == "nothing"
    # Nor does another suite that is called the same, in the same role.
    namesake = suite_files(tmp_path / "other", [case("d", text="rain")], name="tuning", role="calibration")
    freeze(namesake)
    assert record(namesake, sealed)[0] == "nothing"
    before = (sealed / "ledger.jsonl").read_bytes(), (tuning / "ledger.jsonl").read_bytes()
    with pytest.raises(IntegrityError, match=r"counts at a similarity of 0\.7 or less, found 0\.9"):
        record(tuning, sealed, similarity=0.9)
    assert ((sealed / "ledger.jsonl").read_bytes(), (tuning / "ledger.jsonl").read_bytes()) == before
    # Withdrawn is what crossed, the rest is checked as the same suite.
    withdraw(tuning, ["tuning-0"], Decision(who="k", why="w", cause="leakage", board=(REVIEWER,)))
    set_version(tuning, "2.0.0")
    freeze(tuning)
    assert "nothing" not in record(tuning, sealed)
