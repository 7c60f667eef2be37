"""Whatever is put into an argument of a public function, the answer is an ``InputError`` or a sound number.

The functions are those that the room's modules define: one that is missing in ``public_calls`` fails the first test.
"""

from __future__ import annotations

import ast
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from public_calls import CALLS, Call, described

from denotary.errors import InputError
from denotary.statistics import agreement, threshold

ROOM = Path(agreement.__file__).parent

NO_NUMBERS = {
    "binomial.upper_bound": "is `upper` of one pair",
    "binomial.lower_bound": "is `lower` of one pair",
    "planning.best_claim": "is an upper bound at no failure",
    "agreement.masi_distance": "takes sets of labels",
    "threshold.refuse_shared_records": "takes record ids",
    "paired.margin_verdict": "compares two bounds that were computed",
    "calibration.expected_calibration_error": "takes a table that was computed",
    "calibration.maximum_calibration_error": "takes a table that was computed",
    "calibration.brier": "takes a table that was computed",
    "calibration_smooth.debiased_root_error": "takes a table that was computed",
    "betting.log_factors": "takes shares that were checked",
    "quotients.quotient": "takes sums that were computed",
}
"""Public functions that read no numbers of a caller; those of ``checks`` are the readers."""

INFINITE = {
    ("ranks", "scores"), ("trec_ranks", "scores"), ("intrusion", "scores"), ("judged", "scores"),
    ("choose_threshold", "confidence"), ("threshold_p_values", "confidence"), ("order_cases", "confidence"),
}  # fmt: skip
"""Scores and confidences of which only the order counts: an infinite one is the first or the last."""

MISSING = {("interval", "value"), ("interval", "draws")}
"""NaN marks a value that does not exist."""

Leaf = tuple[str, Any, Callable[[Any], dict[str, Any]]]


def leaves(call: Call) -> Iterator[Leaf]:
    """Yield name, value and a way to change it, for every number or array that the call hands over."""
    for name, value in call.good.items():
        if isinstance(value, tuple):
            for i, part in enumerate(value):
                yield name, part, lambda new, n=name, v=value, i=i: {n: (*v[:i], new, *v[i + 1 :])}  # type: ignore[misc]
        elif isinstance(value, threshold.Risk) or (
            isinstance(value, list) and isinstance(value[0], threshold.Risk)
        ):
            risk = value[0] if isinstance(value, list) else value
            for field in ("event", "population", "limit"):
                yield (
                    name,
                    getattr(risk, field),
                    lambda new, n=name, v=value, r=risk, f=field: {  # type: ignore[misc]
                        n: [replace(r, **{f: new})] if isinstance(v, list) else replace(r, **{f: new})
                    },
                )
        elif np.asarray(value).dtype.kind in "biuf":
            yield name, value, lambda new, n=name: {n: new}  # type: ignore[misc]


def planted(value: Any, bad: Any, kind: Any = np.float64) -> Any:
    """Return a copy with ``bad`` at its first place."""
    array = np.array(value, dtype=kind)
    array[(0,) * array.ndim] = bad
    return array if array.ndim else array.item()


def numbers(answer: Any) -> Iterator[np.ndarray]:
    """Yield every array and number of an answer, whatever holds it."""
    if is_dataclass(answer) and not isinstance(answer, type):
        for field in fields(answer):
            yield from numbers(getattr(answer, field.name))
    elif isinstance(answer, (tuple, list)):
        for part in answer:
            yield from numbers(part)
    elif isinstance(answer, (int, float, np.ndarray, np.number)):
        yield np.asarray(answer)


def sound(answer: Any) -> None:
    """Numbers are real, and no interval is turned round."""
    for array in numbers(answer):
        assert array.dtype.kind in "biuf"
    low, high = getattr(answer, "low", None), getattr(answer, "high", None)
    if isinstance(low, float) and isinstance(high, float) and not math.isnan(low + high):
        assert low <= high


def tried(call: Call, changed: dict[str, Any]) -> str:
    """Run the call; return the message of its refusal, or nothing after a sound answer."""
    try:
        answer = call.run(**call.good | changed)
    except InputError as refusal:
        return str(refusal)
    sound(answer)
    return ""


def same(call: Call, changed: dict[str, Any], tolerance: float) -> None:
    """The changed arguments say the same, and so does the answer."""
    first = list(numbers(call.run(**call.good)))
    second = list(numbers(call.run(**call.good | changed)))
    assert len(first) == len(second)
    for a, b in zip(first, second, strict=True):
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


def test_every_public_function_of_the_room_is_called() -> None:
    public = {
        f"{path.stem}.{node.name}"
        for path in ROOM.glob("*.py")
        if path.stem != "checks"
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }
    called = {f"{call.run.__module__.rpartition('.')[2]}.{described(call)}" for call in CALLS}
    assert not called & NO_NUMBERS.keys()
    assert public == (called & public) | NO_NUMBERS.keys()


@pytest.mark.parametrize("call", CALLS, ids=described)
def test_nan_and_infinities_are_refused(call: Call) -> None:
    for name, value, put in leaves(call):
        for bad in (math.nan, math.inf, -math.inf):
            refusal = tried(call, put(planted(value, bad)))
            allowed = (described(call), name) in (MISSING if math.isnan(bad) else INFINITE)
            assert refusal or allowed, (name, bad)


@pytest.mark.parametrize("call", CALLS, ids=described)
def test_what_is_no_real_number_is_refused(call: Call) -> None:
    for name, value, put in leaves(call):
        shape = np.shape(value)
        strangers = [
            planted(value, None, object),
            np.array(value, dtype=object),
            np.array(value, dtype=complex),
            np.full(shape, "2031-01-05", dtype="datetime64[D]"),
            np.full(shape, "1"),
            [[1, 2], [3]],
        ]
        for bad in strangers:
            assert tried(call, put(bad)), (name, bad)


@pytest.mark.parametrize("call", CALLS, ids=described)
def test_odd_values_are_refused_or_have_a_sound_answer(call: Call) -> None:
    for _, value, put in leaves(call):
        shape = np.shape(value)
        for odd in (-1, 0, 1, 2, 0.5, 1e3, -1e3, 1e-3):
            tried(call, put(planted(value, odd)))
            if shape:
                tried(call, put(np.full(shape, odd)))
        if shape:
            tried(call, put(np.full(shape, 2**64 - 1, dtype=np.uint64)))
            tried(call, put(np.zeros((0, *shape[1:]))))
            tried(call, put([]))
            tried(call, put(np.ones((*shape, 1))))


EXTREME = (
    1e300, -1e300, 1.797e308, 1e-300, 5e-324, 1e-17, 1.0 - 2.0**-53, 1e9, 1e12, 2.0**50, 2.0**53,
)  # fmt: skip
"""Beyond what squares, 64 bits, memory or patience can bear."""

SOON = 20.0
"""CPU seconds for all extremes of one function; it takes less than one."""


@pytest.mark.parametrize("call", CALLS, ids=described)
def test_extreme_values_are_refused_or_have_a_sound_answer_soon(call: Call) -> None:
    """No table beyond memory is asked for, nothing overflows, and nothing waits for ever; warnings are errors."""
    begun = time.process_time()
    for _, value, put in leaves(call):
        for extreme in EXTREME:
            tried(call, put(planted(value, extreme)))
            if np.shape(value):
                tried(call, put(np.full(np.shape(value), extreme)))
    tried(call, {name: 10**12 for name, value in call.good.items() if isinstance(value, int)})
    assert time.process_time() - begun < SOON


@pytest.mark.parametrize("call", CALLS, ids=described)
def test_nothing_at_all_is_refused_or_has_a_sound_answer(call: Call) -> None:
    """All columns are empty together, and all hold the same value everywhere: one cluster, ties alone."""
    for fill in (None, 0, 1):
        changed: dict[str, Any] = {}
        for name, value in call.good.items():
            if isinstance(value, tuple):
                changed[name] = tuple(_filled(part, fill) for part in value)
            elif isinstance(value, list) and not isinstance(value[0], threshold.Risk):
                changed[name] = _filled(value, fill)
        tried(call, changed)


def _filled(value: Any, fill: int | None) -> np.ndarray:
    """Return an array of the value's kind without rows, or with one value throughout."""
    array = np.array(value)
    return array[:0] if fill is None else np.full_like(array, fill)


@pytest.mark.parametrize("call", CALLS, ids=described)
def test_precision_and_layout_of_an_array_change_nothing(call: Call) -> None:
    for name, value, put in leaves(call):
        array = np.array(value)
        if array.ndim == 0:
            continue
        spread = np.repeat(array, 2, axis=0)[::2]
        same(call, put(spread), 0.0)
        same(call, put(np.asfortranarray(array)), 0.0)
        if array.dtype.kind == "f" and described(call) != "trec_ranks":
            same(call, put(array.astype(np.float32)), 1e-6)
        elif array.dtype.kind == "i":
            same(call, put(array.astype(np.uint8)), 0.0)
            same(call, put(array.astype(np.int32)), 0.0)
        assert name
