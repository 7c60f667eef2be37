"""A comparison as GitHub-flavoured Markdown, for a pull request or a job summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary import words
from denotary.certify.recertification import sentence
from denotary.certify.statement import system_name
from denotary.certify.summary import escaped, gate_table, next_steps, table_row
from denotary.reports.comparison_console import statistics_moved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.certify.comparing import Compared
    from denotary.measures.records import ComparisonRow

HEAD = (
    "Measure",
    "Before",
    "Now",
    "Difference",
    "One-sided bounds",
    "Worse",
    "Better",
    "Alike",
    "p",
    "p floor",
)


def markdown(compared: Compared) -> str:
    """Return the summary: first line, what was compared, recertification, gates, differences, what to do next."""
    return "\n".join(_lines(compared)) + "\n"


def _lines(compared: Compared) -> Iterator[str]:
    verdict, measurement = compared.verdict, compared.measurement
    yield f"### {escaped(words.first_line(verdict))}"
    yield ""
    yield f"- base: {escaped(system_name(compared.base.header))}"
    yield f"- release: {escaped(system_name(compared.new.header))}"
    yield f"- policy: {escaped(compared.policy.id)} ({escaped(compared.policy.title)})"
    yield f"- suite: {escaped(measurement.suite.identifier)}"
    yield f"- registry: {escaped(measurement.snapshot_id)}"
    yield f"- {escaped(compared.alignment.fact(named=False).detail)}"
    if compared.recertify:
        yield ""
        yield f"**{escaped(words.sentence_case(sentence(compared.components)))}**"
    yield ""
    yield escaped(words.tally_sentence(verdict.gates)) or "no gate was evaluated"
    yield ""
    yield from gate_table(verdict)
    yield from _differences(compared)
    yield from next_steps(verdict)


def _differences(compared: Compared) -> Iterator[str]:
    """Yield the measures of all cases that moved, and those that a gate reads."""
    rows = [
        row
        for row in compared.measurement.comparisons
        if row.difference is not None and row.slice == "all" and (row.worse or row.better or row.prespecified)
    ]
    yield ""
    yield "**What moved, over all cases**"
    yield ""
    suite = compared.new.suite
    moved = list(statistics_moved(compared.measurement.series, suite.instrument.measures(suite)))
    yield from (f"- {escaped(text)}" for text in moved)
    if moved:
        yield ""
    if not rows:
        yield "no measure moved in any case"
        return
    yield table_row(HEAD)
    yield table_row(["---"] * len(HEAD))
    titles = {item.id: item.title for item in compared.new.suite.instrument.measures(compared.new.suite)}
    for row in rows:
        yield table_row([escaped(titles.get(row.measure, row.measure)), *_cells(row)])


def _cells(row: ComparisonRow) -> Iterator[str]:
    yield escaped(words.fraction(row.base_numerator, row.base_denominator))
    yield escaped(words.fraction(row.new_numerator, row.new_denominator))
    yield escaped(words.points(row.difference))
    yield escaped(words.difference(row.lower_bound, row.upper_bound))
    yield from (f"{count:,}" for count in (row.worse, row.better, row.ties))
    yield escaped(words.p_value(row.p))
    yield escaped(words.p_value(row.p_floor))
