"""Facts that gates read."""

from dataclasses import replace
from typing import Any

import measured as m  # type: ignore[import-not-found]
import msgspec
import pytest

from denotary.instruments.identity.facts import CONTROLS, facts
from denotary.instruments.identity.table import table
from denotary.measures.records import Fact
from denotary.registry.records import Ambiguity, Concept, Expression, Review
from denotary.runs.records import Identity

DIGEST = "a" * 64
DAYS = {"threshold_fixed_on": "2031-01-30", "test_date": "2031-01-31"}


def fact(name: str, suite: Any, answers: Any = (), **identity: Any) -> Fact:
    found = {item.name: item for item in facts(suite, table(suite, answers), Identity(**identity))}
    return found[name]


def expression(name: str, text: str, code: str, language: str = "en") -> Expression:
    review = Review(by="r", on="2026-01-01", status="approved")
    return Expression(id=name, text=text, language=language, script="Latn", codes=(code,), review=review)


EXPRESSIONS = (expression("e1", "one", "c.one"), expression("e2", "two", "c.two"))
AMBIGUITIES = (Ambiguity(id="a1", text="both", language="en", codes=("c.one", "c.two"), kind="closed"),)
ASKED = {
    "one": ("SINGLE", ("c.one",)),
    "two": ("SINGLE", ("c.two",)),
    "both": ("AMBIGUOUS", ("c.one", "c.two")),
}


def conformance(asked: dict[str, Any], *, family: str = "reviewed_exact", **registry: Any) -> Fact:
    found = m.registry(**({"expressions": EXPRESSIONS, "ambiguities": AMBIGUITIES} | registry))
    cases = [m.case(text, gold, codes, primary_family=family) for text, (gold, codes) in asked.items()]
    return fact("conformance_complete", m.suite(cases or [m.case("other")], of=found))


def test_conformance_is_complete_when_every_text_is_asked_with_its_gold() -> None:
    found = conformance(ASKED | {"nothing": ("EXACT_MISS", ())})
    assert found.holds is True
    assert found.detail == "all 3 expressions and ambiguities of the snapshot are asked, and 1 listed misses"


@pytest.mark.parametrize("missing", ["one", "two", "both"])
def test_conformance_names_what_is_missing(missing: str) -> None:
    found = conformance({text: gold for text, gold in ASKED.items() if text != missing})
    assert found.holds is False
    assert {"one": "e1", "two": "e2", "both": "a1"}[missing] in found.detail
    assert missing not in found.detail.split(": ")[1]


def test_conformance_with_another_gold_is_not_conformance() -> None:
    assert conformance(ASKED | {"one": ("SINGLE", ("c.two",))}).holds is False


def test_a_suite_without_reviewed_expressions_and_a_registry_without_any() -> None:
    assert conformance(ASKED, family="hard_negative").holds is False
    assert conformance(ASKED, expressions=()).holds is None


def test_an_expression_that_is_asked_as_another_kind_of_text_is_not_asked() -> None:
    """Conformance counts the family of reviewed expressions; a paraphrase that reads like one is no look-up."""
    registry = m.registry(expressions=EXPRESSIONS, ambiguities=())
    cases = [m.case("one", primary_family="reviewed_exact"), m.case("two", codes=("c.two",))]
    found = fact("conformance_complete", m.suite(cases, of=registry))
    assert (found.holds, found.detail.endswith("are not asked: e2")) == (False, True)


def test_every_listed_text_is_asked_again_or_it_is_said() -> None:
    exact = [m.case(name, primary_family="reviewed_exact") for name in ("a", "b")]
    first = [m.answer(name, "c.one") for name in ("a", "b", "c")]
    again = [m.answer(name, "c.one", repeat=1) for name in ("a", "b")]
    suite = m.suite([*exact, m.case("c")])
    assert fact("repeats_complete", suite, [*first, *again]).holds is True
    found = fact("repeats_complete", suite, [*first, again[0]])
    assert (found.holds, found.detail) == (False, "1 of 2 listed texts asked more than once")
    assert fact("repeats_complete", m.suite([m.case("c")]), first[2:]).holds is None


def test_one_unit_is_chance_and_two_are_a_cluster() -> None:
    cases = [m.case(f"n{index}", semantic_seed_id=f"s{index // 2}") for index in range(4)]
    name = "no_systematic_cluster"
    within_one = [m.answer("n0", "c.two"), m.answer("n1", "c.two"), m.answer("n2", "c.three")]
    assert fact(name, m.suite(cases), within_one).holds is True
    found = fact(name, m.suite(cases), [*within_one, m.answer("n3", "c.two")])
    assert found.holds is False
    assert "c.one taken for c.two in 2 units" in found.detail


def test_a_code_that_is_called_as_a_disposition_is_still_confused() -> None:
    concepts = {
        code: Concept(
            code=code, definitions={"en": code}, semantic_type="t", consequence_tier="C3", owner="o"
        )
        for code in ("MIXED", "c.two")
    }
    cases = [m.case("a", codes=("MIXED",)), m.case("b", codes=("MIXED",)), m.case("c", "UNKNOWN_REGISTRY")]
    answers = [m.answer(name, "c.two") for name in ("a", "b", "c")]
    found = fact("no_systematic_cluster", m.suite(cases, of=m.registry(concepts=concepts)), answers)
    assert found.holds is False
    assert "MIXED taken for c.two in 2 units" in found.detail


def test_a_cluster_is_ordered() -> None:
    cases = [m.case("a"), m.case("b", codes=("c.two",))]
    answers = [m.answer("a", "c.two"), m.answer("b", "c.one")]
    assert fact("no_systematic_cluster", m.suite(cases), answers).holds is True
    assert fact("no_systematic_cluster", m.suite(cases), []).holds is None


def test_unknown_meanings_taken_for_a_neighbour_that_they_name_are_a_cluster() -> None:
    """Two unknown texts snap to the concept that they lie beside; to one that they do not, it may be chance."""
    name, beside = "no_systematic_cluster", {"forbidden_neighbor_codes": ("c.two",)}
    cases = [m.case("c", "UNKNOWN_REGISTRY", **beside), m.case("d", "UNKNOWN_REGISTRY", **beside)]
    found = fact(name, m.suite(cases), [m.answer("c", "c.two"), m.answer("d", "c.two")])
    assert found.holds is False
    assert "UNKNOWN_REGISTRY taken for c.two in 2 units" in found.detail
    assert fact(name, m.suite(cases), [m.answer("c", "c.two"), m.answer("d", "c.one")]).holds is True
    siblings = [m.case(n, "UNKNOWN_REGISTRY", semantic_seed_id="s", **beside) for n in ("c", "d")]
    assert fact(name, m.suite(siblings), [m.answer("c", "c.two"), m.answer("d", "c.two")]).holds is True
    unnamed = [m.case(n, "UNKNOWN_REGISTRY") for n in ("c", "d")]
    assert fact(name, m.suite(unnamed), [m.answer("c", "c.two"), m.answer("d", "c.two")]).holds is None
    other = [m.case(n, "AMBIGUOUS", forbidden_neighbor_codes=("c.three",)) for n in ("c", "d")]
    assert fact(name, m.suite(other), [m.answer("c", "c.three"), m.answer("d", "c.three")]).holds is False


@pytest.mark.parametrize(
    ("identity", "holds"),
    [
        ({}, None),
        ({"acceptance_threshold": "0.5"}, None),
        ({"acceptance_threshold": "0.5", "calibration": "isotonic"}, None),
        ({"acceptance_threshold": "high", "calibration": DIGEST}, None),
        # Thresholds that no confidence could break, or none could meet.
        *(
            ({"acceptance_threshold": text, "calibration": DIGEST}, None)
            for text in ("-inf", "-1", "nan", "inf", "1e400")
        ),
        ({"acceptance_threshold": "0.5", "calibration": f"isotonic sha256:{DIGEST}", **DAYS}, True),
        ({"acceptance_threshold": "0.7", "calibration": DIGEST, **DAYS}, False),
        # Without both days nothing shows which came first; nor do equal ones.
        ({"acceptance_threshold": "0.5", "calibration": DIGEST}, None),
        ({"acceptance_threshold": "0.5", "calibration": DIGEST, **DAYS, "test_date": ""}, None),
        ({"acceptance_threshold": "0.5", "calibration": DIGEST, **DAYS, "threshold_fixed_on": "May"}, None),
        ({"acceptance_threshold": "0.5", "calibration": DIGEST, **DAYS, "test_date": "2031-01-30"}, None),
        ({"acceptance_threshold": "0.5", "calibration": DIGEST, **DAYS, "test_date": "2031-01-29"}, False),
    ],
)
def test_a_threshold_is_fixed_when_it_was_declared_and_kept(identity: Any, holds: Any) -> None:
    suite = m.suite([m.case("a"), m.case("b")])
    answers = [m.answer("a", "c.one", confidence=0.6), m.answer("b", kind=None, confidence=0.1)]
    assert fact("calibration_fixed", suite, answers, **identity).holds is holds


def test_a_code_without_a_confidence_breaks_a_declared_threshold() -> None:
    identity = {"acceptance_threshold": "0.5", "calibration": DIGEST}
    assert (
        fact("calibration_fixed", m.suite([m.case("a")]), [m.answer("a", "c.one")], **identity).holds is False
    )


def test_a_look_up_needs_no_confidence_and_makes_no_cluster() -> None:
    """A reviewed expression is no text that a threshold was calibrated for, and a wrong one fails its own gate."""
    cases = [m.case(name, primary_family="reviewed_exact") for name in ("e", "f")] + [m.case("a")]
    answers = [m.answer("e", "c.two"), m.answer("f", "c.two"), m.answer("a", "c.one", confidence=0.9)]
    identity = {"acceptance_threshold": "0.5", "calibration": DIGEST, **DAYS}
    assert fact("calibration_fixed", m.suite(cases), answers, **identity).holds is True
    assert fact("no_systematic_cluster", m.suite(cases), answers).holds is True
    assert fact("no_systematic_cluster", m.suite(cases[:2]), answers[:2]).holds is None


def audited(supports: str = "certification", *, role: str = "sealed-certification", **manifest: Any) -> Any:
    """A frozen suite whose ledger records a split check of its content."""
    from denotary.suites.ledger import draft
    from denotary.suites.records import SuiteLock

    lock = SuiteLock(
        schema="denotary.suite-lock/1", name="s", version="1.0.0", instrument="identity", registry_hash="",
        files={}, cases=1, units=1, records_hash="", hash="a" * 64,
    )  # fmt: skip
    sides = [
        {
            "name": "s",
            "version": "1.0.0",
            "role": role,
            "cases": 1,
            "hash": lock.hash,
            "registry": lock.registry_hash,
        },
        {"name": "tuning", "version": "1.0.0", "role": "calibration", "cases": 1, "hash": "b" * 64},
    ]
    new = {
        "suites": sides, "keys": {}, "supports": supports, "crossings": 0, "waived": 0, "gram": 5,
        "similarity": 0.7, "result": "",
    }  # fmt: skip
    entry = draft(kind="split_check", what="clean", who="w", why="y", new=new)
    suite = m.suite([m.case("a")], **manifest)
    renamed = msgspec.structs.replace(suite.manifest, role=role)
    return replace(suite, manifest=renamed, lock=lock, ledger=(entry,))


def test_a_leakage_audit_consists_of_a_recorded_split_check_and_every_control() -> None:
    done = dict.fromkeys(CONTROLS, "done")
    cases = [m.case("a")]
    assert fact("leakage_audit", m.suite(cases)).holds is None
    found = fact("leakage_audit", m.suite(cases, controls=done))
    assert (found.holds, found.detail) == (None, "no split check of this content is recorded in the ledger")
    assert fact("leakage_audit", audited()).holds is None
    found = fact("leakage_audit", audited(controls=done))
    assert found.holds is True
    assert found.detail.startswith(
        "no family crosses to tuning, texts compared at a similarity of 0.7; near_duplicates: done; "
    )
    for control in CONTROLS:
        found = fact("leakage_audit", audited(controls=done | {control: " "}))
        assert found.holds is None
        assert found.detail.endswith(control)


def test_a_split_check_counts_for_its_content_and_for_what_it_supports() -> None:
    done = dict.fromkeys(CONTROLS, "done")
    for supports in ("qualification", "diagnostic", "nothing"):
        found = fact("leakage_audit", audited(supports, controls=done))
        # A crossing was seen where the check supports nothing; of too few keys, nothing was seen.
        assert found.holds is (False if supports == "nothing" else None)
        assert found.detail == f"the recorded split checks support: {supports} against tuning"
    public = audited("qualification", role="public-diagnostic", controls=done)
    assert fact("leakage_audit", public).holds is True
    for changed in ({"hash": "c" * 64}, {"registry_hash": "c" * 64}):
        other = replace(public, lock=msgspec.structs.replace(public.lock, **changed))
        assert fact("leakage_audit", other).holds is None


def test_a_declared_threshold_asks_for_a_check_against_calibration_cases() -> None:
    done = dict.fromkeys(CONTROLS, "done")
    against_tuning = audited(controls=done)
    entry = against_tuning.ledger[0]
    ours, other = entry.new["suites"]
    public = {"suites": [ours, other | {"name": "shown", "role": "public-diagnostic"}]}
    without = replace(against_tuning, ledger=(msgspec.structs.replace(entry, new=entry.new | public),))
    assert fact("leakage_audit", without).holds is True
    declared = {"acceptance_threshold": "0.5", "calibration": DIGEST}
    found = fact("leakage_audit", without, **declared)
    assert found.holds is None
    assert (
        found.detail == "no recorded split check holds a calibration suite, and the run declares a threshold"
    )
    assert fact("leakage_audit", against_tuning, **declared).holds is True


def test_every_recorded_check_of_the_content_counts() -> None:
    suite = audited(controls=dict.fromkeys(CONTROLS, "done"))
    entry = suite.ledger[0]
    ours, other = entry.new["suites"]
    parts = {"suites": [ours, other | {"name": "shown", "hash": "c" * 64}], "supports": "nothing"}
    refused = msgspec.structs.replace(entry, new=entry.new | parts)
    found = fact("leakage_audit", replace(suite, ledger=(refused, entry)))
    assert (found.holds, found.detail) == (False, "the recorded split checks support: nothing against shown")


@pytest.mark.parametrize(
    ("later", "holds"),
    [
        # Another suite of the same name and role takes nothing back; the same content, or what came of it, does.
        ({"hash": "c" * 64}, False),
        ({"registry": "c" * 64}, False),
        ({"role": "public-diagnostic"}, False),
        ({}, True),
        ({"name": "renamed"}, True),
        ({"hash": "c" * 64, "registry": "c" * 64, "formerly": ["a" * 64, "b" * 64]}, True),
    ],
)
def test_a_refused_check_is_taken_back_by_one_of_the_same_content(later: dict[str, Any], holds: bool) -> None:
    suite = audited(controls=dict.fromkeys(CONTROLS, "done"))
    entry = suite.ledger[0]
    ours, other = entry.new["suites"]
    refused = msgspec.structs.replace(entry, new=entry.new | {"supports": "nothing"})
    clean = msgspec.structs.replace(entry, new=entry.new | {"suites": [ours, other | later]})
    assert fact("leakage_audit", replace(suite, ledger=(refused, clean))).holds is holds


def test_the_registry_and_the_critical_error() -> None:
    suite = m.suite([m.case("a")])
    assert fact("registry_frozen", suite).holds is True
    assert fact("registry_frozen", m.suite([m.case("a")], of=m.registry(lock=None))).holds is False
    assert fact("critical_error_named", suite).holds is None
    named = m.suite([m.case("a")], controls={"critical_error": "the wrong drug is dispensed"})
    assert fact("critical_error_named", named).holds is True


def test_every_fact_that_a_policy_reads_exists() -> None:
    from denotary.instruments.identity import INSTRUMENT
    from denotary.verdicts import load_policy

    suite = m.suite([m.case("a")])
    known = {item.name for item in facts(suite, table(suite, []), Identity())}
    # The facts of a comparison of two releases are found where both are at hand.
    names = sorted({path.stem for path in INSTRUMENT.policies.glob("*.toml")} - {"regression"})
    assert "c1" in names
    for name in names:
        for gate in load_policy(name, INSTRUMENT).gates:
            assert not gate.fact or gate.fact in known


def test_every_fact_that_is_not_known_says_what_to_do() -> None:
    suite = m.suite([m.case("other")])
    unknown = [item for item in facts(suite, table(suite, ()), Identity()) if item.holds is None]
    assert {item.name for item in unknown} >= {"calibration_fixed", "leakage_audit", "critical_error_named"}
    assert all(item.needed for item in unknown)
    needed = {item.name: item.needed for item in unknown}
    assert "threshold_fixed_on" in needed["calibration_fixed"]
    assert "denotary suite split check --record" in needed["leakage_audit"]
    assert all(f"controls.{control}" in needed["leakage_audit"] for control in CONTROLS)
