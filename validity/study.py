"""The parts of the study as independent tasks, each with its own random numbers, and how large each is."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, Final

import msgspec

from validity import (
    certified,
    coverage,
    pair_gates,
    paired_power,
    planted,
    power,
    promotion,
    regressions,
    separations,
    sequences,
    thresholds,
    tolerance,
    tolerance_of_pairs,
)
from validity.results import SEED, Part, Result, read
from validity.sequences import PAIRS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

PARTS: Final = (
    *(
        "promotion",
        "thresholds",
        "planted",
        "tolerance",
        "regressions",
        "paired_power",
        "pair_gates",
        "certified",
        "coverage",
        "sequences",
        "separations",
        "power",
    ),
)

REPEATED: Final = (
    ("promotion", "c1/unanswered/all/single/0/0/1"),
    ("promotion", "c3/unknown/language=ar/siblings/1/0/3"),
    ("thresholds", "c1/careless/flat/single/0/1"),
    ("tolerance", "registry-exact"),
    ("tolerance", "siblings"),
    ("regressions", "unknown/all/one case/0/1"),
    ("regressions", "wrong_approval/all/one case/0/1"),
    ("pair_gates", "decision_axis/task=constraint/normal/15/1"),
    ("certified", "flat/300+100/found/0.5/single"),
    ("sequences", PAIRS[0].name),
    ("separations", "3 against 97 anchors, normal, 0.5"),
)
"""Tasks cheap enough to be run at full size by the quick study, to see whether they give what is published."""

Task = tuple[str, "Callable[..., Any]", tuple[Any, ...]]
"""Part, function and arguments; the function yields or returns results."""


@dataclass(frozen=True, slots=True)
class Size:
    """Repeats of each part.

    Attributes:
        promotion: repeats of a scenario, each of as many releases as there are looks.
        thresholds: the same for thresholds.
        planted: the same for broken bounds, with units of one case.
        planted_siblings: the same with siblings.
        regressions: releases at the tolerance of a gate on two systems.
        pair_gates: similarity gates at a limit of theirs.
        certified: calibration sets of the semantic lane.
        coverage: data sets of a cell.
        resampled: data sets that are bootstrapped, each with as many resamples.
        streams: streams of units that arrive one after the other.
        sequences: data sets of paired differences and of groups.
        separations: data sets of an AUROC over anchors, each bootstrapped.
        power: suites for a point of the curve of a gate.
        power_policy: suites for a point of the curve of a policy.
        whole: whether every policy, world and point is tried, or a part of them.
    """

    promotion: int = 20_000
    thresholds: int = 10_000
    planted: int = 50_000
    planted_siblings: int = 10_000
    regressions: int = 10_000
    pair_gates: int = 10_000
    certified: int = 2000
    coverage: int = 20_000
    resampled: int = 1000
    streams: int = 5000
    sequences: int = 10_000
    separations: int = 300
    power: int = 4000
    power_policy: int = 1000
    whole: bool = True


FULL: Final = Size()
QUICK: Final = Size(
    promotion=1000,
    thresholds=400,
    planted=20_000,
    planted_siblings=1000,
    regressions=400,
    pair_gates=400,
    certified=100,
    coverage=2000,
    resampled=100,
    streams=500,
    sequences=2000,
    separations=40,
    power=400,
    power_policy=40,
    whole=False,
)


def tasks(size: Size) -> Iterator[Task]:
    """Yield every task of a study."""
    yield from _of_policies(size)
    yield from _of_pairs(size)
    for lane in certified.scenarios(whole=size.whole):
        yield "certified", certified.run, (lane, size.certified)
    for cell in coverage.cells():
        yield "coverage", coverage.run, (cell, size.coverage, size.resampled)
    for plan in sequences.STREAMS:
        yield "sequences", sequences.anytime, (plan, size.streams)
    for pair in sequences.PAIRS:
        yield "sequences", sequences.difference, (pair, size.sequences)
    for group in sequences.GROUPS:
        yield "sequences", sequences.worst_group, (*group, size.sequences)
    for design in separations.designs():
        if size.whole or design.positives < separations.FEW:
            yield "separations", separations.run, (design, size.separations)
    for point in power.points():
        if size.whole or point.evidence == power.EVIDENCE[-1]:
            yield "power", power.run, (point, size.power, size.power_policy)


def _of_policies(size: Size) -> Iterator[Task]:
    for scenario in promotion.scenarios():
        if size.whole or (scenario.looks > 1 and scenario.failures == 0):
            yield "promotion", promotion.run, (scenario, size.promotion)
    for choice in thresholds.scenarios():
        if size.whole or choice.policy == "c1":
            yield "thresholds", thresholds.run, (choice, size.thresholds)
    for name in ("c1", "c3") if size.whole else ("c1",):
        for plant in planted.PLANTS:
            repeats = size.planted if plant.design == "single" else size.planted_siblings
            yield "planted", planted.run, (plant, name, repeats)
    for name in tolerance.NAMES if size.whole else tolerance.NAMES[:2]:
        yield "tolerance", tolerance.run, (name,)
    for case in regressions.scenarios():
        if size.whole or case.failures == 0:
            yield "regressions", regressions.run, (case, size.regressions)


def _of_pairs(size: Size) -> Iterator[Task]:
    for design in tolerance.DESIGNS:
        yield "tolerance", tolerance_of_pairs.run, (design,)
    for pairs in pair_gates.scenarios():
        if size.whole or pairs.looks == 1:
            yield "pair_gates", pair_gates.run, (pairs, size.pair_gates)
    for point in paired_power.points():
        if size.whole or point.evidence == paired_power.EVIDENCE[-1]:
            yield "paired_power", paired_power.run, (point, size.power_policy)


def study(size: Size, workers: int, say: Callable[[str], None]) -> list[Part]:
    """Return the results of every part, whatever the number of workers.

    Args:
        size: how large.
        workers: processes.
        say: called with a line of progress now and then.
    """
    todo = list(tasks(size))
    results: dict[str, list[Result]] = {name: [] for name in PARTS}
    # A fresh interpreter: a fork of a process with threads may stand still.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for done, (part, found) in enumerate(zip(todo, pool.map(_perform, todo), strict=True), start=1):
            results[part[0]] += found
            if done % 20 == 0 or done == len(todo):
                say(f"{done} of {len(todo)} tasks")
    used = {name: int(value) for name, value in asdict(size).items()}
    return [Part(name, SEED, used, tuple(found)) for name, found in results.items()]


def unrepeatable(folder: Path) -> list[str]:
    """Return a few published results that the code at hand does not give again: they belong to other code."""
    again: list[tuple[str, Result]] = []
    for task in tasks(FULL):
        name, _, (what, *_) = task
        if (name, getattr(what, "name", what)) in REPEATED:
            again += [(name, result) for result in _perform(task)]
    published = {name: {result.name: result for result in read(folder, name).results} for name in PARTS}
    return [
        f"{part}: {result.name}"
        for part, result in again
        if msgspec.to_builtins(result) != msgspec.to_builtins(published[part].get(result.name))
    ]


def _perform(task: Task) -> list[Result]:
    _, function, arguments = task
    found: Result | Iterable[Result] = function(*arguments)
    return [found] if isinstance(found, Result) else list(found)
