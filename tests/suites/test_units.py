"""Units against a breadth-first search over the explicit graph of cases."""

from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denotary.instruments.identity.cases import Gold, IdentityCase, Input
from denotary.suites import units
from denotary.suites.records import Annotation, Construction, Security

Keys = tuple[str, str | None, str | None, str | None, str | None]


def build(name: str, keys: Keys) -> IdentityCase:
    seed, template, translation, perturbation, parent = keys
    return IdentityCase(
        record_id=name,
        benchmark_version="1.0.0",
        registry_version="1.0.0",
        semantic_seed_id=seed,
        parent_record_id=parent,
        input=Input(text="t", language="en", script="Latn"),
        gold=Gold(disposition="UNKNOWN_REGISTRY"),
        construction=Construction(
            primary_family="compositional",
            generation_method="human",
            generation_template=template,
            translation_family=translation,
            perturbation_lineage=perturbation,
        ),
        annotation=Annotation(review="unreviewed"),
        security=Security(visibility="public"),
    )


def tied(one: IdentityCase, other: IdentityCase) -> bool:
    left, right = one.construction, other.construction
    return (
        one.semantic_seed_id == other.semantic_seed_id
        or (left.generation_template == right.generation_template and bool(left.generation_template))
        or (left.translation_family == right.translation_family and bool(left.translation_family))
        or (left.perturbation_lineage == right.perturbation_lineage and bool(left.perturbation_lineage))
        or one.parent_record_id == other.record_id
        or other.parent_record_id == one.record_id
        or (one.parent_record_id == other.parent_record_id and bool(one.parent_record_id))
    )


def by_search(cases: list[IdentityCase]) -> tuple[str, ...]:
    names: list[str | None] = [None] * len(cases)
    for start in range(len(cases)):
        if names[start] is None:
            seen, queue = {start}, deque([start])
            while queue:
                here = queue.popleft()
                for there in range(len(cases)):
                    if there not in seen and tied(cases[here], cases[there]):
                        seen.add(there)
                        queue.append(there)
            name = min(cases[index].semantic_seed_id for index in seen)
            for index in seen:
                names[index] = name
    return tuple(str(name) for name in names)


def key(number: int) -> st.SearchStrategy[str | None]:
    return st.none() | st.just("") | st.integers(0, number).map(str)


keys = st.tuples(
    st.integers(0, 14).map(str), key(9), key(9), key(9), st.none() | st.integers(0, 20).map("r{}".format)
)
suites = st.lists(keys, max_size=16).map(lambda rows: [build(f"r{i}", row) for i, row in enumerate(rows)])


@settings(max_examples=300)
@given(suites)
def test_units_are_the_connected_components(cases: list[IdentityCase]) -> None:
    assert units(cases) == by_search(cases)


@given(suites, st.randoms(use_true_random=False))
def test_the_order_of_the_cases_does_not_matter(cases: list[IdentityCase], random: object) -> None:
    shuffled = list(cases)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert dict(zip([c.record_id for c in cases], units(cases), strict=True)) == dict(
        zip([c.record_id for c in shuffled], units(shuffled), strict=True)
    )


def test_a_chain_of_different_keys_is_one_unit() -> None:
    cases = [
        build("a", ("s1", "t", None, None, None)),
        build("b", ("s2", "t", "family", None, None)),
        build("c", ("s3", None, "family", "p", None)),
        build("d", ("s4", None, None, "p", None)),
        build("e", ("s5", None, None, None, "d")),
        build("f", ("s6", None, None, None, None)),
    ]
    assert units(cases) == ("s1", "s1", "s1", "s1", "s1", "s6")


def test_keys_of_different_kinds_never_meet() -> None:
    cases = [build("a", ("k", None, None, None, None)), build("b", ("s", "k", None, None, None))]
    assert units(cases) == ("k", "s")


@pytest.mark.parametrize("blank", ["", None])
def test_a_blank_key_makes_no_edge(blank: str | None) -> None:
    cases = [build("a", ("s1", blank, blank, blank, None)), build("b", ("s2", blank, blank, blank, None))]
    assert units(cases) == ("s1", "s2")


def test_two_children_of_a_parent_elsewhere_are_siblings() -> None:
    cases = [build("a", ("s1", None, None, None, "gone")), build("b", ("s2", None, None, None, "gone"))]
    assert units(cases) == ("s1", "s1")


def test_a_long_chain_costs_no_recursion() -> None:
    cases = [build(f"r{i}", (f"s{i:06}", None, None, None, f"r{i + 1}")) for i in range(20_000)]
    assert set(units(cases)) == {"s000000"}
