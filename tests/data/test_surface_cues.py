"""The audit of surface cues finds a cue that is there, finds none that is not, and counts what it says."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn")
TOOL = Path(__file__).parents[2] / "tools/surface_cues.py"


@pytest.fixture(scope="module")
def cues() -> ModuleType:
    spec = importlib.util.spec_from_file_location("surface_cues", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["surface_cues"] = module
    spec.loader.exec_module(module)
    return module


def sample(cues: ModuleType, *, leaking: bool) -> Any:
    """Two hundred texts of two classes; if they leak, one class is long and the other is short."""
    chance = np.random.default_rng(7)
    classes = np.array(["assign", "refuse"] * 100)
    lengths = np.where(classes == "assign", 40, 4) if leaking else chance.integers(4, 40, 200)
    texts = tuple(" ".join(["word"] * int(length)) for length in lengths)
    return cues.Sample(texts, ("en-Latn",) * 200, classes, np.array([f"unit-{i}" for i in range(200)]))


def test_a_cue_that_decides_is_found(cues: ModuleType) -> None:
    found = cues.judge(
        data := sample(cues, leaking=True), "length", cues.lengths(data.texts), "logistic", repeats=1
    )
    assert found.value == 1.0
    assert found.upper == 1.0


def test_where_there_is_no_cue_the_figure_is_chance(cues: ModuleType) -> None:
    data = sample(cues, leaking=False)
    found = cues.judge(data, "length", cues.lengths(data.texts), "logistic", repeats=3)
    # 200 fair coins: three standard deviations are 0.106
    assert abs(found.value - 0.5) < 0.11
    assert found.value < found.upper < 0.65


def test_bound_is_the_binomial_one_where_every_unit_is_a_case(cues: ModuleType) -> None:
    """Bootstrap of units of one case against the normal limit of a mean of two proportions."""
    data = sample(cues, leaking=False)
    found = cues.judge(data, "length", cues.lengths(data.texts), "logistic", repeats=1)
    spread = np.sqrt(sum(r * (1 - r) / 100 for r in found.recalls.values())) / 2
    assert found.upper - found.value == pytest.approx(1.645 * spread, rel=0.15)


def test_marks_and_negations_are_counted(cues: ModuleType) -> None:
    marks = list(cues.MARKS)
    row = cues.punctuation(["No, it isn't: 不是。"])[0]
    assert row[marks.index("comma")] == 1
    assert row[marks.index("colon")] == 1
    assert row[marks.index("stop")] == 1
    assert row[-1] == 1.0
    assert cues.negation_cues(["No, it isn't: 不是。", "a vector"]).tolist() == [[3.0, 1.0], [0.0, 0.0]]


def test_a_language_of_few_cases_has_no_column_of_its_own(cues: ModuleType) -> None:
    names = ["en-Latn"] * 5 + ["cy-Latn"] * 4
    assert cues.languages(names).tolist() == [[1.0, 0.0]] * 5 + [[0.0, 1.0]] * 4


@pytest.mark.slow
def test_bundled_suite_stays_within_ten_points_of_chance(
    cues: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["surface_cues.py"])
    assert cues.main() == 0
