"""What a system is declared to have no way to say is set aside and counted; a code in its place is harm as ever."""

from typing import Any

import measured as m  # type: ignore[import-not-found]
import pytest

from denotary import systems
from denotary.instruments.identity.declared import declared_kinds
from denotary.instruments.identity.measures import MEASURES
from denotary.instruments.identity.table import table
from denotary.instruments.identity.tally import crosstab
from denotary.measures.engine import evaluate
from denotary.runs.declaring import complete
from denotary.runs.records import Identity

HARM = (
    "faar",
    "assignment_risk",
    "unknown_far",
    "ambiguity_forced",
    "underspecified_forced",
    "mixed_collapse",
)
AMBIGUOUS = frozenset(("AMBIGUOUS",))


def suite() -> Any:
    """Two ambiguous texts, two underspecified, two unknown, and one with a right code."""
    kinds = (
        "AMBIGUOUS",
        "AMBIGUOUS",
        "UNDERSPECIFIED",
        "UNDERSPECIFIED",
        "UNKNOWN_REGISTRY",
        "UNKNOWN_REGISTRY",
    )
    return m.suite([*(m.case(f"n{index}", kind) for index, kind in enumerate(kinds)), m.case("right")])


def given() -> list[Any]:
    """A system that can say ``ambiguous`` and does so once rightly, once not, and once of an underspecified text."""
    said = {"n0": "AMBIGUOUS", "n1": None, "n2": "AMBIGUOUS", "n3": None, "n4": None}
    refusals = [m.answer(name, kind=kind) for name, kind in said.items()]
    return [*refusals, m.answer("n5", "c.one"), m.answer("right", "c.one")]


def rows(expresses: frozenset[str] | None, of: Any = None, answers: Any = None) -> dict[tuple[str, str], Any]:
    joined = table(of or suite(), answers or given(), expresses)
    found = evaluate(MEASURES, joined, instrument="identity", unit_kind="seed", resamples=0)
    return {(row.measure, row.slice): row for row in found}


def fraction(row: Any) -> tuple[int, int]:
    return row.numerator, row.denominator


def test_only_what_can_be_said_is_in_the_denominator() -> None:
    found = rows(AMBIGUOUS)
    # n0 is right and n1 of no kind where one could be given; n2, n3 and n4 ask for what cannot be said.
    assert fraction(found["abstention_kind_accuracy", "all"]) == (1, 2)
    assert fraction(found["kind_not_expressible", "all"]) == (3, 5)
    assert fraction(found["kind_not_expressible", "disposition=UNDERSPECIFIED"]) == (2, 2)
    assert fraction(found["kind_not_expressible", "disposition=AMBIGUOUS"]) == (0, 2)


def test_where_nothing_is_declared_every_kind_is_asked() -> None:
    found = rows(None)
    assert fraction(found["abstention_kind_accuracy", "all"]) == (1, 5)
    assert fraction(found["kind_not_expressible", "all"]) == (0, 5)


def test_a_kind_that_is_named_is_expressed_whatever_is_declared() -> None:
    assert fraction(rows(frozenset())["abstention_kind_accuracy", "all"]) == (1, 2)


def test_harm_is_the_same_whatever_is_declared() -> None:
    declared = [rows(expresses) for expresses in (None, frozenset(), AMBIGUOUS)]
    for measure in HARM:
        assert len({fraction(found[measure, "all"]) for found in declared}) == 1, measure
    assert fraction(declared[1]["unknown_far", "all"]) == (1, 2)


def test_the_matrix_has_a_column_for_them_and_keeps_a_kind_that_was_named() -> None:
    cells = {
        (cell.expected, cell.answered): cell.cases for cell in crosstab(table(suite(), given(), AMBIGUOUS))
    }
    assert cells["UNDERSPECIFIED", "NOT_EXPRESSIBLE"] == cells["UNKNOWN_REGISTRY", "NOT_EXPRESSIBLE"] == 1
    assert cells["UNDERSPECIFIED", "AMBIGUOUS"] == cells["AMBIGUOUS", "ABSTAIN"] == 1


@pytest.mark.parametrize(("code", "forced"), [(None, 0), ("c.one", 1)])
def test_a_declared_ambiguity_is_not_judged_as_such_and_a_code_on_it_is(
    code: str | None, forced: int
) -> None:
    exact = m.suite([m.case("a", "AMBIGUOUS", primary_family="reviewed_exact")])
    found = rows(frozenset(), exact, [m.answer("a", code)])
    assert found["exact_ambiguity_failure", "all"].status == "NOT_APPLICABLE"
    assert "no way to say that a text is ambiguous" in found["exact_ambiguity_failure", "all"].note
    assert fraction(found["exact_ambiguity_forced", "all"]) == (forced, 1)
    assert fraction(rows(None, exact, [m.answer("a", code)])["exact_ambiguity_failure", "all"]) == (forced, 1)


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ((), None),
        (("none",), frozenset()),
        (("AMBIGUOUS", "unknown", "clarify"), frozenset(("AMBIGUOUS", "UNKNOWN_REGISTRY", "CLARIFY"))),
        (("low confidence", "Mixed-Concept"), frozenset(("MIXED",))),
    ],
)
def test_words_of_the_declaration_are_read_as_those_of_an_answer(words: Any, kinds: Any) -> None:
    assert declared_kinds(Identity(expresses=words)) == kinds


@pytest.mark.parametrize(
    ("system", "words"),
    [
        (systems.openrefine("http://h"), ("none",)),
        (systems.fhir("http://h", value_set="v"), ("ambiguous",)),
        (systems.rasa("http://h"), ("none",)),
        (systems.annif("http://h/v1", project="p", threshold=0.5), ("none",)),
        (systems.gilda("http://h"), ("none",)),
        (systems.gilda("http://h", ties="ambiguous"), ("ambiguous",)),
    ],
)
def test_an_adapted_system_declares_what_its_disposition_map_says(
    system: Any, words: tuple[str, ...]
) -> None:
    assert complete(Identity(), system).expresses == words
