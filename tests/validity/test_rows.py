"""Simulated type counts give the very rows that the engine makes of a joined table with a row a case."""

from typing import Any

import msgspec
import numpy as np
import pytest
from validity.outcomes import Risk
from validity.release import SLICES, all_rows, measure
from validity.tally import Draws, simulate
from validity.world import CONCEPTS, LANGUAGES, Design, cases_in, population, scale_for, units_in

from denotary.measures import evaluate
from denotary.measures.records import Rate
from denotary.measures.table import Coded, Table

Case = tuple[int, str, str, bool, bool]


def cases_of(draws: Draws, suite: int) -> list[Case]:
    """Return unit, language, concept, whether counted and whether failed, of every case of a suite."""
    cases: list[Case] = []
    unit = column = 0
    for kind, way in zip(draws.kinds, draws.outcomes, strict=True):
        for counted, failed in zip(way.counted, way.failed, strict=True):
            for _ in range(draws.counts[suite, column]):
                for language, size, taken, wrong in zip(LANGUAGES, kind.sizes, counted, failed, strict=True):
                    cases += [
                        (unit, language, kind.concept, case < taken, case < wrong) for case in range(size)
                    ]
                unit += 1
            column += 1
    return cases


def table_of(cases: list[Case], disposition: str, name: str) -> Table:
    """Return a joined table in which a failure is what each measure calls one."""
    unit, language, concept, counted, failed = zip(*cases, strict=True)
    wrong, inside = np.asarray(failed), np.asarray(counted)
    plain: dict[str, Any] = {
        "answered": np.ones(len(cases), dtype=np.bool_),
        "unanswered": np.zeros(len(cases), dtype=np.bool_),
        "assigned": inside if name == "assignment_risk" else wrong,
        "wrong_assignment": wrong,
        "gold_rank": np.where(wrong, np.nan, 1.0),
    }
    # The strata of a case are of no matter here.
    blank = Coded.of([""] * len(cases))
    coded = {
        **dict.fromkeys(("overlap", "severity", "position", "script", "domain"), blank),
        "outcome": Coded.of(["right"] * len(cases)),
        "disposition": Coded.of([disposition] * len(cases)),
        "language": Coded.of(language),
        "concept": Coded.of(concept),
        "answered_code": Coded.of(
            [code if taken else None for code, taken in zip(concept, counted, strict=True)]
        ),
        "family": Coded.of(["hard_negative"] * len(cases), ("hard_negative", "reviewed_exact")),
    }
    return Table(np.asarray(unit), plain, coded, frozenset(("candidates",)))


@pytest.mark.parametrize(
    ("name", "disposition"),
    [("unknown_far", "UNKNOWN_REGISTRY"), ("assignment_risk", "SINGLE"), ("recall_at_5", "SINGLE")],
)
@pytest.mark.parametrize("design", ["single", "siblings"])
@pytest.mark.parametrize("where", ["all", f"language={LANGUAGES[1]}", f"concept={CONCEPTS[0]}"])
def test_rows_are_those_of_the_engine(name: str, disposition: str, design: Design, where: str) -> None:
    what = measure(name)
    share = 1.0 if isinstance(what, Rate) else 0.6
    risk = Risk(0.2, 0.4, share)
    draws = simulate(np.random.default_rng(7), population(design, 2), where, risk, 3)
    for suite, rows in enumerate(all_rows(what, draws)):
        engine = evaluate(
            [what],
            table_of(cases_of(draws, suite), disposition, name),
            instrument="identity",
            unit_kind="seed",
            resamples=0,
        )
        expected = {row.slice: row for row in engine}
        for row in rows:
            if row.slice.partition("=")[0] in {"all", *what.slices}:
                assert msgspec.to_builtins(row) == msgspec.to_builtins(expected[row.slice])


@pytest.mark.parametrize("design", ["single", "siblings"])
@pytest.mark.parametrize("name", SLICES)
def test_slices_hold_the_units_and_cases_that_are_said(design: Design, name: str) -> None:
    draws = simulate(np.random.default_rng(1), population(design, 3), "all", Risk(0.0), 1)
    row = next(row for row in all_rows(measure("unknown_far"), draws)[0] if row.slice == name)
    assert row.units == 3 * units_in(design, name)
    assert row.denominator == 3 * cases_in(design, name)
    assert scale_for(design, name, row.units) == 3
    assert scale_for(design, name, row.units + 1) == 4
