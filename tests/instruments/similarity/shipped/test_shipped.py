"""The real gates of other libraries, with an encoder whose cosines are known.

`make gates` runs these in an environment that has all of the libraries, and there none is left out.
"""

import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from denotary.errors import InputError
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.shipped import (
    KNOWN,
    Component,
    Decision,
    audit_gate,
    installed_gates,
    open_gate,
)

# What other libraries warn of, in their own code, is not ours to mend.
pytestmark = pytest.mark.filterwarnings("ignore")
REQUIRED = os.environ.get("DENOTARY_GATES") == "required"


class Angles:
    """Texts are angles in degrees: the cosine of two texts is that of their difference."""

    def encode(self, texts: Sequence[str]) -> Any:
        angles = np.radians([float(text) if text.replace(".", "").isdigit() else 0.0 for text in texts])
        return np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)


def gate(name: str) -> Component:
    if not REQUIRED and name not in installed_gates():
        pytest.skip(f"{name} is not installed")
    return open_gate(name, Angles())


def approves(component: Component, cosine: float) -> bool:
    return component.decide("0", f"{math.degrees(math.acos(cosine)):.6f}").approved


@pytest.mark.parametrize(
    ("name", "cutoff", "cosine"),
    [("langchain", 0.95, 0.95), ("llama-index", 0.8, 0.8), ("gptcache", 0.8, 0.6)],
)
def test_the_cutoff_is_that_of_the_installed_component_and_decides(
    name: str, cutoff: float, cosine: float
) -> None:
    component = gate(name)
    assert component.cutoff == cutoff
    assert component.version
    assert [approves(component, cosine + step) for step in (-0.01, 0.01)] == [False, True]


def test_semantic_router_has_no_threshold_at_its_default() -> None:
    component = gate("semantic-router")
    assert component.cutoff is None
    assert approves(component, 0.0)


def test_of_two_redundant_documents_the_earlier_is_dropped() -> None:
    decision = gate("langchain").decide("10", "11")
    assert (decision.approved, decision.kept) == (True, "second")


def test_a_cache_forgets_the_pair_before() -> None:
    component = gate("gptcache")
    assert component.decide("0", "1").approved
    assert not component.decide("90", "1").approved  # "0", cached before, would have been a hit


@pytest.mark.parametrize("name", KNOWN)
def test_an_absent_library_is_named_with_its_extra(name: str) -> None:
    if name in installed_gates():
        pytest.skip(f"{name} is installed")
    with pytest.raises(InputError, match="not installed") as caught:
        open_gate(name, Angles())
    assert f"denotary[gate-{name}]" in str(caught.value.hint)


def test_a_name_that_is_not_known_is_an_error() -> None:
    with pytest.raises(InputError, match="no shipped gate named 'langchian'") as caught:
        open_gate("langchian", Angles())
    assert caught.value.hint == "did you mean langchain?"


def component_that(decide: Any) -> Component:
    return Component("own", "a.B", "own", "1", "score > 0", 0.0, "cutoff", decide)


def test_decisions_are_counted_against_those_of_the_pairs(corpus: Corpus) -> None:
    found = audit_gate(
        component_that(lambda one, two: Decision(one.endswith("drop") == two.endswith("drop"))),
        corpus,
        encoder="none",
    )
    assert (found.errors, found.kept) == (0, {})
    assert all(row.wrong_approvals == row.wrong_rejections == 0 for row in found.operating)
    assert {row.opposites for row in found.operating if not row.pole} == {
        48
    }  # two halves of 12 anchors, two poles


def test_what_it_keeps_of_an_opposite_pair_is_counted(corpus: Corpus) -> None:
    always = component_that(lambda _one, _two: Decision(approved=True, kept="second"))
    found = audit_gate(always, corpus, encoder="none")
    assert found.kept == {"second": 96}
    assert all(row.wrong_approvals == row.opposites for row in found.operating)


def test_an_exception_is_a_wrong_decision_on_either_kind_of_pair(corpus: Corpus) -> None:
    def broken(_one: str, _two: str) -> Decision:
        raise RuntimeError

    found = audit_gate(component_that(broken), corpus, encoder="none")
    assert found.errors == found.pairs == 192
    for row in found.operating:
        assert (row.wrong_approvals, row.wrong_rejections) == (row.opposites, row.sames)
        assert row.approval_bound == 1.0


def test_a_corpus_that_leans_is_refused(corpus: Corpus) -> None:
    from dataclasses import replace

    leaning = replace(corpus, pairs=corpus.pairs.where(corpus.pairs.same | ~corpus.pairs.close))
    with pytest.raises(InputError, match="manipulation check"):
        audit_gate(component_that(lambda _one, _two: Decision(approved=True)), leaning, encoder="none")
