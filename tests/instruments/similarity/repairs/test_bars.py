"""A bar is held against the lower end of an interval; plans of version 1 against the value, as they were registered."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest
from scipy.stats import binomtest, norm

from denotary.canonical import sha256
from denotary.errors import ExitCode, InputError
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.operating import balanced_accuracy
from denotary.instruments.similarity.repairs.base import Frozen, Scored
from denotary.instruments.similarity.repairs.intervals import balanced_interval, share_interval
from denotary.instruments.similarity.repairs.judging import judged_rows, run
from denotary.instruments.similarity.repairs.plans import lock_path, register, registered
from denotary.instruments.similarity.repairs.records import (
    Bar,
    BarRow,
    JudgedRow,
    Measure,
    PlannedCorpus,
    RepairPlan,
)
from denotary.instruments.similarity.repairs.reporting import bar_rows, verdict

PLANS = sorted(
    (Path(__file__).parents[4] / "examples/case_studies/similarity_repairs").glob("plan-*.lock.toml")
)
ROW = JudgedRow(
    repair="r", corpus="c", role="other author", pairs=9, anchors=9, failed=0, auroc=0.95, low=0.88, high=0.99,
    balanced_accuracy=0.85, balanced_low=0.75, balanced_high=0.9, decided_share=0.75, decided_low=0.65,
    decided_high=0.8,
)  # fmt: skip


@pytest.mark.parametrize(
    ("measure", "low"), [("auroc", 0.88), ("balanced_accuracy", 0.75), ("decided_share", 0.65)]
)
def test_a_bar_holds_if_and_only_if_the_lower_end_reaches_it(measure: Measure, low: float) -> None:
    bars = [Bar(repair="r", corpus="c", measure=measure, at_least=at) for at in (low - 0.01, low, low + 0.01)]
    assert [row.holds for row in bar_rows(bars, [ROW], "lower")] == [True, True, False]
    assert [row.holds for row in bar_rows(bars, [ROW], "value")] == [True, True, True]
    assert {(row.value, row.low) for row in bar_rows(bars, [ROW], "lower")} == {(getattr(ROW, measure), low)}


def test_a_bar_without_a_lower_end_or_a_row_is_not_reached() -> None:
    bare = JudgedRow(repair="r", corpus="c", role="other author", pairs=9, anchors=9, failed=0, auroc=0.9)
    bar = Bar(repair="r", corpus="c", measure="auroc", at_least=0.0)
    for rows in ([bare], []):
        assert not next(bar_rows([bar], rows, "lower")).holds


@pytest.mark.usefixtures("opened")
def test_what_bars_come_to(plan: Path, frozen: Frozen) -> None:
    register(plan)
    report = run(*registered(plan), [frozen])
    holds, missed, bare = (
        BarRow(repair="r", corpus="c", measure="auroc", at_least=0.5, value=0.9, low=low, holds=holds)
        for low, holds in ((0.6, True), (0.4, False), (None, False))
    )
    for bars, code in (
        ((holds,), ExitCode.PROMOTE),
        ((holds, missed), ExitCode.BLOCK),
        ((bare, missed), ExitCode.BLOCK),
        ((holds, bare), ExitCode.INSUFFICIENT),
        ((), ExitCode.INSUFFICIENT),
    ):
        assert verdict(msgspec.structs.replace(report, bars=bars)) == code


def test_a_bar_on_what_was_fitted_on_is_refused(plan: Path) -> None:
    text = plan.read_text()
    bar = text[text.index("[[bars]]") : text.index("[[predictions]]")]
    plan.write_text(text.replace(bar, bar.replace("theirs", "ours")))
    with pytest.raises(InputError, match="a bar on 'ours'"):
        register(plan)
    # A prediction about it is none.
    plan.write_text(
        text.replace('corpus = "theirs"\nmeasure = "decided', 'corpus = "ours"\nmeasure = "decided')
    )
    register(plan)


@pytest.mark.usefixtures("opened")
def test_a_perfect_value_on_few_anchors_does_not_reach_a_high_bar(
    plan: Path, frozen: Frozen, halves: Corpus
) -> None:
    def score(first: Sequence[str], _second: Sequence[str]) -> Scored:
        none = np.zeros(96, dtype=np.bool_)
        right = halves.half("A" if first == list(halves.half("A").pairs.first) else "B").pairs.same
        return Scored(right.astype(float), none, none)

    register(plan)
    report = run(*registered(plan), [Frozen(frozen.record, score)])
    assert report.held_against == "lower"
    (bar,) = report.bars
    # 24 anchors are 12 disjoint comparisons without a miss.
    assert bar.value == 1.0
    assert bar.low == pytest.approx(0.025 ** (1 / 12))
    assert not bar.holds


@pytest.mark.usefixtures("opened")
def test_a_plan_of_version_1_runs_by_its_own_rule_and_is_registered_no_more(
    plan: Path, frozen: Frozen
) -> None:
    def score(first: Sequence[str], _second: Sequence[str]) -> Scored:
        none = np.zeros(len(first), dtype=np.bool_)
        return Scored(np.random.default_rng(0).random(len(first)), none, none)

    frozen = Frozen(frozen.record, score)
    seen = run(*_version_1(plan), [frozen]).bars[0]
    assert seen.value is not None
    assert seen.low is not None
    # Between the end and the value: reached by the one rule, and not by the other.
    between = plan.read_text().replace("at_least = 0.9", f"at_least = {(seen.value + seen.low) / 2}")
    plan.write_text(between)
    report = run(*_version_1(plan), [frozen])
    assert (report.held_against, report.bars[0].holds) == ("value", True)
    register(plan)
    lock_path(plan).unlink()
    with pytest.raises(InputError, match="is a plan of version 1"):
        register(plan)
    plan.write_text(between.replace("repair-plan/1", "repair-plan/2"))
    register(plan)
    report = run(*registered(plan), [frozen])
    assert (report.held_against, report.bars[0].holds) == ("lower", False)


def _version_1(plan: Path) -> tuple[RepairPlan, str]:
    """Return a plan as an earlier version registered it."""
    plan.write_text(plan.read_text().replace("repair-plan/2", "repair-plan/1"))
    lock_path(plan).write_text(
        f'schema = "denotary.repair-plan-lock/1"\nname = "animals"\nplan_sha256 = "{sha256(plan.read_bytes())}"\n'
    )
    return registered(plan)


@pytest.mark.parametrize("lock", PLANS, ids=lambda path: path.name)
def test_the_plans_of_the_case_study_are_as_they_were_registered(lock: Path) -> None:
    path = lock.with_name(lock.name.replace(".lock", ""))
    plan, found = registered(path)
    assert found in lock.read_text()
    assert plan.held_against == ("value" if "repair-plan/1" in path.read_text() else "lower")


def test_intervals_are_those_of_anchors_drawn_one_by_one() -> None:
    rng = np.random.default_rng(7)
    unit = np.sort(rng.integers(0, 40, 200))
    same, resamples = rng.random(200) < 0.4, 4_000
    hard = rng.random(40)[unit]
    right, told = rng.random(200) < 1 - 0.5 * hard, rng.random(200) < 0.9 - 0.6 * hard
    approved = right == same
    of = [np.flatnonzero(unit == anchor) for anchor in np.unique(unit)]
    drawn = []
    for _ in range(resamples):
        rows = np.concatenate([of[at] for at in rng.integers(0, len(of), len(of))])
        drawn.append((told[rows].mean(), balanced_accuracy(approved[rows], same[rows])))
    for found, draws in zip(
        (share_interval(told, unit, resamples), balanced_interval(approved, same, unit, resamples)),
        np.transpose(drawn),
        strict=True,
    ):
        error = np.sqrt(2 * 0.025 * 0.975 / resamples) / (norm.pdf(norm.ppf(0.975)) / np.std(draws))
        assert found == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=4 * error)


def test_where_no_resample_differs_the_ends_are_bounds_and_no_point() -> None:
    every, unit = np.ones(30, dtype=np.bool_), np.arange(30)
    exact = binomtest(30, 30).proportion_ci(0.95)
    assert share_interval(every, unit, 500) == pytest.approx((exact.low, 1.0))
    assert share_interval(~every, unit, 500) == pytest.approx((0.0, 1 - exact.low))
    assert share_interval(every[:0], unit[:0], 500) == pytest.approx((np.nan, np.nan), nan_ok=True)
    same = np.tile([True, False], 15)
    low, high = balanced_interval(same, same, unit // 2, 500)
    # Each kind alone has one case an anchor and half of the chance of a miss.
    assert (low, high) == pytest.approx((binomtest(15, 15).proportion_ci(0.975).low, 1.0))
    half = np.tile([True, False], 15)
    low, high = share_interval(half, unit // 2, 500)
    assert low < 0.5 < high
    assert np.isnan(balanced_interval(every, every, unit, 500)).all()


def test_the_interval_of_a_balanced_accuracy_covers() -> None:
    rng = np.random.default_rng(8)
    hits, unit, same = 0, np.repeat(np.arange(60), 2), np.tile([True, False], 60)
    for _ in range(200):
        # An anchor is easy or hard: 0.95 or 0.55 right, so that its pairs go together.
        right = rng.random(120) < np.where(rng.random(60) < 0.5, 0.95, 0.55)[unit]
        low, high = balanced_interval(right == same, same, unit, 500)
        hits += low <= 0.75 <= high
    assert 0.89 <= hits / 200 <= 0.99


def test_a_row_has_an_interval_round_each_figure(halves: Corpus, frozen: Frozen) -> None:
    pairs = halves.half("B").pairs
    said = frozen.score(list(pairs.first), list(pairs.second))
    told = np.arange(len(pairs)) % 5 > 0
    planned = PlannedCorpus(name="all", source="shipped", role="other author")
    for row in judged_rows("r", planned, pairs, Scored(said.scores, ~told, said.failed)):
        for low, value, high in (
            (row.balanced_low, row.balanced_accuracy, row.balanced_high),
            (row.decided_low, row.decided_share, row.decided_high),
        ):
            assert low is not None
            assert value is not None
            assert high is not None
            assert 0.0 <= low < value < high <= 1.0
