"""Every argument of every public function is read strictly, and the message names it as the caller knows it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from public_calls import CALLS, WHOLE, Call, described

from denotary.errors import InputError
from denotary.statistics import auroc


def refused(call: Call, **changed: Any) -> str:
    """The message of the error that these arguments raise."""
    with pytest.raises(InputError) as caught:
        call.run(**call.good | changed)
    return str(caught.value)


@pytest.mark.parametrize("call", CALLS, ids=described)
def test_texts_and_misshapen_arrays_are_refused_under_the_arguments_own_name(call: Call) -> None:
    call.run(**call.good)
    for name, value in call.good.items():
        if name in call.opaque:
            continue
        text, nothing = np.full(np.shape(value), "x"), np.full(np.shape(value), np.nan)
        assert refused(call, **{name: text}).startswith(f"{name}: "), name
        assert refused(call, **{name: nothing}).startswith((f"{name} is nan", f"{name}[", f"{name}: ")), name
        if np.ndim(value) in {0, 1} and name not in call.free:
            assert refused(call, **{name: [[[value]]]}).startswith(f"{name}: expected "), name


@pytest.mark.parametrize("call", [call for call in CALLS if call.columns], ids=described)
def test_columns_of_unequal_length_are_named_with_their_lengths(call: Call) -> None:
    first = call.columns[0]
    longer = [*call.good[first], call.good[first][0]] if first in call.good else None
    assert longer is not None
    lengths = [f"{first} 3", *(f"{name} 2" for name in call.columns[1:])]
    assert refused(call, **{first: longer}) == "columns differ in length: " + ", ".join(lengths)


@pytest.mark.parametrize("call", [call for call in CALLS if WHOLE in list(call.good.values())], ids=described)
def test_a_number_of_repeats_bins_or_places_is_at_least_one(call: Call) -> None:
    for name, value in call.good.items():
        if value is WHOLE and call.run is not auroc.permutation_floor:
            assert refused(call, **{name: 0}) == f"{name} is 0; expected at least 1"
            assert refused(call, **{name: -1}) == f"{name} is -1; expected a count of 0 or more"
