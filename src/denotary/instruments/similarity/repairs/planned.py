"""The corpora that a plan names: opened, and found to be what was planned."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from denotary.errors import InputError, IntegrityError
from denotary.instruments.similarity.corpus import load_corpus
from denotary.instruments.similarity.repairs.foreign import negation_nli, scone

if TYPE_CHECKING:
    from denotary.instruments.similarity.corpus import Corpus
    from denotary.instruments.similarity.repairs.records import PlannedCorpus

_DATA = "$DENOTARY_DATA"


def open_corpus(planned: PlannedCorpus) -> Corpus:
    """Return the pairs of a planned corpus, of one half if the plan names one.

    Raises:
        InputError: it is not there, or the variable of its folder is not set.
        IntegrityError: the plan pins another file, or other pairs.
    """
    found = read_planned(planned)
    _require("SHA-256", planned, planned.sha256, found.digest)
    _require("SHA-256 of pairs", planned, planned.pairs_sha256, found.pairs.digest)
    return found


def read_planned(planned: PlannedCorpus) -> Corpus:
    """Return the pairs of a planned corpus, whatever the plan pins.

    Raises:
        InputError: it is not there, or the variable of its folder is not set.
    """
    kind, _, rest = planned.source.partition(":")
    readers = {"scone": scone, "negation-nli": negation_nli}
    if kind in readers:
        found = readers[kind](_folder(rest))
    else:
        found = load_corpus(None if planned.source == "shipped" else _folder(planned.source))
    return found.half(planned.half) if planned.half else found


def _require(what: str, planned: PlannedCorpus, pinned: str, found: str) -> None:
    if pinned not in ("", found):
        raise IntegrityError(
            f"the corpus {planned.name} is not the one that was planned: its {what} is {found}, planned {pinned}",
            hint="restore it, or register a new plan",
        )


def _folder(text: str) -> Path:
    if not text.startswith(_DATA):
        return Path(text)
    root = os.environ.get(_DATA[1:])
    if not root:
        raise InputError(
            f"the environment variable {_DATA[1:]} is not set", hint="set it to the folder of the data"
        )
    return Path(root) / text.removeprefix(_DATA).lstrip("/")
