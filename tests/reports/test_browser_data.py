"""What script reads: every case and every slice, failures first, capped and said."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from denotary import words
from denotary.reports import CaseView, Report, html
from denotary.reports.browser import BYTE_CAP, CASE_CAP, browser_and_data, failures_first
from denotary.reports.panel_view import slice_data
from denotary.reports.safe import CLIP


def case(name: str, outcome: str = "right", **more: Any) -> CaseView:
    usual = {"unit": name, "text": name, "language": "en", "family": "f", "expected": "SINGLE"}
    return CaseView(record_id=name, outcome=outcome, **usual | more)


def test_every_case_is_on_the_page_with_all_that_is_known(
    report: Report, page_text: str, data: Callable[[str], dict[str, Any]]
) -> None:
    found = data(page_text)
    fields, names = found["cases"], found["names"]
    assert report.cases is not None
    assert sorted(fields["id"]) == sorted(c.record_id for c in report.cases)
    place = fields["id"].index("FT-0003")
    of = {name: column[place] for name, column in fields.items() if column[place] is not None}
    candidates = [
        (names[of.pop(f"candidate{k}")], of.pop(f"score{k}")) for k in range(5) if f"score{k}" in of
    ]
    assert candidates == [(code, round(score or 0, 3)) for code, score in report.cases[2].candidates]
    assert of | {"codes": [names[code] for code in of["codes"]], "answer": names[of["answer"]]} == {
        "id": "FT-0003",
        "outcome": "right",
        "text": report.cases[2].text,
        "language": report.cases[2].language,
        "family": "reviewed_exact",
        "expected": "SINGLE",
        "codes": ["semantic_registry.ambiguity_declaration"],
        "answer": "semantic_registry.ambiguity_declaration",
        "kind": "concept",
        "confidence": f"{report.cases[2].confidence:.4g}",
        "unit": "seed-0003",
        "neighbours": [list(n) for n in report.cases[2].neighbours],
        "review": "illustrative",
    }


def test_candidates_keep_their_rank_their_missing_scores_and_their_names(
    make: Callable[..., Report], data: Callable[[str], dict[str, Any]]
) -> None:
    cases = (
        case("a", candidates=(("x.one", None), ("x.two", 0.0)), answer="x.two", codes=("x.one", "x.three")),
        case("b", candidates=(("x.two", 0.25),)),
        case("c"),
    )
    found = data(html(replace(make(20), cases=cases)))
    fields, names = found["cases"], found["names"]
    assert names == ["x.two", "x.one", "x.three"]
    assert (fields["id"], fields["answer"], fields["codes"]) == (
        ["a", "b", "c"],
        [0, None, None],
        [[1, 2], None, None],
    )
    assert (fields["candidate0"], fields["score0"]) == ([1, 0, None], [None, 0.25, None])
    assert (fields["candidate1"], fields["score1"]) == ([0, None, None], [0.0, None, None])


def test_slices_are_packed_by_measure(
    report: Report, page_text: str, data: Callable[[str], dict[str, Any]]
) -> None:
    names, places, *fields = data(page_text)["slices"]
    rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in names}
    for place, row in zip(places, zip(*fields, strict=True), strict=True):
        rows[names[place]].append(row)
    expected = {name: sorted(own) for name, own in slice_data(report)["slices"].items()}
    assert {name: sorted(own) for name, own in rows.items()} == expected
    assert fields[0] == sorted(fields[0])


def test_failures_come_first_and_the_most_confident_of_them_before_all() -> None:
    cases = [
        case("a"), case("b", "wrong", confidence=0.2), case("c", "timeout"), case("d", "wrong", confidence=0.9),
        case("e", "refused_rightly"), case("f", "wrong"), case("g", "never_heard_of"),
    ]  # fmt: skip
    assert "".join(c.record_id for c in failures_first(cases)) == "dbfceag"


@given(st.lists(st.sampled_from(list(words.OUTCOMES)), min_size=1, max_size=40), st.randoms())
def test_the_order_does_not_depend_on_the_order_of_arrival(outcomes: list[str], random: Any) -> None:
    cases = [case(f"c{i}", outcome) for i, outcome in enumerate(outcomes)]
    shuffled = cases[:]
    random.shuffle(shuffled)
    assert failures_first(shuffled) == failures_first(cases)


def test_more_cases_than_fit_are_cut_and_the_page_says_so(make: Callable[..., Report]) -> None:
    report = make(200)
    assert report.cases is not None
    many = tuple(replace(c, record_id=f"{i}-{c.record_id}") for i in range(30) for c in report.cases)
    found, _ = browser_and_data(replace(report, cases=many), {"slices": {}})
    assert found is not None
    assert (len(found.listed), found.total) == (CASE_CAP, 6000)
    text = html(replace(report, cases=report.cases, cases_total=1_000_000))
    assert "200 of 1,000,000 cases are on this page, failures first" in text


def test_incompressible_text_is_cut_to_the_bytes_that_fit(make: Callable[..., Report]) -> None:
    from random import Random

    random = Random(3)
    noise = tuple(
        case(f"n{i:05d}", text="".join(chr(random.randrange(0x4E00, 0x9FFF)) for _ in range(CLIP)))
        for i in range(400)
    )
    found, data = browser_and_data(replace(make(20), cases=noise), {"slices": {}})
    assert found is not None
    assert len(data) <= BYTE_CAP
    assert 0 < len(found.listed) < 400


def test_a_long_text_is_clipped_and_says_how_long_it_was(
    make: Callable[..., Report], data: Callable[[str], dict[str, Any]]
) -> None:
    text = html(replace(make(20), cases=(case("long", "wrong", text="word " * 1000),)))
    shown = data(text)["cases"]["text"][0]
    assert shown.endswith(" … [cut here: 5,000 characters in all]")
    assert len(shown) < CLIP + 60


def test_every_slice_holds_its_measures_and_none_without_a_case(report: Report) -> None:
    found = slice_data(report)
    rows = [row for row in report.rows if "=" in row.slice and row.value is not None]
    assert sum(map(len, found["slices"].values())) == len(rows)
    hindi = {found["measures"][row[0]][0]: row[1:] for row in found["slices"]["language=hi"]}
    risk = next(row for row in rows if row.slice == "language=hi" and row.measure == "assignment_risk")
    assert hindi["AssignmentRisk"] == (
        words.fraction(risk.numerator, risk.denominator),
        words.percent(risk.value),
        words.interval(risk.low, risk.high),
        words.bound(risk.bound),
        int(risk.status == "SUFFICIENT"),
    )


def test_of_many_groups_those_with_the_most_events_are_kept(report: Report) -> None:
    base = next(row for row in report.rows if row.slice == "language=hi" and row.measure == "faar")
    rows = tuple(
        msgspec.structs.replace(base, slice=f"concept=c{i:03d}", numerator=i % 100) for i in range(200)
    )
    kept = slice_data(replace(report, rows=rows))["slices"]
    assert len(kept) == 40
    assert {f"concept=c{i:03d}" for i in (99, 199, 98, 198)} <= set(kept)
    assert "concept=c000" not in kept
