"""Comparison rows against counting by hand, statsmodels and scipy, one unit after the other."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from denotary.errors import InputError
from denotary.measures.comparing import compare, comparison, comparisons
from denotary.measures.engine import evaluate
from denotary.measures.pairs import Pairs, pair
from denotary.measures.records import ComparisonRow, Rate, Ratio, Statistic
from denotary.measures.table import Table
from denotary.statistics import betting, paired

Make = Callable[..., Table]

HARM = Rate(
    id="harm", title="Harm", panel="p", direction="lower", hides="h", event="bad", among="asked",
    slices=("all", "language"), macro=True,
)  # fmt: skip
MERIT = Rate(
    id="merit", title="Merit", panel="p", direction="higher", hides="h", event="NOT bad", among="asked",
    slices=("all", "language"),
)  # fmt: skip
RISK = Ratio(
    id="risk", title="Risk", panel="p", direction="lower", hides="h", numerator="bad AND taken",
    denominator="taken", among="asked", slices=("all", "language"),
)  # fmt: skip
SCORE = Statistic(
    id="score", title="S", panel="p", direction="lower", hides="h", function="mean(x)", among="asked"
)
LANGUAGES = ["de", "en", "fr"]


def columns(seed: int, size: int, *, siblings: bool) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    unit = np.sort(rng.integers(0, size // 3, size)) if siblings else np.arange(size)
    return {
        "unit": unit,
        "language": [LANGUAGES[int(u) % 3] for u in unit],
        "asked": rng.random(size) < 0.9,
        "bad": rng.random(size) < 0.2,
        "taken": rng.random(size) < 0.7,
    }


def two(table: Make, seed: int = 1, size: int = 300, *, siblings: bool = False) -> tuple[Pairs, Any, Any]:
    """Two systems on the same cases; the second differs in a tenth of them."""
    base = columns(seed, size, siblings=siblings)
    rng = np.random.default_rng(seed + 100)
    new = base | {
        "bad": base["bad"] ^ (rng.random(size) < 0.1),
        "taken": base["taken"] ^ (rng.random(size) < 0.1),
    }
    at = np.arange(size)
    return pair(table(**base), table(**new), at, at, base["unit"]), base, new


def rows_of(pairs: Pairs, *of: Any, **options: Any) -> dict[tuple[str, str], ComparisonRow]:
    options = dict[str, Any]({"resamples": 0, "instrument": "i", "unit_kind": "seed"}) | options
    found = compare([item if hasattr(item, "of") else comparison(item) for item in of], pairs, **options)
    return {(row.measure, row.slice): row for row in found}


def by_unit(side: Any, kept: Any, event: Any) -> dict[int, tuple[int, int]]:
    """Events and cases of each unit, counted in a loop."""
    found: dict[int, tuple[int, int]] = {}
    for unit, inside, hit in zip(side["unit"], kept, event, strict=True):
        if inside:
            k, n = found.get(int(unit), (0, 0))
            found[int(unit)] = (k + int(hit), n + 1)
    return found


@pytest.mark.parametrize("siblings", [False, True])
@pytest.mark.parametrize("name", ["all", "language=de", "language=fr"])
def test_a_rate_is_what_a_loop_over_units_counts(table: Make, *, siblings: bool, name: str) -> None:
    pairs, base, new = two(table, siblings=siblings)
    row = rows_of(pairs, HARM)["harm", name]
    inside = base["asked"] & np.array([name in {"all", f"language={x}"} for x in base["language"]])
    before, after = by_unit(base, inside, base["bad"]), by_unit(new, inside, new["bad"])
    assert (row.base_numerator, row.base_denominator) == (sum(k for k, _ in before.values()), inside.sum())
    assert (row.new_numerator, row.new_denominator) == (sum(k for k, _ in after.values()), inside.sum())
    d = [(after[u][0] - before[u][0]) / before[u][1] for u in before]
    assert (row.worse, row.better) == (sum(x > 0 for x in d), sum(x < 0 for x in d))
    assert (row.units, row.ties) == (len(d), sum(x == 0 for x in d))
    assert row.p == pytest.approx(binomtest(row.worse, row.worse + row.better).pvalue, rel=1e-9)
    assert row.p_floor == 2.0 ** (1 - row.worse - row.better)
    assert row.difference == pytest.approx(
        (new["bad"][inside].sum() - base["bad"][inside].sum()) / inside.sum()
    )
    # A bound never stands on the wrong side of the difference by case.
    assert row.difference is not None
    high, low = betting.upper_difference(d), -betting.upper_difference([-x for x in d])
    assert row.upper_bound == pytest.approx(max(high, row.difference), abs=1e-12)
    assert row.lower_bound == pytest.approx(min(low, row.difference), abs=1e-12)
    alone = all(n == 1 for _, n in before.values())
    assert row.test == ("exact McNemar" if alone else "exact sign test over unit means")


def test_with_one_case_a_unit_p_is_that_of_statsmodels(table: Make) -> None:
    pairs, base, new = two(table)
    kept = base["asked"]
    cells = [[int((kept & (base["bad"] == b) & (new["bad"] == n)).sum()) for n in (1, 0)] for b in (1, 0)]
    row = rows_of(pairs, HARM)["harm", "all"]
    assert row.p == pytest.approx(mcnemar(cells, exact=True).pvalue, rel=1e-10)
    assert (row.better, row.worse) == (cells[0][1], cells[1][0])


def test_merit_is_the_mirror_of_harm(table: Make) -> None:
    pairs, _, _ = two(table, siblings=True)
    found = rows_of(pairs, HARM, MERIT)
    harm, merit = found["harm", "all"], found["merit", "all"]
    assert (merit.worse, merit.better, merit.ties) == (harm.worse, harm.better, harm.ties)
    assert harm.difference is not None
    assert harm.upper_bound is not None
    assert harm.lower_bound is not None
    assert merit.difference == pytest.approx(-harm.difference)
    assert merit.lower_bound == pytest.approx(-harm.upper_bound, abs=1e-12)
    assert merit.upper_bound == pytest.approx(-harm.lower_bound, abs=1e-12)


def test_a_ratio_counts_its_events_among_planned_cases(table: Make) -> None:
    pairs, base, new = two(table, siblings=True)
    row = rows_of(pairs, RISK)["risk", "all"]
    kept = base["asked"]
    before = by_unit(base, kept, base["bad"] & base["taken"])
    after = by_unit(new, kept, new["bad"] & new["taken"])
    populated = [
        u
        for u in before
        if by_unit(base, kept, base["taken"])[u][0] or by_unit(new, kept, new["taken"])[u][0]
    ]
    assert row.base_denominator == (kept & base["taken"]).sum()
    assert row.new_denominator == (kept & new["taken"]).sum()
    assert (row.worse, row.better) == (
        sum(after[u] > before[u] for u in populated),
        sum(after[u] < before[u] for u in populated),
    )
    assert row.units == len(populated)
    assert row.test == "exact sign test over events per planned case"
    assert row.lower_bound is not None
    assert row.upper_bound is not None
    assert row.difference is not None
    assert row.lower_bound < row.difference < row.upper_bound


def test_types_carry_everything(table: Make) -> None:
    pairs, _, _ = two(table, siblings=True)
    for row in rows_of(pairs, HARM, RISK).values():
        if row.types:
            assert sum(t.count for t in row.types) == row.units
            assert sum(t.new_numerator * t.count for t in row.types) == row.new_numerator
            assert sum(t.base_denominator * t.count for t in row.types) == row.base_denominator


def test_slices_of_one_claim_are_adjusted_together(table: Make) -> None:
    pairs, _, _ = two(table, size=600)
    found = rows_of(pairs, HARM)
    rows = [found["harm", f"language={name}"] for name in LANGUAGES]
    want = multipletests([row.p for row in rows], method="holm")[1]
    assert [row.p_holm for row in rows] == pytest.approx(list(want))
    assert {row.family for row in rows} == {"harm by language"}
    assert found["harm", "all"].p_holm is None
    assert found["harm", "all"].family == ""


def test_the_worst_language_has_the_largest_bound(table: Make) -> None:
    pairs, _, _ = two(table)
    found = rows_of(pairs, HARM, MERIT)
    rows = [found["harm", f"language={name}"] for name in LANGUAGES]
    worst = found["harm", "language:worst"]
    assert worst.difference == max(row.difference or 0 for row in rows)
    assert worst.upper_bound == max(row.upper_bound or 0 for row in rows)
    assert worst.lower_bound is None
    assert ("merit", "language:worst") not in found


def test_the_interval_is_that_of_the_paired_bootstrap(table: Make) -> None:
    pairs, base, new = two(table, siblings=True)
    row = rows_of(pairs, HARM, resamples=4000)["harm", "all"]
    kept = base["asked"]
    before, after = by_unit(base, kept, base["bad"]), by_unit(new, kept, new["bad"])
    rng = np.random.default_rng(5)
    k0, k1, n = (np.array([x[u][i] for u in before]) for x, i in ((before, 0), (after, 0), (before, 1)))
    drawn = rng.integers(0, len(n), (4000, len(n)))
    values = k1[drawn].sum(1) / n[drawn].sum(1) - k0[drawn].sum(1) / n[drawn].sum(1)
    assert [row.low, row.high] == pytest.approx(list(np.quantile(values, [0.025, 0.975])), abs=0.006)
    assert row.interval == "paired cluster bootstrap 95 %, 4,000 resamples"


def test_intervals_are_given_where_they_are_read(table: Make) -> None:
    pairs, _, _ = two(table)
    declared = comparison(MERIT, prespecified=["language=de"])
    found = rows_of(pairs, HARM, declared, resamples=200)
    given = {key for key, row in found.items() if row.low is not None}
    assert given == {
        ("harm", "all"), ("harm", "language=de"), ("harm", "language=en"), ("harm", "language=fr"),
        ("merit", "all"), ("merit", "language=de"),
    }  # fmt: skip
    assert [key for key, row in found.items() if row.prespecified] == [("merit", "language=de")]


def test_nothing_moved_has_no_interval_and_no_equivalence(table: Make) -> None:
    base = columns(3, 60, siblings=False)
    at = np.arange(60)
    pairs = pair(table(**base), table(**base), at, at, base["unit"])
    row = rows_of(pairs, HARM, resamples=200)["harm", "all"]
    assert (row.worse, row.better, row.p, row.p_floor, row.low) == (0, 0, 1.0, 1.0, None)
    assert row.note == "no interval: degenerate"
    assert row.upper_bound is not None
    assert row.upper_bound > 0.05
    assert "0 discordant seeds: no result here could have been significant (p floor 1)" in row.said
    assert "p = 1.00 is not equivalence: the difference may be as bad as +" in row.said


@pytest.mark.parametrize(
    ("discordant", "said"), [(5, "no result here could"), (6, "p could have been as small as 0.031")]
)
def test_the_floor_of_p_is_said(table: Make, discordant: int, said: str) -> None:
    base = {
        "unit": range(100),
        "language": ["en"] * 100,
        "asked": [True] * 100,
        "bad": [False] * 100,
        "taken": [True] * 100,
    }
    new = base | {"bad": [n < discordant for n in range(100)]}
    at = np.arange(100)
    row = rows_of(pair(table(**base), table(**new), at, at, at), HARM)["harm", "all"]
    assert said in row.said
    assert float(paired.p_floor(discordant)) == row.p_floor == row.p


def test_what_has_no_counterpart_is_counted_by_slice(table: Make) -> None:
    base, new = columns(1, 30, siblings=False), columns(2, 30, siblings=False)
    pairs = pair(table(**base), table(**new), np.arange(10, 30), np.arange(0, 20), np.arange(20))
    found = rows_of(pairs, HARM)
    asked = pairs.base.flag("asked") & pairs.new.flag("asked")
    lost = (pairs.base.flag("asked") ^ pairs.new.flag("asked")).sum()
    row = found["harm", "all"]
    assert row.new_denominator == asked.sum()
    assert row.unpaired_base == base["asked"][:10].sum() + lost
    assert row.unpaired_new == new["asked"][20:].sum() + lost
    languages = [found["harm", f"language={name}"] for name in LANGUAGES]
    assert sum(r.unpaired_base for r in languages) == row.unpaired_base
    assert sum(r.unpaired_new for r in languages) == row.unpaired_new


def test_an_empty_side_has_no_difference(table: Make) -> None:
    base = columns(1, 30, siblings=False)
    new = base | {"taken": np.zeros(30, dtype=bool)}
    at = np.arange(30)
    row = rows_of(pair(table(**base), table(**new), at, at, at), RISK)["risk", "all"]
    assert (row.status, row.difference, row.new_value, row.upper_bound, row.p) == (
        "INSUFFICIENT",
        None,
        None,
        None,
        None,
    )
    assert row.base_value is not None


def test_a_need_that_one_system_does_not_meet_is_not_applicable(table: Make) -> None:
    base, at = columns(1, 30, siblings=False), np.arange(30)
    needy = Rate(**{name: getattr(HARM, name) for name in HARM.__struct_fields__} | {"needs": "confidence"})
    pairs = pair(table(**base, capabilities=["confidence"]), table(**base), at, at, at)
    row = rows_of(pairs, needy)["harm", "all"]
    assert (row.status, row.note) == ("NOT_APPLICABLE", "not both systems gave confidence")
    both = pair(
        table(**base, capabilities=["confidence"]), table(**base, capabilities=["confidence"]), at, at, at
    )
    assert rows_of(both, needy)["harm", "all"].status == "SUFFICIENT"


def test_a_slice_below_its_floors_is_insufficient(table: Make) -> None:
    base, at = columns(1, 60, siblings=False), np.arange(60)
    held = {"sufficient": {"language": frozenset(("de",))}}
    found = rows_of(pair(table(**base, **held), table(**base, **held), at, at, at), HARM)
    assert found["harm", "language=de"].status == "SUFFICIENT"
    assert (found["harm", "language=en"].status, found["harm", "language=en"].note) == (
        "INSUFFICIENT",
        "below the evidence floors",
    )


def test_systems_without_a_common_case_are_refused(table: Make) -> None:
    base = columns(1, 30, siblings=False)
    none = np.zeros(0, dtype=int)
    with pytest.raises(InputError, match="an unpaired test of systems is refused"):
        pair(table(**base), table(**base), none, none, none)
    with pytest.raises(InputError, match="paired twice"):
        pair(table(**base), table(**base), np.array([0, 1]), np.array([3, 3]), np.array([0, 1]))


def test_a_comparison_is_no_measure_of_one_table(table: Make) -> None:
    with pytest.raises(InputError, match="a Comparison cannot be evaluated over a table"):
        evaluate([comparison(HARM)], table(**columns(1, 30, siblings=False)), instrument="i", unit_kind="u")


def test_statistics_are_left_out_and_what_is_declared_is_marked() -> None:
    found = comparisons([HARM, SCORE, RISK], [("risk", "all"), ("risk", "language=de")])
    assert [(item.id, item.prespecified) for item in found] == [
        ("harm", ()),
        ("risk", ("all", "language=de")),
    ]


def test_events_over_pairs_see_both_systems(table: Make) -> None:
    pairs, base, new = two(table)
    event = Rate(
        id="new_harm", title="t", panel="p", direction="lower", hides="h", event="bad AND NOT base_bad",
        among="asked", slices=("all",),
    )  # fmt: skip
    (row,) = evaluate([event], pairs.joined(), instrument="i", unit_kind="seed", resamples=0)
    assert row.numerator == (base["asked"] & new["bad"] & ~base["bad"]).sum()


def test_rows_do_not_depend_on_the_order_of_the_pairs(table: Make) -> None:
    pairs, base, new = two(table, siblings=True)
    order = np.random.default_rng(3).permutation(300)
    shuffled = pair(table(**base), table(**new), order, order, base["unit"][order])
    options = {"instrument": "i", "unit_kind": "seed", "resamples": 300}
    declared = [comparison(HARM), comparison(RISK)]
    assert compare(declared, pairs, **options) == compare(declared, shuffled, **options)  # type: ignore[arg-type]


def test_no_comparison_no_rows(table: Make) -> None:
    assert compare([], two(table)[0], instrument="i", unit_kind="u") == ()


def test_labels_that_are_called_otherwise_are_merged(table: Make) -> None:
    made = table(x=[1, 2, 3], code=["a", "b", "c"])
    found = made.relabelled(["code"], {"a": "c", "b": "d"}).coded["code"]
    assert [found.labels[code] for code in found.codes] == ["c", "d", "c"]
    assert sorted(found.labels) == ["c", "d"]
