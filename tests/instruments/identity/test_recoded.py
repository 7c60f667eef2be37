"""A case under the codes of a later registry: every code is renamed, or the case is not comparable."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from denotary.instruments.identity.cases import IdentityCase
from denotary.instruments.identity.regression import recoded

Case = Callable[..., dict[str, Any]]

LATER = {"x.alpha": "y.first", "x.beta": "y.second"}


@pytest.fixture
def whole(case: Case) -> IdentityCase:
    """A case that names a code wherever a case can."""
    note = {"code": "x.beta", "type": "sibling", "reason": "a name", "non_identity_judged": True}
    record = case(
        "c1",
        {
            "disposition": "AMBIGUOUS",
            "acceptable_concept_codes": ["x.alpha", "x.beta"],
            "forbidden_neighbor_codes": ["x.beta"],
            "ambiguity_distribution": {"x.alpha": 0.75, "x.beta": 0.125, "AMBIGUOUS": 0.125},
        },
        text="one of x.alpha and x.beta",
        construction={"neighbours": [note], "concept_neighbourhood": "x.alpha"},
    )
    return msgspec.convert(record, IdentityCase)


def test_every_code_is_renamed_and_nothing_else_changes(whole: IdentityCase) -> None:
    found = recoded(whole, LATER.get)
    assert found is not None
    text = msgspec.json.encode(whole.gold) + msgspec.json.encode(whole.construction)
    for old, new in LATER.items():
        text = text.replace(old.encode(), new.encode())
    assert msgspec.json.encode(found.gold) + msgspec.json.encode(found.construction) == text
    assert found.input == whole.input
    assert recoded(whole, lambda code: code) == whole


@pytest.mark.parametrize("gone", LATER)
def test_a_code_without_an_equal_leaves_nothing_to_compare(whole: IdentityCase, gone: str) -> None:
    assert recoded(whole, {k: v for k, v in LATER.items() if k != gone}.get) is None


def test_a_case_without_a_code_stays_as_it_is(case: Case) -> None:
    plain = msgspec.convert(case("c2", {"disposition": "UNKNOWN_REGISTRY"}, text="t"), IdentityCase)
    assert recoded(plain, lambda _: None) == plain
