"""What measuring a run yields: everything that a policy, a certificate and a report read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from denotary.files import encode_jsonl, read_records

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from denotary.measures.records import ComparisonRow, Fact, Row, Series


@dataclass(frozen=True, slots=True)
class Corpus:
    """The suite behind a measurement, as far as it decides what the measurement may support.

    Attributes:
        identifier: name, version and digest of the suite.
        role: what the corpus may be used for (``suites.records.Role``).
        looks: how many promotion decisions may be taken on it; each gate spends alpha / looks.
        review: how far its gold may be trusted (``suites.records.ReviewState``).
        visibility: number of cases by who may see them.
    """

    identifier: str
    role: str
    looks: int
    review: str
    visibility: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Measurement:
    """The rows, facts and series of one run.

    Attributes:
        instrument: name of the instrument.
        unit_kind: what an independent unit is called.
        suite: the corpus.
        snapshot_id: name, version and digest of the registry snapshot.
        outcomes: number of planned cases by outcome class; they sum to the planned cases.
        required: slices that a gate must find, by selector: ``language:advertised`` to the advertised
            languages, ``concept:critical`` to the concepts of tier C3 and up. A selector that is absent was
            not declared.
        rows: every measure in every slice.
        facts: what gates read and is no rate.
        series: curves and confusions for figures.
        comparisons: every measure of two systems in every slice; empty for one system.
        run: the run it was made from (``runs.run.Run``), for certificate and report.
    """

    instrument: str
    unit_kind: str
    suite: Corpus
    snapshot_id: str
    outcomes: Mapping[str, int]
    required: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    facts: tuple[Fact, ...] = ()
    series: tuple[Series, ...] = ()
    comparisons: tuple[ComparisonRow, ...] = ()
    run: Any = field(default=None, repr=False, compare=False)

    def rows_jsonl(self) -> bytes:
        """Return the rows as canonical JSON lines: the bytes of ``rows.jsonl``."""
        return encode_jsonl(self.rows)


def read_rows(path: Path) -> tuple[Row, ...]:
    """Return the rows of a ``rows.jsonl``.

    Raises:
        InputError: the file is absent, or a line is not a row.
    """
    from denotary.measures.records import Row

    return read_records(path, Row)
