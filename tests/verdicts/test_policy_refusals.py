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
SPAN = "1e-09 to 0.999999999"
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
        ("error", "policy", "looks is 0; expected 1 to 1,000,000, the decisions that may be taken"),
        ("error", "policy", f"gate 'risk': limit is 0.0; kind 'bound' needs one between 0 and 1, of {SPAN}"),
        ("warning", "confidence", "confidence is 0.6: a bound may be too low 40 % of the time"),
        ("warning", "confidence", "confidence 0.6 is lower, not 0.95, than shared"),
    ]
    assert said(lambda: load_policy(path, shipping["one"])) == f"{path}: {found[0].message}"


def saying(part: str, line: str) -> str:
    """Return a part of a policy with a line in the place of the one that sets the same."""
    name = line.partition(" ")[0]
    kept = [text for text in part.splitlines() if not text.startswith(f"{name} =")]
    return "\n".join([*kept, line, ""])


NAMED = "expected letters, digits, '.', '_' and '-', at most 80, the first a letter or digit"


@pytest.mark.parametrize(
    ("line", "said_of_it"),
    [
        ('id = ""', f"id is ''; {NAMED}"),
        ('id = "../own"', f"id is '../own'; {NAMED}"),
        (r'id = "a\\b"', rf"id is 'a\\b'; {NAMED}"),
        (f'id = "{"x" * 81}"', f"id is '{'x' * 40}'…; {NAMED}"),
        ('track = ""', f"track is ''; {NAMED}"),
        ('track = " own"', f"track is ' own'; {NAMED}"),
        ("confidence = 0.9999999999999999",
         "confidence is 0.9999999999999999; expected 0.5 to 0.999999999, such as 0.95"),
        ("confidence = nan", "confidence is nan; expected 0.5 to 0.999999999, such as 0.95"),
        ("looks = 1000001", "looks is 1000001; expected 1 to 1,000,000, the decisions that may be taken"),
        (f"looks = {'9' * 26}", "looks is beyond all bounds; expected 1 to 1,000,000, the decisions that may be taken"),
        (f"repeat_core = {'9' * 26}", "repeat_core is beyond all bounds; expected 0 to 1,000,000,000 cases, or all"),
    ],
)  # fmt: skip
def test_names_and_numbers_that_no_policy_can_have_are_told_with_what_it_may_have(
    shipping: dict[str, Any], tmp_path: Path, line: str, said_of_it: str
) -> None:
    path = written(tmp_path / "mine.toml")
    head, mark, gate = path.read_text().partition("[[gates]]")
    path.write_text(saying(head, line) + mark + gate)
    assert said(lambda: load_policy(path, shipping["one"])) == f"{path}: {said_of_it}"


@pytest.mark.parametrize(
    ("line", "said_of_it"),
    [
        ('id = ""', f"id of a gate is ''; {NAMED}"),
        ('id = "a/b"', f"id of a gate is 'a/b'; {NAMED}"),
        ("limit = 1e-320", f"gate 'risk': limit is 1e-320; kind 'bound' needs one between 0 and 1, of {SPAN}"),
        ("limit = 0.9999999999999999",
         f"gate 'risk': limit is 0.9999999999999999; kind 'bound' needs one between 0 and 1, of {SPAN}"),
        (f"minimum_units = {'9' * 26}",
         "gate 'risk': minimum_units is beyond all bounds; nobody can ask as many: expected 1 to 1,000,000,000"),
    ],
)  # fmt: skip
def test_a_gate_out_of_range_is_named_with_what_it_may_say(
    shipping: dict[str, Any], tmp_path: Path, line: str, said_of_it: str
) -> None:
    path = written(tmp_path / "mine.toml")
    head, mark, gate = path.read_text().partition("[[gates]]")
    path.write_text(head + mark + saying(gate, line))
    assert said(lambda: load_policy(path, shipping["one"])) == f"{path}: {said_of_it}"


def test_the_ends_of_the_ranges_are_taken(shipping: dict[str, Any], tmp_path: Path) -> None:
    more = "confidence = 0.999999999\nlooks = 1000000\nrepeat_core = 1000000000"
    path = written(tmp_path / "mine.toml", limit=1e-9, more=more)
    path.write_text(path.read_text() + "minimum_units = 1000000000\n")
    assert load_policy(path, shipping["one"]).looks == 1_000_000


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
