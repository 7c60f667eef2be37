"""Plans: hashed before the run, changed ones found out, every bar and prediction reported; failures are wrong."""

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from denotary.canonical import canonical_json, sha256
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
    with pytest.raises(
        IntegrityError, match=f"theirs is not the one that was planned.*{halves.digest}, planned {'1' * 64}"
    ):
        run(*registered(plan), [frozen])


@pytest.mark.usefixtures("opened")
def test_only_the_planned_repairs_run(
    plan: Path, halves: Corpus, wording: Configuration, frozen: Frozen
) -> None:
    register(plan)
    other = Overlap(wording).fit(halves.half("A"))
    with pytest.raises(InputError, match="not the repairs that were planned") as refused:
        run(*registered(plan), [other])
    assert f"{frozen.record.name}, planned {frozen.digest}, found none" in str(refused.value)
    assert f"{other.record.name}, planned not at all, found {other.digest}" in str(refused.value)


@pytest.mark.usefixtures("opened")
def test_a_repair_that_changed_is_shown_with_both_digests(plan: Path, frozen: Frozen) -> None:
    plan.write_text(plan.read_text().replace(frozen.digest, "1" * 64))
    register(plan)
    with pytest.raises(InputError, match=f"planned {'1' * 64}, found {frozen.digest}"):
        run(*registered(plan), [frozen])


@pytest.mark.parametrize("digest", ["", "1" * 63, "1" * 65, "A" * 64, "g" * 64, f"{'1' * 64}\\n"])
def test_a_plan_with_what_is_no_digest_is_not_registered(plan: Path, frozen: Frozen, digest: str) -> None:
    text = plan.read_text()
    changed = {f"repair '{frozen.record.name}'": text.replace(frozen.digest, digest)}
    # Corpora may go unpinned.
    if digest:
        for key in ("sha256", "pairs_sha256"):
            pinned = text.replace('half = "B"', f'half = "B"\n{key} = "{digest}"')
            changed[f"{key} of the corpus 'theirs'"] = pinned
    for what, content in changed.items():
        plan.write_text(content)
        with pytest.raises(InputError, match=f"{what} must be 64 hex digits in lower case"):
            register(plan)
        assert not lock_path(plan).exists()


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


@pytest.mark.usefixtures("opened")
def test_a_report_that_its_own_figures_do_not_bear_out_is_found(plan: Path, frozen: Frozen) -> None:
    register(plan)
    report = run(*registered(plan), [frozen])
    require_unchanged(report, plan)
    edits: list[dict[str, Any]] = [
        {"bars": (msgspec.structs.replace(report.bars[0], holds=True),)},
        {"bars": (msgspec.structs.replace(report.bars[0], low=0.95),)},
        {"bars": ()},
        {"predictions": (msgspec.structs.replace(report.predictions[0], value=0.7),)},
        {"held_against": "value"},
        {"repairs": {}},
    ]
    for edit in edits:
        with pytest.raises(IntegrityError, match="was edited"):
            require_unchanged(msgspec.structs.replace(report, **edit), plan)


@pytest.mark.usefixtures("opened")
def test_a_report_of_version_1_is_read_and_checked(plan: Path, frozen: Frozen, tmp_path: Path) -> None:
    text = plan.read_text().replace("repair-plan/2", "repair-plan/1")
    plan.write_text(text)
    lock_path(plan).write_text(
        f'schema = "denotary.repair-plan-lock/1"\nname = "animals"\nplan_sha256 = "{sha256(text.encode())}"\n'
    )
    content = json.loads(canonical_json(run(*registered(plan), [frozen])))
    content["schema"] = "denotary.repair-report/1"
    new = ("balanced_low", "balanced_high", "decided_low", "decided_high", "pairs_sha256")
    for row in (*content["judged"], *content["corpora"], *content["bars"]):
        for key in new if "at_least" not in row else ("low",):
            row.pop(key, None)
    earlier = read_report(json.dumps(content).encode(), tmp_path / "report.json")
    assert (earlier.held_against, earlier.comparisons) == ("value", ())
    require_unchanged(earlier, plan)


def test_a_file_without_what_was_fitted_is_refused(halves: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "gate.json"
    for kind, key in (("encoder", "scale"), ("encoder", "cutoff"), ("polarity", "band")):
        write_frozen(repair(kind, encoder="token-jaccard").fit(halves.half("A")), path)
        content = json.loads(path.read_bytes())
        del content["parameters"][key]
        path.write_text(json.dumps(content))
        with pytest.raises(InputError, match=f"has no {key}") as caught:
            load_frozen(path)
        assert caught.value.path == str(path)


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b'{"plan": "\xff"}'])
def test_what_is_no_report(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no report"):
        read_report(data, tmp_path / "report.json")
