"""Does a distance that is taken after the encoder say anything that cosine does not?

On unit vectors a distance that is a strictly falling function of cosine ranks every pair as cosine does, so that each
of its cutoffs is a cutoff of cosine. For the projection into the Poincare ball this has a closed form:
``d_c = arcosh(1 + sinh(2 sqrt c)^2 |u - v|^2 / 2) / sqrt c``, since the exponential map at the origin (Ganea et al.
2018, eq. 11) puts all unit vectors at one radius. Any other distance is tried on vectors.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from denotary.errors import InputError
from denotary.importing import called
from denotary.records import Record

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.statistics.checks import FloatArray

    Distance = Callable[[FloatArray, FloatArray], FloatArray]

SPREAD = 2_000
"""Pairs whose cosines are spread evenly over (-1, 1); those of random vectors lie near 0 in many dimensions."""
MOST_VECTORS = 2_000
"""Random vectors at most: their pairs, about two million, are held in memory."""
BLOCK = 1 << 22
"""Components of vectors handed to the distance at once."""
ROUNDING = 1e-6
"""What may be rounding, of float32 too: a gap between cosines, or a rise of the distance as a share of its range."""

LOST = 1e-7
"""Largest deviation from a closed form, as a share of the largest distance, at which ranks are still those of the
distance; a rise between two pairs may be several of it."""

Finding = Literal["ranks as cosine", "saturates", "ranks otherwise"]


class ProjectionCheck(Record, frozen=True):
    """Whether a distance ranks pairs of unit vectors as cosine does.

    Attributes:
        distance: its name.
        dimension: components of the vectors.
        pairs: that were tried.
        finding: ``ranks as cosine`` if the distance falls wherever cosine rises; ``saturates`` if it never rises but
            stands still somewhere; ``ranks otherwise`` if it rises somewhere.
        sentence: what it means.
        tau: Kendall's tau-b of cosine and the negative distance over all pairs, 1 for the same ranks.
        reversal: the largest rise of the distance while cosine rises, as a share of its range.
        tied: neighbouring pairs of distinct cosine and equal distance.
        closed_form: largest deviation from the closed form, relative to the largest distance; None where none is known.
    """

    schema: Literal["denotary.projection-check/1"]
    distance: str
    dimension: int
    vectors: int
    pairs: int
    seed: int
    finding: Finding
    sentence: str
    tau: float | None
    reversal: float
    tied: int
    closed_form: float | None = None


def poincare(curvature: float) -> Distance:
    """Return the geodesic distance after the exponential map into the Poincare ball of curvature ``-c``.

    It is computed by Moebius addition, for vectors of any length, and knows no closed form.

    Raises:
        InputError: the curvature is not a number above 0.
    """
    _require_curvature(curvature)
    root = math.sqrt(curvature)

    def distance(first: FloatArray, second: FloatArray) -> FloatArray:
        x, y = _into_ball(-first, root), _into_ball(second, root)
        dot, left, right = (np.einsum("nd,nd->n", a, b)[:, None] for a, b in ((x, y), (x, x), (y, y)))
        above = (1 + 2 * curvature * dot + curvature * right) * x + (1 - curvature * left) * y
        below = 1 + 2 * curvature * dot + curvature**2 * left * right
        with np.errstate(all="ignore"):  # beyond float64 the result is not finite, and refused
            found: FloatArray = 2 / root * np.arctanh(root * np.linalg.norm(above / below, axis=1))
        return found

    return distance


def poincare_on_unit_vectors(cosines: FloatArray, curvature: float) -> FloatArray:
    """Return the same distance of unit vectors in closed form, from their cosines, shape (N,).

    Raises:
        InputError: the curvature is not a number above 0.
    """
    _require_curvature(curvature)
    root = math.sqrt(curvature)
    with np.errstate(over="ignore"):
        rise = np.sinh(2 * root) ** 2 * (1 - cosines)
        # arcosh(1 + x), accurate for a small x.
        found: FloatArray = np.log1p(rise + np.sqrt(rise * (rise + 2))) / root
    return found


def check_projection(
    distance: Distance,
    name: str,
    *,
    dimension: int,
    vectors: int = 200,
    seed: int = 0,
    closed_form: Callable[[FloatArray], FloatArray] | None = None,
) -> ProjectionCheck:
    """Return whether a distance ranks pairs of random unit vectors as cosine does.

    All pairs of the vectors are tried, and beside them pairs with cosines spread over (-1, 1).

    Args:
        distance: rows of two arrays of shape (N, D), float64, to N distances.
        name: of the distance, as printed.
        dimension: D, that of the encoder; at least 2.
        vectors: how many, from 2 to 2,000.
        seed: of the vectors.
        closed_form: cosines to distances, compared with what the distance gives.

    Raises:
        InputError: dimension or number out of range, or the distance raises, has another shape, is not finite, or
            lies further than rounding from its closed form.
    """
    if dimension < 2 or not 2 <= vectors <= MOST_VECTORS:  # noqa: PLR2004 - a plane, a pair
        raise InputError(
            f"dimension {dimension}, vectors {vectors}; "
            f"expected a dimension of 2 or more and 2 to {MOST_VECTORS} vectors"
        )
    first, second = _unit_pairs(dimension, vectors, seed)
    cosines = np.clip(np.einsum("nd,nd->n", first, second), -1.0, 1.0)
    found = _distances(distance, name, first, second)
    deviation = None if closed_form is None else _deviation(found, closed_form(cosines))
    if deviation is not None and not deviation <= LOST:
        raise InputError(
            f"the distance {name} lies {deviation:.1e} from its closed form",
            hint="at this curvature its digits are lost in float64, so that nothing can be said of its ranks",
        )
    order = np.lexsort((found, cosines))
    reversal, tied = _steps(cosines[order], found[order])
    finding: Finding = (
        "ranks otherwise" if reversal > ROUNDING else "saturates" if tied else "ranks as cosine"
    )
    return ProjectionCheck(
        schema="denotary.projection-check/1",
        distance=name,
        dimension=dimension,
        vectors=vectors,
        pairs=len(cosines),
        seed=seed,
        finding=finding,
        sentence=_SENTENCES[finding],
        tau=_tau(cosines, found),
        reversal=reversal,
        tied=tied,
        closed_form=deviation,
    )


_SENTENCES: dict[Finding, str] = {
    "ranks as cosine": "falls wherever cosine rises: every ranking and every cutoff of it is one of cosine",
    "saturates": "never rises with cosine, but stands still in places: it is cosine with some pairs tied",
    "ranks otherwise": "is no falling function of cosine on unit vectors: it ranks pairs otherwise",
}


def _require_curvature(curvature: float) -> None:
    if not 0 < curvature < math.inf:
        raise InputError(f"curvature {curvature}; expected a number above 0")


def _into_ball(vectors: FloatArray, root: float) -> FloatArray:
    """Return the exponential map at the origin."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    scale = np.divide(np.tanh(root * length), root * length, out=np.ones_like(length), where=length > 0)
    mapped: FloatArray = scale * vectors
    return mapped


def _unit_pairs(dimension: int, vectors: int, seed: int) -> tuple[FloatArray, FloatArray]:
    rng = np.random.Generator(np.random.Philox(seed))
    drawn = _unit(rng.standard_normal((vectors, dimension)))
    left, right = np.triu_indices(vectors, k=1)
    anchor = _unit(rng.standard_normal((SPREAD, dimension)))
    other = rng.standard_normal((SPREAD, dimension))
    across = _unit(other - np.einsum("nd,nd->n", other, anchor)[:, None] * anchor)
    cosine = np.linspace(-1, 1, SPREAD + 2)[1:-1, None]
    spread = _unit(cosine * anchor + np.sqrt(1 - cosine**2) * across)
    return np.concatenate([drawn[left], anchor]), np.concatenate([drawn[right], spread])


def _unit(vectors: FloatArray) -> FloatArray:
    scaled: FloatArray = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return scaled


def _distances(distance: Distance, name: str, first: FloatArray, second: FloatArray) -> FloatArray:
    rows = max(1, BLOCK // first.shape[1])
    parts = []
    for start in range(0, len(first), rows):
        one, two = first[start : start + rows], second[start : start + rows]
        try:
            given = np.asarray(called(f"the distance {name}", distance, one, two, quoted=True))
            part = given.real.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"the distance {name} gave no array of numbers") from error
        if np.iscomplexobj(given):
            raise InputError(f"the distance {name} gave complex numbers")
        if part.shape != (len(one),):
            raise InputError(
                f"the distance {name} gave an array of shape {part.shape} for {len(one):,} pairs",
                hint=f"it gets two arrays of shape {one.shape}, a vector a row, and gives a distance a row",
            )
        parts.append(part)
    found = np.concatenate(parts)
    if not np.isfinite(found).all():
        raise InputError(
            f"the distance {name} is not finite for {int((~np.isfinite(found)).sum())} of {len(found)} pairs",
            hint="its numbers leave float64, as a Poincare distance does at a high curvature",
        )
    return found


def _steps(cosines: FloatArray, distances: FloatArray) -> tuple[float, int]:
    """Return the largest rise of the distance along rising cosines, as a share of its range, and the ties."""
    # Halved, so that no difference of two of them leaves float64.
    distances = distances / 2.0
    width = float(np.ptp(distances))
    if not width:
        return 0.0, int((np.diff(cosines) > ROUNDING).sum())
    distinct = np.diff(cosines) > ROUNDING
    # A rise counts against everything before it, so that many small ones add up.
    rise = float((distances[1:] - np.minimum.accumulate(distances)[:-1]).max(initial=0.0)) / width
    tied = int((distinct & (np.diff(distances) == 0)).sum())
    return max(rise, 0.0), tied


def _tau(cosines: FloatArray, distances: FloatArray) -> float | None:
    from scipy.stats import kendalltau

    value = float(kendalltau(cosines, -distances).statistic)
    return None if math.isnan(value) else value


def _deviation(found: FloatArray, expected: FloatArray) -> float:
    return float(np.max(np.abs(found - expected)) / np.max(np.abs(expected)))
