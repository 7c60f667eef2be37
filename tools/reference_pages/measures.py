"""The declared measures, from the declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.instruments.identity.instrument import INSTRUMENT
from denotary.instruments.identity.measures import MEASURES
from denotary.instruments.identity.regression import REGRESSIONS
from denotary.measures.across import is_averaged
from denotary.measures.records import Rate, Ratio, Statistic
from denotary.verdicts import load_policy
from reference_pages.markdown import code, codes, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.measures.records import Measure
    from denotary.suites.instrument import Instrument

INTRO = """# Measures

A measure is an event among a population, over independent units, declared once as data. Four kinds exist:

* **Rate**: how many of the cases in *among* show *event*. Both are exact counts.
* **Ratio**: rows with *numerator* over rows with *denominator*, where the system's answer decides who belongs to the
  population.
* **Statistic**: a named function of rows, such as a calibration error. It describes, and has no exact bound.
* **Comparison**: two systems on the same cases, by a rate or a ratio: the difference with a paired bootstrap interval
  and one-sided bounds, the units that became worse, better and stayed alike, an exact test with the floor of its p, and
  p adjusted after Holm where slices form one claim. Every rate and ratio is compared so by `denotary compare`.

The conditions are SQL expressions over one row a case. `unanswered` is true for invalid output, errors, time-outs and
calls not run: in a harm rate such a case counts as the harm. Every measure is evaluated in each of its slices, and
every report prints beside it what it hides. No figure merges two measures, and there is no overall score.

Two tracks are certified apart and never averaged. Measures of conformance count reviewed expressions, so they stand
among `family = 'reviewed_exact'`; all others stand among `family <> 'reviewed_exact'`, but for those of failures,
time-outs and versions, which count every call. So look-ups, however many, change no claim about other texts.

Some measures count the rows of a related table instead: each named neighbour of a case (`neighbours`), each concept in
whose neighbourhood a case lies (`neighbourhoods`), each ordered pair of languages of an aligned seed (`translations`).
They hold the semantic track alone, and a case can stand in several of their slices. A measure that is no headline alone
names those that every report prints beside it.

A **diagnostic** is never read by a gate. A measure **needs** something of the system where it cannot be stated without
it: `candidates`, `confidence`, `kinds` (of refusal) or `repeats`; otherwise its rows say NOT_APPLICABLE.

"""

PAIRS = """
## Events over pairs of cases

What a release does that the version before it did not. Columns that begin with `base_` are those of the base. A failure
is excused only by an answer of the base that failed in the same way: a base that gave no answer shows nothing.

"""


def page() -> str:
    """Return the page of the identity instrument."""
    return INTRO + listed_measures(INSTRUMENT, MEASURES) + events_over_pairs(REGRESSIONS)


def events_over_pairs(regressions: Sequence[Measure]) -> str:
    """Return what a release is held to, event by event."""
    return PAIRS + "\n".join(map(_measure, regressions))


def listed_measures(instrument: Instrument, measures: Sequence[Measure]) -> str:
    """Return the measures of an instrument: a table of all, then each panel with what it holds."""
    panels = tuple(instrument.panels())
    unknown = {measure.panel for measure in measures} - {panel.id for panel in panels}
    if unknown:
        raise RuntimeError(f"measures stand in panels that no report has: {sorted(unknown)}")
    gates = dict(_read_by(instrument))
    listed = [
        (f"[`{m.id}`](#{m.id})", m.title, "↓" if m.direction == "lower" else "↑", codes(gates.get(m.id, ())))
        for panel in panels
        for m in measures
        if m.panel == panel.id
    ]
    head = table(("measure", "title", "better", "read by the gates"), listed)
    return head + "".join(
        f"\n## {panel.title}\n\n{panel.question}\n\n"
        + "\n".join(_measure(measure) for measure in measures if measure.panel == panel.id)
        for panel in panels
    )


def _measure(measure: Measure) -> str:
    lines = [f"* {label}: {value}" for label, value in _facts(measure) if value]
    return f"### {measure.title} {{ #{measure.id} }}\n\n{measure.hides}\n\n" + "\n".join(lines) + "\n"


def _facts(measure: Measure) -> Iterator[tuple[str, str]]:
    yield "id", code(measure.id) + (", diagnostic" if measure.diagnostic else "")
    match measure:
        case Rate():
            yield "event", code(measure.event)
            yield "among", _population(measure.among)
            yield "rows of", code(measure.over)
        case Ratio():
            yield "numerator", code(measure.numerator)
            yield "denominator", code(measure.denominator)
            yield "among", _population(measure.among)
        case Statistic():
            yield "function", code(measure.function)
            yield "options", codes(f"{name} = {value:g}" for name, value in measure.options.items())
            yield "among", _population(measure.among)
    yield "independent unit", measure.unit_kind
    yield "better", measure.direction
    yield "needs", code(measure.needs or "")
    averages = ", language average and worst language" if _is_averaged(measure) else ""
    yield "slices", codes(measure.slices) + averages
    yield "beside it in every report", codes(measure.beside)


def _is_averaged(measure: Measure) -> bool:
    return isinstance(measure, (Rate, Ratio)) and is_averaged(measure)


def _population(text: str) -> str:
    return "every case" if text == "TRUE" else code(text)


def _read_by(instrument: Instrument) -> Iterator[tuple[str, list[str]]]:
    """Yield each measure with the ids of the gates that read it, in any shipped policy."""
    found: dict[str, list[str]] = {}
    for path in sorted(instrument.policies.glob("*.toml")):
        for gate in load_policy(path, instrument).gates:
            if gate.measure and gate.id not in found.setdefault(gate.measure, []):
                found[gate.measure].append(gate.id)
    yield from found.items()
