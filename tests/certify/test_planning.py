"""What a policy costs and what a suite can claim at best."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from denotary.canonical import canonical_json
from denotary.certify import Plan, plan, require_feasible
from denotary.certify.plan_figure import plan_figure
from denotary.certify.plan_tables import tables
from denotary.errors import ExitCode, InfeasibleError, InputError
from denotary.measures.records import Fact
from denotary.suites import load_suite
from denotary.suites.suite import Suite


@pytest.fixture(scope="module")
def starter() -> Suite:
    return load_suite("bundled:starter")


def by_gate(made: Plan, gate: str, where: str = "all") -> Any:
    (found,) = [item for item in made.prospects if (item.gate, item.slice) == (gate, where)]
    return found


def test_without_a_suite_the_plan_prices_every_gate_and_selector() -> None:
    made = plan("c3")
    assert (made.policy, made.alpha, made.looks, made.suite, made.qualification, made.claims) == (
        "c3", 0.05, 1, None, "", {}
    )  # fmt: skip
    assert by_gate(made, "assignment_risk").needs[0].units == 2995
    assert by_gate(made, "unknown", "language:advertised").needs[5].units == 10511
    assert by_gate(made, "ambiguity").judgements == (20_965, 29_950)
    assert made.infeasible == ()
    assert list(made.sentences()) == []


def test_the_assigned_share_stretches_the_gates_on_assigned_codes_alone() -> None:
    made = plan("c3", assigned_share=0.6)
    assert by_gate(made, "assignment_risk").needs[0].planned == 4992
    assert by_gate(made, "unknown").needs[0].planned == 2995


@pytest.mark.parametrize("share", [0.0, -0.1, 1.1])
def test_a_share_outside_its_range_is_refused(share: float) -> None:
    with pytest.raises(InputError, match="assigned share"):
        plan("c3", assigned_share=share)


def test_a_suite_is_counted_as_if_nothing_had_been_asked(starter: Suite) -> None:
    made = plan("c1", starter, languages=("en", "de-AT"))
    unknown = [
        unit
        for case, unit in zip(starter.cases, starter.units, strict=True)
        if case.gold.disposition == "UNKNOWN_REGISTRY"  # type: ignore[attr-defined]
    ]
    assert by_gate(made, "unknown").have == len(set(unknown))
    german = [
        unit
        for case, unit in zip(starter.cases, starter.units, strict=True)
        if case.language_slice == "de" and case.gold.disposition == "UNKNOWN_REGISTRY"  # type: ignore[attr-defined]
    ]
    assert by_gate(made, "unknown", "language=de").have == len(set(german))
    assert by_gate(made, "retrieval").have > 0  # candidates are taken for granted before anything is asked
    assert made.suite == "starter 2.0.0"


def test_the_assigned_share_is_what_a_perfect_system_would_assign(starter: Suite) -> None:
    asked = [
        (case, unit)
        for case, unit in zip(starter.cases, starter.units, strict=True)
        if case.construction.primary_family != "reviewed_exact"
    ]
    share = sum(case.gold.disposition == "SINGLE" for case, _ in asked) / len(asked)  # type: ignore[attr-defined]
    found = by_gate(plan("c1", starter), "assignment_risk")
    assert found.assigned_share == pytest.approx(share)
    assert found.have == int(len({unit for _, unit in asked}) * share)
    told = by_gate(plan("c1", starter, assigned_share=0.5), "assignment_risk")
    assert told.assigned_share == 0.5


def test_a_slice_of_answers_holds_what_a_perfect_system_would_answer(starter: Suite) -> None:
    code = "semantic_registry.abstention"
    meant = {
        unit
        for case, unit in zip(starter.cases, starter.units, strict=True)
        if case.construction.primary_family != "reviewed_exact"
        and case.gold.disposition == "SINGLE"  # type: ignore[attr-defined]
        and case.gold.acceptable_concept_codes == (code,)  # type: ignore[attr-defined]
    }
    found = by_gate(plan("c1", starter), "critical_concept", f"answered_code={code}")
    assert (found.have, found.assigned_share) == (len(meant), 1.0)
    whole = by_gate(plan("c1", starter), "assignment_risk").assigned_share
    half = by_gate(plan("c1", starter, assigned_share=whole / 2), "critical_concept", f"answered_code={code}")
    assert (half.have, half.assigned_share) == (len(meant) // 2, pytest.approx(0.5))


def test_the_starter_suite_supports_no_tier_and_says_why(starter: Suite) -> None:
    made = plan("c1", starter, languages=("en",))
    assert made.qualification == (
        "qualification only: a public-diagnostic corpus can block a release and never certify one; "
        "494 of 494 cases are not sufficiently reviewed: 494 illustrative"
    )
    assert made.claims == {"c0": False, "c1": False, "c2": False, "c3": False, "c4": False, "c5": False}
    sentences = list(made.sentences())
    assert "; ".join(sentences[:2]) == made.qualification
    assert any(line.startswith("Unknown meanings in language en: the suite has") for line in sentences)
    with pytest.raises(InfeasibleError) as caught:
        require_feasible(made)
    assert caught.value.exit_code == ExitCode.INSUFFICIENT


def test_an_undeclared_language_is_a_slice_that_the_suite_does_not_have(starter: Suite) -> None:
    found = by_gate(plan("c1", starter), "advertised_language", "language:advertised")
    assert (found.have, found.feasible) == (0, False)


def test_a_conformance_suite_is_feasible_once_it_is_asked_twice(suite: Suite) -> None:
    made = plan("registry-exact", suite, repeats=2)
    assert (made.qualification, made.infeasible, made.claims) == ("", (), {"registry-exact": True})
    require_feasible(made)
    once = plan("registry-exact", suite, repeats=1)
    assert [item.gate for item in once.infeasible] == ["determinism"]


def test_looks_of_the_suite_raise_the_price(starter: Suite) -> None:
    manifest = msgspec.structs.replace(starter.manifest, looks=3)
    asked = replace(starter, manifest=manifest)
    made = plan("c3", asked, languages=("en",))
    assert (made.looks, made.alpha) == (3, 0.05 / 3)

    def capital(units: int) -> float:
        growth = 0.001 / 0.999
        bets = ((0.0, 0.8), (0.1, 0.1), (0.2, 0.05), (0.4, 0.05))
        return sum(weight * (1 + (1 - keep) * growth) ** units for keep, weight in bets)

    # The suite has siblings: the fewest units whose capital at the limit reaches 1 / alpha = 60.
    units = by_gate(made, "unanswered").needs[0].units
    assert capital(units) >= 60 > capital(units - 1)


def test_an_incomplete_list_is_infeasible_whatever_the_number_of_its_texts(suite: Suite) -> None:
    made = plan("registry-exact", suite, repeat_core=5)
    (item,) = made.infeasible
    assert (item.gate, item.have, item.barred) == (
        "determinism",
        5,
        "5 of 91 listed texts asked more than once",
    )
    assert list(made.sentences()) == ["Repeated calls agree: 5 of 91 listed texts asked more than once"]
    part = replace(suite, cases=suite.cases[1:], units=suite.units[1:], lines=suite.lines[1:])
    barred = {item.gate for item in plan("registry-exact", part).infeasible}
    assert barred == {
        "conformance",
        "no_forced_ambiguity",
        "declared_ambiguity",
        "escaping",
        "unicode_preservation",
    }


def test_what_a_role_can_claim_is_said_before_what_its_numbers_can(
    starter: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A policy that 128 unknown texts pass: the corpus decides whether that is a claim."""
    reviewed = Fact(name="review_sufficient", holds=True, detail="all of them")
    monkeypatch.setattr("denotary.instruments.identity.facts.review_sufficient", lambda *_: reviewed)
    path = tmp_path / "own.toml"
    path.write_text(
        'schema = "denotary.policy/1"\nid = "own"\ntitle = "Own"\ninstrument = "identity"\n'
        'track = "semantic-generalization"\nroles = ["sealed-certification"]\n'
        '[[gates]]\nid = "g"\ntitle = "G"\nkind = "bound"\nmeasure = "unknown_far"\nlimit = 0.05\n'
        '[[gates]]\nid = "l"\ntitle = "L"\nkind = "bound"\nmeasure = "unknown_far"\nlimit = 0.05\n'
        'slices = ["language:advertised"]\n'
        '[[gates]]\nid = "a"\ntitle = "A"\nkind = "evidence"\nfact = "leakage_audit"\n'
    )
    public = plan(path, starter, languages=("en",))
    assert (by_gate(public, "g").feasible, bool(public.qualification)) == (True, True)
    # The starter's cases are public, which is an error in a sealed suite.
    monkeypatch.setattr("denotary.certify.soundness.check", lambda suite: [])
    manifest = msgspec.structs.replace(starter.manifest, role="sealed-certification", controls={})
    sealed = plan(path, replace(starter, manifest=manifest), languages=("en",))
    assert sealed.qualification == ""
    assert [item.gate for item in sealed.infeasible] == ["l"]
    assert by_gate(sealed, "l", "language=en").barred == "below the evidence floors"
    assert by_gate(sealed, "a").feasible is None  # no control is declared, and one may still be


def test_floors_are_listed_for_every_concept_and_language(starter: Suite) -> None:
    found = {(f.axis, f.group, f.floor): (f.have, f.need) for f in plan("c1", starter).floors}
    english = [
        case
        for case in starter.cases
        if case.language_slice == "en" and case.construction.primary_family != "reviewed_exact"
    ]
    single = sum(case.gold.disposition == "SINGLE" for case in english)  # type: ignore[attr-defined]
    assert found["language", "en", "known single"] == (single, 100)
    assert {axis for axis, _, _ in found} == {"concept", "language"}
    assert plan("c1").floors == ()


def test_tables_and_json_say_the_same_in_a_hundred_columns(starter: Suite) -> None:
    made = plan("c1", starter, languages=("en",))
    assert msgspec.json.decode(canonical_json(made), type=Plan) == made
    found = {table.title: table for table in tables(made)}
    assert len(found) == 6
    for title, heads, rows in found.values():
        assert len(title) <= 100
        widths = [max(len(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
        assert sum(widths) + 2 * (len(widths) - 1) <= 100, title
        assert {len(row) for row in rows} == {len(heads)}
    held = found["What starter 2.0.0 holds"].rows
    assert len(held) == len(made.prospects)
    assert ("unknown", "all cases", "127", "307", "≤ 2.4 %", "no") in held
    units = next(iter(found.values())).rows
    assert units[0] == (
        "retrieval",
        "≥ 99.5 %",
        "betting",
        "616",
        "1,576",
        "2,032",
        "2,468",
        "2,882",
        "3,273",
    )
    assert [table.title for table in tables(plan("c3"))] == list(found)[:3]


def test_the_drawing_holds_the_units_and_the_power_of_the_plan() -> None:
    figure = plan_figure(plan("c3"))
    rows = {row[0]: row[1:] for row in figure.rows}
    assert rows["≤ 0.1 %, exact"][1:] == ("2,995", "4,742", "6,294", "7,752", "9,151", "10,511")
    assert rows["≥ 99.5 %, exact"][0] == "retrieval"
    for text in ("2,995 units, none may fail", "10,511 units, 5 may fail", "4,742, 6,294"):
        assert text in figure.svg
    with pytest.raises(InputError, match="no gate of policy registry-exact tolerates a rate"):
        plan_figure(plan("registry-exact"))


def test_an_own_policy_can_be_planned(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'schema = "denotary.policy/1"\nid = "own"\ntitle = "Own"\ninstrument = "identity"\ntrack = "own"\n'
        '[[gates]]\nid = "g"\ntitle = "G"\nkind = "bound"\nmeasure = "faar"\nlimit = 0.05\n'
    )
    assert by_gate(plan(path), "g").needs[0].units == 59
