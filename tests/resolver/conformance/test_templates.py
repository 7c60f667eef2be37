"""How an expectation is read."""

from typing import Any

import pytest

from denotary.registry import load_registry
from denotary.resolver.conformance.templates import differences, filled, matches, values_of

VALUES = values_of(load_registry("bundled:conformance"))


@pytest.mark.parametrize(
    ("expected", "found", "same"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1}, {"b": 2}, False),
        ({"a": 1}, {"a": True}, False),
        ({"a": None}, {"a": None}, True),
        ({"a": None}, {}, False),
        ({"a": []}, {"a": []}, True),
        ({"a": [1]}, {"a": [1, 2]}, False),
        ({"a": {"$contains": [{"k": 2}]}}, {"a": [{"k": 1}, {"k": 2, "z": 0}]}, True),
        ({"a": {"$contains": [{"k": 3}]}}, {"a": [{"k": 1}]}, False),
        ({"a": {"$contains": [1]}}, {}, False),
        ({"a": "$string"}, {"a": "x"}, True),
        ({"a": "$string"}, {"a": ""}, False),
        ({"a": "$string"}, {}, False),
        ({"a": "$absent"}, {}, True),
        ({"a": "$absent"}, {"a": None}, False),
        ({"a": "$registry.version"}, {"a": "1.0.0"}, True),
        ({"a": "$registry.version"}, {"a": "$registry.version"}, False),
        ({"a": "$registry.hash"}, {"a": VALUES["$registry.hash"]}, True),
        ({"a": {"b": "$absent"}}, {"a": []}, True),
    ],
)
def test_expectations(expected: Any, found: Any, same: bool) -> None:
    assert matches(expected, found, VALUES) is same


def test_a_difference_names_its_place_and_never_the_text() -> None:
    found = list(differences({"a": [{"b": 1}], "c": "x"}, {"a": [{"b": "secret"}]}, VALUES))
    assert found == ["a[0].b is not as expected", "c is absent"]


def test_requests() -> None:
    assert filled(
        {"text": {"$repeat": ["a", 3], "$then": "b"}, "text_b64": {"$hex": "63 e9"}, "n": 7}, VALUES
    ) == {
        "text": "aaab",
        "text_b64": "Y+k=",
        "n": 7,
    }
