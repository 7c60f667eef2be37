"""The summary that the command line prints: the decision first, then what stops it and what would be needed.

On a terminal it is set by rich, wrapped to the width there is; anywhere else it is plain lines, one sentence each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TextIO

from denotary import words
from denotary.reports.gate_view import gate_lines, open_gates
from denotary.reports.operating import operating
from denotary.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from denotary.reports.gate_view import Judgement, Open
    from denotary.reports.model import Report

_STYLES = {
    "PROMOTE": "bold green",
    "BLOCK": "bold red",
    "FAIL": "red",
    "INSUFFICIENT": "yellow",
    "Exploratory": "magenta",
    "Illustrative": "magenta",
    "Recertification": "yellow",
    "READS MEANING": "bold green",
    "READS WORDING": "bold red",
    "UNDECIDED": "yellow",
}
_MOST = 12
"""Most gates of one verdict that are listed."""
_NARROW = 60
"""Columns below which marks and texts do not stand side by side."""
_ASCII = str.maketrans(
    {"≤": "<=", "≥": ">=", "\N{EN DASH}": "-", "…": "...", "\N{GREEK SMALL LETTER ALPHA}": "alpha"}
)


class Line(NamedTuple):
    """A line: its mark, and its text; a line without either is blank."""

    mark: str = ""
    text: str = ""


def terminal(report: Report, stream: TextIO) -> None:
    """Print the summary of a report.

    Args:
        report: what to summarise.
        stream: where to; a terminal gets colours and wrapped lines, anything else plain text.
    """
    print_lines(_lines(report), stream)


def print_lines(lines: Iterable[Line], stream: TextIO) -> None:
    """Print lines: with colours and wrapped on a terminal, one sentence a line anywhere else."""
    shown = [Line(visible(line.mark), visible(line.text)) for line in lines]
    if stream.isatty():
        _print_rich(shown, stream)
    else:
        stream.write("".join(_plain(line, stream.encoding or "utf-8") for line in shown))


def _plain(line: Line, encoding: str) -> str:
    text = f"{line.mark:<18} {line.text}".rstrip() + "\n" if line.mark else f"{line.text}\n"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "replace").decode(encoding)
    return text


def _print_rich(lines: list[Line], stream: TextIO) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=stream, highlight=False)
    if console.width < _NARROW:
        for line in lines:
            console.print(Text(line.mark, style=_STYLES.get(line.mark, "")), Text(line.text), sep=" ")
        return
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for line in lines:
        # Text, never markup: a name in square brackets is a name.
        table.add_row(Text(line.mark, style=_STYLES.get(line.mark, "")), Text(line.text))
    console.print(table)


def _lines(report: Report) -> Iterator[Line]:
    verdict = report.verdict
    yield Line(verdict.decision, f"{words.DECISIONS[verdict.decision]}. {words.why(verdict)}")
    yield from (
        Line(mark, words.sentence_case(text)) for mark, text in words.marks(verdict, report.illustrative)
    )
    yield Line()
    if point := operating(report):
        yield Line("", point)
        yield Line()
    yield Line("system", " ".join(filter(None, (_system(report), report.identity.get("system_version", "")))))
    yield Line("policy", f"{report.policy.id}: {report.policy.title}")
    yield Line(
        "suite", f"{report.suite.name} {report.suite.version}, {words.plural(report.suite.size, 'case')}"
    )
    yield Line("registry", f"{report.registry.name} {report.registry.version}")
    if report.standings:
        yield Line("languages", words.standings_sentence(report.standings))
    yield Line("gates", words.tally_sentence(verdict.gates) or "none was evaluated")
    yield Line("outcomes", _outcomes(report))
    yield from gate_sections(report)


def gate_sections(report: Judgement) -> Iterator[Line]:
    """Yield the gates that fail, those without enough evidence, and what to do instead."""
    gates = gate_lines(report)
    for name in ("FAIL", "INSUFFICIENT"):
        yield from _section(name, open_gates(gates, name.lower(), most=4))
    if report.verdict.instead:
        yield Line()
        yield from (Line("instead", words.sentence_case(text)) for text in report.verdict.instead)


def _section(name: str, found: list[Open]) -> Iterator[Line]:
    if found:
        yield Line()
    for gate in found[:_MOST]:
        yield Line(name, " ".join(filter(None, (f"{gate.title}.", gate.text, gate.where))))
    if len(found) > _MOST:
        yield Line("", f"{len(found) - _MOST:,} more are in the report.")


def _system(report: Report) -> str:
    return report.identity.get("system") or report.system.get("spec", "")


def _outcomes(report: Report) -> str:
    return ", ".join(
        f"{count:,} {words.OUTCOMES.get(name, (words.plain(name), ''))[0].lower()}"
        for name, count in report.outcomes.items()
        if count
    )
