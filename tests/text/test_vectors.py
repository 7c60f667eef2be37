"""The golden vectors of the profile. Expectations are written by hand from the Unicode standard."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from denotary.text import VECTORS, Normalised, Rejection, coarse, folds_for, normalise, transforms

PATH = Path(__file__).parent / "vectors.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in PATH.read_text("ascii").splitlines()]


def of(kind: str) -> list[Any]:
    return [pytest.param(row, id=row["id"]) for row in ROWS if row["kind"] == kind]


def text(points: str) -> str:
    return "".join(chr(int(point, 16)) for point in points.split())


def given(row: dict[str, Any]) -> str | bytes:
    repeat: int = row.get("repeat", 1)
    return bytes.fromhex(row["bytes"]) * repeat if "bytes" in row else text(row["given"]) * repeat


def nfc(value: str) -> str:
    normal = normalise(value)
    assert isinstance(normal, Normalised)
    return normal.text


def test_the_profile_names_these_vectors() -> None:
    assert f"sha256:{sha256(PATH.read_bytes()).hexdigest()}" == VECTORS


def test_there_are_enough_of_each_kind() -> None:
    assert len(ROWS) >= 120
    assert {kind: len(of(kind)) >= 50 for kind in ("normalise", "reject", "pair")} == {
        "normalise": True,
        "reject": True,
        "pair": True,
    }


@pytest.mark.parametrize("row", of("normalise"))
def test_accepted(row: dict[str, Any]) -> None:
    normal = normalise(given(row))
    want = text(row["nfc"]) * row.get("repeat", 1)
    assert isinstance(normal, Normalised)
    assert normal.text == want
    assert normal.changed == (want != given(row))


@pytest.mark.parametrize("row", of("reject"))
def test_refused(row: dict[str, Any]) -> None:
    code_point = int(row["code_point"], 16) if "code_point" in row else None
    assert normalise(given(row)) == Rejection(row["rule"], code_point, row.get("offset"))


@pytest.mark.parametrize("row", of("pair"))
def test_pair(row: dict[str, Any]) -> None:
    one, other = nfc(text(row["one"])), nfc(text(row["other"]))
    wanted = row["transforms"]
    assert (one == other) == (wanted == [])
    if one != other:
        found = transforms(one, other, folds_for(row["language"]))
        assert found == (None if wanted is None else tuple(wanted))
        assert found == transforms(other, one, folds_for(row["language"]))
    if wanted is not None:
        assert coarse(one) == coarse(other)
