"""Disclosure, canaries and exports: what leaves the sealed side, and how it is marked."""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.errors import InputError, IntegrityError
from denotary.suites import check, disclose, freeze, load_suite, withdraw
from denotary.suites.disclosing import siblings_wanted
from denotary.suites.exporting import export
from denotary.suites.firewall import NEVER_IN_TRAINING, is_canary, notice, set_canary
from denotary.suites.keys import KEYS

Case = Callable[..., Any]
Make = Callable[..., Path]
GUID = "0f3a1c2e-5b77-4c1d-9d2e-6a7b8c9d0e1f"
SEALED = {"visibility": "sealed"}
TEXTS = ("a parcel never came", "who may sign", "the bridge is closed", "seven red apples", "turn it off now")


@pytest.fixture
def sealed(tmp_path: Path, frozen_registry: Path, suite_files: Make, case: Case) -> Path:
    """Four sealed cases, the first two of one seed, frozen."""
    del frozen_registry
    cases = [
        case(f"c{n}", text=TEXTS[n], semantic_seed_id=f"seed-{max(n, 1)}", security=SEALED) for n in range(4)
    ]
    folder = suite_files(tmp_path / "sealed", cases, name="sealed", role="sealed-certification")
    freeze(folder)
    return folder


@pytest.fixture
def regression(tmp_path: Path, sealed: Path, suite_files: Make, case: Case) -> Path:
    """One case of the regression corpus, frozen."""
    del sealed
    old = [case("r1", text=TEXTS[4], security={"visibility": "regression"})]
    folder = suite_files(tmp_path / "regression", old, name="regression", role="regression")
    freeze(folder)
    return folder


def test_a_disclosed_case_moves_and_says_where_it_came_from(sealed: Path, regression: Path) -> None:
    before = load_suite(sealed)
    found = disclose(sealed, ["c2"], who="evaluator", why="shown for debugging", to=regression)
    assert (found.disclosed, found.moved, found.siblings) == (("c2",), ("c2",), ())
    after, target = load_suite(sealed), load_suite(regression)
    assert after.hash == before.hash
    assert after.cases == before.cases
    assert after.disclosed == {"c2"}
    assert not target.is_frozen
    moved = target.by_id["c2"]
    assert (moved.security.visibility, moved.texts) == ("regression", (TEXTS[2],))
    assert [(step.operator, step.detail) for step in moved.lineage] == [("disclosed", "sealed 1.0.0")]
    assert not [item for item in check(target) if item.severity == "error"]
    assert TEXTS[2] not in (sealed / "ledger.jsonl").read_text()


def test_doing_it_again_adds_nothing_twice(sealed: Path, regression: Path) -> None:
    disclose(sealed, ["c2"], who="evaluator", why="shown")
    once = (sealed / "ledger.jsonl").read_bytes()
    found = disclose(sealed, ["c2"], who="evaluator", why="shown", to=regression)
    assert (found.disclosed, found.moved) == ((), ("c2",))
    again = disclose(sealed, ["c2"], who="evaluator", why="shown", to=regression)
    assert (again.disclosed, again.moved) == ((), ())
    assert (sealed / "ledger.jsonl").read_bytes() == once
    assert len(load_suite(regression).cases) == 2


def test_siblings_are_named_or_go_along(sealed: Path) -> None:
    assert disclose(sealed, ["c0"], who="evaluator", why="shown").siblings == ("c1",)
    found = disclose(sealed, ["c0"], who="evaluator", why="shown", with_siblings=True)
    assert (found.disclosed, found.siblings) == (("c1",), ())


def test_fresh_siblings_are_asked_for_until_they_are_there(
    sealed: Path, case: Case, decided: Case, set_version: Case
) -> None:
    disclose(sealed, ["c2", "c3"], who="evaluator", why="shown")
    wanted = {"family": "compositional", "language": "en"}
    assert siblings_wanted(load_suite(sealed)) == {"c2": wanted, "c3": wanted}
    withdraw(sealed, ["c2", "c3"], decided(cause="disclosed"))
    fresh = case(
        "c9",
        text=TEXTS[4],
        security=SEALED,
        lineage=[{"operator": "replaces", "detail": "c2"}],
    )
    with (sealed / "cases.jsonl").open("a") as handle:
        handle.write(json.dumps(fresh) + "\n")
    set_version(sealed, "2.0.0")
    freeze(sealed)
    assert siblings_wanted(load_suite(sealed)) == {"c3": wanted}


def test_cases_move_to_a_regression_suite_of_the_same_registry_only(
    sealed: Path, tmp_path: Path, suite_files: Make, make_registry: Make, case: Case
) -> None:
    before = (sealed / "ledger.jsonl").read_bytes()
    public = suite_files(tmp_path / "public", [case("x")])
    with pytest.raises(IntegrityError, match="this one is public-diagnostic"):
        disclose(sealed, ["c2"], who="evaluator", why="shown", to=public)
    manifest = (public / "suite.toml").read_text().replace("public-diagnostic", "regression")
    (public / "suite.toml").write_text(
        manifest.replace('name = "small"', 'name = "large"').replace("../registry", "../large")
    )
    header = make_registry(tmp_path / "large") / "registry.toml"
    header.write_text(header.read_text().replace('"small"', '"large"'))
    with pytest.raises(IntegrityError, match="for another instrument or registry"):
        disclose(sealed, ["c2"], who="evaluator", why="shown", to=public)
    assert (sealed / "ledger.jsonl").read_bytes() == before


def test_a_canary_is_chosen_once_and_kept(sealed: Path) -> None:
    warned = [item.code for item in check(load_suite(sealed))]
    assert "canary" in warned
    before = (sealed / "suite.toml").read_text()
    chosen = set_canary(sealed)
    assert is_canary(chosen)
    suite = load_suite(sealed)
    assert (suite.manifest.canary, suite.is_frozen) == (chosen, False)
    assert (sealed / "suite.toml").read_text().endswith(before)
    assert "canary" not in [item.code for item in check(suite)]
    with pytest.raises(IntegrityError, match="has a canary already"):
        set_canary(sealed)


def test_a_canary_has_its_form(make_suite: Make, case: Case) -> None:
    folder = make_suite([case("c1")])
    with pytest.raises(InputError, match="UUID in lower case"):
        set_canary(folder, GUID.upper())
    assert set_canary(folder, GUID) == GUID
    other = make_suite([case("c1")], canary="abc")
    assert ("error", "canary") in [(item.severity, item.code) for item in check(load_suite(other))]


def test_an_edited_suite_gets_no_canary(sealed: Path) -> None:
    with (sealed / "cases.jsonl").open("ab") as handle:
        handle.write(b"\n")
    with pytest.raises(IntegrityError, match="was edited"):
        set_canary(sealed)


@pytest.fixture
def mixed(tmp_path: Path, frozen_registry: Path, suite_files: Make, case: Case) -> Callable[..., Path]:
    """A frozen calibration suite: three public cases and two sealed ones; parts of the last may be replaced."""
    del frozen_registry

    def mixed_(**last: Any) -> Path:
        cases = []
        for n, text in enumerate(TEXTS):
            parts: dict[str, Any] = {
                "text": text,
                "construction": {key: f"{key}-{n}" for key in KEYS[1:]},
                "security": SEALED if n > 2 else {"visibility": "public"},
            }
            if n == 4:
                parts["construction"] = parts["construction"] | last.pop("construction", {})
                parts |= last
            cases.append(case(f"c{n}", **parts))
        folder = suite_files(
            tmp_path / "mixed", cases, name="mixed", role="calibration", canary=GUID, quotas={"total": 5}
        )
        freeze(folder)
        return folder

    return mixed_


def test_an_export_holds_one_visibility_the_canary_and_the_name_of_the_whole(
    mixed: Case, tmp_path: Path
) -> None:
    suite, out = load_suite(mixed()), tmp_path / "given/away"
    assert export(suite, "public", out) == 3
    given = load_suite(out)
    assert [case.record_id for case in given.cases] == ["c0", "c1", "c2"]
    assert {case.security.canary for case in given.cases} == {GUID}
    assert (given.name, given.manifest.role) == ("mixed-public", "public-diagnostic")
    assert (given.manifest.canary, given.manifest.whole) == (GUID, suite.identifier)
    assert not [item for item in check(given) if item.severity == "error"]
    assert (out / "registry.lock").read_bytes() == (suite.root / "registry.lock").read_bytes()
    written = b"".join(path.read_bytes() for path in out.iterdir()).decode()
    for case in suite.cases:
        stays = case.security.visibility == "sealed"
        assert (case.texts[0] in written) != stays
        assert (f'"{case.record_id}"' in written) != stays
    assert (out / "NOTICE.txt").read_text() == notice(GUID, suite.identifier)
    freeze(out)


def test_an_export_of_the_sealed_cases_keeps_the_role(mixed: Case, tmp_path: Path) -> None:
    assert export(load_suite(mixed()), "sealed", tmp_path / "out") == 2
    assert load_suite(tmp_path / "out").manifest.role == "calibration"


def test_what_was_disclosed_is_not_exported_as_sealed_and_stays_on_record(
    mixed: Case, tmp_path: Path, decided: Case, set_version: Case
) -> None:
    folder = mixed()
    disclose(folder, ["c3"], who="evaluator", why="shown")
    with pytest.raises(IntegrityError, match="not sealed any more: 1, such as c3"):
        export(load_suite(folder), "sealed", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    withdraw(folder, ["c3"], decided(cause="disclosed"))
    set_version(folder, "2.0.0")
    freeze(folder)
    assert export(load_suite(folder), "sealed", tmp_path / "out") == 1
    given = load_suite(tmp_path / "out")
    assert given.disclosed == {"c3"}
    # The same text under the same seed is known there too.
    line = json.loads((tmp_path / "out/cases.jsonl").read_text())
    again = line | {"record_id": "c9", "semantic_seed_id": "seed-c3"}
    (tmp_path / "out/cases.jsonl").write_text(json.dumps(line) + "\n" + json.dumps(again) + "\n")
    assert load_suite(tmp_path / "out").spent >= {"c9"}


def test_the_same_suite_exports_the_same_bytes(mixed: Case, tmp_path: Path) -> None:
    suite = load_suite(mixed())
    for name in ("one", "two"):
        export(suite, "public", tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


@pytest.mark.parametrize("key", KEYS)
def test_a_divided_family_is_not_given_away(mixed: Case, tmp_path: Path, key: str) -> None:
    shared = (
        {"semantic_seed_id": "seed-c1"} if key == "semantic_seed_id" else {"construction": {key: f"{key}-1"}}
    )
    suite = load_suite(mixed(**shared))
    with pytest.raises(IntegrityError, match=f"stay sealed: 1, such as {key} of c1"):
        export(suite, "public", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_divided_family_may_be_waived_as_in_a_split(mixed: Case, tmp_path: Path) -> None:
    suite = load_suite(mixed(construction={"author": "author-1"}))
    assert export(suite, "public", tmp_path / "out", waive=["author"]) == 3
    with pytest.raises(InputError, match="may not be waived"):
        export(suite, "public", tmp_path / "other", waive=["attack_family"])


@pytest.mark.parametrize("text", [TEXTS[1], TEXTS[1].upper(), TEXTS[1] + "!"])
def test_a_text_that_stays_sealed_is_not_given_away_under_another_id(
    mixed: Case, tmp_path: Path, text: str
) -> None:
    with pytest.raises(IntegrityError, match=r"text of c1") as caught:
        export(load_suite(mixed(text=text)), "public", tmp_path / "out")
    assert text not in str(caught.value)


def test_an_export_needs_a_frozen_suite_with_a_canary_and_cases(
    mixed: Case, sealed: Path, make_suite: Make, case: Case, tmp_path: Path
) -> None:
    with pytest.raises(IntegrityError, match="not frozen"):
        export(load_suite(make_suite([case("c1")], canary=GUID)), "public", tmp_path / "out")
    with pytest.raises(InputError, match="the suite has no canary"):
        export(load_suite(sealed), "sealed", tmp_path / "out")
    suite = load_suite(mixed())
    with pytest.raises(InputError, match="no case is regression"):
        export(suite, "regression", tmp_path / "out")
    export(suite, "public", tmp_path / "out")
    with pytest.raises(IntegrityError, match="holds a suite already"):
        export(suite, "public", tmp_path / "out")


def test_the_notice_names_everything_that_must_never_be_trained_on() -> None:
    text = notice(GUID, "mixed 1.0.0 sha256:00")
    assert all(f"- {item}\n" in text for item in NEVER_IN_TRAINING)
    assert len(NEVER_IN_TRAINING) == 13
    assert re.search(rf"^Canary: {GUID}$", text, re.MULTILINE)


def test_a_manifest_with_a_canary_is_still_toml(sealed: Path) -> None:
    before = tomllib.loads((sealed / "suite.toml").read_text())
    set_canary(sealed, GUID)
    assert tomllib.loads((sealed / "suite.toml").read_text()) == {"canary": GUID, **before}
