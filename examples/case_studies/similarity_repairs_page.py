"""The page and the figure of the repairs, from their reports of either version.

python similarity_repairs_page.py CACHE PAGE.md FIGURE.svg
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from denotary.files import read_bytes, write_atomic
from denotary.instruments.similarity.repairs.plans import read_report

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from denotary.instruments.similarity.repairs.records import JudgedRow, PairedRow, RepairReport

HEAD = Path(__file__).with_name("similarity_repairs") / "head.md"
PLANS = ("c",)
GATE = "polarity-aware gate"
HELD_OUT = {"half B", "half C"}
AGAINST = {"lower": "the lower end of the interval", "value": "the value without its interval"}
COLOURS = {
    "half A": "#8a8a8a",
    "half B": "#1f6fb4",
    "scone": "#b45f1f",
    "negation_nli": "#2f8f4e",
    "half C": "#7a4fb4",
}
LEFT, WIDTH, ROW, TOP = 270, 640, 34, 46


def page(reports: list[RepairReport], figure: str) -> Iterator[str]:
    """Yield the lines of the page after its head."""
    judged = [row for report in reports for row in report.judged]
    yield from ("", "## Figures", "", f"![AUROC by repair and corpus]({figure})", "")
    yield from _table(
        ("repair", "corpus", "AUROC", "close", "distant", "balanced accuracy", "decided", "failed"),
        (
            (row.repair, row.corpus, _interval(row.auroc, row.low, row.high),
             *(_pole(judged, row, pole) for pole in ("close", "distant")),
             _interval(row.balanced_accuracy, row.balanced_low, row.balanced_high),
             _interval(row.decided_share, row.decided_low, row.decided_high), row.failed)
            for row in judged
            if not row.pole
        ),
    )  # fmt: skip
    yield from ("", "## Corpora", "")
    yield from _table(
        ("corpus", "role", "pairs", "units", "same", "overlap matched", "token overlap alone", "labels"),
        (
            (row.name, row.role, row.pairs, row.anchors, row.same, "yes" if row.matched else "**no**",
             _short(row.lexical), row.labels)
            for row in {row.name: row for report in reports for row in report.corpora}.values()
        ),
    )  # fmt: skip
    yield from ("", "## In-sample, held-out, difference", "")
    yield from _table(
        ("repair", "corpus", "measure", "in-sample", "held-out", "difference"),
        (
            (row.repair, row.corpus, row.measure.replace("_", " "), *map(_short, (row.in_sample, row.held_out)),
             "-" if row.difference is None else f"{row.difference:+.3f}")
            for report in reports
            for row in report.differences
        ),
    )  # fmt: skip
    yield from _comparisons(reports)
    yield from ("", "## Bars, written before the run", "")
    yield f"Held against {' and '.join(dict.fromkeys(AGAINST[report.held_against] for report in reports))}."
    yield ""
    yield from _table(
        ("repair", "corpus", "measure", "at least", "value", "lower end", ""),
        (
            (bar.repair, bar.corpus, bar.measure.replace("_", " "), bar.at_least, _short(bar.value), _short(bar.low),
             "reached" if bar.holds else "**failed**")
            for report in reports
            for bar in report.bars
        ),
    )  # fmt: skip
    yield from ("", "## Predictions, written before the run", "")
    yield from _table(
        ("repair", "corpus", "measure", "expected", "value", "", "because"),
        (
            (item.repair, item.corpus, item.measure.replace("_", " "), f"{item.low} to {item.high}", _short(item.value),
             "right" if item.holds else "**wrong**", item.why)
            for report in reports
            for item in report.predictions
        ),
    )  # fmt: skip
    yield from _classes(reports)


def _comparisons(reports: list[RepairReport]) -> Iterator[str]:
    rows = [row for report in reports for row in report.comparisons]
    if not rows:
        return
    yield from ("", "## One repair less another, on the same pairs", "")
    yield "AUROC, units resampled for both together."
    yield ""
    poles = {(row.repair, row.against, row.corpus, row.pole): row for row in rows}
    keys = dict.fromkeys((row.repair, row.against, row.corpus) for row in rows)
    yield from _table(
        ("repair", "less", "corpus", "all pairs", "close", "distant"),
        (
            (*key, *(_difference(poles.get((*key, pole))) for pole in ("", "close", "distant")))
            for key in keys
        ),
    )


def _classes(reports: list[RepairReport]) -> Iterator[str]:
    yield from ("", "## By class of change, held-out halves", "")
    yield f"The {GATE}: opposite pairs caught and approved, same pairs refused; the rest of each is abstained from."
    yield ""
    yield from _table(
        ("corpus", "change", "overlap", "caught", "approved", "refused of same", "AUROC"),
        (
            (row.corpus, row.mutation.replace("_", " ") + (" *" if row.exploratory else ""), row.pole,
             f"{row.caught}/{row.opposites}", f"{row.approved}/{row.opposites}", f"{row.refused}/{row.sames}",
             _short(row.auroc))
            for report in reports
            for row in report.classes
            if row.corpus in HELD_OUT and row.pole and row.repair == GATE
        ),
    )  # fmt: skip
    yield from ("", "## What had been seen", "")
    yield from (f"* {line}" for line in dict.fromkeys(line for report in reports for line in report.seen))


def svg(judged: list[JudgedRow]) -> str:
    """Return the figure: one line a repair, a dot with its interval for each corpus."""
    repairs = list(dict.fromkeys(row.repair for row in judged))
    height = TOP + ROW * len(repairs) + 30
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 30} {height}" font-family="sans-serif" '
        'font-size="13" role="img"><title>AUROC within overlap strata, with 95 % intervals</title>'
    )
    lines = [head, f'<rect width="{LEFT + WIDTH + 30}" height="{height}" fill="#ffffff"/>']
    for at, (name, colour) in enumerate(COLOURS.items()):
        lines.append(f'<circle cx="{LEFT + 120 * at}" cy="16" r="5" fill="{colour}"/>')
        lines.append(f'<text x="{LEFT + 10 + 120 * at}" y="20">{name}</text>')
    for tick in range(4, 11):
        x = _x(tick / 10)
        lines.append(f'<line x1="{x}" x2="{x}" y1="{TOP - 12}" y2="{height - 24}" stroke="#dddddd"/>')
        lines.append(f'<text x="{x}" y="{height - 8}" text-anchor="middle">{tick / 10}</text>')
    for place, repair in enumerate(repairs):
        y = TOP + ROW * place + 8
        lines.append(f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{repair}</text>')
        for row in (row for row in judged if row.repair == repair and not row.pole and row.auroc is not None):
            level = y + 5 * (list(COLOURS).index(row.corpus) - 1.5)
            colour = COLOURS[row.corpus]
            if row.low is not None and row.high is not None:
                lines.append(
                    f'<line x1="{_x(row.low)}" x2="{_x(row.high)}" y1="{level}" y2="{level}" stroke="{colour}" '
                    'stroke-width="2"/>'
                )
            lines.append(f'<circle cx="{_x(row.auroc or 0)}" cy="{level}" r="4" fill="{colour}"/>')
    return "\n".join([*lines, "</svg>\n"])


def _x(value: float) -> float:
    return round(LEFT + WIDTH * (max(value, 0.35) - 0.35) / 0.65, 1)


def _pole(judged: list[JudgedRow], of: JudgedRow, pole: str) -> str:
    found = [row for row in judged if (row.repair, row.corpus, row.pole) == (of.repair, of.corpus, pole)]
    return _short(found[0].auroc) if found else "-"


def _interval(value: float | None, low: float | None, high: float | None) -> str:
    return _short(value) if low is None else f"{_short(value)} [{_short(low)}, {_short(high)}]"


def _difference(row: PairedRow | None) -> str:
    if row is None or row.difference is None:
        return "-"
    ends = "" if row.low is None or row.high is None else f" [{row.low:+.3f}, {row.high:+.3f}]"
    return f"{row.difference:+.3f}{ends}"


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _table(heads: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    yield from (f"| {' | '.join(map(str, row))} |" for row in rows)


def main(cache: Path, target: Path, figure: Path) -> None:
    """Write the page and its figure."""
    paths = {name: cache / f"report-{name}.json" for name in PLANS}
    reports = [read_report(read_bytes(path), path) for path in paths.values() if path.exists()]
    link = Path("..") / figure.relative_to(target.parents[1])
    missing = [
        f"Of plan {name} there is no report: its repairs were not judged."
        for name, path in paths.items()
        if not path.exists()
    ]
    lines = [
        HEAD.read_text("utf-8").rstrip(),
        *("", *missing)[: 2 * len(missing)],
        *page(reports, link.as_posix()),
    ]
    write_atomic(target, ("\n".join(lines) + "\n").encode())
    write_atomic(figure, svg([row for report in reports for row in report.judged]).encode())


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
