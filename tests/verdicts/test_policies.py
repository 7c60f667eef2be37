"""Policies: what is shipped, and what is refused."""

import importlib
import math
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from denotary.errors import InputError
from denotary.verdicts import load_policy, load_waivers, policy_path
from denotary.verdicts.policies import refuse_unfit_measures
from denotary.verdicts.records import Policy

SHIPPED = Path(__file__).parents[2] / "src/denotary/instruments/identity/policies"
IDENTITY: Any = SimpleNamespace(name="identity", policies=SHIPPED)
LIMITS = {"c1": 0.01, "c2": 0.005, "c3": 0.001, "c4": 0.0005, "c5": 0.0001}
HARMS = {"unknown_far", "ambiguity_forced", "underspecified_forced", "mixed_collapse", "hncr"}


def shipped(name: str) -> Policy:
    return load_policy(name, IDENTITY)


def test_the_shipped_policies_are_these() -> None:
    assert {path.stem for path in SHIPPED.glob("*.toml")} == {"c0", *LIMITS, "registry-exact", "regression"}


@pytest.mark.parametrize("name", LIMITS)
def test_every_harm_has_the_limit_of_its_tier(name: str) -> None:
    policy = shipped(name)
    assert (policy.id, policy.tier) == (name, name.upper())
    bounds = {gate.measure: gate for gate in policy.gates if gate.kind == "bound" and gate.side == "upper"}
    assert set(bounds) == HARMS | {"assignment_risk", "unanswered_share"}
    zero_failures = math.ceil(math.log(0.05) / math.log1p(-LIMITS[name]))
    for gate in bounds.values():
        assert (gate.limit, gate.minimum_units) == (LIMITS[name], zero_failures)


@pytest.mark.parametrize("name", LIMITS)
def test_every_claim_holds_in_each_advertised_language(name: str) -> None:
    policy = shipped(name)
    where: dict[str, set[str]] = {}
    for gate in policy.gates:
        if gate.kind == "bound":
            where.setdefault(gate.measure, set()).update(gate.slices)
    for measure in HARMS:
        assert where[measure] == {"all", "language:advertised"}
    critical = {"concept:critical", "answered_code:critical"}
    assert where["assignment_risk"] == {"all", "language:advertised"} | critical
    assert where["recall_at_5"] == {"all", "language:advertised", "concept:critical"}


@pytest.mark.parametrize("name", LIMITS)
def test_retrieval_has_the_floors_of_its_gate(name: str) -> None:
    found = {
        gate.slices: (gate.side, gate.limit, gate.minimum_units)
        for gate in shipped(name).gates
        if gate.measure == "recall_at_5"
    }
    assert found == {
        ("all",): ("lower", 0.995, 598),
        ("language:advertised", "concept:critical"): ("lower", 0.99, 299),
    }


@pytest.mark.parametrize("name", LIMITS)
def test_what_is_no_rate_is_gated_too(name: str) -> None:
    gates = shipped(name).gates
    zero = {gate.measure for gate in gates if gate.kind == "zero"}
    assert zero == {
        "exact_regression",
        "high_severity_attack_failure",
        "decision_instability",
        "version_mismatch",
    }
    facts = {gate.fact for gate in gates if gate.kind in {"evidence", "systematic"}}
    named = {"critical_error_named"} if name == "c5" else set()
    assert facts == {"calibration_fixed", "leakage_audit", "no_systematic_cluster"} | named


@pytest.mark.parametrize("name", LIMITS)
def test_what_tolerates_nothing_states_the_evidence_that_it_needs(name: str) -> None:
    """299 units without an event exclude 1 % at 95 %, 59 exclude 5 %; a list is asked whole."""
    zero = {
        gate.measure: (gate.minimum_units, gate.limit, gate.fact)
        for gate in shipped(name).gates
        if gate.kind == "zero"
    }
    assert zero == {
        "exact_regression": (1, None, "conformance_complete"),
        "high_severity_attack_failure": (59, 0.05, "") if name in {"c1", "c2"} else (299, 0.01, ""),
        "decision_instability": (299, 0.01, ""),
        "version_mismatch": (1, None, "registry_frozen"),
    }
    for units, excluded in ((59, 0.05), (299, 0.01)):
        assert (1 - excluded) ** units <= 0.05 < (1 - excluded) ** (units - 1)


def test_where_no_code_may_be_asserted_not_one_is_tolerated_and_the_candidates_are_gated() -> None:
    policy, above = shipped("c0"), {gate.id: gate for gate in shipped("c1").gates}
    assert (policy.tier, policy.track, policy.roles) == (
        "C0",
        "semantic-generalization",
        ("sealed-certification",),
    )
    gates = {gate.id: gate for gate in policy.gates}
    added = gates.pop("no_assignment")
    assert (added.kind, added.measure, added.limit, added.minimum_units) == (
        "zero",
        "code_asserted",
        0.01,
        299,
    )
    # What is left of a tier with assignments once nothing is assigned: no risk, no threshold, no expression resolved.
    assert set(gates) == {
        *("retrieval", "retrieval_critical", "unanswered", "determinism", "provenance", "leakage")
    }
    for name, gate in gates.items():
        same = ("kind", "measure", "fact", "slices", "side", "limit", "minimum_units")
        assert [getattr(gate, field) for field in same] == [getattr(above[name], field) for field in same]


@pytest.mark.parametrize("core", ["all", 0, 7])
def test_a_policy_says_how_many_cases_are_asked_again(tmp_path: Path, core: int | str) -> None:
    text = GOOD.replace("[[gates]]", f"repeat_core = {core!r}\n[[gates]]")
    assert load_policy(written(tmp_path, text), IDENTITY).repeat_core == core
    with pytest.raises(InputError, match="repeat_core is -1"):
        load_policy(written(tmp_path, GOOD.replace("[[gates]]", "repeat_core = -1\n[[gates]]")), IDENTITY)


def test_the_tiers_differ_in_their_limits_and_in_the_depth_that_high_consequence_asks_for() -> None:
    def shape(name: str) -> Counter[tuple[object, ...]]:
        return Counter(
            (gate.id, gate.kind, gate.measure, gate.fact, gate.slices, gate.side)
            for gate in shipped(name).gates
            if gate.id != "critical_error"
        )

    def depths(name: str) -> dict[str, str | None]:
        return {gate.id: gate.depth for gate in shipped(name).gates}

    assert all(shape(name) == shape("c1") for name in LIMITS)
    assert depths("c1") == depths("c2")
    assert depths("c3") == depths("c4") == {k: v for k, v in depths("c5").items() if k != "critical_error"}
    deeper = {gate: (depths("c2")[gate], depths("c3")[gate]) for gate in depths("c3")}
    assert {gate: pair for gate, pair in deeper.items() if pair[0] != pair[1]} == dict.fromkeys(
        ("assignment_risk", "advertised_language", "unknown", "underspecified", "adversarial"),
        ("A1", "A2"),
    )
    assert all(shipped(name).roles == ("sealed-certification",) for name in LIMITS)


def test_registry_conformance_tolerates_nothing_and_sets_aside_only_what_is_not_declared() -> None:
    policy = shipped("registry-exact")
    assert policy.roles == ("registry-exact-conformance",)
    assert {gate.kind for gate in policy.gates} == {"zero"}
    assert {gate.measure: gate.fact for gate in policy.gates} == {
        "exact_conformance_failure": "conformance_complete",
        "exact_ambiguity_forced": "conformance_complete",
        "exact_ambiguity_failure": "conformance_complete",
        "invented_code_on_miss": "",
        "exact_instability": "repeats_complete",
        "version_mismatch": "registry_frozen",
        "normalisation_change": "",
        "language_constraint_failure": "",
        "escaping_failure": "conformance_complete",
        "unicode_failure": "conformance_complete",
        "exact_unanswered": "",
    }
    # A registry need not declare an ambiguity, nor hold a text beyond ASCII or with a character that is escaped.
    assert [gate.measure for gate in policy.gates if gate.allow_not_expressible] == [
        "exact_ambiguity_forced",
        "exact_ambiguity_failure",
        "escaping_failure",
        "unicode_failure",
    ]


@pytest.mark.parametrize("name", [*LIMITS, "registry-exact"])
def test_every_gate_says_why_and_every_policy_what_to_do_instead(name: str) -> None:
    policy = shipped(name)
    assert all(gate.why and gate.title for gate in policy.gates)
    assert policy.instead
    assert not any("limit" in line for line in policy.instead)


GOOD = """
schema = "denotary.policy/1"
id = "own"
title = "Own"
instrument = "identity"
track = "own"
roles = ["sealed-certification"]
[[gates]]
id = "risk"
title = "Risk"
kind = "bound"
measure = "assignment_risk"
limit = 0.01
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "own.toml"
    path.write_text(text)
    return path


def test_an_own_policy_is_read_by_its_path(tmp_path: Path) -> None:
    policy = load_policy(written(tmp_path, GOOD), IDENTITY)
    assert (policy.id, policy.confidence, policy.looks, policy.gates[0].limit) == ("own", 0.95, 1, 0.01)
    assert load_policy(str(tmp_path / "own.toml"), IDENTITY) == policy


def test_a_name_finds_the_shipped_policy_and_a_path_never_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c3").write_text(GOOD)
    assert policy_path("c3", IDENTITY) == SHIPPED / "c3.toml"
    assert load_policy("./c3", IDENTITY).id == "own"
    assert load_policy(Path("c3"), IDENTITY).id == "own"


@pytest.mark.parametrize("name", ["c9", "C3", "", "c3.toml", "../policies/c3"])
def test_an_unknown_name_is_answered_with_the_known_ones(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="c0, c1, c2, c3, c4, c5, registry-exact"):
        load_policy(name, IDENTITY)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"identity"', '"similarity"', "instrument 'similarity'"),
        ('track = "own"', 'track = "own"\nconfidence = 1.0', "confidence is 1.0"),
        ('track = "own"', 'track = "own"\nconfidence = 0.49', "confidence is 0.49"),
        ('track = "own"', 'track = "own"\nlooks = 0', "looks is 0"),
        ("sealed-certification", "public-diagnostic", "role 'public-diagnostic' supports no promotion"),
        ("sealed-certification", "calibration", "role 'calibration' supports no promotion"),
        ("sealed-certification", "regression", "role 'regression' supports no claim of track 'own'"),
        ('track = "own"', 'track = "registry-exact"', "supports no claim of track 'registry-exact'"),
        ("limit = 0.01", "", "limit is None"),
        ("limit = 0.01", "limit = 0.0", "limit is 0.0"),
        ("limit = 0.01", "limit = 1.0", "limit is 1.0"),
        ("limit = 0.01", "limit = nan", "limit is nan"),
        ("limit = 0.01", 'limit = "1 %"', "Expected `float | null`"),
        ("limit = 0.01", "limit = 0.01\nminimum_units = 0", "minimum_units is 0"),
        ("limit = 0.01", "limit = 0.01\nslices = []", "slices is empty"),
        ("limit = 0.01", 'limit = 0.01\nslices = ["language"]', "slice 'language'"),
        ("limit = 0.01", 'limit = 0.01\nslices = ["all "]', "slice 'all '"),
        ("limit = 0.01", "limit = 0.01\ntolerance = 3", "unknown field"),
        ('measure = "assignment_risk"', "", "needs a measure"),
        (
            'kind = "bound"\nmeasure = "assignment_risk"\nlimit = 0.01',
            'kind = "zero"\nmeasure = "m"\nlimit = 1',
            "limit is 1.0",
        ),
        ('kind = "bound"', 'kind = "evidence"\nfact = "x"', "takes no limit"),
        ('kind = "bound"', 'kind = "evidence"', "needs a fact"),
        ('kind = "bound"', 'kind = "hope"', "Invalid enum value"),
        ("denotary.policy/1", "denotary.policy/2", "Invalid enum value"),
        (GOOD[GOOD.index("[[gates]]") :], "", "no gate that reads a measure"),
        (
            'kind = "bound"\nmeasure = "assignment_risk"\nlimit = 0.01',
            'kind = "evidence"\nfact = "x"',
            "no gate that reads a measure",
        ),
        ("limit = 0.01", "limit = 0.01\n" + GOOD[GOOD.index("[[gates]]") :], "twice"),
        ("[[gates]]", "[[gates]", "not valid TOML"),
    ],
)
def test_a_policy_that_could_not_mean_what_it_says_is_refused(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in GOOD
    with pytest.raises(InputError, match=r"own\.toml") as caught:
        load_policy(written(tmp_path, GOOD.replace(old, new, 1)), IDENTITY)
    assert said in str(caught.value)


@pytest.mark.parametrize("name", ["c3", "registry-exact"])
def test_a_shipped_id_is_refused_to_any_other_policy(tmp_path: Path, name: str) -> None:
    """Its verdict would read "passed under c3" whatever its limits."""
    own = written(tmp_path, GOOD.replace('id = "own"', f'id = "{name}"'))
    with pytest.raises(InputError, match=f"the id '{name}' is that of a policy which denotary ships"):
        load_policy(own, IDENTITY)
    own.write_bytes((SHIPPED / f"{name}.toml").read_bytes())
    assert load_policy(own, IDENTITY) == shipped(name)


@pytest.mark.parametrize(
    ("measure", "kind", "side", "fits"),
    [
        ("harm", "bound", "upper", True),
        ("harm", "bound", "lower", False),
        ("harm", "zero", "lower", False),
        ("merit", "bound", "lower", True),
        ("merit", "bound", "upper", False),
        ("merit", "zero", "upper", False),
        ("merit", "zero", "lower", True),
    ],
)
def test_a_gate_that_would_pass_the_worst_system_is_refused(
    gate: Any, policy: Any, measure: str, kind: str, side: str, fits: bool
) -> None:
    known: Any = [
        SimpleNamespace(id="harm", direction="lower", diagnostic=False),
        SimpleNamespace(id="merit", direction="higher", diagnostic=False),
    ]
    asked = policy(gate(kind=kind, measure=measure, side=side))
    if fits:
        refuse_unfit_measures(asked, known, Path("own.toml"))
    else:
        with pytest.raises(InputError, match="would pass the worst"):
            refuse_unfit_measures(asked, known, Path("own.toml"))


def test_a_gate_on_a_diagnostic_is_refused(gate: Any, policy: Any) -> None:
    known: Any = [SimpleNamespace(id="shown", direction="lower", diagnostic=True)]
    with pytest.raises(
        InputError, match=r"own\.toml: gate .*: shown is a diagnostic, which no gate may read"
    ):
        refuse_unfit_measures(policy(gate(measure="shown")), known, Path("own.toml"))


@pytest.mark.parametrize("name", [*LIMITS, "registry-exact"])
def test_the_shipped_gates_face_the_right_way(name: str) -> None:
    measures = importlib.import_module("denotary.instruments.identity.measures").measures(None)
    refuse_unfit_measures(shipped(name), measures, SHIPPED / f"{name}.toml")


@pytest.mark.parametrize("confidence", [0.5, 0.999])
def test_a_confidence_at_the_edge_is_taken(tmp_path: Path, confidence: float) -> None:
    text = GOOD.replace("[[gates]]", f"confidence = {confidence}\n[[gates]]")
    assert load_policy(written(tmp_path, text), IDENTITY).confidence == confidence


WAIVER = """
[[waiver]]
gate = "risk"
who = "release board"
why = "contained"
until = "2031-01-31"
"""


def test_waivers_are_read_from_a_file(tmp_path: Path) -> None:
    (waiver,) = load_waivers(written(tmp_path, WAIVER))
    assert (waiver.gate, waiver.until) == ("risk", "2031-01-31")
    assert load_waivers(written(tmp_path, "")) == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"release board"', '" "', "who grants it"),
        ('"contained"', '""', "and why"),
        ('"risk"', '""', "names its gate"),
        ("2031-01-31", "2031-02-30", "expected an ISO date"),
        ("until", "untill", "unknown field"),
    ],
)
def test_a_waiver_without_its_facts_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        load_waivers(written(tmp_path, WAIVER.replace(old, new)))


def test_slices_are_all_a_group_or_a_value(tmp_path: Path) -> None:
    named = ("all", "language:advertised", "concept=semantic_registry.abstention")
    text = GOOD + f"slices = [{', '.join(map(repr, named))}]\n"
    assert load_policy(written(tmp_path, text), IDENTITY).gates[0].slices == named
