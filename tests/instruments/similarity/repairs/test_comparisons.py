"""Repairs that a plan compares: their difference on the same pairs, by pole of overlap, with a paired interval."""

from pathlib import Path

import numpy as np
import pytest

from denotary.canonical import canonical_json
from denotary.errors import InputError
from denotary.instruments.similarity.configurations import Configuration
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.repairs.base import Frozen, Scored
from denotary.instruments.similarity.repairs.judging import paired_rows, run
from denotary.instruments.similarity.repairs.plans import read_report, register, registered
from denotary.instruments.similarity.repairs.records import PlannedCorpus
from denotary.instruments.similarity.repairs.simple import Overlap

CORPUS = PlannedCorpus(name="all", source="shipped", role="other author")


@pytest.fixture
def both(plan: Path, frozen: Frozen, halves: Corpus, wording: Configuration) -> list[Frozen]:
    """The plan with a second repair, each compared with the other."""
    other = Overlap(wording).fit(halves.half("A"))
    one, two = frozen.record.name, other.record.name
    text = plan.read_text().replace(
        "[repairs]", f'comparisons = [["{one}", "{two}"], ["{two}", "{one}"]]\n[repairs]'
    )
    plan.write_text(text.replace("[[corpora]]", f'"{two}" = "{other.digest}"\n[[corpora]]', 1))
    return [frozen, other]


@pytest.mark.usefixtures("opened")
def test_a_report_holds_what_the_plan_compares(plan: Path, both: list[Frozen]) -> None:
    register(plan)
    report = run(*registered(plan), both)
    rows = {(row.repair, row.corpus, row.pole): row for row in report.comparisons}
    assert len(rows) == len(report.comparisons) == 2 * 2 * 3
    figures = {(row.repair, row.corpus, row.pole): row.auroc for row in report.judged}
    for (repair, corpus, pole), row in rows.items():
        ours, theirs = figures[repair, corpus, pole], figures[row.against, corpus, pole]
        back = rows[row.against, corpus, pole]
        assert ours is not None
        assert theirs is not None
        assert row.difference == pytest.approx(ours - theirs)
        assert (row.pairs, row.anchors, row.role) == (back.pairs, back.anchors, back.role)
        if row.low is not None and row.high is not None:
            assert (back.low, back.high) == pytest.approx((-row.high, -row.low))
    assert read_report(canonical_json(report), plan) == report


@pytest.mark.parametrize("pair", ['["{name}", "nobody"]', '["{name}", "{name}"]', '["{name}"]'])
def test_a_comparison_is_of_two_planned_repairs(plan: Path, frozen: Frozen, pair: str) -> None:
    given = pair.replace("{name}", frozen.record.name)
    plan.write_text(plan.read_text().replace("[repairs]", f"comparisons = [{given}]\n[repairs]"))
    with pytest.raises(InputError) as caught:
        register(plan)
    assert caught.value.path == str(plan)


def test_a_failure_counts_as_wrong_in_a_comparison_too(halves: Corpus) -> None:
    pairs = halves.pairs
    none = np.zeros(len(pairs), dtype=np.bool_)
    right = pairs.same.astype(float)
    said = {"told": Scored(right, none, none), "failed": Scored(right, none, ~none)}
    assert [row.difference for row in paired_rows(CORPUS, pairs, said)] == [1.0, 1.0, 1.0]


def test_a_small_difference_between_like_repairs_is_seen(halves: Corpus) -> None:
    """Alone their intervals overlap; on the same resamples the one is better throughout."""
    pairs = halves.pairs
    none = np.zeros(len(pairs), dtype=np.bool_)
    rng = np.random.default_rng(0)
    shared = rng.normal(0, 1, len(pairs))
    better = pairs.same * 1.0 + shared
    worse = better - 0.3 * pairs.same + rng.normal(0, 0.05, len(pairs))
    row = next(paired_rows(CORPUS, pairs, {"a": Scored(better, none, none), "b": Scored(worse, none, none)}))
    assert row.low is not None
    assert row.low > 0.0
