"""Frozen suites, and what is done to them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.suites import Correction, Decision, freeze
from denotary.suites.records import BoardMember

Make = Callable[..., Path]
OWNER = BoardMember(who="owner-1", role="registry-owner")
REVIEWER = BoardMember(who="reviewer-3", role="independent")


@pytest.fixture
def frozen(make_suite: Make, case: Callable[..., Any]) -> Path:
    """Three cases in two units, frozen as version 1.0.0."""
    folder = make_suite([case("c1"), case("c2", "x.beta"), case("c3", semantic_seed_id="seed-c1")])
    freeze(folder)
    return folder


@pytest.fixture(scope="session")
def set_version() -> Callable[[Path, str], None]:
    """Write another version into a suite's manifest."""

    def set_version_(folder: Path, version: str) -> None:
        path = folder / "suite.toml"
        text = path.read_text()
        assert text.count('version = "') == 2
        path.write_text(text.replace('version = "', f'version = "{version}" # ', 1))

    return set_version_


@pytest.fixture(scope="session")
def decided() -> Callable[..., Decision]:
    """A decision that may change gold; keyword arguments replace a part."""

    def decided_(**parts: Any) -> Decision:
        usual = {"who": "secretary", "why": "read again", "cause": "E29", "board": (OWNER, REVIEWER)}
        return Decision(**usual | parts)

    return decided_


@pytest.fixture(scope="session")
def gold() -> Callable[..., Correction]:
    """A correction of a record's gold to one right code."""

    def gold_(record: str, code: str) -> Correction:
        new = {"disposition": "SINGLE", "acceptable_concept_codes": [code]}
        return Correction(record=record, changes={"gold": new})

    return gold_
