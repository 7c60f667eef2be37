"""The verdict as GitHub-flavoured Markdown, for a pull request or a job summary."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final

from denotary import words
from denotary.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.verdicts.records import GateResult, Policy, Standing, Verdict

MARKS: Final = {
    "PASS": "✅",
    "FAIL": "❌",
    "INSUFFICIENT": "⚠️",
    "EXPLORATORY": "🔍",
    "WAIVED": "✋",
    "NOT_APPLICABLE": "·",
    "NOT_EXPRESSIBLE": "·",
}
_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]|~!])")
_LINKS: Final = re.compile(r"((?<!\w)@|#|:(?=//)|www(?=\.))", re.IGNORECASE)
HEAD: Final = ("", "Gate", "Slice", "Failures", "Units", "Observed", "Bound", "Limit", "Verdict")


def markdown(
    verdict: Verdict,
    policy: Policy,
    *,
    subject: str,
    suite: str,
    registry: str,
    standings: Sequence[Standing] = (),
    operating: str = "",
) -> str:
    """Return the summary: first line, what was judged, every gate, and what to do next.

    Args:
        verdict: the decision.
        policy: what was asked.
        subject: the system under test.
        suite: identifier of the suite.
        registry: identifier of the registry snapshot.
        standings: what each language may be claimed for.
        operating: the sentences on the operating point.
    """
    about = {
        "system": subject,
        "policy": f"{policy.id} ({policy.title})",
        "suite": suite,
        "registry": registry,
        "languages": words.standings_sentence(standings),
        "operating point": operating,
    }
    return "\n".join(_lines(verdict, {name: text for name, text in about.items() if text})) + "\n"


def _lines(verdict: Verdict, about: Mapping[str, str]) -> Iterator[str]:
    yield f"### {escaped(words.first_line(verdict))}"
    yield ""
    yield from (f"- {name}: {escaped(text)}" for name, text in about.items())
    yield ""
    yield escaped(words.tally_sentence(verdict.gates)) or "no gate was evaluated"
    yield ""
    yield from gate_table(verdict)
    yield from next_steps(verdict)


def gate_table(verdict: Verdict) -> Iterator[str]:
    """Yield the lines of the table of gates, what needs attention first."""
    yield table_row(HEAD)
    yield table_row(["---"] * len(HEAD))
    order = {name: place for place, name in enumerate(words.VERDICT_ORDER)}
    for result in sorted(verdict.gates, key=lambda item: order[item.verdict]):
        yield table_row(_cells(result))


def _cells(result: GateResult) -> Iterator[str]:
    yield MARKS[result.verdict]
    yield escaped(result.title)
    yield escaped(words.slice_name(result.slice))
    yield escaped(words.gate_counted(result))
    yield f"{result.units:,}"
    yield escaped(words.gate_value(result))
    yield escaped(words.gate_bound(result))
    yield escaped(words.gate_limit(result))
    yield f"{words.VERDICTS[result.verdict]}: {escaped(result.reason)}"


def next_steps(verdict: Verdict) -> Iterator[str]:
    """Yield what a pass would take, and what to do where that cannot be had."""
    needs = [item for item in verdict.gates if item.needed]
    if needs:
        yield ""
        yield "**What a pass would take**"
        yield ""
    for item in needs:
        yield f"- {escaped(item.title)}, {escaped(words.slice_name(item.slice))}: {escaped(item.needed)}"
    if verdict.instead:
        yield ""
        yield "**Where that evidence cannot be had** (never a looser limit)"
        yield ""
        yield from (f"- {escaped(line)}" for line in verdict.instead)


def table_row(cells: Sequence[str] | Iterator[str]) -> str:
    """Return one row of a table; its cells are escaped already."""
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """Return text that GitHub prints as it stands: no markup, link, mention, break or hidden character."""
    plain = html.escape(visible(text.replace("\n", " ")), quote=False)
    # An empty comment keeps @names, #numbers and addresses from becoming links; a backslash would not.
    return _LINKS.sub(r"\1<!-- -->", _SPECIAL.sub(r"\\\1", plain))
