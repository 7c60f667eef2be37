"""``denotary encoders``: what can be loaded here."""

import json
from collections.abc import Callable
from typing import Any


def test_encoders_lists_names_and_what_installs_them(cli: Callable[..., Any]) -> None:
    done = cli("encoders", "--json")
    offers = {offer["name"]: offer for offer in json.loads(done.out)}
    assert done.code == 0
    assert offers["hash-words"]["installed"]
    assert (offers["minilm"]["extra"], offers["e5"]["extra"]) == ("encoders", "multilingual")
    assert "hash-words" in cli("encoders").out
