"""Signs of pairs: each family where it must be and where it must not."""

import pytest

from denotary.instruments.similarity.repairs.signs import signs, worded_alike

FOUND = """
modality.weaker|Guests must sign|Signing is optional for guests
modality.stronger|Guests may sign|Signing is compulsory for guests
exception.left_out_kept_in|All pay except Tom|Everyone pays, Tom too
quantity.equal|Wait half an hour|Wait thirty minutes
quantity.other|Wait half an hour|Wait thirty seconds
deletion.bare|Keep the signed copy of the lease|Keep the copy of the lease
deletion.either_new|Keep the signed copy|Keep the copy, whether signed or blank
deletion.alternatives_new|Keep the signed copy|Keep the copy, safe or unsafe
negation.parity_of_all|The bridge is safe|Crossing there is unsafe
quantity.equal|Five per cent failed|One in twenty broke
edit.opposite|Raise the left arm slowly|Lower the left arm slowly
edit.synonym|Buy the left arm slowly|Purchase the left arm slowly
role_order.moved|At noon the clerk rings the bell|The clerk rings the bell at noon
role_order.exchanged|The porter must warn the cook|The cook must alert the porter
role_order.unclear|Not all cooks who sang danced|Not all cooks who danced sang
antonym.opposed|Raise the flag|Banner is to be lowered
negation.typed|the lift works|the lift does not work
temporal_order.typed|wash before dinner|wash after dinner
"""


@pytest.mark.parametrize("line", FOUND.strip().splitlines())
def test_a_sign_is_found(line: str) -> None:
    name, first, second = line.split("|")
    assert signs(first, second).get(name, 0.0) > 0
    assert name == "quantity.equal" or name not in signs(first, first)


def test_equal_texts_differ_in_nothing() -> None:
    found = signs("All guests must sign before noon", "All guests must sign before noon")
    assert not [name for name in found if name.endswith((".typed", "_other", "_lost", "_new", ".opposed"))]
    assert worded_alike("All guests sign", "all guests sign")
    assert not worded_alike("All guests sign", "Each visitor leaves a name")
