"""From a run to a measurement: answers in, everything that is judged and shown out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

from denotary.errors import DenotaryError, IntegrityError
from denotary.measures.engine import RESAMPLES, evaluate
from denotary.measures.measurement import Corpus, Measurement
from denotary.measures.required import LANGUAGES, advertised

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.measures.table import Table


class MeasurableRun(Protocol):
    """What a run must offer to be measured (``runs.Run`` does)."""

    @property
    def header(self) -> Any:
        """The content of ``run.toml`` (``runs.records.RunHeader``)."""

    @property
    def suite(self) -> Any:
        """The suite (``suites.suite.Suite``)."""

    @property
    def answers(self) -> Iterable[Any]:
        """The answers (``runs.records.Answer``), in any order; a planned call without one was not run."""


def measure(run: MeasurableRun, *, resamples: int = RESAMPLES) -> Measurement:
    """Return every measure in every slice, the facts that gates read, and the series of figures.

    Args:
        run: a run, complete or not; what was not run counts as unanswered.
        resamples: bootstrap resamples behind the intervals of statistics and averages; 0 for none.

    Raises:
        IntegrityError: the run was made with another suite or registry than the one at hand.
    """
    header, suite = run.header, run.suite
    instrument, table = suite.instrument, joined_table(run)
    declared = advertised(header.identity.languages)
    rows = evaluate(
        instrument.measures(suite),
        table,
        instrument=instrument.name,
        unit_kind=instrument.unit_kind,
        resamples=resamples,
        advertised=declared.get(LANGUAGES, ()),
    )
    return Measurement(
        instrument=instrument.name,
        unit_kind=instrument.unit_kind,
        suite=corpus_of(suite),
        snapshot_id=suite.registry.snapshot_id,
        outcomes=table.outcomes(),
        required={**instrument.required_slices(suite), **declared},
        rows=rows,
        facts=tuple(instrument.facts(suite, table, header.identity)),
        series=tuple(instrument.series(suite, table, header.identity)),
        run=run,
    )


def joined_table(run: MeasurableRun) -> Table:
    """Return the table of a run's cases and answers, one row a planned case.

    Raises:
        IntegrityError: the run was made with another suite or registry than the one at hand.
    """
    header, suite = run.header, run.suite
    _check_pins(header, suite)
    table: Table = suite.instrument.table(suite, run.answers, header.identity)
    planned = sum(table.outcomes().values())
    if planned != len(suite.cases):
        raise DenotaryError(f"{planned} outcomes for {len(suite.cases)} planned cases")
    return table


def _check_pins(header: Any, suite: Any) -> None:
    """Refuse a suite or a registry that is not the one that was asked."""
    found = {"suite": suite.hash, "registry": suite.registry.hash}
    for name, pin in (("suite", header.suite), ("registry", header.registry)):
        if pin.hash != found[name]:
            raise IntegrityError(
                f"the run was made with {name} {pin.name} {pin.version} sha256:{pin.hash}, "
                f"not with sha256:{found[name]}",
                hint=f"measure it with the {name} that it was made with; scores do not carry over",
            )
    if header.instrument != suite.manifest.instrument:
        raise IntegrityError(
            f"the run is of instrument {header.instrument}, the suite of {suite.manifest.instrument}"
        )


def corpus_of(suite: Any) -> Corpus:
    """Return a suite as far as it decides what a measurement may support."""
    visibility = Counter(case.security.visibility for case in suite.cases)
    return Corpus(
        identifier=suite.identifier,
        role=suite.manifest.role,
        looks=suite.manifest.looks,
        review=suite.manifest.review,
        visibility=dict(sorted(visibility.items())),
    )
