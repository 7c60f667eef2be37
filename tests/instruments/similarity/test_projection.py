"""Distances after the encoder, against other formulas of the same distance."""

from typing import Any

import numpy as np
import pytest

from denotary.errors import InputError
from denotary.instruments.similarity.projection import (
    check_projection,
    poincare,
    poincare_on_unit_vectors,
)


def unit(shape: tuple[int, int], seed: int) -> Any:
    drawn = np.random.default_rng(seed).standard_normal(shape)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


@pytest.mark.parametrize("curvature", [0.1, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("dimension", [3, 256])
def test_moebius_addition_gives_the_closed_form_on_unit_vectors(curvature: float, dimension: int) -> None:
    first, second = unit((300, dimension), 1), unit((300, dimension), 2)
    closed = poincare_on_unit_vectors(np.einsum("nd,nd->n", first, second), curvature)
    assert poincare(curvature)(first, second) == pytest.approx(closed, rel=1e-12)


def test_the_distance_in_the_ball_is_that_of_the_textbook() -> None:
    # Nickel & Kiela 2017, eq. 1, on points within the unit ball; curvature 1, lengths that are no 1.
    vectors = np.random.default_rng(3).standard_normal((2, 200, 5))
    x, y = (np.tanh(np.linalg.norm(v, axis=1, keepdims=True)) * unit_of(v) for v in vectors)
    squares = [1 - (point**2).sum(axis=1) for point in (x, y)]
    expected = np.arccosh(1 + 2 * ((x - y) ** 2).sum(axis=1) / (squares[0] * squares[1]))
    assert poincare(1.0)(*vectors) == pytest.approx(expected, rel=1e-7)


def unit_of(vectors: Any) -> Any:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_a_vector_without_length_stays_at_the_origin() -> None:
    distance = poincare(1.0)(np.zeros((1, 3)), np.array([[0.3, 0.0, 0.0]]))
    # From the origin the distance is twice the length (Ganea et al. 2018: the metric is four times the Euclidean).
    assert distance[0] == pytest.approx(0.6)


@pytest.mark.parametrize("curvature", [0.1, 1.0, 2.0])
def test_the_projection_ranks_as_cosine_does(curvature: float) -> None:
    found = check_projection(
        poincare(curvature),
        "poincare",
        dimension=384,
        vectors=60,
        closed_form=lambda cosines: poincare_on_unit_vectors(cosines, curvature),
    )
    assert (found.finding, found.tied, found.tau) == ("ranks as cosine", 0, 1.0)
    assert found.pairs == 60 * 59 // 2 + 2000
    assert found.closed_form is not None
    assert found.closed_form < 1e-12


def squared(first: Any, second: Any) -> Any:
    return ((first - second) ** 2).sum(axis=1)


def in_float32(first: Any, second: Any) -> Any:
    return squared(first.astype(np.float32), second.astype(np.float32))


def test_any_falling_function_of_cosine_is_found_so_in_float32_too() -> None:
    for distance in (squared, in_float32, lambda u, v: np.exp(squared(u, v))):
        assert check_projection(distance, "own", dimension=16, vectors=60).finding == "ranks as cosine"


def test_a_distance_that_stands_still_saturates() -> None:
    found = check_projection(lambda u, v: np.minimum(squared(u, v), 2.0), "own", dimension=16, vectors=60)
    assert found.finding == "saturates"
    assert found.tied > 500  # half of the pairs with spread cosines lie beyond
    constant = check_projection(lambda u, _: np.zeros(len(u)), "own", dimension=16, vectors=10)
    assert (constant.finding, constant.tau) == ("saturates", None)


@pytest.mark.parametrize(
    "distance",
    [
        lambda u, v: np.abs(u - v).sum(axis=1),  # city block
        lambda u, v: squared(u[:, :8], v[:, :8]),  # some components alone
        lambda u, v: -squared(u, v),
    ],
)
def test_other_distances_rank_otherwise(distance: Any) -> None:
    found = check_projection(distance, "own", dimension=16, vectors=60)
    assert found.finding == "ranks otherwise"
    assert found.reversal > 0.01


def test_a_slow_rise_made_of_small_steps_is_seen() -> None:
    # It rises with cosine by a hair at each step, by a tenth of its range over all of them.
    found = check_projection(lambda u, v: 0.1 * np.einsum("nd,nd->n", u, v), "own", dimension=8, vectors=200)
    assert found.reversal == pytest.approx(1.0)


def test_the_same_seed_gives_the_same_bytes() -> None:
    one, two = (check_projection(squared, "own", dimension=8, vectors=20, seed=7) for _ in range(2))
    assert one == two


def raises(_first: Any, _second: Any) -> Any:
    raise ValueError("no such model")


@pytest.mark.parametrize(
    ("distance", "message"),
    [
        (poincare(400.0), "is not finite"),
        (lambda u, _: np.zeros((len(u), 1)), "array of shape"),
        (raises, "raised ValueError: no such model"),
    ],
)
def test_a_distance_that_cannot_be_tried_is_an_error(distance: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_projection(distance, "own", dimension=8, vectors=20)


@pytest.mark.parametrize("curvature", [0.0, -1.0, float("nan"), float("inf")])
def test_a_curvature_is_above_0(curvature: float) -> None:
    for call in (lambda: poincare(curvature), lambda: poincare_on_unit_vectors(np.zeros(1), curvature)):
        with pytest.raises(InputError, match="expected a number above 0"):
            call()


@pytest.mark.parametrize(("dimension", "vectors"), [(1, 10), (8, 1), (8, 2001)])
def test_dimension_and_number_have_their_range(dimension: int, vectors: int) -> None:
    with pytest.raises(InputError, match="expected a dimension of 2 or more"):
        check_projection(squared, "own", dimension=dimension, vectors=vectors)


@pytest.mark.parametrize("curvature", [40.0, 50.0, 80.0])
def test_digits_that_are_lost_at_a_high_curvature_are_no_finding(curvature: float) -> None:
    with pytest.raises(InputError, match="from its closed form"):
        check_projection(
            poincare(curvature),
            "poincare",
            dimension=64,
            closed_form=lambda cosines: poincare_on_unit_vectors(cosines, curvature),
        )


def test_a_range_beyond_float64_hides_no_rise() -> None:
    found = check_projection(
        lambda u, v: 1.7e308 * np.einsum("nd,nd->n", u, v), "rising", dimension=8, vectors=20
    )
    assert (found.finding, found.reversal) == ("ranks otherwise", 1.0)


@pytest.mark.parametrize("fault", [ValueError("a number"), SystemExit(0)])
def test_a_distance_that_fails_is_an_error(fault: BaseException) -> None:
    def raises(u: Any, v: Any) -> Any:
        raise fault

    with pytest.raises(InputError, match=f"raised {type(fault).__name__}"):
        check_projection(raises, "own", dimension=8, vectors=20)


def test_a_distance_is_a_real_number() -> None:
    def turned(u: Any, v: Any) -> Any:
        return 1j * (u - v)[:, 0]

    with pytest.raises(InputError, match="complex"):
        check_projection(turned, "own", dimension=8, vectors=20)
