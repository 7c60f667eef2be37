"""``docs/explanation/validity.md`` and its drawings, from the results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from denotary.files import write_atomic
from validity import figures, tables, tables_of_bounds, tables_of_lanes, tables_of_pairs
from validity.paired_release import NAMES
from validity.results import ALPHA, read
from validity.study import PARTS

if TYPE_CHECKING:
    from validity.results import Part

ROOT_OF_PAGE: Final = "docs/explanation/validity.md"
IMAGES: Final = "docs/images/validity"

_TEMPLATE: Final = Path(__file__).parent / "page.md"

_SHARES: Final = ("true rate 0", "a tenth of the limit", "a fifth of the limit", "a third of the limit")


def files(results: Path) -> dict[str, bytes]:
    """Return the page and its drawings by path below the root of the repository."""
    parts = {name: read(results, name) for name in PARTS}
    drawn = {f"{IMAGES}/{name}.svg": text.encode() for name, text in _drawings(parts).items()}
    return drawn | {ROOT_OF_PAGE: _page(parts).encode()}


def write(results: Path, root: Path) -> None:
    """Write the page and its drawings."""
    for name, data in files(results).items():
        write_atomic(root / name, data)


def stale(results: Path, root: Path) -> list[str]:
    """Return the files that are not what the results say."""
    return [
        name
        for name, data in files(results).items()
        if not (root / name).is_file() or (root / name).read_bytes() != data
    ]


def _drawings(parts: dict[str, Part]) -> dict[str, str]:
    promoted: dict[str, list[float]] = {}
    for result in parts["promotion"].results:
        looks = "one look" if result.facts["looks"] == 1 else "any of three looks"
        label = f"{result.facts['policy']}, {looks}"
        promoted.setdefault(label, []).append(tables.share(result.facts["promoted"]).value)
    covered: dict[bool, dict[str, list[float]]] = {True: {}, False: {}}
    for result in (*parts["coverage"].results, *parts["sequences"].results):
        facts = result.facts
        if facts["nominal"] == 1.0 - ALPHA:
            found = covered[facts["gates"]].setdefault(facts["method"], [])
            found.append(tables.share(facts["covered"]).value)
    return {
        "promotion": figures.strip(
            "promotion",
            "Chance of a false promotion in every scenario",
            list(promoted.items()),
            ticks=(0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06),
            mark=0.05,
            axis="Share of repeats in which a release at the limit was promoted",
        ),
        "coverage": figures.strip(
            "coverage",
            "Coverage of intervals and bounds at nominal 95 %",
            [*covered[True].items(), *covered[False].items()],
            ticks=(0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0),
            mark=0.95,
            axis="Coverage in each cell; hollow: describes only",
            hollow=covered[False],
        ),
        **{f"power-{design}": _power(parts["power"], design) for design in ("single", "siblings")},
    }


def _power(part: Part, design: str) -> str:
    lines: dict[float, list[tuple[float, float]]] = {}
    for result in part.results:
        facts = result.facts
        if facts["design"] == design and facts["what"].startswith("policy"):
            lines.setdefault(facts["share_of_limit"], []).append((facts["evidence"], facts["promoted"]))
    named = list(zip(_SHARES, (lines[share] for share in sorted(lines)), strict=False))
    title = f"Chance that policy c3 promotes, {'one case a unit' if design == 'single' else 'siblings'}"
    axis = "Evidence, in multiples of the least with which a flawless release passes"
    return figures.curves(f"power-{design}", title, named, ticks=(1, 2, 3, 4, 5, 6, 7, 8), axis=axis)


def _page(parts: dict[str, Part]) -> str:
    criteria = [result for part in parts.values() for result in part.results if result.holds is not None]
    broken = [name for part in parts.values() for name in part.broken]
    size = parts["promotion"].size
    return _TEMPLATE.read_text(encoding="utf-8").format(
        criteria=f"{len(criteria):,}",
        outcome="All hold." if not broken else f"{len(broken)} fall short: {'; '.join(broken)}.",
        repeats=f"{size['promotion']:,}",
        scenarios=f"{len(parts['promotion'].results):,}",
        again=tables.asked_again(parts["promotion"]),
        closed_form=tables.closed_form(parts["promotion"]),
        by_policy=tables.promotion_by_policy(parts["promotion"]),
        by_gate=tables.promotion_by_gate(parts["promotion"]),
        thresholds=tables.thresholds(parts["thresholds"]),
        planted=tables.planted(parts["planted"]),
        tolerance=tables.tolerance(parts["tolerance"]),
        regressions=tables_of_pairs.regressions(parts["regressions"], NAMES[0]),
        pair_regressions=tables_of_pairs.regressions(parts["regressions"], NAMES[1]),
        policy_suites=f"{parts['paired_power'].size['power_policy']:,}",
        paired_power=tables_of_pairs.power(parts["paired_power"]),
        pair_gates=tables.pair_gates(parts["pair_gates"]),
        gates_of_pairs=f"{parts['pair_gates'].size['pair_gates']:,}",
        certified=tables_of_lanes.certified(parts["certified"]),
        calibrations=f"{parts['certified'].size['certified']:,}",
        releases=f"{parts['regressions'].size['regressions']:,}",
        data_sets=f"{size['coverage']:,}",
        resampled=f"{size['resampled']:,}",
        gates=tables_of_bounds.coverage_of_gates(parts["coverage"]),
        siblings=tables_of_bounds.coverage_of_descriptions(parts["coverage"], siblings=True),
        single=tables_of_bounds.coverage_of_descriptions(parts["coverage"], siblings=False),
        sequences=tables_of_bounds.sequences(parts["sequences"]),
        separations=tables_of_bounds.separations(parts["separations"]),
        anchored=f"{parts['separations'].size['separations']:,}",
        streams=f"{size['streams']:,}",
        power_gate=tables_of_bounds.power(parts["power"], what="gate"),
        power_policy=tables_of_bounds.power(parts["power"], what="policy"),
    )
