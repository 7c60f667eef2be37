"""What gates catch by class and pole, against counts by hand and scipy's exact bounds."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import beta

from denotary.instruments.similarity.auditing import audit
from denotary.instruments.similarity.configurations import TextEncoder, encoded
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.gates import DRIFT_GUARD, gate
from denotary.instruments.similarity.guards import guard_rows, guard_view
from denotary.instruments.similarity.results import GuardRow

CELL = {(True, True): 0.96, (True, False): 0.5, (False, True): 0.97, (False, False): 0.6}
"""Score by (same, close): opposites lie above in both strata."""


@pytest.fixture
def scores(corpus: Corpus) -> np.ndarray:
    return np.array(
        [CELL[bool(s), bool(c)] for s, c in zip(corpus.pairs.same, corpus.pairs.close, strict=True)]
    )


def rows_of(corpus: Corpus, scores: np.ndarray) -> dict[tuple[str, str, str], GuardRow]:
    rows = guard_view(corpus.pairs, scores, [DRIFT_GUARD])
    return {(row.task, row.mutation, row.pole): row for row in rows}


def test_a_guard_fires_above_a_distance_of_four_tenths(corpus: Corpus, scores: np.ndarray) -> None:
    rows = rows_of(corpus, scores)
    # 1 - 0.6 is 0.4 exactly as floats are subtracted, and 0.4 does not exceed 0.4.
    whole = rows["constraint", "", ""]
    assert (whole.gate, whole.mutations, whole.caught, whole.controls, whole.fired) == (
        "drift guard", 48, 0, 48, 24,
    )  # fmt: skip
    part = rows["constraint", "negation", ""]
    assert (part.mutations, part.caught, part.fired, part.exploratory) == (24, 0, 12, True)


def test_a_guard_that_reads_wording_catches_no_close_change(corpus: Corpus, scores: np.ndarray) -> None:
    rows = rows_of(corpus, scores - 0.01)
    # Half of the sum over both poles is caught: the distant half.
    whole = rows["constraint", "", ""]
    assert (whole.caught, whole.mutations) == (24, 48)
    assert whole.caught / whole.mutations < whole.catch_bound <= 1
    for mutation, count in (("", 24), ("negation", 12)):
        close, distant = (rows["constraint", mutation, pole] for pole in ("close", "distant"))
        assert (close.caught, close.mutations, close.fired, close.controls) == (0, count, 0, count)
        assert (distant.caught, distant.mutations, distant.fired) == (count, count, count)
        # Exact bounds of none and of all of so many anchors.
        assert close.catch_bound == pytest.approx(1 - 0.05 ** (1 / count))
        assert distant.miss_bound == pytest.approx(1 - 0.05 ** (1 / count))
        assert close.miss_bound == distant.catch_bound == 1.0


def test_either_bound_is_exact_at_one_pole(corpus: Corpus) -> None:
    fired = np.random.default_rng(2).random(len(corpus.pairs)) < 0.3
    for row in guard_rows(corpus.pairs, fired, gate="mine"):
        if row.pole:
            caught, missed = row.caught, row.mutations - row.caught
            assert row.catch_bound == pytest.approx(beta.ppf(0.95, caught + 1, missed))
            assert row.miss_bound == pytest.approx(beta.ppf(0.95, missed + 1, caught))


def test_a_class_that_a_half_lacks_is_exploratory(corpus_of: Callable[[int], Corpus]) -> None:
    pairs = corpus_of(60).pairs  # 30 anchors a class, task and half
    fired = np.zeros(len(pairs), dtype=bool)
    assert not any(row.exploratory for row in guard_rows(pairs, fired, gate="g"))
    kept = ~(pairs.of(half="B", mutation="negation"))
    rows = list(guard_rows(pairs.where(kept), fired[kept], gate="g"))
    assert {row.mutation for row in rows if row.exploratory} == {"negation"}


def test_an_own_gate_has_its_table_by_class_and_pole(corpus: Corpus, meaning: TextEncoder) -> None:
    found = audit(encoded(meaning, "meaning"), corpus, [gate("score>=0.8", "mine"), gate("distance<0.1")])
    rows = {(row.gate, row.task, row.mutation, row.pole): row for row in found.guard}
    assert dict.fromkeys(gate for gate, *_ in rows) == dict.fromkeys(["mine", "distance<0.1", "drift guard"])
    for pole in ("close", "distant"):
        row = rows["mine", "distinctness", "quantity_unit", pole]
        assert (row.caught, row.mutations, row.fired, row.controls) == (12, 12, 0, 12)


def test_the_drift_guard_as_ones_own_gate_stands_once(corpus: Corpus, meaning: TextEncoder) -> None:
    found = audit(encoded(meaning, "meaning"), corpus, [gate("distance<=0.4")])
    assert {row.gate for row in found.guard} == {"distance<=0.4"}
