"""Canonical JSON: one text for one content, and no number that JSON does not have."""

import math
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from denotary.canonical import canonical_json, digest_of_records
from denotary.errors import InputError


class Record(msgspec.Struct):
    """A record with a number."""

    value: float


@dataclass
class Held:
    """A result with a number."""

    value: Any


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize(
    "hold", [float, lambda x: [x], lambda x: (1, x), lambda x: {"a": {"b": x}}, lambda x: {x}, Record, Held]
)
def test_a_number_that_is_not_finite_is_refused_wherever_it_stands(hold: Any, number: float) -> None:
    with pytest.raises(InputError, match="cannot be written as JSON"):
        canonical_json(Held([{"deep": hold(number)}]))


def test_what_is_missing_is_null() -> None:
    assert canonical_json({"b": None, "a": Held("null")}) == b'{"a":{"value":"null"},"b":null}'


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(InputError, match="lone surrogate"):
        canonical_json(["\ud800"])


def test_records_in_any_order_have_one_digest() -> None:
    assert digest_of_records(["b" * 64, "a" * 64]) == digest_of_records(["a" * 64, "b" * 64])
    assert digest_of_records(["a" * 64]) != digest_of_records(["a" * 64, "a" * 64])
