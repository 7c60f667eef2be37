"""Plans: hashed before the run, changed ones found out, every bar and prediction reported; failures are wrong."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from denotary.canonical import canonical_json
from denotary.errors import InputError, IntegrityError
from denotary.instruments.similarity.configurations import Configuration
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.repairs.base import Frozen, Scored
from denotary.instruments.similarity.repairs.fitting import load_frozen, repair, write_frozen
from denotary.instruments.similarity.repairs.judging import judged_rows, run
from denotary.instruments.similarity.repairs.plans import (
    lock_path,
    read_report,
    register,
    registered,
    require_unchanged,
)
from denotary.instruments.similarity.repairs.records import PlannedCorpus
from denotary.instruments.similarity.repairs.simple import Overlap


@pytest.mark.usefixtures("opened")
def test_a_failed_bar_stands_in_the_report_with_the_hash(plan: Path, frozen: Frozen) -> None:
    lock = register(plan)
    report = run(*registered(plan), [frozen])
    assert report.plan_sha256 == lock.plan_sha256
    (bar,) = report.bars
    assert (bar.holds, bar.at_least) == (False, 0.9)
    (prediction,) = report.predictions
    assert (prediction.value, prediction.holds) == (1.0, True)
    rows = {row.measure: row for row in report.differences}
    assert rows["auroc"].difference == pytest.approx(rows["auroc"].held_out - rows["auroc"].in_sample)  # type: ignore[operator]
    assert read_report(canonical_json(report), plan) == report
    require_unchanged(report, plan)


@pytest.mark.usefixtures("opened")
def test_a_plan_that_changed_is_found_out(plan: Path, frozen: Frozen) -> None:
    with pytest.raises(InputError, match="not registered"):
        registered(plan)
    register(plan)
    report = run(*registered(plan), [frozen])
    plan.write_text(plan.read_text().replace("0.9", "0.1"))
    for step in (lambda: registered(plan), lambda: register(plan), lambda: require_unchanged(report, plan)):
        with pytest.raises(IntegrityError):
            step()
    lock_path(plan).unlink()
    register(plan)
    with pytest.raises(IntegrityError, match="changed after the run"):
        require_unchanged(report, plan)


@pytest.mark.usefixtures("opened")
def test_a_corpus_that_is_pinned_cannot_be_exchanged(plan: Path, halves: Corpus, frozen: Frozen) -> None:
    text = plan.read_text()
    plan.write_text(text.replace('half = "B"', f'half = "B"\nsha256 = "{halves.digest}"'))
    register(plan)
    assert run(*registered(plan), [frozen]).corpora[1].sha256 == halves.digest
    lock_path(plan).unlink()
    plan.write_text(text.replace('half = "B"', f'half = "B"\nsha256 = "{"1" * 64}"'))
    register(plan)
    with pytest.raises(IntegrityError, match="theirs is not the one that was planned"):
        run(*registered(plan), [frozen])


@pytest.mark.usefixtures("opened")
def test_only_the_planned_repairs_run(plan: Path, halves: Corpus, wording: Configuration) -> None:
    register(plan)
    other = Overlap(wording).fit(halves.half("A"))
    with pytest.raises(InputError, match="not the repairs that were planned"):
        run(*registered(plan), [other])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('corpus = "theirs"', 'corpus = "nobody"'),
        ("low = 0.5", "low = 1.0\nhigh = 0.5 #"),
        ('"in-sample"', '"other author"'),
    ],
)
def test_a_plan_must_hang_together(plan: Path, old: str, new: str) -> None:
    text = plan.read_text().replace(old, new)
    plan.write_text(text.replace("\nhigh = 1.0", "") if "high" in new else text)
    with pytest.raises(InputError):
        register(plan)


def test_failures_are_wrong_whatever_is_right_and_abstentions_half(halves: Corpus) -> None:
    pairs = halves.pairs
    none = np.zeros(len(pairs), dtype=np.bool_)
    planned = PlannedCorpus(name="all", source="shipped", role="in-sample")
    right = pairs.same.astype(float)

    def figures(said: Scored) -> tuple[float | None, float | None, float | None]:
        row = next(iter(judged_rows("r", planned, pairs, said)))
        return row.auroc, row.balanced_accuracy, row.decided_share

    assert figures(Scored(right, none, none)) == (1.0, 1.0, 1.0)
    assert figures(Scored(right, none, ~none)) == (0.0, 0.0, 1.0)
    assert figures(Scored(np.full(len(pairs), 0.5), ~none, none)) == (0.5, None, 0.0)
    half_told = pairs.close
    assert figures(Scored(np.where(half_told, right, 0.5), ~half_told, none)) == (0.75, 1.0, 0.5)


def test_a_frozen_repair_is_the_same_from_its_file(halves: Corpus, tmp_path: Path) -> None:
    pairs = halves.half("B").pairs
    texts = list(pairs.first), list(pairs.second)
    for encoder in ("hash-words", "token-jaccard"):
        for kind in ("encoder", "overlap", "polarity"):
            frozen = repair(kind, encoder=encoder).fit(halves.half("A"))
            path = tmp_path / f"{kind}.json"
            write_frozen(frozen, path)
            again = load_frozen(path)
            assert again.digest == frozen.digest
            assert again.scores(*texts).tolist() == frozen.scores(*texts).tolist()


@pytest.mark.parametrize(
    ("kind", "encoder"),
    [
        ("other", "hash-words"),
        ("judge", "hash-words"),
        ("judge", ""),
        ("polarity", ""),
        ("encoder", ""),
        ("encoder", "bm25"),
    ],
)
def test_parts_that_do_not_fit(kind: str, encoder: str) -> None:
    with pytest.raises(InputError):
        repair(kind, encoder=encoder)


def test_an_overlap_conditioned_cutoff_learns_a_coupling_that_another_author_lacks(
    halves: Corpus, wording: Configuration
) -> None:
    frozen = Overlap(wording).fit(halves.half("A"))
    assert set(frozen.record.parameters) == {"cosine", "overlap", "cosine x overlap", "intercept"}
    assert msgspec.json.decode(canonical_json(frozen.record))["kind"] == "overlap"


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize("role", ["held-out half", "other author"])
def test_the_half_it_was_fitted_on_is_not_held_out(plan: Path, frozen: Frozen, role: str) -> None:
    text = plan.read_text().replace('half = "B"', 'half = "A"').replace('"other author"', f'"{role}"')
    plan.write_text(text)
    register(plan)
    with pytest.raises(IntegrityError, match="was fitted on"):
        run(*registered(plan), [frozen])
