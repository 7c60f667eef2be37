"""From writers' files and second readers' votes to a corpus folder: what stays, what falls, and why.

Nothing here sees a score. An anchor falls if a vote on one of its pairs differs from what was written, if one has no
vote (with one it may come back), if a cell's overlap is not what its pole asks, or if a text stands twice; then, within
each task and half, those whose overlap leans furthest are taken out until the decisions are balanced.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denotary.canonical import sha256
from denotary.files import encode_jsonl, encode_toml, write_atomic
from denotary.instruments.similarity.anchors import CELLS
from denotary.instruments.similarity.corpus import MANIFEST, REJECTED
from denotary.instruments.similarity.corpus_records import CellReading, CorpusAnchor, RejectedAnchor
from denotary.instruments.similarity.manipulation import TOLERANCE
from denotary.instruments.similarity.overlap import overlap
from denotary.instruments.similarity.pairs import CLOSE
from denotary.instruments.similarity.reading import GUIDELINE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from denotary.instruments.similarity.anchors import Anchor, Decision, Pole
    from denotary.instruments.similarity.corpus_records import Cause
    from denotary.instruments.similarity.reading import Reading

LEAST_CLOSE = 0.6
"""Overlap of every close cell with its anchor."""
MOST_DISTANT = 0.25
"""Overlap of every distant cell with its anchor."""
MOST_APART: dict[Pole, float] = {"close": 0.10, "distant": 0.08}
"""Largest difference of overlap between the two decisions of one anchor."""
STANDARD_ERRORS = 2.2
"""How many standard errors must fit inside the tolerance beside the mean, a little more than an interval needs."""


@dataclass(frozen=True, slots=True)
class Source:
    """A half as it was written: the writer's name and the instruction they were given."""

    half: str
    writer: str
    instruction: str


@dataclass(frozen=True, slots=True)
class Built:
    """What stays and what fell, both in the order of the writers' files."""

    kept: tuple[CorpusAnchor, ...]
    rejected: tuple[RejectedAnchor, ...]


def build(readings: Sequence[Reading], sources: Mapping[str, Source]) -> Built:
    """Return the anchors that stay and those that fall.

    Args:
        readings: the four pairs of every anchor with their votes, anchor by anchor.
        sources: by name of the writers' folder.
    """
    seen: set[str] = set()
    kept: list[CorpusAnchor] = []
    fallen: list[RejectedAnchor] = []
    for start in range(0, len(readings), len(CELLS)):
        group = readings[start : start + len(CELLS)]
        anchor = _with_provenance(group, sources[group[0].pair.source])
        why = _reading_fault(group) or _overlap_fault(anchor) or _duplicate_fault(anchor, seen)
        if why is None:
            kept.append(anchor)
            seen.update(_texts(anchor))
        else:
            fallen.append(_rejected(anchor, *why))
    leaning = {id(anchor) for anchor in _leaning(kept)}
    fallen += [
        _rejected(anchor, "balance", "taken out to balance overlap between the decisions")
        for anchor in kept
        if id(anchor) in leaning
    ]
    return Built(tuple(anchor for anchor in kept if id(anchor) not in leaning), tuple(fallen))


def write_corpus(
    root: Path, built: Built, sources: Iterable[Source], *, name: str, version: str, notes: Sequence[str]
) -> None:
    """Write a corpus folder: manifest, one file of anchors a half, instructions, guideline, rejected anchors."""
    files: dict[str, bytes] = {
        "guideline.md": GUIDELINE.read_bytes(),
        REJECTED: encode_jsonl(built.rejected),
    }
    halves = {}
    for source in sources:
        half = source.half.lower()
        files[f"anchors-{half}.jsonl"] = encode_jsonl(a for a in built.kept if a.half == source.half)
        files[f"instruction-{half}.md"] = source.instruction.encode()
        halves[source.half] = {
            "anchors": f"anchors-{half}.jsonl",
            "writer": source.writer,
            "instruction": f"instruction-{half}.md",
            "instruction_sha256": sha256(source.instruction.encode()),
        }
    for file, data in files.items():
        write_atomic(root / file, data)
    manifest = {
        "schema": "denotary.similarity-corpus/1",
        "name": name,
        "version": version,
        "licence": "Apache-2.0",
        "split": "instruction",
        "guideline_sha256": sha256(files["guideline.md"]),
        "notes": list(notes),
        "halves": halves,
        "files": {file: sha256(data) for file, data in sorted(files.items())},
    }
    write_atomic(root / MANIFEST, encode_toml(manifest))


def _with_provenance(group: Sequence[Reading], source: Source) -> CorpusAnchor:
    anchor = group[0].pair.anchor
    read = {f"{r.pair.decision}_{r.pair.pole}": _cell_reading(r) for r in group}
    return CorpusAnchor(
        **_written(anchor),
        half=source.half,
        writer=source.writer,
        instruction=sha256(source.instruction.encode()),
        second_reading=read,
    )


def _cell_reading(reading: Reading) -> CellReading:
    return CellReading(
        result="unread" if not reading.votes else "agrees" if reading.agrees else "disputed",
        votes=tuple(vote.vote for vote in reading.votes),
        readers=tuple(vote.judge for vote in reading.votes),
    )


def _written(anchor: Anchor) -> dict[str, Any]:
    return {name: getattr(anchor, name) for name in anchor.__struct_fields__}


def _rejected(anchor: CorpusAnchor, cause: Cause, detail: str) -> RejectedAnchor:
    fields = {name: getattr(anchor, name) for name in anchor.__struct_fields__}
    return RejectedAnchor(**fields, cause=cause, detail=detail)


def _reading_fault(group: Sequence[Reading]) -> tuple[Cause, str] | None:
    against = [f"{r.pair.decision}_{r.pair.pole}" for r in group if r.votes and not r.agrees]
    if against:
        return "second_reading", f"a vote differs: {', '.join(against)}"
    without = [f"{r.pair.decision}_{r.pair.pole}" for r in group if not r.votes]
    return ("unread", f"no vote yet: {', '.join(without)}") if without else None


def _overlap_fault(anchor: CorpusAnchor) -> tuple[Cause, str] | None:
    for decision, pole in CELLS:
        shared = _shared(anchor, decision, pole)
        if (shared < LEAST_CLOSE) if pole == CLOSE else (shared > MOST_DISTANT):
            return "overlap", f"{decision}_{pole} shares {shared:.2f} of the words"
    for side, most in MOST_APART.items():
        lean = _lean(anchor, side)
        # Overlaps are quotients: a hair of slack for the limit itself.
        if abs(lean) > most + 1e-9:
            return "overlap", f"{side}: same less opposite is {lean:+.2f}"
    return None


def _duplicate_fault(anchor: CorpusAnchor, seen: set[str]) -> tuple[Cause, str] | None:
    texts = _texts(anchor)
    if len(set(texts)) < len(texts) or seen.intersection(texts):
        return "duplicate", "a text stands twice"
    return None


def _texts(anchor: CorpusAnchor) -> list[str]:
    return [anchor.text, *(anchor.cell(*cell) for cell in CELLS)]


def _shared(anchor: CorpusAnchor, decision: Decision, pole: Pole) -> float:
    return overlap(anchor.text, anchor.cell(decision, pole))


def _lean(anchor: CorpusAnchor, pole: Pole) -> float:
    return _shared(anchor, "same", pole) - _shared(anchor, "opposite", pole)


def _leaning(anchors: Sequence[CorpusAnchor]) -> list[CorpusAnchor]:
    """Return those to take out, group by group, the ones that lean furthest to the side of the mean first."""
    out: list[CorpusAnchor] = []
    for group in sorted({(a.task, a.half) for a in anchors}):
        rest = [a for a in anchors if (a.task, a.half) == group]
        lean = {id(a): (_lean(a, "close"), _lean(a, "distant")) for a in rest}
        while len(rest) > 1:
            table = np.array([lean[id(a)] for a in rest])
            reach = STANDARD_ERRORS * table.std(axis=0, ddof=1) / len(rest) ** 0.5
            excess = np.abs(table.mean(axis=0)) + reach - TOLERANCE
            pole = int(np.argmax(excess))
            if excess[pole] <= 0:
                break
            side = np.sign(table[:, pole].mean()) or 1.0
            out.append(rest.pop(int(np.argmax(side * table[:, pole]))))
    return out
