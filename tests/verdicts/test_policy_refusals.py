"""A refused policy or waiver is told whole: its file, the gate, what is wrong, and what to do."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from denotary.errors import InputError
from denotary.measures.records import Fact, Rate
from denotary.verdicts.decision import judge
from denotary.verdicts.policies import (
    check_policy,
    load_policy,
    load_waivers,
    policy_owner,
    policy_path,
    refuse_design,
    refuse_unfit_measures,
)
from denotary.verdicts.records import Waiver

Build = Callable[..., Any]
OWN = Path("own.toml")

POLICY = """
schema = "denotary.policy/1"
id = "{id}"
title = "Own"
instrument = "{instrument}"
track = "own"
{more}
[[gates]]
id = "risk"
title = "Risk"
kind = "bound"
measure = "risk"
limit = {limit}
"""


def written(path: Path, limit: float = 0.01, instrument: str = "one", more: str = "") -> Path:
    text = POLICY.format(id=path.stem, limit=limit, instrument=instrument, more=more)
    path.write_text(text)
    return path


def said(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    return str(caught.value)


@pytest.fixture
def shipping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Two instruments: both ship ``shared``, the second ``other`` too; and a note that is no policy."""
    made: dict[str, Any] = {}
    for name, policies in (("one", ("shared",)), ("two", ("shared", "other"))):
        folder = tmp_path / name
        folder.mkdir()
        for policy in policies:
            written(folder / f"{policy}.toml", instrument=name)
        (folder / "notes.txt").write_text("no policy")
        made[name] = SimpleNamespace(name=name, policies=folder)
    monkeypatch.setattr("denotary.verdicts.policies.instruments", lambda: tuple(made))
    monkeypatch.setattr("denotary.verdicts.policies.find_instrument", made.__getitem__)
    monkeypatch.chdir(tmp_path)
    return made


def test_a_policy_belongs_to_the_instrument_that_ships_it_or_that_its_file_names(
    shipping: dict[str, Any], tmp_path: Path
) -> None:
    assert policy_owner("other") == "two"
    assert policy_owner(written(tmp_path / "mine.toml", instrument="two")) == "two"
    assert policy_owner(str(written(tmp_path / "mine.toml", instrument="three"))) == "three"
    # A path is never a name.
    assert "no policy" in said(lambda: policy_owner(Path("other")))


def test_a_name_that_two_instruments_ship_is_for_the_user_to_settle(shipping: dict[str, Any]) -> None:
    assert said(lambda: policy_owner("shared")) == "one and two both ship a policy 'shared'; say whose"


def test_an_unknown_policy_is_answered_with_what_there_is(shipping: dict[str, Any]) -> None:
    assert said(lambda: policy_owner("far")) == (
        "no policy 'far'\n  hint: known: other, shared, shared. Or give the path of a TOML file"
    )
    assert said(lambda: policy_owner("othr")).endswith(
        "no policy 'othr'\n  hint: did you mean other? Or give the path of a TOML file"
    )
    assert said(lambda: policy_path("shard", shipping["one"])) == (
        "no policy 'shard'\n  hint: did you mean shared? Or give the path of a TOML file"
    )
    assert said(lambda: load_policy(Path("far.toml"), shipping["two"])) == (
        "no policy 'far.toml'\n  hint: known: other, shared. Or give the path of a TOML file"
    )


def test_checking_lists_everything_with_its_file_and_loading_refuses_the_first(
    shipping: dict[str, Any], tmp_path: Path
) -> None:
    path = written(tmp_path / "mine.toml", limit=0.0, instrument="two", more="confidence = 0.6\nlooks = 0")
    found = check_policy(path, shipping["one"])
    assert {problem.path for problem in found} == {str(path)}
    assert [(problem.severity, problem.code, problem.message) for problem in found] == [
        ("error", "policy", "the policy is for instrument 'two', not 'one'"),
        ("error", "policy", "looks is 0; expected 1 or more"),
        ("error", "policy", "gate 'risk': limit is 0.0; kind 'bound' needs one between 0 and 1"),
        ("warning", "confidence", "confidence is 0.6: a bound may be too low 40 % of the time"),
        ("warning", "confidence", "confidence 0.6 is lower, not 0.95, than shared"),
    ]
    assert said(lambda: load_policy(path, shipping["one"])) == f"{path}: {found[0].message}"


def test_less_than_the_tier_says_how_to_see_all_of_it(shipping: dict[str, Any], tmp_path: Path) -> None:
    written(tmp_path / "one" / "tiered.toml", more='tier = "C2"')
    path = written(tmp_path / "mine.toml", limit=0.02, more='tier = "C2"')
    assert said(lambda: load_policy(path, shipping["one"])) == (
        f"{path}: limit 2 % of risk is looser, not 1 %, than tiered, whose tier C2 it names\n"
        "  hint: drop the tier, or ask for as much; denotary policy check lists all that is less"
    )
    # The limit is met, the first shipped policy of the track is milder: nothing to tell.
    assert load_policy(written(path, more='tier = "C2"'), shipping["one"]).id == "mine"


def test_a_borrowed_id_is_told_with_both_ways_out(shipping: dict[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path / "shared.toml", limit=0.02)
    assert said(lambda: load_policy(path, shipping["one"])) == (
        f"{path}: the id 'shared' is that of a policy which denotary ships, and this is not that policy\n"
        "  hint: give it an id of its own, or say --policy shared for the shipped one"
    )


def measure(name: str, **more: Any) -> Rate:
    usual = {"title": "t", "panel": "p", "direction": "lower", "hides": "h", "event": "x", "among": "TRUE"}
    return Rate(id=name, **usual | more)


def test_a_gate_that_cannot_be_judged_is_named_with_its_file_and_the_way_out(
    gate: Build, policy: Build
) -> None:
    known = [measure("risk"), measure("merit", direction="higher"), measure("shown", diagnostic=True)]

    def refused(**fields: Any) -> str:
        return said(lambda: refuse_unfit_measures(policy(gate(**fields)), known, OWN))

    assert refused(measure="risc") == (
        "own.toml: gate g: there is no measure 'risc'\n  hint: did you mean risk?"
    )
    assert refused(measure="shown") == (
        "own.toml: gate g: shown is a diagnostic, which no gate may read\n"
        "  hint: gate on a rate that a decision can break; a diagnostic describes how it came about"
    )
    assert refused(measure="merit", side="upper") == (
        "own.toml: gate g: merit is better higher; side 'upper' would pass the worst\n"
        '  hint: expected side = "lower"'
    )
    assert refused(measure="risk", side="lower") == (
        "own.toml: gate g: risk is better lower; side 'lower' would pass the worst\n"
        '  hint: expected side = "upper"'
    )


def test_on_two_runs_the_kind_of_gate_says_what_it_may_read(gate: Build, policy: Build) -> None:
    known, events = [measure("risk"), measure("asked")], [measure("new_risk")]

    def check(**fields: Any) -> None:
        asked = policy(gate(**fields), design="paired")
        refuse_unfit_measures(asked, known, OWN, regressions=events)

    assert said(lambda: check(kind="paired", measure="new_risk", limit=0.1)) == (
        "own.toml: gate g: there is no measure 'new_risk' for a gate of kind 'paired'\n  hint: did you mean risk?"
    )
    assert said(lambda: check(kind="zero", measure="risk")) == (
        "own.toml: gate g: there is no measure 'risk' for a gate of kind 'zero'\n  hint: did you mean new_risk?"
    )
    # What a perfect system would be asked is a rate of one run, whatever the gate reads.
    check(kind="zero", measure="new_risk", at_best="asked")
    check(kind="paired", measure="risk", limit=0.1, at_best="asked")
    assert "there is no measure 'askd'" in said(
        lambda: check(kind="paired", measure="risk", limit=0.1, at_best="askd")
    )


def test_a_policy_of_the_other_design_is_sent_where_it_belongs(gate: Build, policy: Build) -> None:
    assert said(lambda: refuse_design(policy(gate(), id="mine", design="paired"), "single")) == (
        "policy mine compares two runs\n  hint: denotary compare BASE NEW --policy mine --out FOLDER"
    )
    assert said(lambda: refuse_design(policy(gate(), id="mine"), "paired")) == (
        "policy mine judges one run and compares nothing\n"
        '  hint: give a policy with design = "paired", such as the shipped one: --policy regression'
    )


@pytest.mark.parametrize(
    ("who", "until", "expected"),
    [
        (" ", "2031-01-31", "{path}: risk: a waiver names its gate, who grants it and why"),
        ("r", "soon", "waiver of gate 'risk': until is 'soon'; expected an ISO date such as 2031-01-31"),
    ],
)
def test_a_waiver_that_is_not_whole_is_named(tmp_path: Path, who: str, until: str, expected: str) -> None:
    path = tmp_path / "waivers.toml"
    path.write_text(f'[[waiver]]\ngate = "risk"\nwho = "{who}"\nwhy = "w"\nuntil = "{until}"\n')
    assert said(lambda: load_waivers(path)) == expected.format(path=path)


def test_waivers_for_no_gate_or_twice_for_one_are_told(
    row: Build, measurement: Build, gate: Build, policy: Build
) -> None:
    def told(*gates: str, today: str = "2031-01-01") -> str:
        waivers = [Waiver(gate=name, who="w", why="y", until="2031-05-31") for name in gates]
        made = measurement(row([(0, 1, 1, 3000)]))
        return said(lambda: judge(made, policy(gate(id="risk")), waivers=waivers, today=today))

    assert told("risks") == (
        "a waiver names gate 'risks', which policy 'p' does not have\n  hint: did you mean risk?"
    )
    assert told("risk", "risk") == "two waivers are in force for gate 'risk'; expected one"
    assert told("risk", today="now") == "today is 'now'; expected an ISO date such as 2031-01-31"
    made = measurement(row([(0, 1, 1, 3000)]))
    assert said(lambda: judge(made, policy(gate(), instrument="similarity"))) == (
        "policy 'p' is for instrument 'similarity', the run was made with 'identity'"
    )


@pytest.mark.parametrize(
    ("changes", "today", "why"),
    [
        ({}, None, "no date was given to check it against"),
        ({}, "2031-06-01", "it expired on 2031-05-31 (granted by board)"),
        ({"who": "", "why": " "}, "2031-01-01", "it does not say who and why"),
    ],
)
def test_a_waiver_that_is_not_in_force_says_why(
    row: Build, measurement: Build, gate: Build, policy: Build, changes: Any, today: Any, why: str
) -> None:
    given = Waiver(**{"gate": "g", "who": "board", "why": "contained", "until": "2031-05-31"} | changes)
    found = judge(measurement(row([(1, 1, 1, 9)])), policy(gate()), waivers=[given], today=today)
    assert found.waivers_ignored == (f"the waiver of g is ignored: {why}",)


def test_everything_that_keeps_a_corpus_from_certifying_is_said(
    row: Build, measurement: Build, gate: Build, policy: Build
) -> None:
    def told(*facts: Fact) -> str:
        made = measurement(row([(0, 1, 1, 3000)]), role="calibration", facts=facts)
        return judge(made, policy(gate())).qualification

    role = "qualification only: a calibration corpus can block a release and never certify one"
    assert told() == f"{role}; nothing is known of the review of its cases"
    assert told(Fact(name="review_sufficient", holds=None, detail="3 of 9")) == f"{role}; 3 of 9"
    assert told(Fact(name="review_sufficient", holds=True, detail="all")) == role
