"""Split checks, against comparing every pair of cases, and against another library's connected components."""

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from denotary.canonical import sha256
from denotary.errors import InputError
from denotary.instruments.identity.cases import Gold, IdentityCase, Input
from denotary.registry import load_registry
from denotary.suites import split_check
from denotary.suites.keys import KEYS
from denotary.suites.records import Annotation, Construction, Manifest, RegistryPin, Security
from denotary.suites.suite import Suite
from denotary.text import coarse

Case = Callable[..., Any]
Make = Callable[..., Path]
ROLES = ("calibration", "sealed-certification", "regression")


def made(name: str, text: str, seed: str, parent: str | None = None, **keys: Any) -> IdentityCase:
    return IdentityCase(
        record_id=name,
        benchmark_version="1.0.0",
        registry_version="1.0.0",
        semantic_seed_id=seed,
        parent_record_id=parent,
        input=Input(text=text, language="en"),
        gold=Gold(disposition="UNKNOWN_REGISTRY"),
        construction=Construction(primary_family="f", generation_method="human", **keys),
        annotation=Annotation(review="reviewed"),
        security=Security(visibility="sealed"),
    )


def suite(name: str, role: Any, cases: list[IdentityCase], **manifest: Any) -> Suite:
    content = Manifest(
        schema="denotary.suite/1",
        name=name,
        version="1.0.0",
        instrument="identity",
        role=role,
        registry=RegistryPin(name="r", version="1.0.0"),
        **manifest,
    )
    registry = load_registry("bundled:bootstrap")
    names = tuple(case.semantic_seed_id for case in cases)
    return Suite(content, tuple(cases), names, tuple(range(len(cases))), registry, None, (), Path(name))


VALUE = st.sampled_from([None, "v1", "v2", "v3"])
ROW = st.tuples(
    st.sampled_from(["ab", "Ab", "cd", "???", "!", "", " "]),
    st.sampled_from(["s1", "s2", "s3", "s4", "s5", "s6"]),
    st.sampled_from([None, "c0", "c1", "p"]),
    st.dictionaries(st.sampled_from(KEYS[1:]), VALUE, max_size=3),
)
SUITES = st.lists(st.lists(ROW, min_size=1, max_size=5), min_size=2, max_size=3)


def in_memory(rows: list[list[Any]]) -> list[Suite]:
    return [
        suite(f"suite-{n}", ROLES[n], [made(f"c{i}", *row[:3], **row[3]) for i, row in enumerate(part)])
        for n, part in enumerate(rows)
    ]


def shared(a: Any, b: Any) -> set[str]:
    """What ties two cases together, by looking at both."""
    found = {"semantic_seed_id"} if a.semantic_seed_id == b.semantic_seed_id else set()
    for key in KEYS[1:]:
        value = getattr(a.construction, key)
        if value and value == getattr(b.construction, key):
            found.add(key)
    mine, theirs = a.input.text or "", b.input.text or ""
    if mine.strip() and mine == theirs:
        found.add("exact_text")
    elif coarse(mine) and coarse(mine) == coarse(theirs):
        found.add("folded_text")
    return found


@settings(deadline=None, max_examples=150)
@given(SUITES)
def test_crossings_and_components_are_those_of_comparing_every_pair(rows: list[list[Any]]) -> None:
    suites = in_memory([[(text, seed, None, keys) for text, seed, _, keys in part] for part in rows])
    found = split_check(suites)
    inseparable = {item.key for item in found.keys if item.state == "not separable"}
    cases = [(n, case) for n, item in enumerate(suites) for case in item.cases]
    crossing: set[tuple[str, tuple[int, str], tuple[int, str]]] = set()
    edges = []
    for (i, one), (j, other) in combinations(enumerate(cases), 2):
        ties = shared(one[1], other[1]) - inseparable
        if ties:
            edges.append((i, j))
        if one[0] != other[0]:
            ends = (one[0], one[1].record_id), (other[0], other[1].record_id)
            crossing |= {(by, *ends) for by in ties}
    assert pairs(found) >= crossing
    # A group by fold may hold pairs that are equal as they stand; else nothing is listed that is not there.
    assert {row for row in pairs(found) if row[0] != "folded_text"} == {
        row for row in crossing if row[0] != "folded_text"
    }
    graph = coo_array(
        (np.ones(len(edges)), tuple(np.array(edges).T if edges else np.zeros((2, 0), int))),
        shape=(len(cases), len(cases)),
    )
    count, label = connected_components(graph, directed=False)
    spans = [len({cases[i][0] for i in np.flatnonzero(label == n)}) > 1 for n in range(count)]
    assert (found.components, found.crossing_components) == (count, sum(spans))
    assert found.crossing_cases == sum(spans[n] for n in label)
    assert found.is_clean == (not crossing)


def pairs(found: Any) -> set[tuple[str, tuple[int, str], tuple[int, str]]]:
    return {
        (crossing.by, (one.suite, a), (other.suite, b))
        for crossing in found.crossings
        for one, other in combinations(crossing.sides, 2)
        for a in one.records
        for b in other.records
    }


def two(left: list[IdentityCase], right: list[IdentityCase], **manifest: Any) -> list[Suite]:
    return [
        suite("tuning", "calibration", left, **manifest),
        suite("sealed", "sealed-certification", right, **manifest),
    ]


FULL = {key: f"{key}-{{}}" for key in KEYS[1:]}


def full(name: str, number: int, text: str, **keys: Any) -> IdentityCase:
    """A case with every key recorded, none shared with another number."""
    return made(name, text, f"seed-{number}", **{k: v.format(number) for k, v in FULL.items()} | keys)


def test_suites_with_every_key_and_no_crossing_support_certification() -> None:
    found = split_check(two([full("a", 1, "one text here")], [full("b", 2, "another thing")]))
    assert (found.supports, found.is_clean, found.crossings) == ("certification", True, ())
    assert (found.components, found.crossing_components, found.crossing_cases) == (2, 0, 0)


@pytest.mark.parametrize("key", KEYS)
def test_each_key_makes_a_crossing(key: Any) -> None:
    other = full("b", 2, "another thing")
    if key == "semantic_seed_id":
        other = made("b", "another thing", "seed-1", **{k: v.format(2) for k, v in FULL.items()})
    else:
        other = full("b", 2, "another thing", **{key: f"{key}-1"})
    third = full("c", 3, "a third sentence")
    found = split_check(two([full("a", 1, "one text here")], [other, third]))
    (crossing,) = found.crossings
    assert (crossing.by, [side.records for side in crossing.sides]) == (key, [("a",), ("b",)])
    assert found.supports == "nothing"


@pytest.mark.parametrize(
    ("key", "supports"),
    [
        (key, "qualification" if key in {"author", "concept_neighbourhood"} else "diagnostic")
        for key in KEYS[1:]
    ],
)
def test_a_blank_key_makes_no_edge_and_is_not_controlled(key: str, supports: str) -> None:
    left, right = full("a", 1, "one text here", **{key: None}), full("b", 2, "another thing", **{key: None})
    found = split_check(two([left], [right]))
    state = {item.key: item for item in found.keys}[key]  # type: ignore[index]
    assert (state.state, state.blank, found.supports) == ("not controlled", 2, supports)
    in_part = split_check(two([left], [full("b", 2, "another thing")]))
    assert {item.key: item.state for item in in_part.keys}[key] == "recorded in part"  # type: ignore[index]
    assert in_part.supports == supports


def test_a_suite_may_declare_what_its_blanks_mean_but_for_seed_and_author() -> None:
    left = full("a", 1, "one text here", translation_family=None)
    right = full("b", 2, "another thing", translation_family=None)
    declared = {"translation_family": "neither translated nor a source", "author": "unknown"}
    found = split_check(two([left], [right], blank_keys=declared))
    states = {item.key: item for item in found.keys}
    assert states["translation_family"].state == "does not apply"
    assert (states["translation_family"].not_applicable, found.supports) == (2, "certification")
    blank = {"translation_family": " "}
    assert split_check(two([left], [right], blank_keys=blank)).supports == "diagnostic"
    unsigned = full("a", 1, "one text here", author=None)
    found = split_check(two([unsigned], [full("b", 2, "another thing")], blank_keys=declared))
    assert found.supports == "qualification"


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("translation_family", {"translated": True}),
        ("translation_family", {"primary_family": "paired_multilingual"}),
        ("attack_family", {"primary_family": "malicious_input"}),
        ("attack_family", {"tags": ("malicious_input",)}),
        ("attack_family", {"resolution": "open"}),
        ("perturbation_lineage", {"variant_severity": "low"}),
        ("generation_template", {"generation_method": "template"}),
    ],
)
def test_a_declaration_does_not_hold_against_what_the_case_says(key: str, says: dict[str, Any]) -> None:
    declared = {key: "none"}
    right = full("b", 2, "another thing")
    left = full("a", 1, "one text here", **{key: None})
    assert split_check(two([left], [right], blank_keys=declared)).supports == "certification"
    against = msgspec.structs.replace(left, construction=msgspec.structs.replace(left.construction, **says))
    found = split_check(two([against], [right], blank_keys=declared))
    assert {item.key: item.blank for item in found.keys}[key] == 1  # type: ignore[index]
    assert found.supports == "diagnostic"


def test_a_blank_neighbourhood_is_never_declared_away() -> None:
    left, right = (
        full(n, i, t, concept_neighbourhood=None) for n, i, t in (("a", 1, "one"), ("b", 2, "other"))
    )
    found = split_check(two([left], [right], blank_keys={"concept_neighbourhood": "none"}))
    assert {item.key: item.state for item in found.keys}["concept_neighbourhood"] == "not controlled"
    assert found.supports == "qualification"


def test_texts_of_punctuation_alone_repeat_what_is_equal_to_them() -> None:
    found = split_check(two([full("a", 1, "???")], [full("b", 2, "???"), full("c", 3, "!")]))
    assert [(item.by, len(item.sides)) for item in found.crossings] == [("exact_text", 2)]
    assert split_check(two([full("a", 1, " ")], [full("b", 2, " ")])).is_clean


def test_a_key_with_one_value_separates_nothing() -> None:
    left, right = full("a", 1, "one text here", author="x"), full("b", 2, "another thing", author="x")
    found = split_check(two([left], [right]))
    assert {item.key: item.state for item in found.keys}["author"] == "not separable"
    assert (found.crossings, found.supports) == ((), "diagnostic")
    # Waived, it is what a public suite may waive.
    assert split_check(two([left], [right]), waive=["author"]).supports == "qualification"
    # One value that not every case has is a family that crosses.
    third = full("c", 3, "a third sentence", author=None)
    found = split_check(two([left], [right, third]))
    assert [crossing.by for crossing in found.crossings] == ["author"]


def test_what_is_waived_is_listed_and_supports_a_qualification() -> None:
    left = full("a", 1, "one text here", author="x")
    right = [full("b", 2, "another thing", author="x"), full("c", 3, "a third sentence")]
    found = split_check(two([left], right), waive=["author"])
    assert [(item.by, item.waived) for item in found.crossings] == [("author", True)]
    assert (found.is_clean, found.supports) == (True, "qualification")
    assert found.crossing_components == 0
    with pytest.raises(InputError, match="'generation_template' may not be waived"):
        split_check(two([left], right), waive=["generation_template"])


def test_a_parent_in_another_suite_is_a_crossing_and_ids_alone_are_none() -> None:
    left = [full("a", 1, "one text here"), full("x", 9, "ninth words")]
    right = [full("a", 2, "another thing")]
    assert split_check(two(left, right)).is_clean
    child = made("b", "a third sentence", "seed-3", "x", **{k: v.format(3) for k, v in FULL.items()})
    found = split_check(two(left, [*right, child]))
    (crossing,) = found.crossings
    assert (crossing.by, crossing.value) == ("parent_record_id", "x")
    assert [side.records for side in crossing.sides] == [("x",), ("b",)]
    # Siblings of a parent that stands in neither suite belong together.
    twins = [
        made(name, text, f"seed-{n}", "gone", **{k: v.format(n) for k, v in FULL.items()})
        for n, (name, text) in enumerate([("s", "sibling one"), ("t", "other words")], start=5)
    ]
    found = split_check(two([*left, twins[0]], [*right, twins[1]]))
    assert [crossing.value for crossing in found.crossings] == ["gone"]
    # A parent of that id in the child's own suite is the one that is meant.
    own = [full("x", 4, "my own parent"), child]
    assert split_check(two(left, own)).is_clean


def test_texts_that_repeat_each_other_cross_by_the_closest_comparison() -> None:
    text = "the payment by card was refused in a shop yesterday"
    others = {
        "exact_text": text,
        "folded_text": "The  payment by CARD was refused in a shop, yesterday!",
        "ngrams": text.replace("refused", "refuzed"),
    }
    for by, other in others.items():
        (crossing,) = split_check(two([full("a", 1, text)], [full("b", 2, other)])).crossings
        assert (crossing.by, crossing.value) == (by, "")
        assert (crossing.similarity is not None) == (by == "ngrams")
    near = two([full("a", 1, text)], [full("b", 2, others["ngrams"])])
    (crossing,) = split_check(near, similarity=0.9).crossings  # one word differs: a template all the same
    assert (crossing.by, crossing.similarity) == ("skeleton", None)
    misspelt = "the paiment by card was refuzed in a shop yesterdey"
    assert split_check(two([full("a", 1, text)], [full("b", 2, misspelt)]), similarity=0.9).is_clean


@pytest.mark.parametrize("text", ["???", "!", "👍", "— —"])
def test_equal_texts_without_a_letter_cross_and_unequal_ones_do_not(text: str) -> None:
    """No fold leaves anything of them; they are equal all the same."""
    (crossing,) = split_check(two([full("a", 1, text)], [full("b", 2, text)])).crossings
    assert crossing.by == "exact_text"
    assert split_check(two([full("a", 1, text)], [full("b", 2, "…;")])).is_clean


@pytest.mark.parametrize("text", ["", " ", "\u3000\n"])
def test_blank_texts_repeat_nothing(text: str) -> None:
    assert split_check(two([full("a", 1, text)], [full("b", 2, text)])).is_clean


def test_no_text_and_no_value_that_may_be_one_stands_in_the_result() -> None:
    secret = "QUAGGA asks for 7391 coins"
    left, right = (
        full("a", 1, secret, generation_template=secret),
        full("b", 2, secret, generation_template=secret),
    )
    found = split_check(two([left], [right, full("c", 3, "other words")]))
    shown = str(found) + json.dumps([crossing.value for crossing in found.crossings])
    assert "QUAGGA" not in shown
    assert {crossing.by: crossing.value for crossing in found.crossings} == {
        "exact_text": "",
        "generation_template": f"sha256:{sha256(secret.encode())}",
    }


def test_suites_of_one_role_are_no_split() -> None:
    left, _ = two([full("a", 1, "one text here")], [])
    with pytest.raises(InputError, match="suites of two roles or more"):
        split_check([left, left])
    for similarity in (0.0, 1.5, float("nan")):
        with pytest.raises(InputError, match="similarity must lie in"):
            split_check(two([], []), similarity=similarity)


def test_suites_of_one_role_may_share_what_they_like() -> None:
    text = "the payment by card was refused"
    one, sealed = two([full("a", 1, text)], [full("b", 2, "another thing")])
    other = suite("more-tuning", "calibration", [full("c", 1, text)])
    found = split_check([one, other, sealed])
    assert (found.is_clean, found.components, found.crossing_components) == (True, 2, 0)


def test_texts_that_were_not_all_compared_are_not_called_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("denotary.suites.near_duplicates.MOST_COMPARED", 0)
    monkeypatch.setattr(
        "denotary.suites.near_duplicates.near_duplicates.__kwdefaults__",
        {"most_compared": 0, "most_alike": 0},
    )
    left, right = (
        full("a", 1, "a payment number 1 was refused"),
        full("b", 2, "a payment number 2 was refused"),
    )
    found = split_check(two([left], [right]))
    assert {crossing.by for crossing in found.crossings} == {"not_compared"}
    assert found.supports == "nothing"
