"""Corpora by other authors as pairs: ScoNe-NLI (She et al. 2023) and NLI with negation (Hossain et al. 2020).

Both are about entailment, which holds in one direction, and not about sameness. *Entailment* counts as same and every
other label as opposite, so that the question is whether what the second text says survives from the first. A pair in
which the second text says less is *same* here and would not be in the shipped corpus. Overlap is not matched.
Bytes that are not UTF-8, as some of the negation files have, are read as U+FFFD.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from denotary.canonical import digest_of_records, sha256
from denotary.errors import InputError
from denotary.files import allow_long_cells, read_bytes
from denotary.instruments.similarity.corpus import POLE, Corpus
from denotary.instruments.similarity.overlap import overlap
from denotary.instruments.similarity.pairs import OnePair, columns

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ENTAILED = "entailment"
_LABELS = {ENTAILED, "neutral", "contradiction", "not_entailment"}
_NEGATED = 3
"""Rows that were made of one pair: negation in the first text, in the second, in both."""


def scone(folder: Path) -> Corpus:
    """Return ScoNe-NLI; the unit is the row, which all six files share, and the class is the file.

    Args:
        folder: with ``scone_nli/test/*.csv``.

    Raises:
        InputError: a file is missing or malformed.
    """
    paths = sorted((folder / "scone_nli" / "test").glob("*.csv"))
    return _corpus("scone", paths, (pair for path in paths for pair in _scone_rows(path)), folder)


def negation_nli(folder: Path) -> Corpus:
    """Return the pairs with added negation; the unit is the pair that three rows were made of, the class the source.

    Args:
        folder: with ``MNLI.txt``, ``RTE.txt``, ``SNLI.txt``.

    Raises:
        InputError: a file is missing or malformed.
    """
    paths = sorted(folder.glob("*.txt"))
    return _corpus("negation_nli", paths, (pair for path in paths for pair in _negated_rows(path)), folder)


def _corpus(name: str, paths: list[Path], pairs: Iterator[OnePair], folder: Path) -> Corpus:
    found = columns(list(pairs))
    if not len(found):
        raise InputError(f"holds no file of {name}", path=folder)
    return Corpus(name, digest_of_records([sha256(read_bytes(path)) for path in paths]), found)


def _scone_rows(path: Path) -> Iterator[OnePair]:
    """Yield the pairs of a file: the edited columns where it has them, beside which the pair before the edit stands."""
    for line, row in _rows(path, ","):
        end = "_edited" if row.get("gold_label_edited") is not None else ""
        texts = [row.get(f"sentence{at}{end}") for at in (1, 2)]
        yield _pair(f"row-{line}", texts, row.get(f"gold_label{end}"), path, line)


def _negated_rows(path: Path) -> Iterator[OnePair]:
    for line, row in _rows(path, "\t"):
        unit = f"{path.stem}-{(line - 2) // _NEGATED}"
        yield _pair(unit, [row.get("Text"), row.get("Hypothesis")], row.get("gold_label"), path, line)


def _rows(path: Path, mark: str) -> Iterator[tuple[int, dict[str, str | None]]]:
    """Yield rows with their number, the heading being 1."""
    allow_long_cells()
    text = io.StringIO(read_bytes(path).decode("utf-8", "replace"), newline="")
    if mark == "\t":
        yield from enumerate(csv.DictReader(text, delimiter=mark, quoting=csv.QUOTE_NONE), 2)
    else:
        yield from enumerate(csv.DictReader(text, delimiter=mark), 2)


def _pair(unit: str, texts: list[str | None], label: str | None, path: Path, line: int) -> OnePair:
    first, second = texts
    if first is None or second is None or label not in _LABELS:
        raise InputError("has not the columns of that corpus", path=path, line=line)
    shared = overlap(first, second)
    return OnePair(
        unit, "entailment", "", "", path.stem, label == ENTAILED, shared >= POLE, first, second, shared
    )
