"""A judging is refused if its chain, its records, its guidelines or its rejected votes were tampered with."""

import dataclasses
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.annotation import load_judging
from denotary.annotation.loading import JUDGEMENTS, REJECTED, REVISED
from denotary.canonical import canonical_json, sha256
from denotary.errors import InputError, IntegrityError
from denotary.suites import load_suite
from denotary.suites.suite import Suite

SHOWN = 300
"""Length that no message of these tests exceeds: nothing of a case's text is quoted."""


@pytest.fixture(scope="module")
def original() -> Suite:
    return load_suite("bundled:first-thousand")


@pytest.fixture
def copy(original: Suite, tmp_path: Path) -> Suite:
    shutil.copytree(original.root / "judging", tmp_path / "judging")
    return dataclasses.replace(original, root=tmp_path)


def rows(suite: Suite, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (suite.root / "judging" / name).read_text("utf-8").splitlines()]


def write(suite: Suite, name: str, content: list[dict[str, Any]]) -> None:
    data = b"".join(canonical_json(row) + b"\n" for row in content)
    (suite.root / "judging" / name).write_bytes(data)


def chained(content: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Forge the chain anew: every row names the digest of the row before."""
    previous = "0" * 64
    for row in content:
        row["previous"] = previous
        previous = sha256(canonical_json(row))
    return content


def test_the_copy_is_read_and_its_head_is_the_digest_of_the_last_line(copy: Suite, original: Suite) -> None:
    found = load_judging(copy)
    last = (copy.root / "judging" / JUDGEMENTS).read_bytes().splitlines()[-1]
    assert found.judgements == load_judging(original).judgements
    assert found.head == sha256(last)
    assert repr(found) == f"<Judging {len(found.judgements)} judgements>"


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda content: content[:4] + content[5:], 5),
        (lambda content: content[1:], 1),
        (lambda content: [content[1], content[0], *content[2:]], 1),
        (lambda content: [content[0] | {"disposition": "MIXED"}, *content[1:]], 2),
        (lambda content: [*content[:9], content[9] | {"kind": "human"}, *content[10:]], 11),
        (lambda content: [*content[:9], content[9] | {"sure": not content[9]["sure"]}, *content[10:]], 11),
    ],
)
def test_a_line_that_was_changed_moved_or_taken_out_breaks_the_chain(
    copy: Suite, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]], line: int
) -> None:
    write(copy, JUDGEMENTS, change(rows(copy, JUDGEMENTS)))
    with pytest.raises(IntegrityError, match="the chain is broken") as caught:
        load_judging(copy)
    assert caught.value.line == line


def test_a_line_taken_off_the_end_changes_the_head(copy: Suite, original: Suite) -> None:
    write(copy, JUDGEMENTS, rows(copy, JUDGEMENTS)[:-1])
    kept = {row["item"] for row in rows(copy, REJECTED) if row["votes"]}
    assert rows(original, JUDGEMENTS)[-1]["item"] not in kept
    assert load_judging(copy).head != load_judging(original).head


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"item_sha256": "0" * 64}, "no record of that id has sha256:0000"),
        ({"item": "ft-exact-001"}, "no record of that id"),
        ({"registry_version": "2.0.0"}, "judged against registry 2.0.0, its gold is of 1.0.0"),
        ({"guideline_sha256": "1" * 64}, "no guideline has sha256:1111"),
    ],
)
def test_a_forged_chain_does_not_hide_a_vote_on_something_else(
    copy: Suite, change: dict[str, str], message: str
) -> None:
    content = rows(copy, JUDGEMENTS)
    content[20] |= change
    write(copy, JUDGEMENTS, chained(content))
    with pytest.raises(IntegrityError, match=message) as caught:
        load_judging(copy)
    assert caught.value.line == 21


def test_a_vote_slipped_in_twice_is_refused(copy: Suite) -> None:
    content = rows(copy, JUDGEMENTS)
    write(copy, JUDGEMENTS, chained([*content, dict(content[3])]))
    with pytest.raises(InputError, match="judge-a has judged the item before"):
        load_judging(copy)


def test_another_guideline_is_refused(copy: Suite) -> None:
    path = copy.root / "judging" / "guideline-2.md"
    path.write_text(path.read_text("utf-8").replace("SINGLE", "single", 1), encoding="utf-8")
    with pytest.raises(IntegrityError, match="no guideline has"):
        load_judging(copy)


@pytest.mark.parametrize("name", [REJECTED, REVISED])
def test_a_kept_record_that_was_edited_is_refused_without_its_text(copy: Suite, name: str) -> None:
    content = rows(copy, name)
    content[0]["record"]["input"]["text"] = "QUAGGA7391"
    write(copy, name, content)
    with pytest.raises(IntegrityError, match="the record is not") as caught:
        load_judging(copy)
    assert "QUAGGA7391" not in str(caught.value)
    assert len(str(caught.value)) < SHOWN


def test_a_kept_record_that_is_no_case_is_refused_without_its_text(copy: Suite) -> None:
    content = rows(copy, REJECTED)
    content[0]["record"]["QUAGGA7391"] = 1
    write(copy, REJECTED, content)
    with pytest.raises(InputError, match="its record is no case") as caught:
        load_judging(copy)
    assert "QUAGGA7391" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        lambda item: item["votes"].pop(),
        lambda item: item["votes"].reverse(),
        lambda item: item["votes"][0].update(disposition="AMBIGUOUS"),
    ],
)
def test_a_rejected_item_keeps_all_its_votes(copy: Suite, change: Callable[[dict[str, Any]], object]) -> None:
    content = rows(copy, REJECTED)
    change(content[0])
    write(copy, REJECTED, content)
    with pytest.raises(IntegrityError, match="votes that are not the 3 on it"):
        load_judging(copy)


def test_a_case_that_was_edited_leaves_its_votes_without_a_record(copy: Suite) -> None:
    first = rows(copy, JUDGEMENTS)[0]["item"]
    cases = tuple(case for case in copy.cases if case.record_id != first)
    with pytest.raises(IntegrityError, match="no record of that id"):
        load_judging(dataclasses.replace(copy, cases=cases))


def test_a_suite_without_judgements_says_which_file_is_missing(tmp_path: Path, original: Suite) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_judging(dataclasses.replace(original, root=tmp_path))
