from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from denotary.errors import InputError
from denotary.statistics import betting, planning, threshold
from denotary.statistics.risk_path import RiskPath, order_cases
from denotary.statistics.threshold import Risk

rows = st.lists(
    st.tuples(
        st.sampled_from([math.inf, 0.9, 0.7, 0.5, 0.2, -math.inf]),
        st.booleans(),
        st.booleans(),
        st.integers(0, 6),
    ),
    min_size=1,
    max_size=40,
)


@given(rows, st.booleans(), st.floats(0.05, 0.6), st.booleans())
def test_p_values_are_those_of_the_gate_at_every_threshold(
    drawn: list[tuple[float, bool, bool, int]], among_accepted: bool, limit: float, siblings: bool
) -> None:
    confidence = np.array([row[0] for row in drawn])
    event = np.array([row[1] for row in drawn])
    population = np.array([row[2] for row in drawn])
    unit = np.array([row[3] for row in drawn]) if siblings else np.arange(len(drawn))
    risk = Risk("r", event, population, limit, among_accepted)
    thresholds, p = threshold.threshold_p_values(confidence, risk, unit)
    assert thresholds.tolist() == sorted({c for c in confidence.tolist() if math.isfinite(c)}, reverse=True)
    sizes = np.bincount(unit[population], minlength=len(drawn) + 7)
    held = np.flatnonzero(sizes)
    for at, value in zip(thresholds, p, strict=True):
        accepted = population & (confidence >= at)
        top = np.bincount(unit[accepted & event], minlength=sizes.size)[held]
        bottom = np.bincount(unit[accepted], minlength=sizes.size)[held] if among_accepted else sizes[held]
        if sizes.max() <= 1:
            n = int(bottom.sum())
            expected = binom.cdf(top.sum(), n, limit) if n else 1.0
        else:
            expected = betting.p_value(top, bottom, sizes[held], limit)
        assert value == pytest.approx(expected, rel=1e-9)
    path = RiskPath.follow(risk, unit, order_cases(confidence))
    assert [path.p_value_at(i) for i in range(p.size)] == pytest.approx(p.tolist(), rel=1e-9)
    for alpha in (0.01, 0.2, 0.7):
        far = np.abs(p - alpha) > 1e-9 * alpha
        assert path.passes(alpha)[far].tolist() == (p <= alpha)[far].tolist()


def test_passes_are_those_of_every_threshold_where_events_are_few() -> None:
    rng = np.random.default_rng(9)
    confidence = np.round(rng.random(4_000), 3)
    for rate in (0.0, 0.001, 0.02, 0.5):
        event, population = rng.random(4_000) < rate, rng.random(4_000) < 0.7
        for among_accepted in (True, False):
            risk = Risk("r", event, population, 0.01, among_accepted)
            path = RiskPath.follow(risk, np.arange(4_000), order_cases(confidence))
            assert path.passes(0.05).tolist() == (path.p_values() <= 0.05).tolist()


@given(st.lists(st.booleans(), max_size=12), st.integers(0, 12))
def test_fixed_sequence_stops_at_the_first_failure(passes: list[bool], start: int) -> None:
    expected = None
    for index in range(start, len(passes)):
        if not passes[index]:
            break
        expected = index
    assert threshold.fixed_sequence(passes, start) == expected


def scored(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Confidences whose error rate falls from 12 % to nearly 0."""
    confidence = rng.random(n)
    return confidence, rng.random(n) < 0.12 * (1 - confidence) ** 2


def test_chooses_the_last_of_the_run_that_begins_at_the_label_free_start() -> None:
    confidence, wrong = scored(np.random.default_rng(0), 20_000)
    everyone = np.ones(20_000, dtype=bool)
    choice = threshold.choose_threshold(confidence, [Risk("assignment_risk", wrong, everyone, 0.01)])
    assert choice.needed == 2 * planning.units_for(0.01)
    assert choice.starts == (np.sort(confidence)[-choice.needed],)
    thresholds, p = threshold.threshold_p_values(confidence, Risk("r", wrong, everyone, 0.01))
    start = int(np.flatnonzero(thresholds == choice.starts[0])[0])
    failing = start + int(np.argmax(p[start:] > 0.05))
    assert choice.threshold == thresholds[failing - 1]
    assert choice.coverage == np.mean(confidence >= choice.threshold)
    assert choice.p_values == {"assignment_risk": p[failing - 1]}


def test_start_ignores_labels() -> None:
    confidence, wrong = scored(np.random.default_rng(1), 3_000)
    everyone = np.ones(3_000, dtype=bool)
    starts = {
        threshold.choose_threshold(confidence, [Risk("r", labels, everyone, 0.02)], starts=3).starts
        for labels in (wrong, ~wrong, everyone)
    }
    assert len(starts) == 1
    assert len(starts.pop()) == 3


def test_joint_control_is_the_strictest_of_the_risks() -> None:
    rng = np.random.default_rng(2)
    confidence, wrong = scored(rng, 20_000)
    unknown = rng.random(20_000) < 0.2
    confidence = np.where(unknown, confidence * 0.7, confidence)
    known_risk = Risk("assignment_risk", wrong | unknown, np.ones(20_000, dtype=bool), 0.02)
    unknown_risk = Risk("unknown_far", np.ones(20_000, dtype=bool), unknown, 0.02, among_accepted=False)
    alone = threshold.choose_threshold(confidence, [known_risk])
    joint = threshold.choose_threshold(confidence, [known_risk, unknown_risk])
    assert alone.threshold is not None
    assert joint.threshold is not None
    assert joint.threshold >= alone.threshold
    assert set(joint.p_values) == {"assignment_risk", "unknown_far"}
    assert max(joint.p_values.values()) <= 0.05


def test_siblings_need_more_than_their_records_suggest() -> None:
    """Five copies of each case add nothing: the betting walk counts units."""
    confidence, wrong = scored(np.random.default_rng(3), 4_000)
    copies = np.repeat(np.arange(4_000), 5)
    population = np.ones(copies.size, dtype=bool)
    as_units = threshold.choose_threshold(
        confidence[copies], [Risk("r", wrong[copies], population, 0.02)], copies
    )
    as_records = threshold.choose_threshold(confidence[copies], [Risk("r", wrong[copies], population, 0.02)])
    assert as_units.needed == 2 * planning.units_for(0.02, bound="betting")
    assert as_units.threshold is not None
    assert as_records.threshold is not None
    assert as_units.threshold > as_records.threshold


def test_no_threshold_qualifies() -> None:
    confidence, wrong = scored(np.random.default_rng(4), 200)
    everyone = np.ones(200, dtype=bool)
    few = threshold.choose_threshold(confidence, [Risk("r", wrong, everyone, 0.01)])
    assert (few.threshold, few.coverage, few.starts, few.p_values) == (None, 0.0, (), {"r": 1.0})
    bad = threshold.choose_threshold(confidence, [Risk("r", everyone, everyone, 0.1)])
    assert bad.threshold is None
    assert len(bad.starts) == 1
    assert bad.p_values["r"] == 1.0


def test_without_a_finite_confidence_there_is_no_threshold() -> None:
    path = RiskPath.follow(Risk("r", [1, 0], [1, 1], 0.1), np.arange(2), order_cases([math.inf, -math.inf]))
    assert path.passes(0.5).tolist() == path.p_values().tolist() == []
    choice = threshold.choose_threshold([math.inf, -math.inf], [Risk("r", [1, 0], [1, 1], 0.1)])
    assert (choice.threshold, choice.starts) == (None, ())


def test_refused_cases_are_never_accepted_and_unanswered_ones_count_as_harm_and_cover_nothing() -> None:
    confidence = np.array([math.inf] * 3 + [0.9] * 400 + [0.5] * 100 + [-math.inf] * 50)
    event = np.array([True] * 3 + [False] * 550)
    everyone = np.ones(553, dtype=bool)
    choice = threshold.choose_threshold(confidence, [Risk("r", event, everyone, 0.05)])
    assert choice.threshold == 0.5
    assert choice.coverage == 500 / 553
    assert choice.p_values["r"] == pytest.approx(binom.cdf(3, 503, 0.05))


def test_risk_at_share_by_counting() -> None:
    """900 known (800 accepted, 8 wrong) and 100 unknown (3 accepted): the pooled rate is the risk."""
    assert float(threshold.risk_at_share(8 / 900, 800 / 900, 3 / 100, 0.1)) == pytest.approx(11 / 803)
    assert threshold.risk_at_share([0.0, 0.2], [0.0, 0.1], [0.0, 0.0], 0.5).tolist() == [1.0, 1.0]


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0.01, 0.99), st.floats(0, 0.2))
def test_risk_at_share_is_monotone(
    wrong: float, accepted: float, false: float, share: float, more: float
) -> None:
    wrong, accepted = min(wrong, accepted), max(wrong, accepted)
    base = float(threshold.risk_at_share(wrong, accepted, false, share))
    assert float(threshold.risk_at_share(min(wrong + more, 1), accepted, false, share)) >= base - 1e-12
    assert float(threshold.risk_at_share(wrong, accepted, min(false + more, 1), share)) >= base - 1e-12
    assert float(threshold.risk_at_share(wrong, min(accepted + more, 1), false, share)) <= base + 1e-12


def test_roles_must_be_disjoint() -> None:
    threshold.refuse_shared_records(fit=["a", "b"], threshold=["c"], sealed=["d"])
    with pytest.raises(InputError, match="b: serves both fit and threshold"):
        threshold.refuse_shared_records(fit=["b", "a"], threshold=["c", "b"])


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: threshold.choose_threshold([0.1], []), "^risks is empty; a threshold is chosen to keep"),
        (lambda: threshold.choose_threshold([np.nan], [Risk("r", [1], [1], 0.1)]), "confidence"),
        (lambda: threshold.choose_threshold([0.1], [Risk("r", [2], [1], 0.1)]), r"^event\[0\] is 2"),
        (lambda: threshold.choose_threshold([0.1], [Risk("r", [1], [2], 0.1)]), r"^population\[0\] is 2"),
        (lambda: threshold.risk_at_share(1.2, 0.5, 0.1, 0.1), "^wrong_known is 1.2"),
        (lambda: threshold.risk_at_share(0.1, 1.2, 0.1, 0.1), "^accepted_known is 1.2"),
        (lambda: threshold.risk_at_share(0.1, -0.5, 0.1, 0.1), "^accepted_known is -0.5"),
        (lambda: threshold.risk_at_share(0.1, 0.5, 1.2, 0.1), "^accepted_unknown is 1.2"),
        (lambda: threshold.choose_threshold([0.1], [Risk("r", [1], [1], 0.0)]), "limit"),
        (lambda: threshold.choose_threshold([0.1, 0.2], [Risk("r", [1], [1], 0.1)]), "differ in length"),
        (lambda: threshold.choose_threshold([0.1], [Risk("r", [1], [1], 0.1)], [-1]), "unit"),
        (lambda: threshold.choose_threshold([0.1], [Risk("r", [1], [1], 0.1)], delta=2.0), "alpha|delta"),
    ],
)
def test_bad_arguments_say_what_and_where(call: object, word: str) -> None:
    with pytest.raises(InputError, match=word):
        call()  # type: ignore[operator]


@pytest.mark.slow
@pytest.mark.parametrize(("starts", "siblings"), [(1, 1), (3, 1), (1, 4)])
def test_chosen_threshold_violates_the_limit_at_most_delta(starts: int, siblings: int) -> None:
    """The true risk of accepting at t is 0.12 times the mean of (1 - c)**2 above t."""
    rng = np.random.default_rng(5)
    repeats, units, limit, violated, chosen = 600, 6_000, 0.01, 0, 0
    for _ in range(repeats):
        confidence, wrong = scored(rng, units)
        copies = np.repeat(np.arange(units), siblings)
        choice = threshold.choose_threshold(
            confidence[copies],
            [Risk("r", wrong[copies], np.ones(copies.size, dtype=bool), limit)],
            copies,
            starts=starts,
        )
        if choice.threshold is not None:
            chosen += 1
            violated += 0.04 * (1 - choice.threshold) ** 2 > limit
    assert chosen > repeats / 2
    assert violated / repeats <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / repeats)


def test_the_columns_of_a_risk_are_columns() -> None:
    for changed in ({"event": [[0], [1]]}, {"population": [[1], [1]]}):
        (name,) = changed
        columns: dict[str, Any] = {"event": [0, 1], "population": [1, 1]}
        risk = Risk("r", **columns | changed, limit=0.1)
        with pytest.raises(InputError, match=rf"^{name}: expected 1 axes, got shape \(2, 1\)$"):
            threshold.threshold_p_values([0.1, 0.2], risk)
