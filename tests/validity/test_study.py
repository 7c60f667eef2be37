"""The study as a whole: sizes, files, the page, and the exit code."""

import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest
from validity.results import ALPHA, Chance, Part, Result, chance, read, write

from denotary.statistics import planning
from validity import __main__, figures, page, power, study, tables_of_bounds

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "validity" / "results"


def test_the_published_page_is_what_the_published_results_say() -> None:
    assert page.stale(RESULTS, ROOT) == []


def test_the_published_results_are_of_full_size_and_complete() -> None:
    wanted = [name for name, *_ in study.tasks(study.FULL)]
    for name in study.PARTS:
        part = read(RESULTS, name)
        assert part.size == {key: int(value) for key, value in part.size.items()}
        assert part.size["promotion"] == study.FULL.promotion >= 10_000
        assert len(part.results) >= wanted.count(name)
        assert len({result.name for result in part.results}) == len(part.results)


def test_a_false_promotion_may_happen_in_at_most_five_per_cent_and_three_standard_errors() -> None:
    assert Chance(565, 10_000).at_most(ALPHA)
    assert not Chance(566, 10_000).at_most(ALPHA)
    assert Chance(9435, 10_000).at_least(1 - ALPHA)
    assert not Chance(9434, 10_000).at_least(1 - ALPHA)


def test_parts_are_written_and_read_and_equal_results_give_equal_bytes(tmp_path: Path) -> None:
    results = (
        Result("a", {"promoted": chance(1, 9), "policy": "c1"}, holds=True),
        Result("b", {"x": 0.1}),
        Result("c", {}, holds=False),
    )
    part = Part("power", 1, {"n": 9}, results)
    write(tmp_path / "one", [part])
    write(tmp_path / "two", [part])
    found = read(tmp_path / "one", "power")
    assert msgspec.to_builtins(found) == msgspec.to_builtins(part)
    assert found.broken == ("c",)
    assert (tmp_path / "one/power.json").read_bytes() == (tmp_path / "two/power.json").read_bytes()


def test_the_quick_study_is_a_part_of_the_full_one() -> None:
    def names(size: study.Size) -> list[tuple[str, str]]:
        return [(part, repr(what)) for part, _, (what, *_) in study.tasks(size)]

    quick, full = names(study.QUICK), names(study.FULL)
    assert set(quick) < set(full)
    assert {part for part, _ in quick} == set(study.PARTS)


def test_results_do_not_depend_on_the_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [task for task in study.tasks(study.QUICK) if task[0] == "sequences"][-2:]
    monkeypatch.setattr(study, "tasks", lambda _: iter(some))
    lines: list[str] = []
    assert study.study(study.QUICK, 1, lines.append) == study.study(study.QUICK, 2, lines.append)
    assert lines == ["2 of 2 tasks"] * 2


def test_power_without_siblings_is_the_closed_form() -> None:
    point = power.Point("single", 0.0, 0.2, 2.0)
    gate, rules = power.run(point, 1000, 40)
    expected = gate.facts["closed_form"]
    assert abs(gate.facts["passed"].value - expected) <= 4 * (expected * (1 - expected) / 1000) ** 0.5
    assert expected == pytest.approx(float(planning.power(gate.facts["units"], 0.001, 0.0002)), rel=1e-5)
    assert 0.0 <= rules.facts["promoted"] <= min(rules.facts["measures"].values())


@pytest.mark.parametrize(("holds", "stale", "code"), [(True, [], 0), (False, [], 1), (True, ["page.md"], 1)])
def test_the_exit_code_says_whether_all_holds(
    holds: bool,
    stale: list[str],
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    part = Part("power", 1, {}, (Result("one", {}, holds),))
    monkeypatch.setattr("sys.argv", ["validity", "--quick"])
    monkeypatch.setattr(__main__, "study", lambda *_: [part])
    monkeypatch.setattr(__main__, "unrepeatable", lambda _: [])
    monkeypatch.setattr(page, "stale", lambda *_: stale)
    assert __main__.main() == code
    assert ("power: one" in capsys.readouterr().err) == (not holds)


def test_a_result_of_other_code_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    task = ("promotion", lambda _: Result("made up", {"x": 1}), (study.REPEATED[0][1],))
    monkeypatch.setattr(study, "tasks", lambda _: iter([task]))
    assert study.unrepeatable(RESULTS) == ["promotion: made up"]


def test_what_falls_short_stands_in_the_tables() -> None:
    facts = {
        "method": "m",
        "cell": "c",
        "covered": {"times": 9, "repeats": 10},
        "gates": True,
        "nominal": 0.95,
    }
    part = Part("sequences", 1, {}, (Result("m: c", facts, holds=False),))
    assert "**falls short**: m: c" in tables_of_bounds.sequences(part)
    assert "90.00 %" in tables_of_bounds.coverage_of_gates(part)


def test_drawings_are_files_of_their_own_and_describe_themselves() -> None:
    marks = figures.strip(
        "s", "a <title>", [("one", [0.94, 0.97])], ticks=(0.9, 0.95, 1.0), mark=0.95, axis="coverage"
    )
    lines = figures.curves("c", "power", [("one", [(1, 0.0), (2, 1.0)])], ticks=(1, 2), axis="evidence")
    for text, said in ((marks, "94.00 % to 97.00 %"), (lines, "2 100 %")):
        root = ET.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert said in (root.findtext("{http://www.w3.org/2000/svg}desc") or "")
