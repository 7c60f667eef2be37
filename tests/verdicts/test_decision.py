"""From gate results to a decision."""

import json
from collections.abc import Callable
from datetime import date
from itertools import product
from typing import Any, get_args

import msgspec
import pytest

from denotary.canonical import canonical_json
from denotary.errors import InputError
from denotary.measures.records import Fact
from denotary.verdicts.decision import decide, judge
from denotary.verdicts.records import GateResult, GateVerdict, Verdict, Waiver
from denotary.words import first_line

Build = Callable[..., Any]
CLEAN = [(0, 1, 1, 3000)]
THIN = [(0, 1, 1, 10)]
BROKEN = [(1, 1, 1, 1), (0, 1, 1, 10)]


def result(verdict: GateVerdict, name: str = "g", where: str = "all") -> GateResult:
    return GateResult(gate=name, title="", measure="", slice=where, verdict=verdict, reason="")


@pytest.mark.parametrize("qualification", ["", "a public corpus"])
def test_the_decision_for_every_set_of_verdicts(qualification: str) -> None:
    """All 128 sets of verdicts, against the rule in one line."""
    kinds = get_args(GateVerdict)
    for present in product([False, True], repeat=len(kinds)):
        shown = {kind for kind, there in zip(kinds, present, strict=True) if there}
        found, _ = decide([result(kind) for kind in kinds if kind in shown], qualification)
        withheld = shown & {"INSUFFICIENT", "EXPLORATORY"} or "PASS" not in shown or qualification
        assert found == ("BLOCK" if "FAIL" in shown else "INSUFFICIENT" if withheld else "PROMOTE"), shown


def test_the_reason_names_the_gates() -> None:
    gates = [
        result("PASS", "a"),
        result("FAIL", "b"),
        result("INSUFFICIENT", "c"),
        result("EXPLORATORY", "d"),
    ]
    assert decide(gates, "") == ("BLOCK", "failed: b")
    assert decide(gates[:1] + gates[2:], "")[1] == "not shown by this much evidence: c"
    assert decide([gates[0], gates[3]], "")[1] == "exploratory evidence only: d"
    assert decide([gates[0], gates[3]], "because")[1] == "because"
    assert decide([gates[0]], "") == ("PROMOTE", "passed: a")
    assert decide([gates[0], result("WAIVED", "w")], "")[1].endswith("waived: w")
    assert decide([], "") == ("INSUFFICIENT", "no gate passed")


def test_a_gate_that_failed_in_several_slices_is_named_once() -> None:
    gates = [
        result("FAIL", "a", "language=de"),
        result("FAIL", "b", "language=de"),
        result("FAIL", "b", "all"),
    ]
    assert decide(gates, "")[1] == "failed: a [language=de], b (2 slices)"


def test_a_verdict_that_nobody_filled_in_does_not_promote() -> None:
    assert Verdict(policy="p").decision == "INSUFFICIENT"


def test_a_clean_sealed_run_promotes(row: Build, measurement: Build, gate: Build, policy: Build) -> None:
    found = judge(measurement(row(CLEAN)), policy(gate(), instead=("wait",)))
    assert (found.decision, found.qualification, found.instead) == ("PROMOTE", "", ())
    assert [item.verdict for item in found.gates] == ["PASS"]


def test_without_promotion_the_verdict_says_what_to_do_instead(
    row: Build, measurement: Build, gate: Build, policy: Build
) -> None:
    found = judge(measurement(row(THIN)), policy(gate(), instead=("wait",)))
    assert (found.decision, found.instead) == ("INSUFFICIENT", ("wait",))


def test_a_single_failing_gate_blocks(row: Build, measurement: Build, gate: Build, policy: Build) -> None:
    made = measurement(row(CLEAN, measure="a"), row(BROKEN, measure="b"))
    found = judge(made, policy(gate(id="a", measure="a"), gate(id="b", measure="b")))
    assert (found.decision, [item.verdict for item in found.gates]) == ("BLOCK", ["PASS", "FAIL"])


@pytest.mark.parametrize(
    ("role", "supported", "track", "promotes"),
    [
        ("sealed-certification", ("sealed-certification",), "semantic-generalization", True),
        ("registry-exact-conformance", ("registry-exact-conformance",), "registry-exact", True),
        ("regression", ("regression",), "non-regression", True),
        ("regression", ("registry-exact-conformance", "regression"), "non-regression", True),
        ("registry-exact-conformance", ("sealed-certification",), "semantic-generalization", False),
        ("sealed-certification", ("registry-exact-conformance",), "registry-exact", False),
        ("regression", ("sealed-certification",), "semantic-generalization", False),
        ("sealed-certification", (), "semantic-generalization", False),
        # A policy cannot lend a corpus what it does not have.
        ("public-diagnostic", ("public-diagnostic",), "semantic-generalization", False),
        ("calibration", ("calibration",), "semantic-generalization", False),
        ("registry-exact-conformance", ("registry-exact-conformance",), "semantic-generalization", False),
        ("regression", ("regression",), "semantic-generalization", False),
        ("sealed-certification", ("sealed-certification",), "registry-exact", False),
        ("sealed-certification", ("sealed-certification",), "non-regression", False),
    ],
)
def test_what_a_corpus_may_support(
    row: Build,
    measurement: Build,
    gate: Build,
    policy: Build,
    role: str,
    supported: tuple[str, ...],
    track: str,
    promotes: bool,
) -> None:
    found = judge(measurement(row(CLEAN), role=role), policy(gate(), roles=supported, track=track))
    verdict, decision = ("PASS", "PROMOTE") if promotes else ("EXPLORATORY", "INSUFFICIENT")
    assert (found.gates[0].verdict, found.decision) == (verdict, decision)
    assert ("qualification" in found.reason) == (verdict == "EXPLORATORY")
    assert ("qualification" in found.gates[0].reason) == (verdict == "EXPLORATORY")
    assert bool(found.qualification) == (verdict == "EXPLORATORY")
    assert found.gates[0].underlying == ("PASS" if verdict == "EXPLORATORY" else None)


@pytest.mark.parametrize("role", ["public-diagnostic", "calibration", "regression"])
def test_a_corpus_that_supports_nothing_still_blocks(
    row: Build, measurement: Build, gate: Build, policy: Build, role: str
) -> None:
    found = judge(measurement(row(BROKEN), role=role), policy(gate()))
    assert (found.decision, found.gates[0].verdict, found.gates[0].underlying) == ("BLOCK", "FAIL", None)


@pytest.mark.parametrize(
    ("review", "verdict"),
    [(True, "PASS"), (False, "EXPLORATORY"), (None, "EXPLORATORY"), ("absent", "EXPLORATORY")],
)
def test_only_cases_known_to_be_reviewed_promote(
    row: Build, measurement: Build, gate: Build, policy: Build, review: bool | str | None, verdict: str
) -> None:
    facts = (
        [] if review == "absent" else [Fact(name="review_sufficient", holds=review, detail="3 of 9 judged")]  # type: ignore[arg-type]
    )
    found = judge(measurement(row(CLEAN), facts=facts), policy(gate()))
    assert found.gates[0].verdict == verdict
    assert found.decision == ("PROMOTE" if verdict == "PASS" else "INSUFFICIENT")
    assert ("3 of 9 judged" in found.qualification) == (review in {False, None})


def waiver(gate: str = "g", until: str = "2031-05-31") -> Waiver:
    return Waiver(gate=gate, who="release board", why="known and contained", until=until)


@pytest.mark.parametrize("types", [THIN, BROKEN])
def test_a_waiver_sets_aside_a_gate_that_did_not_pass(
    row: Build, measurement: Build, gate: Build, policy: Build, types: list[tuple[int, int, int, int]]
) -> None:
    made = measurement(row(types), row(CLEAN, measure="other"))
    asked = policy(gate(), gate(id="other", measure="other"))
    found = judge(made, asked, waivers=[waiver()], today="2031-05-31")
    assert (found.decision, found.gates[0].verdict) == ("PROMOTE", "WAIVED")
    assert found.gates[0].underlying == ("INSUFFICIENT" if types is THIN else "FAIL")
    assert found.waivers == (waiver(),)
    assert found.waivers_ignored == ()
    assert "waived: g" in found.reason
    for word in ("release board", "known and contained", "2031-05-31", "without the waiver"):
        assert word in found.gates[0].reason


@pytest.mark.parametrize("today", ["2031-06-01", date(2031, 6, 1), None])
def test_a_waiver_that_is_not_in_force_is_ignored_and_reported(
    row: Build, measurement: Build, gate: Build, policy: Build, today: date | str | None
) -> None:
    found = judge(measurement(row(BROKEN)), policy(gate()), waivers=[waiver()], today=today)
    assert (found.decision, found.gates[0].verdict, found.waivers) == ("BLOCK", "FAIL", ())
    assert len(found.waivers_ignored) == 1
    assert ("expired on 2031-05-31" if today else "no date was given") in found.waivers_ignored[0]


def test_a_waiver_does_not_supply_what_the_corpus_lacks(
    row: Build, measurement: Build, gate: Build, policy: Build
) -> None:
    made = measurement(row(CLEAN), row(THIN, measure="thin"), role="public-diagnostic")
    asked = policy(gate(), gate(id="thin", measure="thin"))
    both = [waiver(), waiver("thin")]
    found = judge(made, asked, waivers=both, today="2031-01-01")
    assert [item.verdict for item in found.gates] == ["EXPLORATORY", "WAIVED"]
    assert found.decision == "INSUFFICIENT"


def test_everything_waived_does_not_promote(
    row: Build, measurement: Build, gate: Build, policy: Build
) -> None:
    found = judge(measurement(row(THIN)), policy(gate()), waivers=[waiver()], today="2031-01-01")
    assert (found.decision, found.reason) == ("INSUFFICIENT", "no gate passed")


def test_proofs_of_the_corpus_alone_do_not_promote(
    row: Build, measurement: Build, gate: Build, policy: Build
) -> None:
    """A waiver of every rate would else promote whatever system it was, by what its suite is."""
    frozen = Fact(name="frozen", holds=True, detail="it is frozen")
    reviewed = Fact(name="review_sufficient", holds=True, detail="reviewed")
    made = measurement(row(BROKEN), row(CLEAN, measure="other"), facts=(frozen, reviewed))
    proof = gate(id="frozen", kind="evidence", measure="", fact="frozen")
    found = judge(made, policy(gate(), proof), waivers=[waiver()], today="2031-01-01")
    assert [item.verdict for item in found.gates] == ["WAIVED", "PASS"]
    assert (found.decision, found.reason) == (
        "INSUFFICIENT",
        "no gate that reads an answer passed, only frozen",
    )
    with_rate = policy(gate(), proof, gate(id="other", measure="other"))
    assert judge(made, with_rate, waivers=[waiver()], today="2031-01-01").decision == "PROMOTE"


def test_a_gate_that_passes_keeps_its_verdict_under_a_waiver(
    row: Build, measurement: Build, gate: Build, policy: Build
) -> None:
    found = judge(measurement(row(CLEAN)), policy(gate()), waivers=[waiver()], today="2031-01-01")
    assert (found.gates[0].verdict, found.decision, found.waivers) == ("PASS", "PROMOTE", (waiver(),))


@pytest.mark.parametrize(
    ("waivers", "today", "said"),
    [
        ([waiver("nothing")], "2031-01-01", "names gate 'nothing'"),
        ([waiver(), waiver()], "2031-01-01", "two waivers"),
        ([waiver()], "today", "today is 'today'"),
    ],
)
def test_a_waiver_that_cannot_be_read_is_refused(
    row: Build,
    measurement: Build,
    gate: Build,
    policy: Build,
    waivers: list[Waiver],
    today: str,
    said: str,
) -> None:
    with pytest.raises(InputError, match=said):
        judge(measurement(row(CLEAN)), policy(gate()), waivers=waivers, today=today)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"who": " "}, "it does not say who"),
        ({"who": "", "why": ""}, "it does not say who and why"),
        ({"until": "soon"}, "until is 'soon'; expected an ISO date such as 2031-01-31"),
        ({"until": ""}, "until is ''"),
    ],
)
def test_a_waiver_that_is_not_whole_is_ignored_and_reported(
    row: Build, measurement: Build, gate: Build, policy: Build, changes: dict[str, str], said: str
) -> None:
    given = msgspec.structs.replace(waiver(), **changes)
    made = measurement(row(BROKEN), row(CLEAN, measure="other"))
    found = judge(
        made, policy(gate(), gate(id="other", measure="other")), waivers=[given], today="2031-01-01"
    )
    assert (found.decision, found.waivers) == ("BLOCK", ())
    (sentence,) = found.waivers_ignored
    assert sentence.startswith(f"the waiver of g is ignored: {said}")


PROOFS: list[dict[str, Any]] = [
    {"kind": "evidence", "measure": "", "fact": "audit"},
    {"kind": "zero", "measure": "risk", "fact": "audit"},
]
"""Gates of what is proven once and for all: an audit, and a whole list or a freeze with the calls that show it."""


@pytest.mark.parametrize("proof", PROOFS)
@pytest.mark.parametrize("holds", [None, False])
def test_nobody_sets_evidence_aside(
    row: Build, measurement: Build, gate: Build, policy: Build, proof: dict[str, Any], holds: bool | None
) -> None:
    facts = [
        Fact(name="review_sufficient", holds=True, detail="all are"),
        Fact(name="audit", holds=holds, detail="no audit"),
    ]
    made = measurement(row(CLEAN), row(CLEAN, measure="other"), facts=facts)
    asked = policy(gate(**proof), gate(id="other", measure="other"))
    found = judge(made, asked, waivers=[waiver()], today="2031-01-01")
    assert found.decision != "PROMOTE"
    assert found.gates[0].verdict != "WAIVED"
    assert found.waivers_ignored[0].endswith("once and for all cannot be set aside")


def test_a_failure_that_was_set_aside_stands_on_the_first_line(
    row: Build, measurement: Build, gate: Build, policy: Build
) -> None:
    made = measurement(row(BROKEN), row(CLEAN, measure="other"))
    asked = policy(gate(kind="zero"), gate(id="other", measure="other"))
    found = judge(made, asked, waivers=[waiver()], today="2031-01-01")
    assert found.decision == "PROMOTE"
    line = first_line(found)
    assert "IT FAILS without the waiver: 1 of 11 cases failed, 11 seeds, and not one is tolerated" in line
    thin = judge(measurement(row(THIN), made.rows[1]), policy(gate(), asked.gates[1]), waivers=[waiver()],
                 today="2031-01-01")  # fmt: skip
    assert "without the waiver it is not shown" in first_line(thin)
    assert "FAILS" not in first_line(thin)
    idle = judge(measurement(row(CLEAN)), policy(gate()), waivers=[waiver()], today="2031-01-01")
    assert "without the waiver it is judged the same" in first_line(idle)


def test_the_shipped_policies_leave_no_audit_freeze_or_whole_list_to_a_waiver() -> None:
    from denotary.instruments.identity import INSTRUMENT
    from denotary.verdicts import load_policy

    fixed = {
        name: {gate.id for gate in asked.gates if not asked.may_waive(gate)}
        for name in ("c1", "c5", "registry-exact")
        for asked in [load_policy(name, INSTRUMENT)]
    }
    assert {"calibration", "leakage", "provenance"} <= fixed["c1"]
    assert fixed["c5"] - fixed["c1"] == {"critical_error"}
    assert fixed["registry-exact"] == {gate.id for gate in load_policy("registry-exact", INSTRUMENT).gates}


@pytest.mark.parametrize("broken", ["no_invented_code", "normalisation", "language_constraint", "unanswered"])
def test_nothing_of_the_exact_track_is_set_aside(row: Build, measurement: Build, broken: str) -> None:
    """One listed text that did not conform blocks, whatever was signed, though the gate is a plain count of zero."""
    from denotary.instruments.identity import INSTRUMENT
    from denotary.verdicts import load_policy

    exact = load_policy("registry-exact", INSTRUMENT)
    rows = [row(BROKEN if gate.id == broken else CLEAN, measure=gate.measure) for gate in exact.gates]
    facts = [Fact(name="review_sufficient", holds=True, detail="all are")]
    facts += [Fact(name=name, holds=True, detail="") for name in {gate.fact for gate in exact.gates} - {""}]
    made = measurement(*rows, facts=facts, role="registry-exact-conformance")
    found = judge(made, exact, waivers=[waiver(broken)], today="2031-01-01")
    assert (found.decision, found.waivers, found.reason) == ("BLOCK", (), f"failed: {broken}")
    assert found.waivers_ignored[0].endswith("once and for all cannot be set aside")


def test_a_policy_of_another_instrument_is_refused(
    row: Build, measurement: Build, gate: Build, policy: Build
) -> None:
    with pytest.raises(InputError, match=r"'similarity'.*'identity'"):
        judge(measurement(row(CLEAN)), policy(gate(), instrument="similarity"))


@pytest.mark.parametrize(("policy_looks", "suite_looks", "units"), [(1, 3, 4093), (3, 1, 4093), (1, 1, 2995)])
def test_the_larger_number_of_looks_counts(
    row: Build,
    measurement: Build,
    gate: Build,
    policy: Build,
    policy_looks: int,
    suite_looks: int,
    units: int,
) -> None:
    for number, decision in ((units, "PROMOTE"), (units - 1, "INSUFFICIENT")):
        made = measurement(row([(0, 1, 1, number)]), looks=suite_looks)
        assert judge(made, policy(gate(), looks=policy_looks)).decision == decision


def test_the_qualification_names_what_the_policy_would_take(
    row: Build, measurement: Build, gate: Build, policy: Build
) -> None:
    def told(role: str, roles: tuple[str, ...]) -> str:
        return judge(measurement(row(CLEAN), role=role), policy(gate(), roles=roles)).qualification

    assert told("regression", ("sealed-certification", "registry-exact-conformance")) == (
        "qualification only: a regression corpus does not support policy p "
        "(supported by: sealed-certification or registry-exact-conformance)"
    )
    assert told("regression", ()).endswith("(supported by: none)")
    assert told("calibration", ("sealed-certification",)) == (
        "qualification only: a calibration corpus can block a release and never certify one"
    )


def test_a_verdict_is_written_with_its_decision_whatever_it_is() -> None:
    """A reader that finds no decision might take its absence for consent."""
    written = json.loads(canonical_json(Verdict(policy="p")))
    assert written["decision"] == "INSUFFICIENT"
    assert set(written) == set(Verdict.__struct_fields__)
