"""Collisions: equal texts, and texts that meet under a fold."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denotary.registry import lint, load_registry
from denotary.registry.audit import Entry, FoldConflict, fold_conflicts
from denotary.text import folds_for, primary_subtag

TEXTS = st.text(
    st.sampled_from("aAbB \u00e4\u00c4.-'\u2019\u200c\u0131I\u0130i\uff41\u00b2\u0032"),
    min_size=1,
    max_size=4,
)
ENTRIES = st.lists(
    st.tuples(
        st.sampled_from(["en", "sv", "tr", "en-US"]), TEXTS, st.sets(st.sampled_from("PQ"), min_size=1)
    ),
    max_size=8,
).map(
    lambda rows: [Entry(f"x{n}", lang, text, frozenset(codes)) for n, (lang, text, codes) in enumerate(rows)]
)


def by_hand(entries: list[Entry]) -> list[FoldConflict]:
    """Every fold with every pair."""
    found = []
    for one, other in combinations(entries, 2):
        if one.language == other.language and one.codes != other.codes and one.text != other.text:
            for fold in folds_for(primary_subtag(one.language)):
                if fold.apply(one.text) == fold.apply(other.text):
                    found.append(FoldConflict(min(one.id, other.id), max(one.id, other.id), fold.id))
                    break
    return sorted(found)


@given(ENTRIES)
@settings(deadline=None, max_examples=300)
def test_the_audit_finds_what_every_fold_with_every_pair_finds(entries: list[Entry]) -> None:
    assert fold_conflicts(entries) == by_hand(entries)


@given(ENTRIES, st.randoms())
@settings(deadline=None)
def test_the_order_of_records_does_not_matter(entries: list[Entry], random: Any) -> None:
    shuffled = random.sample(entries, len(entries))
    assert fold_conflicts(shuffled) == fold_conflicts(entries)


def test_thousands_that_look_alike_end_in_time() -> None:
    entries = [Entry(f"p{n}", "en", "a" + "." * n, frozenset("P")) for n in range(1500)]
    entries += [Entry(f"q{n}", "en", "A" + "." * n, frozenset("Q")) for n in range(1500)]
    assert 1000 < len(fold_conflicts(entries)) < 20_000


def problems(folder: Any) -> list[tuple[str, str | None]]:
    return [(item.code, item.record) for item in lint(load_registry(folder)) if item.severity == "error"]


@pytest.fixture
def pair(build: Any, make: Any) -> Any:
    """Return the errors of a registry with two texts of two concepts."""

    def pair_(one: str, other: str, *, language: str = "en", **lists: Any) -> Any:
        return problems(
            build(
                make.expression("x1", one, "planet", language=language),
                make.expression("x2", other, "element", language=language),
                **lists,
            )
        )

    return pair_


def test_equal_texts_of_two_concepts_are_an_error_until_they_are_declared(pair: Any, make: Any) -> None:
    assert pair("Mercury", "Mercury") == [("nfc-collision", "x2")]
    assert pair("Ethol\u00e9n", "Ethole\u0301n") == [("nfc-collision", "x2")]
    declared = [make.ambiguity("a1", "Mercury", "closed", "planet", "element")]
    assert pair("Mercury", "Mercury", ambiguities=declared) == []


def test_a_declaration_names_every_sense(pair: Any, make: Any) -> None:
    declared = [make.ambiguity("a1", "Mercury", "open", "planet")]
    assert pair("Mercury", "Mercury", ambiguities=declared) == [("ambiguity", "x2")]


def test_one_expression_with_two_codes_is_a_collision_too(build: Any, make: Any) -> None:
    both = make.expression("x1", "Mercury", "planet", "element")
    assert problems(build(both)) == [("nfc-collision", "x1")]
    declared = [make.ambiguity("a1", "Mercury", "closed", "planet", "element")]
    assert problems(build(both, ambiguities=declared)) == []


def test_the_same_said_twice_is_an_error(build: Any, make: Any) -> None:
    assert problems(build(make.expression("x1", "Merkur"), make.expression("x2", "Merkur"))) == [
        ("duplicate", "x2")
    ]
    twice = [make.ambiguity("a1", "M", "open"), make.ambiguity("a2", "M", "open")]
    assert problems(build(ambiguities=twice)) == [("ambiguity", "a2")]


def test_equal_texts_in_two_languages_are_no_collision(build: Any, make: Any) -> None:
    gifts = make.expression("x1", "gift", "planet"), make.expression("x2", "gift", "element", language="de")
    assert problems(build(*gifts)) == []


@pytest.mark.parametrize(
    ("one", "other", "fold"),
    [
        ("Polish", "polish", "ccf/1"),
        ("10^3", "10^-3", "dash/1"),
        ("Aymé", "Ayme", "marks/1"),
        ("AB", "A.B", "punct/1"),
    ],
)
def test_texts_that_meet_under_a_fold_are_declared(
    build: Any, make: Any, one: str, other: str, fold: str
) -> None:
    texts = make.expression("x1", one, "planet"), make.expression("x2", other, "element")
    (problem,) = lint(load_registry(build(*texts)))
    assert (problem.severity, problem.code, problem.record) == ("error", "fold-conflict", "x2")
    assert f"meets x1, of another concept, under {fold};" in problem.message
    assert "add x1|x2 to declared_fold_conflicts" in problem.message
    assert lint(load_registry(build(*texts, header={"declared_fold_conflicts": ["x1|x2"]}))) == []


def test_a_fold_holds_in_its_language(pair: Any) -> None:
    assert pair("\u00e5ngstr\u00f6m", "angstrom", language="sv") == []
    assert pair("\u00e5ngstr\u00f6m", "angstrom", language="en") == [("fold-conflict", "x2")]


def test_a_declared_ambiguity_meets_texts_too(build: Any, make: Any) -> None:
    folder = build(
        make.expression("x1", "mercury", "element"),
        ambiguities=[make.ambiguity("a1", "Mercury", "closed", "planet", "element")],
    )
    assert problems(folder) == [("fold-conflict", "x1")]


def test_a_rejected_expression_collides_with_nothing(build: Any, make: Any) -> None:
    rejected = {"by": "a", "on": "2026-01-31", "status": "rejected"}
    folder = build(
        make.expression("x1", "Mercury", "planet"),
        make.expression("x2", "Mercury", "element", review=rejected),
    )
    assert problems(folder) == []


def test_a_declared_pair_that_is_no_conflict_is_told(build: Any, make: Any) -> None:
    folder = build(make.expression("x1", "Mercury"), header={"declared_fold_conflicts": ["x1|x9"]})
    found = [item for item in lint(load_registry(folder)) if item.code == "fold-conflict"]
    assert [item.severity for item in found] == ["warning"]
