"""Dialogues in a suite: what the check says of their turns, and that they stay together wherever families do."""

from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary import suites
from denotary.errors import InputError
from denotary.suites.split_texts import text_groups
from denotary.suites.splitting import Pool, linked_cases, shown_texts
from denotary.suites.turns import turn_problems


@pytest.fixture
def dialogue(case: Any, make_suite: Any) -> Callable[..., Any]:
    """Read a suite whose cases differ in ``turn`` and ``depends_on`` alone."""

    def make(**turns: tuple[int, list[str]]) -> Any:
        cases = [case(name, turn=turn, depends_on=needs) for name, (turn, needs) in turns.items()]
        return suites.load_suite(make_suite(cases))

    return make


def found(suite: Any) -> list[tuple[str, str, int | None, str | None]]:
    problems = suites.check(suite)
    return [(p.severity, p.code, p.line, p.record) for p in problems if p.code.startswith("turn")]


def test_a_dialogue_in_order_has_no_problem(dialogue: Any) -> None:
    assert found(dialogue(b=(2, ["a"]), a=(0, []), c=(5, ["a", "b"]), d=(0, []))) == []


@pytest.mark.parametrize(
    ("turns", "problem"),
    [
        ({"a": (0, []), "b": (1, ["b"])}, ("error", "turn_self", 2, "b")),
        ({"a": (0, []), "b": (1, ["x"])}, ("error", "turn_unknown", 2, "b")),
        ({"a": (0, []), "b": (1, ["a", "a"])}, ("error", "turn_repeated", 2, "b")),
        ({"z": (0, []), "a": (2, ["z"]), "b": (1, ["a"])}, ("error", "turn_order", 3, "b")),
        ({"a": (1, ["b"]), "b": (2, ["a"])}, ("error", "turn_circle", 1, "a")),
        ({"a": (-1, [])}, ("error", "turn_number", 1, "a")),
        ({"a": (0, []), "b": (1, [])}, ("warning", "turn_alone", 2, "b")),
    ],
)
def test_each_problem_has_its_line_and_record(dialogue: Any, turns: Any, problem: Any) -> None:
    assert found(dialogue(**turns)) == [problem]


def test_a_suite_with_turns_out_of_order_is_not_frozen(dialogue: Any) -> None:
    suite = dialogue(a=(0, []), b=(1, ["x"]))
    with pytest.raises(InputError):
        suites.freeze(suite.root)


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, Any]:
    names = [f"n{i}" for i in range(draw(st.integers(1, 7)))]
    needs = st.lists(st.sampled_from([*names, "x"]), max_size=3)
    return {
        name: SimpleNamespace(turn=draw(st.integers(0, 3)), depends_on=tuple(draw(needs))) for name in names
    }


@given(graphs())
def test_what_passes_has_an_order_and_what_has_none_does_not_pass(turns: dict[str, Any]) -> None:
    """By the definition: every named id is there, and of a smaller turn; and by sorting, as an independent check."""
    codes = {problem.code for problem in turn_problems(turns)}
    fits = all(
        other in turns and turns[other].turn < item.turn and item.depends_on.count(other) == 1
        for item in turns.values()
        for other in item.depends_on
    )
    assert fits == (not codes)
    graph = {name: {other for other in item.depends_on if other != name} for name, item in turns.items()}
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError:
        assert "turn_circle" in codes
    else:
        assert "turn_circle" not in codes


def test_the_turns_of_a_dialogue_are_one_unit_and_one_family(dialogue: Any) -> None:
    suite = dialogue(d=(0, []), a=(0, []), b=(1, ["a"]), c=(2, ["b"]))
    assert suite.units == ("seed-d", "seed-a", "seed-a", "seed-a")
    assert list(linked_cases(Pool.of([suite]), [])["depends_on"].values()) == [[1, 2], [2, 3]]


LONG = "which of the two registries is the one that was in force in March"


def test_a_short_later_turn_repeats_no_other_and_a_copied_dialogue_does(case: Any, make_suite: Any) -> None:
    cases = [
        case("a", text="is the first name a lasting one"),
        case("a-1", text="yes", turn=1, depends_on=["a"]),
        case("a-2", text=LONG, turn=2, depends_on=["a-1"]),
        case("b", text="was lunch good today"),
        case("b-1", text="yes", turn=1, depends_on=["b"]),
        case("c", text="is the first name a lasting one"),
        case("c-1", text="Yes", turn=1, depends_on=["c"]),
        case("d", text=LONG),
    ]
    found = text_groups(shown_texts(suites.load_suite(make_suite(cases))), None, 0.7)
    assert not any({1, 4} <= {*group.members} for group in found)
    assert [(group.by, group.members) for group in found if group.by != "ngrams"] == [
        ("exact_text", (0, 5)),
        ("exact_text", (2, 7)),
        ("folded_text", (1, 6)),
    ]


def test_a_text_after_another_turn_is_another_text(case: Any, make_suite: Any) -> None:
    unknown = {"disposition": "UNKNOWN_REGISTRY"}
    cases = [
        case("a", text="which one is lasting"),
        case("b", unknown, text="what is for lunch"),
        case("a-2", text="this one", turn=1, depends_on=["a"]),
        case("b-2", unknown, text="this one", turn=1, depends_on=["b"]),
    ]
    codes = {problem.code for problem in suites.check(suites.load_suite(make_suite(cases)))}
    assert not codes & {"repeated_text_gold", "repeated_text"}
    cases[3] |= {"depends_on": ["a"]}
    codes = {problem.code for problem in suites.check(suites.load_suite(make_suite(cases)))}
    assert "repeated_text_gold" in codes
