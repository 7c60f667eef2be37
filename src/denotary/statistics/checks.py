"""Strict reading of array arguments: what is wrong and where is said once, here.

Every public function of the room reads its arguments through these functions. NaN, infinities, negative
counts, object arrays and values outside their range raise :class:`denotary.errors.InputError`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]

_LARGEST_WHOLE = 2.0**53
"""Above this a float64 no longer tells two neighbouring integers apart."""

_LEAST_PROBABILITY: Final = float(np.finfo(np.float64).tiny)
"""Below it a float64 has lost digits, and its logarithm with them."""

_LARGEST_SUM: Final = 1e140
"""Sums of units beyond it, or so near to 0 below its inverse, could overflow in a ratio or a square."""

_MOST_CODES: Final = 2**24
"""Groups that an answer by group code may have, if the rows are fewer."""

_MOST_CELLS: Final = 2**28
"""Numbers that a table may hold: 2 GiB of float64."""

_SCATTERED: Final = 4
"""Codes beyond so many times the rows are numbered anew, so that no table is longer than its rows ask for."""

_PART: Final = 2**16
"""Numbers looked at together, so that they stay in the cache."""

_MOST_DRAWS: Final = 10**7
"""Resamples, repeats or flips: more change no digit that is shown."""


def numeric(name: str, values: ArrayLike, ndim: int | None = None) -> NDArray[Any]:
    """Return ``values`` as an array of a boolean, integer or real dtype; NaN and infinities pass.

    Args:
        name: the argument's name, for the message.
        values: numbers of any shape.
        ndim: number of axes required, if any.

    Raises:
        InputError: not numeric, or of another number of axes.
    """
    try:
        array = np.asarray(values)
    except ValueError as problem:
        raise InputError(f"{name}: not an array of numbers ({problem})") from None
    if array.size == 0 and array.dtype.kind not in "biuf":
        array = array.astype(np.float64)
    if array.dtype.kind not in "biuf":
        raise InputError(f"{name}: expected numbers, got dtype {array.dtype}")
    if ndim is not None and array.ndim != ndim:
        raise InputError(f"{name}: expected {ndim} axes, got shape {array.shape}")
    return array


def floats(
    name: str,
    values: ArrayLike,
    *,
    low: float = -np.inf,
    high: float = np.inf,
    ndim: int | None = None,
    infinite: bool = False,
) -> FloatArray:
    """Return ``values`` as float64, each finite and within [low, high].

    Args:
        name: the argument's name, for the message.
        values: numbers of any shape; booleans count as 0 and 1.
        low: smallest value allowed.
        high: largest value allowed.
        ndim: number of axes required, if any.
        infinite: whether infinities are allowed; NaN never is.

    Raises:
        InputError: not numeric, not finite, out of range, or of another number of axes.
    """
    array = numeric(name, values, ndim).astype(np.float64, copy=False)
    least, most = _ends(array)
    if not (low <= least and most <= high and (infinite or np.isfinite([least, most]).all())):
        bad = np.isnan(array) if infinite else ~np.isfinite(array)
        _refuse(name, bad, array, "number" if infinite else "finite number")
        _refuse(name, (array < low) | (array > high), array, f"value in [{low:g}, {high:g}]")
    return array


def counts(name: str, values: ArrayLike, *, ndim: int | None = None) -> IntArray:
    """Return ``values`` as int64 counts; whole floats are accepted (SQL sums arrive as such).

    Args:
        name: the argument's name, for the message.
        values: non-negative whole numbers of any shape.
        ndim: number of axes required, if any.

    Raises:
        InputError: not numeric, negative, fractional, not finite or beyond 2**53.
    """
    array = numeric(name, values, ndim)
    if array.dtype.kind == "f":
        _refuse(name, ~np.isfinite(array), array, "finite number")
        _refuse(name, array != np.floor(array), array, "whole number")
    least, most = _ends(array)
    if not (least >= 0 and most <= _LARGEST_WHOLE):
        _refuse(name, array < 0, array, "count of 0 or more")
        _refuse(name, array > _LARGEST_WHOLE, array, "count of at most 2**53")
    return array.astype(np.int64, copy=False)


def positive(name: str, value: int) -> int:
    """Return ``value`` if it is a whole number of at least 1 (bins, repeats, a cut-off).

    Raises:
        InputError: 0, negative, fractional, or not one number.
    """
    if int(counts(name, value, ndim=0)) < 1:
        raise InputError(f"{name} is 0; expected at least 1")
    return int(value)


def draws(name: str, value: int, width: int = 1) -> int:
    """Return ``value`` if it is a number of resamples that can be drawn and held, ``width`` numbers each.

    Raises:
        InputError: as :func:`positive`, more than 10 million, or a table beyond memory.
    """
    number = positive(name, value)
    if number > _MOST_DRAWS:
        raise InputError(f"{name} is {number}; expected at most {_MOST_DRAWS:,}")
    fits(name, number, width)
    return number


def fits(name: str, *axes: int) -> None:
    """Refuse a table of more cells than memory is given for, before it is made.

    Args:
        name: the argument that makes it large.
        axes: lengths of its axes.

    Raises:
        InputError: more than 2**28 cells.
    """
    if math.prod(axes) > _MOST_CELLS:
        shape = " x ".join(f"{length:,}" for length in axes)
        raise InputError(f"{name} asks for a table of {shape} numbers; at most 2**28 are held")


def sums(name: str, values: ArrayLike, *, low: float = -_LARGEST_SUM, ndim: int | None = None) -> FloatArray:
    """Return per-unit sums as float64: 0 or of a magnitude that ratios and squares can bear.

    Args:
        name: the argument's name, for the message.
        values: numbers of any shape.
        low: smallest value allowed.
        ndim: number of axes required, if any.

    Raises:
        InputError: as :func:`floats`, or a magnitude above 1e140, or below 1e-140 and not 0.
    """
    array = floats(name, values, low=low, high=_LARGEST_SUM, ndim=ndim)
    least = 1.0 / _LARGEST_SUM
    rows = np.atleast_1d(array)
    step = max(1, _PART // max(rows[:1].size, 1))
    # In parts: a mask of a whole panel would be a tenth of its memory.
    for start in range(0, len(rows), step):
        magnitude = np.abs(rows[start : start + step])
        if np.any((magnitude < least) & (magnitude > 0.0)):
            faint = (np.abs(array) < least) & (array != 0.0)
            _refuse(name, faint, array, f"value that is 0 or at least {least:g}")
    return array


def flags(name: str, values: ArrayLike, *, ndim: int | None = None) -> BoolArray:
    """Return ``values`` as booleans; only True, False, 0 and 1 are accepted.

    Raises:
        InputError: any other value.
    """
    array = numeric(name, values, ndim)
    if array.dtype.kind != "b":
        _refuse(name, (array != 0) & (array != 1), array, "0 or 1")
    return array.astype(np.bool_, copy=False)


def codes(name: str, values: ArrayLike, groups: int | None = None) -> tuple[IntArray, int]:
    """Return group codes 0..G-1 of shape (N,) and G.

    Args:
        name: the argument's name, for the message.
        values: one group code a row.
        groups: number of groups, if more than the largest code + 1.

    Raises:
        InputError: a negative code, or one not below ``groups``, a bad number of groups, or more of them than rows and
            than 2**24: codes are numbers without gaps.
    """
    array = counts(name, values, ndim=1)
    size = int(array.max(initial=-1)) + 1
    most = max(_MOST_CODES, array.size)
    if size > most:
        where = int(np.argmax(array))
        raise InputError(f"{name}[{where}] is {size - 1}; number the {array.size} codes from 0, without gaps")
    if groups is None:
        return array, size
    groups = int(counts("groups", groups, ndim=0))
    if size > groups:
        raise InputError(f"{name}: code {size - 1} is not below the number of groups, {groups}")
    if groups > most:
        raise InputError(f"{name}: {groups} groups; at most {most:,} are held for {array.size} codes")
    return array, groups


def members(name: str, values: ArrayLike) -> IntArray:
    """Return codes of shape (N,) that say only which rows belong together: of any size, in, and small, out.

    Raises:
        InputError: a negative or fractional code.
    """
    array = counts(name, values, ndim=1)
    if int(array.max(initial=-1)) < max(_SCATTERED * array.size, _SCATTERED):
        return array
    found: IntArray = np.unique(array, return_inverse=True)[1]
    return found


def probability(name: str, value: float) -> float:
    """Return ``value`` if it lies strictly between 0 and 1 (an alpha, a confidence, a limit).

    Raises:
        InputError: not a number strictly between 0 and 1, or below 2.2e-308, the least with all its digits.
    """
    number = float(floats(name, value, ndim=0))
    if not 0.0 < number < 1.0:
        raise InputError(f"{name} is {number:g}; expected a number strictly between 0 and 1")
    if number < _LEAST_PROBABILITY:
        raise InputError(f"{name} is {number:g}; expected at least {_LEAST_PROBABILITY:g}")
    return number


def same_length(columns: Mapping[str, NDArray[Any]]) -> int:
    """Return the common length of the first axis of ``columns``.

    Raises:
        InputError: two columns differ in length.
    """
    lengths = {name: array.shape[0] for name, array in columns.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(
            "columns differ in length: " + ", ".join(f"{name} {n}" for name, n in lengths.items())
        )
    return int(next(iter(lengths.values())))


def at_most(name: str, values: NDArray[Any], bound_name: str, bounds: NDArray[Any]) -> None:
    """Refuse any ``values`` above its ``bounds`` (k above n, wrong above assigned).

    Raises:
        InputError: naming the first position where it happens.
    """
    try:
        above = values > bounds
    except ValueError:
        raise InputError(
            f"{name} of shape {values.shape} does not fit {bound_name} of shape {bounds.shape}"
        ) from None
    if np.any(above):
        where = np.unravel_index(int(np.argmax(above)), above.shape)
        value = np.broadcast_to(values, above.shape)[where]
        bound = np.broadcast_to(bounds, above.shape)[where]
        raise InputError(f"{name}{_index(where)} is {value:g}, above {bound_name} {bound:g}")


def _ends(array: NDArray[Any]) -> tuple[Any, Any]:
    """Return the least and the largest value, NaN if there is one, 0 and 0 of nothing.

    Two passes over the values, where a mask for each condition would take six.
    """
    return (array.min(), array.max()) if array.size else (0, 0)


def _refuse(name: str, bad: BoolArray | np.bool_, array: NDArray[Any], expected: str) -> None:
    """Raise at the first ``bad`` position."""
    if np.any(bad):
        where = np.unravel_index(int(np.argmax(bad)), array.shape)
        raise InputError(f"{name}{_index(where)} is {array[where]}; expected a {expected}")


def _index(where: tuple[np.intp, ...]) -> str:
    """Return ``[i, j]``, or nothing for a scalar."""
    return f"[{', '.join(str(int(i)) for i in where)}]" if where else ""
