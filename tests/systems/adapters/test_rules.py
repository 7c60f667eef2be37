import hashlib
import json
from typing import Any

import msgspec
import pytest

from denotary import systems
from denotary.systems.adapters.rules import DecisionRule, describes


def table() -> dict[str, Any]:
    return msgspec.to_builtins(systems.rasa("http://h", threshold=0.5).descriptor)  # type: ignore[no-any-return]


def test_the_hash_is_that_of_the_rule_in_canonical_json() -> None:
    made = table()
    rule = {
        "rule": made["decision_rule"],
        "parameters": made["rule_parameters"],
        "dispositions": made["dispositions"],
    }
    text = json.dumps(rule, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert made["rule_hash"] == hashlib.sha256(text.encode()).hexdigest()
    assert describes(made)


@pytest.mark.parametrize(
    "edit",
    [
        {"decision_rule": "any"},
        {"rule_parameters": {}},
        {"dispositions": {}},
        {"rule_hash": "0" * 64},
        {"surplus": 1},
        {"kind": 1},
    ],
)
def test_an_edited_description_is_noticed(edit: dict[str, Any]) -> None:
    assert not describes({**table(), **edit})


def test_secrets_of_a_url_are_not_described() -> None:
    rule = systems.annif("http://user:pass@h/v1?key=1", project="p", threshold=0.5).descriptor
    assert isinstance(rule, DecisionRule)
    assert rule.spec == "http://h/v1"
    assert "pass" not in str(msgspec.to_builtins(rule))
