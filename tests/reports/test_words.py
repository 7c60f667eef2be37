"""Numbers that are never rounded to the good side, and sentences that every projection shares."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample import Waiver

from denotary import words
from denotary.measures.records import UnitType
from denotary.reports import Report
from denotary.reports.operating import operating, operating_sentence, unknown_sentence
from denotary.verdicts.records import GateResult, Verdict

SHARES = st.floats(0, 1, allow_nan=False)


def number(text: str) -> Decimal:
    return Decimal(text.removesuffix(" %")) / 100


@given(SHARES)
def test_an_upper_bound_is_never_printed_below_itself_nor_a_lower_one_above(share: float) -> None:
    exact = Decimal(repr(share))
    assert number(words.percent(share, "up")) >= exact
    assert number(words.percent(share, "down")) <= exact


@given(SHARES)
def test_a_share_that_is_not_0_or_1_is_not_printed_as_one(share: float) -> None:
    text = words.percent(share)
    assert (text == "0 %") == (share == 0)
    assert (text == "100 %") == (share == 1)


@given(SHARES)
def test_a_printed_share_is_within_half_a_unit_of_its_third_digit(share: float) -> None:
    exact = Decimal(repr(share))
    distance = min(exact, 1 - exact)
    assert abs(number(words.percent(share)) - exact) <= max(distance * Decimal("0.05"), Decimal(0))


@given(SHARES, st.sampled_from([0.0001, 0.0005, 0.001, 0.005, 0.01, 0.99, 0.995]))
def test_a_printed_bound_agrees_with_its_verdict(bound: float, limit: float) -> None:
    # Limits have few digits, so a bound within its limit stays within it when rounded to the bad side.
    if bound <= limit:
        assert number(words.percent(bound, "up")) <= number(words.percent(limit))
    if bound >= limit:
        assert number(words.percent(bound, "down")) >= number(words.percent(limit))


@pytest.mark.parametrize(
    ("share", "near", "up", "down"),
    [
        (0.0051446449, "0.514 %", "0.515 %", "0.514 %"),
        (0.0030797379, "0.308 %", "0.308 %", "0.307 %"),
        (0.61234, "61.2 %", "61.3 %", "61.2 %"),
        (0.9963, "99.63 %", "99.63 %", "99.63 %"),
        (0.99496, "99.496 %", "99.496 %", "99.496 %"),
        (0.9999999996234, "99.9999999623 %", "100 %", "99.9999999623 %"),
        (1e-12, "0.0000000001 %", "0.0000000001 %", "0 %"),
    ],
)
def test_percent(share: float, near: str, up: str, down: str) -> None:
    assert (words.percent(share), words.percent(share, "up"), words.percent(share, "down")) == (
        near,
        up,
        down,
    )


def test_small_forms() -> None:
    assert words.plural(1, "case") == "1 case"
    assert words.plural(1000, "case") == "1,000 cases"
    assert words.fraction(3, 1042) == "3 of 1,042"
    assert words.fraction(None, None) == words.NOTHING
    assert words.bound(0.0123, upper=True) == "≤ 1.23 %"
    assert words.bound(0.98765, upper=False) == "≥ 98.76 %"
    assert words.interval(0.00481, 0.04041) == "0.481 to 4.05 %"
    assert words.interval(0.0385, 0.0481, share=False) == "0.0385 to 0.0481"
    assert words.slice_name("language=hi") == "language hi"
    assert words.slice_name("language:advertised") == "advertised language"
    assert words.slice_name("concept=a:b=c") == "concept a:b=c"
    assert words.slice_name("all") == "all cases"
    assert words.plain("unknown_far") == "Unknown far"
    assert words.plain("nll") == "NLL"


def test_every_outcome_and_verdict_has_its_words() -> None:
    assert set(words.FAILURES_FIRST) == set(words.OUTCOMES)
    assert set(words.VERDICT_ORDER) == set(words.VERDICTS) == set(words.VERDICT_MEANING)
    assert set(words.DECISIONS) == {"PROMOTE", "BLOCK", "INSUFFICIENT"}


def test_the_operating_sentence_says_all_four_numbers(report: Report) -> None:
    rows = {row.measure: row for row in report.rows if row.slice == "all"}
    coverage, risk = rows["assignment_coverage"], msgspec.structs.replace(rows["assignment_risk"], types=())
    assert coverage.value is not None
    assert risk.value is not None
    assert operating_sentence("0.62", coverage, risk) == (
        f"At production threshold t = 0.62, coverage is {words.percent(coverage.value)}, "
        f"observed AssignmentRisk is {words.percent(risk.value)}, "
        f"one-sided 95 % bound is {words.percent(risk.bound, 'up')}."
    )


def test_the_operating_sentence_names_the_value_that_its_bound_is_for(report: Report) -> None:
    row = next(row for row in report.rows if (row.measure, row.slice) == ("assignment_risk", "all"))
    types = (
        UnitType(numerator=0, denominator=6, size=6, count=1),
        UnitType(numerator=1, denominator=1, size=1, count=2),
    )
    found = msgspec.structs.replace(
        row, types=types, ratio=True, numerator=2, denominator=8, value=0.25, bound=0.99, unit_kind="seed"
    )
    assert operating_sentence("", None, found).endswith(
        "observed AssignmentRisk is 66.7 % with seeds weighed alike (25 % of the cases), one-sided 95 % bound is 99 %."
    )
    assert unknown_sentence(found).startswith(
        "UnknownFAR beside it is 66.7 % with seeds weighed alike (2 of 8), one-sided"
    )


def test_the_unknown_rate_stands_beside_the_operating_point(report: Report) -> None:
    row = next(row for row in report.rows if (row.measure, row.slice) == ("unknown_far", "all"))
    counts = f"({row.numerator} of {row.denominator})"
    assert unknown_sentence(row) == (
        f"UnknownFAR beside it is {words.percent(row.value)} {counts}, "
        f"one-sided 95 % bound is {words.percent(row.bound, 'up')}."
    )
    assert operating(report).endswith(unknown_sentence(row))
    assert "not measured" in unknown_sentence(None)
    assert "not measured" in unknown_sentence(msgspec.structs.replace(row, value=None))


def test_the_operating_sentence_is_printed_where_nothing_is_known() -> None:
    assert operating_sentence("", None, None) == (
        "At production threshold t (not declared), coverage is not measured (no case counts towards it), observed "
        "AssignmentRisk is not measured, one-sided 95 % bound is not available."
    )


def gate(name: str, verdict: str = "FAIL", slice_: str = "all") -> GateResult:
    return GateResult(gate=name, title=name.title(), measure="m", slice=slice_, verdict=verdict, reason="r")  # type: ignore[arg-type]


def test_the_first_line_holds_decision_why_qualification_waivers_and_marks(
    make: Callable[..., Report],
) -> None:
    waivers = [
        Waiver(gate=name, who="release board", why="it is under way", until="2026-12-31")
        for name in ("ambiguity", "leakage")
    ]
    report = make(60, waivers=waivers)
    line = words.first_line(report.verdict, report.illustrative)
    assert line.startswith(
        "Do not promote: the evidence is insufficient. Not shown by this much evidence: Retrieval: Recall@5"
    )
    assert "[Qualification only: a public-diagnostic corpus can block a release and never certify one" in line
    assert "[Waived: gate ambiguity is set aside by release board until 2026-12-31: it is under way; " in line
    assert (
        "[Waiver ignored: the waiver of leakage is ignored: what a release has to prove once and for all"
        in line
    )
    assert "[Illustrative: No native reviewer has read the registry or the suite.]" in line
    assert "\n" not in line


def test_an_ignored_waiver_is_said() -> None:
    verdict = Verdict(policy="p", waivers_ignored=("the waiver of x is ignored: it expired",))
    assert "[Waiver ignored: the waiver of x is ignored: it expired]" in words.first_line(verdict)


def test_a_reason_names_gates_by_title_and_says_how_many_it_leaves_out() -> None:
    names = ("unknown", "mixed", "exact", "version", "leakage", "risk")
    reason = f"failed: {', '.join((*names[:2], 'exact (3 slices)', *names[3:]))}"
    verdict = Verdict(policy="p", decision="BLOCK", reason=reason, gates=tuple(map(gate, names)))
    assert words.why(verdict) == "Failed: Unknown, Mixed, Exact (3 slices) and 3 more."


def test_a_reason_without_gates_is_left_as_it_is() -> None:
    qualified = "qualification only: a public corpus can block, never certify; its cases are unknown, mixed"
    verdict = Verdict(policy="p", reason=qualified, gates=(gate("a"),))
    assert words.why(verdict) == words.sentence_case(qualified)


def test_tally_puts_first_what_needs_attention() -> None:
    gates = [gate("a", "PASS"), gate("b", "PASS"), gate("c", "INSUFFICIENT"), gate("d", "FAIL")]
    assert words.tally(gates) == [("FAIL", 1), ("INSUFFICIENT", 1), ("PASS", 2)]
    assert words.tally_sentence(gates) == "1 fail, 1 insufficient evidence, 2 pass"


def test_a_waived_gate_is_told_with_what_it_would_have_been(make: Callable[..., Report]) -> None:
    waiver = Waiver(gate="ambiguity", who="w", why="y", until="2026-12-31")
    waived = [g for g in make(60, waivers=[waiver]).verdict.gates if g.verdict == "WAIVED"]
    assert [g.underlying for g in waived] == ["INSUFFICIENT"]
    assert replace(make(60), planned=1).planned == 1
