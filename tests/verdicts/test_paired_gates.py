"""The gate on two systems: within the tolerance, a supported increase, or neither."""

import math
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from denotary.errors import InputError, IntegrityError
from denotary.measures.measurement import Corpus, Measurement
from denotary.measures.records import ComparisonRow, Fact, PairType, Rate
from denotary.statistics import betting, planning
from denotary.statistics.paired_ratios import margin_test
from denotary.verdicts import judge
from denotary.verdicts.decision import REVIEW_FACT
from denotary.verdicts.paired_gates import increase
from denotary.verdicts.policies import refuse_design, refuse_unfit_measures
from denotary.verdicts.policy_problems import policy_problems as problems
from denotary.verdicts.records import Gate, GateResult, Policy
from denotary.words import points

Types = list[tuple[int, int, int, int, int, int]]


def row(types: Types, *, ratio: bool = False, direction: Any = "lower", **more: Any) -> ComparisonRow:
    """A comparison with these types: base events and population, new ones, size, units."""
    found = tuple(PairType(*t) for t in types)
    sums = [sum(t[i] * t[5] for t in types) for i in range(4)]
    base, new = (sums[i] / sums[i + 1] if sums[i + 1] else None for i in (0, 2))
    sign = 1 if direction == "lower" else -1
    worse = sum(t[5] for t in types if sign * (t[2] - t[0]) > 0)
    better = sum(t[5] for t in types if sign * (t[2] - t[0]) < 0)
    units = sum(t[5] for t in types)
    facts: dict[str, Any] = {
        "instrument": "identity", "measure": "harm", "slice": "all", "base_numerator": sums[0],
        "base_denominator": sums[1], "new_numerator": sums[2], "new_denominator": sums[3], "base_value": base,
        "new_value": new, "difference": None if base is None or new is None else new - base, "low": None,
        "high": None, "interval": "", "units": units, "unit_kind": "seed", "worse": worse, "better": better,
        "ties": units - worse - better, "test": "t", "p": 1.0, "p_floor": 1.0, "p_holm": None, "family": "",
        "lower_bound": None, "upper_bound": None, "bound_method": "betting", "said": "", "prespecified": True,
        "unpaired_base": 0, "unpaired_new": 0, "status": "SUFFICIENT", "direction": direction, "hides": "",
        "panel": "p", "ratio": ratio, "types": found,
    }  # fmt: skip
    return ComparisonRow(**facts | more)


def judged(found: ComparisonRow | None, limit: float = 0.01, looks: int = 1, **more: Any) -> GateResult:
    gate = Gate(id="g", title="G", kind="paired", measure="harm", limit=limit, **more)
    policy = Policy(
        schema="denotary.policy/1", id="p", title="P", instrument="identity", track="non-regression",
        design="paired", roles=("regression",), gates=(gate,), looks=looks,
    )  # fmt: skip
    measurement = Measurement(
        instrument="identity", unit_kind="seed", suite=Corpus("s", "regression", 1, "reviewed", {}),
        snapshot_id="r", outcomes={}, facts=(Fact(name=REVIEW_FACT, holds=True, detail="reviewed"),),
        comparisons=() if found is None else (found,),
    )  # fmt: skip
    return judge(measurement, policy).gates[0]


ALIKE: Types = [(0, 1, 0, 1, 1, 380), (1, 1, 1, 1, 1, 20)]


def test_enough_units_that_are_alike_pass() -> None:
    needed = planning.units_for(0.01, 0, 0.05, "paired")
    found = judged(row([(0, 1, 0, 1, 1, needed)]))
    assert found.verdict == "PASS"
    assert found.bound == pytest.approx(betting.upper_difference([0.0], [needed]))
    assert found.reason == (
        f"the increase is at most +0.999 pp, within the tolerance +1 pp "
        f"({needed} seeds: 0 worse, 0 better, {needed} alike)"
    )
    assert judged(row([(0, 1, 0, 1, 1, needed - 1)])).verdict == "INSUFFICIENT"


def test_no_difference_in_few_units_is_no_pass() -> None:
    found = judged(row([(0, 1, 0, 1, 1, 20)]))
    assert (found.verdict, found.value) == ("INSUFFICIENT", 0.0)
    assert "may be as large as" in found.reason
    assert found.needed == "more seeds that both systems are asked"


def test_a_supported_increase_fails() -> None:
    found = judged(row([(0, 1, 1, 1, 1, 30), (0, 1, 0, 1, 1, 370)]))
    assert found.verdict == "FAIL"
    assert found.value == pytest.approx(30 / 400)
    assert (found.numerator, found.denominator, found.base_numerator, found.base_denominator) == (
        30,
        400,
        0,
        400,
    )
    assert found.paired
    assert found.reason.startswith("an increase of at least +")


def test_an_increase_within_the_tolerance_passes_though_it_is_supported() -> None:
    types: Types = [(0, 1, 1, 1, 1, 60), (0, 1, 0, 1, 1, 19_940)]
    low, high = increase(row(types), 0.05)
    assert 0.0 < low < high < 0.02
    assert judged(row(types), limit=0.02).verdict == "PASS"
    assert judged(row(types), limit=0.001).verdict == "FAIL"


def test_what_is_neither_is_insufficient() -> None:
    types: Types = [(0, 1, 1, 1, 1, 12), (1, 1, 0, 1, 1, 10), (0, 1, 0, 1, 1, 378)]
    assert judged(row(types)).verdict == "INSUFFICIENT"


def test_the_bound_is_that_of_the_margin_test_and_never_below_the_difference_by_case() -> None:
    types: Types = [(0, 4, 3, 4, 4, 6), (0, 1, 0, 1, 1, 594), (1, 2, 0, 2, 2, 3)]
    first = [[t[i] for t in types] for i in range(6)]
    want = margin_test((first[2], first[3], first[0], first[1], first[4], first[5]), 0.01)
    low, high = increase(row(types), 0.05)
    by_case = row(types).difference
    assert by_case is not None
    assert (low, high) == pytest.approx((min(want.low, by_case), max(want.high, by_case)))
    # Few large units that fail together: by case the increase is twice as large.
    large: Types = [(0, 50, 50, 50, 50, 1), (0, 1, 0, 1, 1, 20_000)]
    assert increase(row(large), 0.05)[1] >= 50 / 20_050


def test_a_ratio_is_judged_by_its_own_bound() -> None:
    types: Types = [(0, 1, 0, 1, 1, 1000), (0, 0, 0, 1, 1, 50), (1, 1, 1, 1, 1, 20)]
    first = [[t[i] for t in types] for i in range(6)]
    want = margin_test((first[2], first[3], first[0], first[1], first[4], first[5]), 0.01, ratio=True)
    assert increase(row(types, ratio=True), 0.05) == pytest.approx((want.low, want.high))


def test_where_higher_is_better_a_decrease_is_the_harm() -> None:
    lost: Types = [(1, 1, 0, 1, 1, 30), (1, 1, 1, 1, 1, 370)]
    found = judged(row(lost, direction="higher"))
    assert found.verdict == "FAIL"
    assert found.value == pytest.approx(30 / 400)
    assert judged(row(lost, direction="lower")).verdict == "PASS"
    low, high = increase(row(lost, direction="higher"), 0.05)
    assert (low, high) == pytest.approx(increase(row([(0, 1, 1, 1, 1, 30), (0, 1, 0, 1, 1, 370)]), 0.05))


def test_the_ends_of_the_interval_are_turned_to_harm() -> None:
    found = judged(row(ALIKE, direction="higher", low=-0.03, high=0.01))
    assert (found.low, found.high) == (-0.01, 0.03)
    found = judged(row(ALIKE, low=-0.03, high=0.01))
    assert (found.low, found.high) == (-0.03, 0.01)


def test_looks_share_the_error() -> None:
    needed = planning.units_for(0.01, 0, 0.05, "paired")
    found = judged(row([(0, 1, 0, 1, 1, needed)]), looks=3)
    assert found.verdict == "INSUFFICIENT"
    assert found.alpha == pytest.approx(0.05 / 3)


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (None, "the systems were not compared here"),
        (row([(0, 0, 1, 1, 1, 5)], ratio=True), "one of the systems has no case in the denominator here"),
        (row([], note="not both systems gave confidence"), "not both systems gave confidence"),
    ],
)
def test_nothing_passes_by_absence(found: ComparisonRow | None, reason: str) -> None:
    result = judged(found)
    assert (result.verdict, result.reason) == ("INSUFFICIENT", reason)


def test_fewer_units_than_required_and_slices_below_their_floors_are_insufficient() -> None:
    plenty: Types = [(0, 1, 0, 1, 1, 2000)]
    short = judged(row(plenty), minimum_units=2001)
    assert (short.verdict, short.reason) == ("INSUFFICIENT", "2,000 seeds where at least 2,001 are required")
    below = judged(row(plenty, status="INSUFFICIENT", note="below the evidence floors"))
    assert (below.verdict, below.reason) == ("INSUFFICIENT", "below the evidence floors")
    failing = row([(0, 1, 1, 1, 1, 50), (0, 1, 0, 1, 1, 50)], status="INSUFFICIENT", note="below")
    assert judged(failing, minimum_units=2001).verdict == "FAIL"


@pytest.mark.parametrize("name", ["base_numerator", "base_denominator", "new_numerator", "new_denominator"])
def test_edited_counts_are_refused(name: str) -> None:
    edited = msgspec.structs.replace(row(ALIKE), **{name: getattr(row(ALIKE), name) - 1})
    with pytest.raises(IntegrityError) as caught:
        judged(edited)
    assert str(caught.value) == (
        "harm [all]: the counts of a comparison are not those of its units\n"
        "  hint: compare the runs again; rows are not to be edited"
    )


def test_an_increase_that_reaches_the_tolerance_is_within_it() -> None:
    high = increase(row(ALIKE), 0.05)[1]
    assert judged(row(ALIKE), limit=high).verdict == "PASS"
    assert judged(row(ALIKE), limit=math.nextafter(high, 0.0)).verdict == "INSUFFICIENT"
    # An increase is supported from its lower bound above nought on, not from a difference of one unit.
    assert judged(row([(0, 1, 1, 1, 1, 1), (0, 1, 0, 1, 1, 19)])).verdict == "INSUFFICIENT"


def test_what_a_pass_would_take_is_said() -> None:
    assert judged(None).needed == "cases for this claim"
    assert judged(row([(0, 0, 1, 1, 1, 5)], ratio=True)).needed == "seeds that both systems can be judged on"
    plenty: Types = [(0, 1, 0, 1, 1, 2000)]
    assert judged(row(plenty), minimum_units=2001).needed == "more seeds that both systems are asked"
    below = judged(row(plenty, status="INSUFFICIENT", note="below"))
    assert below.needed == "cases up to the evidence floors"
    assert judged(row(plenty)).needed == ""
    worse = judged(row([(0, 1, 1, 1, 1, 30), (1, 1, 0, 1, 1, 2), (0, 1, 0, 1, 1, 368)]))
    assert worse.needed == "mend what became worse, then ask again"
    low = increase(row([(0, 1, 1, 1, 1, 30), (1, 1, 0, 1, 1, 2), (0, 1, 0, 1, 1, 368)]), 0.05)[0]
    assert worse.reason == (
        f"an increase of at least {points(low, 'down')} is supported "
        "(400 seeds: 30 worse, 2 better, 368 alike)"
    )
    found = judged(row(ALIKE), limit=0.001)
    high = increase(row(ALIKE), 0.05)[1]
    # A bound is never told smaller than it is, where a PASS says it too.
    assert points(high, "up") != points(high)
    assert judged(row(ALIKE), limit=0.5).reason.startswith(f"the increase is at most {points(high, 'up')},")
    assert found.reason == (
        f"the increase may be as large as {points(high, 'up')}, which is not within the tolerance +0.1 pp "
        "(400 seeds: 0 worse, 0 better, 400 alike)"
    )
    assert (found.bound, found.bound_method, found.units) == (high, "betting", 400)


def policy(*gates: Gate, design: Any = "paired") -> Policy:
    return Policy(
        schema="denotary.policy/1", id="own", title="t", instrument="identity", track="non-regression",
        design=design, gates=gates,
    )  # fmt: skip


PAIRED = Gate(id="g", title="t", kind="paired", measure="harm", limit=0.01)


@pytest.mark.parametrize(
    ("gate", "design", "problem"),
    [
        (PAIRED, "single", "kind 'paired' needs a policy with design = \"paired\""),
        (msgspec.structs.replace(PAIRED, limit=None), "paired", "limit is None; kind 'paired' needs one"),
        (msgspec.structs.replace(PAIRED, limit=0.0), "paired", "limit is 0.0; kind 'paired' needs one"),
        (msgspec.structs.replace(PAIRED, measure=""), "paired", "kind 'paired' needs a measure"),
    ],
)
def test_a_gate_that_could_not_mean_what_it_says_is_refused(gate: Gate, design: str, problem: str) -> None:
    assert any(problem in found for found in problems(policy(gate, design=design), "identity"))


def test_a_policy_is_for_one_run_or_for_two() -> None:
    refuse_design(policy(PAIRED), "paired")
    with pytest.raises(InputError, match="policy own compares two runs") as caught:
        refuse_design(policy(PAIRED), "single")
    assert caught.value.hint == "denotary compare BASE NEW --policy own --out FOLDER"
    with pytest.raises(InputError, match="judges one run and compares nothing"):
        refuse_design(policy(design="single"), "paired")


def rate(name: str, **more: Any) -> Rate:
    usual: dict[str, Any] = {
        "title": "t",
        "panel": "p",
        "direction": "lower",
        "hides": "h",
        "event": "x",
        "among": "TRUE",
    }
    return Rate(id=name, **usual | more)


def test_gates_on_two_runs_read_comparisons_and_events_over_pairs(tmp_path: Any) -> None:
    zero = Gate(id="z", title="t", kind="zero", measure="new_harm")
    measures, events = [rate("harm"), rate("merit", direction="higher")], [rate("new_harm")]
    refuse_unfit_measures(policy(PAIRED, zero), measures, tmp_path, regressions=events)
    merit = msgspec.structs.replace(PAIRED, measure="merit")
    refuse_unfit_measures(policy(merit), measures, tmp_path, regressions=events)
    for wrong in (
        msgspec.structs.replace(zero, measure="harm"),
        msgspec.structs.replace(PAIRED, measure="new_harm"),
    ):
        with pytest.raises(InputError, match=f"there is no measure {wrong.measure!r} for a gate of kind"):
            refuse_unfit_measures(policy(wrong), measures, tmp_path, regressions=events)
    with pytest.raises(InputError, match="side 'lower' would pass the worst"):
        refuse_unfit_measures(policy(msgspec.structs.replace(merit, side="lower")), measures, tmp_path)


def test_the_shipped_tolerances_are_these() -> None:
    from denotary.instruments.identity import INSTRUMENT
    from denotary.verdicts import load_policy

    loaded = load_policy("regression", INSTRUMENT)
    tolerances = {(g.measure, g.slices): g.limit for g in loaded.gates if g.kind == "paired"}
    assert tolerances == {
        ("assignment_risk", ("all",)): 0.005,
        ("unknown_far", ("all",)): 0.005,
        ("ambiguity_forced", ("all",)): 0.005,
        ("assignment_risk", ("language:advertised",)): 0.01,
    }
    assert {g.measure or g.fact for g in loaded.gates if g.kind != "paired"} == {
        "cases_aligned", "base_answered", "capabilities_kept", "new_exact_error", "new_critical_error",
        "no_new_systematic_confusion", "new_confident_error", "new_injection_success", "new_instability",
    }  # fmt: skip
    instrument: Any = SimpleNamespace(name="identity", policies=INSTRUMENT.policies)
    assert load_policy("regression", instrument) == loaded
