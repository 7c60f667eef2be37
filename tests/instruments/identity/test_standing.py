"""Tiers of languages: what is supported, by which evidence, and what a gate says of it."""

from typing import Any

import measured as m  # type: ignore[import-not-found]
import msgspec
import pytest

from denotary.instruments.identity import INSTRUMENT
from denotary.instruments.identity.standing import SERIES, Evidence, language_evidence, standings
from denotary.instruments.identity.table import table
from denotary.measures.measurement import Corpus, Measurement
from denotary.measures.records import Series
from denotary.verdicts import load_policy
from denotary.verdicts.records import GateResult, GateVerdict, Standing, Verdict

WHOLE = Evidence("de", 400, 200, 10, 20, 0, 80, 30, 60, 0, 0)
"""A language with evidence of every source, its floors met."""


def standing(
    held: Evidence, *gates: GateResult, policy: str = "c1", advertised: tuple[str, ...] = ()
) -> Standing:
    made = Measurement(
        instrument="identity", unit_kind="seed", suite=Corpus("s", "sealed-certification", 1, "reviewed", {}),
        snapshot_id="r", outcomes={}, required={"language:advertised": advertised} if advertised else {},
        series=(Series("identity", SERIES, "all", Evidence._fields, (tuple(held),)),),
    )  # fmt: skip
    found = standings(made, load_policy(policy, INSTRUMENT), Verdict(policy=policy, gates=gates))
    return next(item for item in found if item.slice == f"language={held.language}")


def gate(
    name: str, where: str, verdict: GateVerdict = "PASS", *, measure: str = "", limit: float | None = None
) -> GateResult:
    made = GateResult(
        gate=name, title=name.title(), measure=name, slice=where, verdict=verdict, reason="", limit=limit
    )
    return msgspec.structs.replace(made, measure=measure or name)


PASSED = (
    gate("risk", "all", "INSUFFICIENT", measure="m", limit=0.01),
    gate("language", "language=de", measure="m", limit=0.01),
    gate("language", "language=en", "FAIL", measure="m", limit=0.01),
    gate("concept", "concept=x", "INSUFFICIENT", measure="m", limit=0.01),
    gate("audit", "all"),
    gate("ambiguity", "all", "NOT_APPLICABLE"),
)
"""German passes by itself; English fails, so the limit over all cases is open too."""


def test_a_language_that_passes_every_gate_alone_is_certified_whatever_another_does() -> None:
    found = standing(WHOLE, *PASSED)
    assert (found.tier, found.title, found.reason) == ("L3", "certified", "passes every gate of c1 alone")
    assert (found.evidence["native"], found.evidence["translated"], found.evidence["cases"]) == (200, 10, 400)
    assert standing(WHOLE._replace(language="en"), *PASSED).tier == "L1"


@pytest.mark.parametrize("verdict", ["INSUFFICIENT", "EXPLORATORY", "WAIVED"])
@pytest.mark.parametrize("place", [1, 4])
def test_a_gate_that_is_not_passed_leaves_it_qualified(verdict: GateVerdict, place: int) -> None:
    gates = list(PASSED)
    gates[place] = msgspec.structs.replace(gates[place], verdict=verdict)
    found = standing(WHOLE, *gates)
    assert found.tier == "L2"
    assert found.reason == f"floors met; not shown: {gates[place].title}"


def test_a_failure_of_its_own_leaves_the_exact_lane_even_if_it_was_waived() -> None:
    for changes in ({"verdict": "FAIL"}, {"verdict": "WAIVED", "underlying": "FAIL"}):
        found = standing(WHOLE, PASSED[0], msgspec.structs.replace(PASSED[1], **changes), *PASSED[2:])
        assert (found.tier, found.reason) == ("L1", "failed: Language")


@pytest.mark.parametrize(
    ("changes", "tier", "reason"),
    [
        ({"expressions": 0}, "L0", "no reviewed and approved expression was asked in it"),
        ({"broken": 1}, "L0", "1 look-up went wrong, of expressions and of misses"),
        ({"held_out": 0}, "L1", "no native-authored held-out paraphrases"),
        ({"paired": 0}, "L1", "no seeds paired with another language"),
        ({"challenges": 0}, "L1", "no challenges of the language"),
        ({"floors_short": 2}, "L1", "2 evidence floors not met"),
        (
            {"held_out": 0, "challenges": 0, "native": 0, "translated": 400},
            "L1",
            "no native-authored held-out paraphrases, no challenges of the language (its cases are translated)",
        ),
    ],
)
def test_a_language_is_no_more_than_its_evidence(changes: dict[str, Any], tier: str, reason: str) -> None:
    """Every gate passes; one source of evidence is missing."""
    found = standing(WHOLE._replace(**changes), *PASSED)
    assert (found.tier, found.reason) == (tier, reason)


def test_a_language_that_no_gate_was_asked_in_is_no_more_than_qualified() -> None:
    assert standing(WHOLE, PASSED[0], *PASSED[2:]).reason == "floors met; policy c1 asked no gate in it"
    exact = standing(WHOLE, *PASSED, policy="registry-exact")
    assert (exact.tier, exact.reason) == ("L2", "floors met; policy registry-exact asked no gate in it")


def test_an_advertised_language_without_a_case_is_unsupported() -> None:
    made = Evidence("xx", *[0] * 10)
    assert standing(made, *PASSED, advertised=("xx",)).tier == "L0"
    other = Measurement(
        instrument="identity", unit_kind="seed", suite=Corpus("s", "sealed-certification", 1, "reviewed", {}),
        snapshot_id="r", outcomes={}, required={"language:advertised": ("xx",)},
    )  # fmt: skip
    (found,) = standings(other, load_policy("c1", INSTRUMENT), Verdict(policy="c1"))
    assert (found.slice, found.tier) == ("language=xx", "L0")


def test_fewer_reviewers_are_a_lower_certification() -> None:
    found = standing(WHOLE._replace(lower=3), *PASSED)
    assert found.tier == "L3"
    assert found.reason.endswith("; lower certification, as 3 cases had fewer reviewers")
    assert "lower" not in standing(WHOLE._replace(lower=3, expressions=0), *PASSED).reason


def test_evidence_is_counted_from_reviewed_cases() -> None:
    done: dict[str, Any] = {"review": "reviewed", "adjudication_status": "approved", "language": "de"}
    held_out = {"primary_family": "held_out_paraphrase", "native_author": True}
    cases = [
        m.case("e1", primary_family="reviewed_exact", **done),
        m.case("e2", primary_family="reviewed_exact", **done),
        m.case("e4", "EXACT_MISS", primary_family="reviewed_exact", **(done | {"language": "qaa"})),
        m.case("e5", "EXACT_MISS", primary_family="reviewed_exact", **(done | {"language": "qab"})),
        m.case("e6", primary_family="reviewed_exact", **(done | {"language": None})),
        m.case("e3", primary_family="reviewed_exact", language="de", review="illustrative"),
        m.case("h1", **held_out, **done),
        m.case("h2", **held_out, **(done | {"review": "unreviewed"})),
        m.case("h3", **held_out, **done, translated=True),
        m.case("h4", primary_family="held_out_paraphrase", **done),
        m.case("p1", translation_family="t", **done),
        m.case("p2", translation_family="t", **(done | {"language": "en"})),
        m.case("p3", translation_family="alone", **done),
        m.case("c1", tags=("morphology",), **done),
        m.case("c2", tags=("morphology",), translated=True, **done),
        m.case("r", depth_tier="A-R", **done),
    ]
    suite = m.suite(cases)
    answers = [
        m.answer("e4", None),
        m.answer("e5", "c.one"),
        m.answer("e1", "c.one"),
        m.answer("e2", "c.two"),
        m.answer("e3", "c.two"),
    ]
    made = language_evidence(suite, table(suite, answers))
    rows = {row[0]: Evidence._make(row) for row in made.rows}
    assert made.columns == Evidence._fields
    assert rows["de"]._replace(floors_short=0) == Evidence("de", 9, 3, 2, 2, 1, 1, 1, 1, 0, 1)
    assert rows["de"].floors_short == 4
    assert [(rows[name].expressions, rows[name].broken) for name in ("qaa", "qab")] == [(0, 0), (0, 1)]
    assert "und" not in rows
    assert rows["en"]._replace(floors_short=0) == Evidence("en", 1, 0, 0, 0, 0, 0, 1, 0, 0, 0)
