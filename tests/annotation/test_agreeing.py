"""Agreement of answers, against arithmetic by hand and against another library."""

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from denotary.annotation import Agreement, Item, agreement

NAMES = ("SINGLE", "AMBIGUOUS", "UNKNOWN_REGISTRY", "UNDERSPECIFIED", "MIXED")
Answer = tuple[str, frozenset[str]]


@pytest.fixture(autouse=True, scope="module")
def fewer_resamples() -> Iterator[None]:
    """A thousand resamples tell as much about the code as ten thousand."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("denotary.statistics.bootstrap.RESAMPLES", 1_000)
        yield


def answer(name: str, *codes: str) -> Answer:
    return name, frozenset(codes)


def value(found: Agreement, name: str) -> float | None:
    (one,) = [item.value for item in found.coefficients if item.name == name]
    return one


answers = st.builds(
    lambda name, codes: (name, frozenset(codes) if name != "UNKNOWN_REGISTRY" else frozenset()),
    st.sampled_from(NAMES),
    st.sets(st.sampled_from("abc"), min_size=1, max_size=2),
)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(answers, answers), min_size=2, max_size=25))
def test_nominal_alpha_is_cohens_kappa_of_the_pairs_and_their_mirror(
    pairs: list[tuple[Answer, Answer]],
) -> None:
    """With both orders of every pair the two margins are equal, and Cohen's kappa is Scott's pi.

    Krippendorff's alpha is pi with the chance term of drawing without replacement: with n votes,
    1 - alpha = (1 - pi)(n - 1)/n.
    """
    metrics = pytest.importorskip("sklearn.metrics")
    found = agreement([Item(f"u{i}", pair) for i, pair in enumerate(pairs)])
    for name, labels in (("alpha_disposition", _dispositions(pairs)), ("alpha_answer", _whole(pairs))):
        left, right = zip(*labels, strict=True)
        assume(len({*left, *right}) > 1)
        kappa = metrics.cohen_kappa_score([*left, *right], [*right, *left])
        n = 2 * len(pairs)
        assert value(found, name) == pytest.approx(1 - (1 - kappa) * (n - 1) / n, abs=1e-6)
    same = [a == b for a, b in _whole(pairs)]
    assert value(found, "percent") == pytest.approx(np.mean(same), abs=1e-6)
    assert found.same_answer == sum(same)


def _dispositions(pairs: list[tuple[Answer, Answer]]) -> list[tuple[str, str]]:
    return [(a[0], b[0]) for a, b in pairs]


def _whole(pairs: list[tuple[Answer, Answer]]) -> list[tuple[str, str]]:
    def shown(given: Answer) -> str:
        return given[0] if given[0] == "UNDERSPECIFIED" else f"{given[0]} {sorted(given[1])}"

    return [(shown(a), shown(b)) for a, b in pairs]


def test_codes_count_but_where_they_are_optional() -> None:
    items = [
        Item("u1", (answer("SINGLE", "a"), answer("SINGLE", "b"))),
        Item("u2", (answer("UNDERSPECIFIED", "a"), answer("UNDERSPECIFIED"))),
        Item("u3", (answer("MIXED", "a", "b"), answer("MIXED", "b", "a"))),
    ]
    found = agreement(items)
    assert (found.items, found.units, found.same_disposition, found.same_answer) == (3, 3, 3, 2)


def test_masi_alpha_by_hand() -> None:
    """Two items name sets; the third does not and is left out.

    Votes: {a,b}, {a,b} on the first, {a,b}, {a} on the second; MASI({a,b}, {a}) = 1 - 1/2 * 2/3 = 2/3. Observed
    disagreement: (0 + 2/3)/2 = 1/3. Expected: of the 12 ordered pairs of 4 votes, 6 differ by 2/3: 1/3. Alpha 0.
    """
    items = [
        Item("u1", (answer("AMBIGUOUS", "a", "b"), answer("UNDERSPECIFIED", "a", "b"))),
        Item("u2", (answer("MIXED", "a", "b"), answer("SINGLE", "a"))),
        Item("u3", (answer("SINGLE", "a"), answer("SINGLE", "c"))),
    ]
    assert value(agreement(items), "alpha_masi_codes") == pytest.approx(0.0, abs=1e-6)
    without = agreement(items[2:])
    assert [item.name for item in without.coefficients] == ["percent", "alpha_disposition", "alpha_answer"]


def test_items_with_more_votes_weigh_as_krippendorff_says() -> None:
    """Coincidences by enumeration: every ordered pair of votes of an item, weighted by 1/(votes - 1)."""
    votes = [("S", "S", "U"), ("S", "S"), ("U", "U", "U", "S")]
    items = [Item(f"u{i}", tuple(answer(name) for name in row)) for i, row in enumerate(votes)]
    pairs = [(a, b, 1 / (len(row) - 1)) for row in votes for a, b in itertools.permutations(row, 2)]
    n = sum(weight for *_, weight in pairs)
    size = {name: sum(w for a, _, w in pairs if a == name) for name in "SU"}
    observed = sum(w for a, b, w in pairs if a != b) / n
    expected = 2 * size["S"] * size["U"] / (n * (n - 1))
    assert value(agreement(items), "alpha_disposition") == pytest.approx(1 - observed / expected, abs=1e-6)


@pytest.mark.parametrize(
    ("items", "states"),
    [
        (
            [Item("u1", (answer("S", "a"),) * 2), Item("u2", (answer("S", "b"),) * 2)],
            "degenerate empty degenerate",
        ),
        ([Item("u1", (answer("S", "a"),) * 2)], "few_units empty empty"),
        ([Item("u1", (answer("S", "a"),))], "empty empty empty"),
        ([], "empty empty empty"),
    ],
)
def test_agreement_without_a_disagreement_has_no_interval(items: list[Item], states: str) -> None:
    found = agreement(items).coefficients
    assert " ".join(item.state for item in found) == states
    assert {(item.low, item.high) for item in found} == {(None, None)}
    assert all((item.value is None) == (item.state == "empty") for item in found)


def test_intervals_are_of_units_and_the_same_every_time() -> None:
    chance = np.random.default_rng(3)
    rows: list[Any] = [
        Item(f"u{i // 4}", (answer("SINGLE", "a"), answer(NAMES[int(i // 4 % 3 == 0)], "a")))
        for i in range(80)
    ]
    found = agreement(rows)
    chance.shuffle(rows)
    assert agreement(rows) == found
    percent = found.coefficients[0]
    assert (found.items, found.units) == (80, 20)
    # Twenty units of four, seven of which disagree as a whole: the normal interval of a share of twenty.
    share, spread = 13 / 20, 1.96 * math.sqrt(0.65 * 0.35 / 20)
    assert percent.value == pytest.approx(share)
    assert (percent.low, percent.high) == pytest.approx((share - spread, share + spread), abs=0.03)
