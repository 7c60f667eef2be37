"""What may not be asked before what: the turns of a dialogue, as cases of a suite and as calls of a plan."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

from denotary.suites.keys import shown
from denotary.suites.loading import safe_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Turn(Protocol):
    """A case, which names record ids, or a call, which names call ids."""

    @property
    def turn(self) -> int:
        """Its place in its dialogue, counted from 0."""

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The earlier turns whose answers it needs."""


class TurnProblem(NamedTuple):
    """What is wrong with one turn."""

    name: str
    """Id of the case or call."""
    code: str
    message: str


def turns_before(item: Turn, turns: Mapping[str, Turn]) -> list[str]:
    """Return the ids of the turns that a turn needs, and that these need, in the order of turn and id.

    Args:
        item: a case or a call.
        turns: cases by record id, or calls by call id; ids that are not there are passed over.
    """
    found: set[str] = set()
    left = list(item.depends_on)
    while left:
        name = left.pop()
        if name not in found and name in turns:
            found.add(name)
            left.extend(turns[name].depends_on)
    # Not the order of a plan, which is another one in each repeat.
    return sorted(found, key=lambda name: (turns[name].turn, name))


def turn_problems(turns: Mapping[str, Turn]) -> Iterator[TurnProblem]:
    """Yield what is wrong with the order of turns, in their order. Cost is linear in turns and dependences.

    A turn names earlier turns alone, so what passes here has no circle and can be asked to its end.

    Args:
        turns: cases by record id, or calls by call id.
    """
    circle: frozenset[tuple[str, str]] | None = None
    for name, item in turns.items():
        if item.turn < 0:
            yield TurnProblem(name, "turn_number", f"turn must be at least 0, found {item.turn}")
        if len(set(item.depends_on)) < len(item.depends_on):
            yield TurnProblem(name, "turn_repeated", "depends_on names a turn twice")
        for earlier in dict.fromkeys(item.depends_on):
            if earlier == name:
                yield TurnProblem(name, "turn_self", "depends on itself")
            elif earlier not in turns:
                message = f"depends on {_unheard_of(earlier)}, and there is no such id"
                yield TurnProblem(name, "turn_unknown", message)
            elif turns[earlier].turn >= item.turn:
                # Each circle holds such a step, so a circle is looked for here alone.
                circle = _circle(turns) if circle is None else circle
                yield _late(name, earlier, turns, in_circle=(earlier, name) in circle)


def _unheard_of(name: str) -> str:
    """Return an id that nothing has, of a case or of a call, in a form that shows no text in its place."""
    base, sign, repeat = name.rpartition("#")
    return f"{shown(base)}#{repeat}" if sign and repeat.isdecimal() else shown(name)


def _late(name: str, earlier: str, turns: Mapping[str, Turn], *, in_circle: bool) -> TurnProblem:
    before, found, own = safe_name(earlier), turns[earlier].turn, turns[name].turn
    if in_circle:
        return TurnProblem(
            name, "turn_circle", f"depends on {before}, whose own chain of turns leads back here"
        )
    message = f"depends on {before} of turn {found}; expected a turn before its own, which is {own}"
    return TurnProblem(name, "turn_order", message)


def _circle(turns: Mapping[str, Turn]) -> frozenset[tuple[str, str]]:
    """Return the steps (from the earlier to the later) of one circle; none if there is no circle."""
    graph = {
        name: [earlier for earlier in item.depends_on if earlier != name and earlier in turns]
        for name, item in turns.items()
        if item.depends_on
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        names = error.args[1]
        return frozenset(pairwise(names))
    return frozenset()
