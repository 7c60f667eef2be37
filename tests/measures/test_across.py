"""Macro means and worst languages."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from denotary.measures import across
from denotary.measures.engine import evaluate
from denotary.measures.records import Rate, Ratio
from denotary.measures.table import Table

Make = Callable[..., Table]
COMMON: Any = {"title": "t", "panel": "p", "hides": "h", "slices": ("all", "language"), "macro": True}
BAD = Rate(id="bad", direction="lower", event="bad", among="TRUE", **COMMON)
GOOD = Rate(id="good", direction="higher", event="NOT bad", among="TRUE", **COMMON)
RISK = Ratio(id="risk", direction="lower", numerator="bad AND given", denominator="given", **COMMON)


def run(table: Table, *measures: Any, resamples: int = 0) -> dict[tuple[str, str], Any]:
    found = evaluate(measures, table, instrument="i", unit_kind="seed", resamples=resamples)
    return {(row.measure, row.slice): row for row in found}


@pytest.fixture
def data() -> dict[str, Any]:
    rng = np.random.default_rng(4)
    language = rng.choice(["aa", "bb", "cc"], 600, p=[0.7, 0.2, 0.1])
    rate = np.where(language == "aa", 0.1, np.where(language == "bb", 0.3, 0.6))
    return {
        "bad": (rng.random(600) < rate).tolist(),
        "given": (rng.random(600) < 0.8).tolist(),
        "language": language.tolist(),
        "unit": rng.integers(0, 150, 600),
    }


def test_the_macro_mean_weighs_languages_alike(data: Any, table: Make) -> None:
    found = run(table(**data), BAD, GOOD, RISK)
    for measure in ("bad", "good", "risk"):
        parts = [found[measure, f"language={name}"].value for name in ("aa", "bb", "cc")]
        assert found[measure, "language:macro"].value == pytest.approx(np.mean(parts))
    macro = found["bad", "language:macro"]
    assert (macro.low, macro.high, macro.bound, macro.types, macro.numerator) == (None, None, None, (), None)
    assert macro.units == len(np.unique(data["unit"]))


def test_the_macro_mean_leaves_out_what_is_below_its_floors(data: Any, table: Make) -> None:
    found = run(table(**data, sufficient={"language": frozenset(("aa", "bb"))}), BAD)
    macro, worst = found["bad", "language:macro"], found["bad", "language:worst"]
    kept = [found["bad", f"language={name}"].value for name in ("aa", "bb")]
    assert macro.value == pytest.approx(np.mean(kept))
    assert macro.note == "1 of 3 languages are left out for want of evidence"
    assert worst.value == found["bad", "language=cc"].value


def test_the_interval_of_the_macro_mean_resamples_units(data: Any, table: Make) -> None:
    macro = run(table(**data), RISK, resamples=3000)["risk", "language:macro"]
    rng = np.random.default_rng(8)
    bad, given, unit, language = (np.asarray(data[name]) for name in ("bad", "given", "unit", "language"))
    held = np.unique(unit)
    draws = []
    for _ in range(1500):
        times = np.bincount(rng.choice(held, len(held)), minlength=held.max() + 1)[unit]
        parts = [
            (times * (bad & given))[language == name].sum() / (times * given)[language == name].sum()
            for name in ("aa", "bb", "cc")
        ]
        draws.append(np.mean(parts))
    low, high = np.quantile(draws, [0.025, 0.975])
    assert (macro.low, macro.high) == pytest.approx((low, high), abs=0.1 * (high - low))
    assert macro.interval == "cluster bootstrap 95 %, 3,000 resamples"


def test_measures_are_resampled_together_or_in_batches(
    data: Any, table: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = run(table(**data), BAD, GOOD, RISK, resamples=500)
    monkeypatch.setattr(across, "_TOGETHER", 0)
    apart = run(table(**data), BAD, GOOD, RISK, resamples=500)
    for measure in ("bad", "good", "risk"):
        one, other = together[measure, "language:macro"], apart[measure, "language:macro"]
        assert one.value == other.value
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=0.2 * (one.high - one.low))


def test_the_worst_language_is_on_the_bad_side_and_bounded_by_the_worst_bound(data: Any, table: Make) -> None:
    found = run(table(**data), BAD, GOOD)
    for measure, pick in (("bad", max), ("good", min)):
        parts = [found[measure, f"language={name}"] for name in ("aa", "bb", "cc")]
        worst = found[measure, "language:worst"]
        assert worst.value == pick(row.value for row in parts)
        assert worst.bound == pick(row.bound for row in parts)
        assert worst.note == "worst: language=cc"
        assert (worst.numerator, worst.denominator) == (parts[2].numerator, parts[2].denominator)


def test_a_language_without_a_case_is_said(table: Make) -> None:
    data = table(bad=[True, False], given=[True, False], language=["aa", "bb"])
    worst = run(data, RISK)["risk", "language:worst"]
    assert (worst.value, worst.note) == (1.0, "worst: language=aa; 1 of 2 languages have no case")
    nothing = run(table(bad=[True], given=[False], language=["aa"]), RISK)
    assert nothing["risk", "language:worst"].status == "INSUFFICIENT"
    assert nothing["risk", "language:macro"].value is None
