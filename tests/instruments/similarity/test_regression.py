"""A release of a gate against the one before it: what it newly approves, how its score changed, what blocks."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.instruments.similarity.suites import Answering, reads_meaning, reads_wording, sealed_suite

from denotary import systems
from denotary.certify import compare, verify
from denotary.certify.comparing import Compared
from denotary.certify.comparison_reporting import report
from denotary.certify.comparison_writing import documents
from denotary.instruments.similarity.corpus import Corpus
from denotary.reports.comparison_console import statistics_moved
from denotary.runs import Run, ask
from denotary.runs.records import Identity
from denotary.statistics.auroc import stratified_auroc
from denotary.suites import Suite

NONE = Identity(fitted_on=("none",))


@pytest.fixture
def suite(corpus_of: Callable[[int], Corpus], tmp_path: Path) -> Suite:
    """20 anchors a task: too few to promote, enough to count by hand."""
    return sealed_suite(corpus_of(10), tmp_path / "suite", "regression")


def run(suite: Suite, system: Answering, out: Path, identity: Identity = NONE) -> Run:
    return ask(systems.python(system), suite, out, identity=identity, repeats=2, repeat_core=8)


def gate(found: Compared, name: str, where: str = "all") -> Any:
    return next(item for item in found.verdict.gates if (item.gate, item.slice) == (name, where))


def event(found: Compared, name: str) -> tuple[int | None, int | None]:
    row = next(row for row in found.measurement.rows if (row.measure, row.slice) == (name, "all"))
    return row.numerator, row.denominator


def statistics(found: Compared) -> dict[str, tuple[Any, ...]]:
    (series,) = (item for item in found.measurement.series if item.series == "statistics")
    return {str(row[1]): row[2:] for row in series.rows if row[0] == "decision_auroc"}


def test_a_release_alike_is_promoted_on_enough_anchors(
    corpus_of: Callable[[int], Corpus], tmp_path: Path
) -> None:
    suite = sealed_suite(corpus_of(100), tmp_path / "suite", "regression")
    found = compare(run(suite, reads_meaning, tmp_path / "base"), run(suite, reads_meaning, tmp_path / "new"))
    assert (found.policy.id, found.decision) == ("similarity-regression", "PROMOTE"), found.verdict.reason
    assert gate(found, "wrong_approval", "task=constraint").units == 200


def test_what_is_newly_wrong_and_what_is_mended_is_counted(suite: Suite, tmp_path: Path) -> None:
    base, new = run(suite, reads_meaning, tmp_path / "base"), run(suite, reads_wording, tmp_path / "new")
    found = compare(base, new)
    # Wording alone approves the close opposite pair of each of 40 anchors and rejects its distant same pair.
    assert event(found, "new_wrong_approval") == (40, 80)
    assert event(found, "new_wrong_rejection") == (40, 80)
    assert event(found, "mended_wrong_approval") == event(found, "mended_wrong_rejection") == (0, 80)
    assert gate(found, "wrong_approval").verdict == gate(found, "wrong_rejection", "task=constraint").verdict
    assert (gate(found, "wrong_approval").verdict, found.decision) == ("FAIL", "BLOCK")
    back = compare(new, base)
    assert event(back, "mended_wrong_approval") == event(back, "mended_wrong_rejection") == (40, 80)
    assert event(back, "new_wrong_approval") == (0, 80)
    assert back.decision != "BLOCK"


def test_a_base_that_decided_nothing_excuses_nothing(suite: Suite, tmp_path: Path) -> None:
    def silent(payload: dict[str, Any]) -> dict[str, Any]:
        return {"score": reads_wording(payload)["score"]}

    found = compare(run(suite, silent, tmp_path / "base"), run(suite, reads_wording, tmp_path / "new"))
    row = next(row for row in found.measurement.rows if row.measure == "new_wrong_approval")
    assert row.status == "NOT_APPLICABLE"
    gone = compare(run(suite, reads_wording, tmp_path / "b2"), run(suite, silent, tmp_path / "n2"))
    assert gate(gone, "interface").verdict == "INSUFFICIENT"
    assert "decisions" in gate(gone, "interface").reason


def test_pairs_that_either_was_fitted_on_count_nothing(suite: Suite, tmp_path: Path) -> None:
    base = run(suite, reads_meaning, tmp_path / "base", Identity(fitted_on=("A",)))
    found = compare(base, run(suite, reads_wording, tmp_path / "new"))
    assert event(found, "new_wrong_approval") == (20, 40)
    assert gate(found, "wrong_approval").units == 20
    undeclared = compare(base, run(suite, reads_wording, tmp_path / "n2", Identity()))
    assert gate(undeclared, "firewall").verdict == "INSUFFICIENT"


def test_the_difference_of_aurocs_is_of_the_same_pairs_and_paired(suite: Suite, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    noise = {case.input.text2: rng.normal(size=2) for case in suite.cases}  # type: ignore[attr-defined]

    def noisy(which: int) -> Answering:
        return lambda payload: (
            reads_meaning(payload)
            | {"score": reads_meaning(payload)["score"] + float(noise[payload["text2"]][which])}
        )

    base, new = (run(suite, noisy(which), tmp_path / f"r{which}") for which in (0, 1))
    found = compare(base, new)
    cases, before, now, step, low, high, method = statistics(found)["task=constraint"]
    mine = [case for case in suite.cases if case.input.task == "constraint"]  # type: ignore[attr-defined]
    expected = []
    for which in (0, 1):
        scores = [
            (case.gold.decision == "same") + noise[case.input.text2][which]  # type: ignore[attr-defined]
            for case in mine
        ]
        same = [case.gold.decision == "same" for case in mine]  # type: ignore[attr-defined]
        pole = [int(case.design.pole == "close") for case in mine]  # type: ignore[attr-defined]
        expected.append(float(np.mean(stratified_auroc(scores, same, pole))))
    assert (cases, before, now) == (80, pytest.approx(expected[0]), pytest.approx(expected[1]))
    assert step == pytest.approx(expected[1] - expected[0])
    assert low < step < high
    assert "in pairs" in method
    alike = statistics(compare(base, base))["all"]
    assert (alike[3], alike[4], alike[5]) == (0.0, None, None)


def test_the_folder_is_rebuilt_and_every_page_says_the_difference(suite: Suite, tmp_path: Path) -> None:
    found = compare(run(suite, reads_wording, tmp_path / "base"), run(suite, reads_meaning, tmp_path / "new"))
    found.write(tmp_path / "out")
    assert verify(tmp_path / "out") == []
    (line,) = statistics_moved(report(found).series, report(found).measures)
    assert line == "Decision AUROC at matched overlap: 0.5 to 1, difference 0.5 (no interval)"
    made = documents(found)
    assert line in made["summary.md"].decode()
    assert "Statistics, before and now" in made["report.html"].decode()
