"""Corpora of pairs: the shipped folder of matched anchors, and users' own anchors or pairs as JSON Lines or CSV."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from denotary.canonical import digest, sha256
from denotary.errors import InputError, IntegrityError
from denotary.files import decode_jsonl, file_digest, read_bytes, read_records, read_toml
from denotary.instruments.similarity.anchors import Anchor
from denotary.instruments.similarity.corpus_records import (
    CorpusAnchor,
    CorpusManifest,
    RejectedAnchor,
    SecondReading,
    UserPair,
)
from denotary.instruments.similarity.csv_pairs import csv_pairs
from denotary.instruments.similarity.overlap import overlap
from denotary.instruments.similarity.pairs import CLOSE, SAME, OnePair, Pairs, columns, of_anchors
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

BUNDLED = Path(__file__).parents[2] / "data" / "similarity"
MANIFEST = "corpus.toml"
REJECTED = "rejected.jsonl"
TASK = "pairs"
"""Of a user's pair that names none."""
AGAIN = (
    "under more than one anchor, which is no further evidence: the intervals are too narrow. Give all of one pair one "
    "anchor."
)
POLE = 0.5
"""Overlap from which a user's pair without a pole counts as close."""


@dataclass(frozen=True, slots=True, repr=False)
class Corpus:
    """Pairs with where they come from.

    Attributes:
        name: name and version, or the file's name.
        digest: SHA-256 of the manifest or the file.
        split: ``instruction`` or ``author`` between halves; empty if there are none.
        second_reading: how the blind second reading of the whole corpus went; None if it is not recorded.
        notes: what a reader of every report must know.
        licence: of the texts; empty if unknown.
        anchors: of a corpus folder, with the provenance of their pairs, in the order of the pairs.
    """

    name: str
    digest: str
    pairs: Pairs
    split: str = ""
    second_reading: SecondReading | None = None
    notes: tuple[str, ...] = ()
    licence: str = ""
    anchors: tuple[CorpusAnchor, ...] = ()

    def __repr__(self) -> str:
        return f"<Corpus {self.name} {len(self.pairs)} pairs>"

    def half(self, name: str) -> Corpus:
        """Return one half.

        Raises:
            InputError: there is no such half.
        """
        known = self.pairs.values("half")
        if name not in known:
            raise InputError(
                f"the corpus {self.name} has no half {name!r}; it has: {', '.join(known) or 'none'}"
            )
        return replace(self, pairs=self.pairs.where(self.pairs.of(half=name)))


def load_corpus(path: Path | None = None) -> Corpus:
    """Return a corpus.

    Args:
        path: a corpus folder, a ``.jsonl`` file of anchors or pairs, or a ``.csv`` file of pairs; by default the
            shipped corpus.

    Raises:
        InputError: a file is missing or a line is malformed; no text is quoted.
        IntegrityError: a file of a corpus folder was edited.
    """
    path = BUNDLED if path is None else path
    if path.is_dir():
        return _folder(path)
    data = read_bytes(path)
    if path.suffix.lower() != ".csv" and _holds_anchors(data):
        return _user_corpus(path, data, of_anchors((a, "") for _, a in decode_jsonl(data, Anchor, path)), 0)
    rows = list(
        csv_pairs(data, path) if path.suffix.lower() == ".csv" else decode_jsonl(data, UserPair, path)
    )
    read = [pair for _, pair in rows if pair.review != "unreviewed"]
    return _user_corpus(path, data, columns(_with_classes(list(_rows(read)))), len(rows) - len(read))


def _user_corpus(path: Path, data: bytes, pairs: Pairs, unreviewed: int) -> Corpus:
    if not len(pairs):
        raise InputError(
            f"holds no pair but {unreviewed:,} unreviewed" if unreviewed else "holds no pair",
            path=path,
            hint="read each, and set its review to accepted if its decision is right" if unreviewed else None,
        )
    left_out = (f"{unreviewed:,} unreviewed pairs of the file are left out.",) if unreviewed else ()
    return Corpus(path.name, sha256(data), pairs, notes=(*left_out, *_doubts(pairs)))


def _with_classes(rows: list[OnePair]) -> list[OnePair]:
    """Return pairs whose same ones have the class of their anchor's opposites, where it is one and none is named.

    A class is measured by telling its opposites from the same pairs of their anchors, which need no class themselves.
    """
    classes: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if not row.same:
            classes.setdefault((row.task, row.anchor), set()).add(row.mutation)
    only = {key: next(iter(found)) for key, found in classes.items() if len(found) == 1}
    return [
        replace(row, mutation=only.get((row.task, row.anchor), "")) if row.same and not row.mutation else row
        for row in rows
    ]


def _doubts(pairs: Pairs) -> Iterator[str]:
    """Yield what makes pairs less evidence than they seem, one sentence a kind."""
    anchors: dict[tuple[object, ...], set[str]] = {}
    decisions: dict[tuple[str, ...], set[bool]] = {}
    halves: dict[tuple[str, str], set[str]] = {}
    for task, anchor, half, same, alike, *texts in zip(
        pairs.task,
        pairs.anchor,
        pairs.half,
        pairs.same,
        pairs.wordings,
        pairs.first,
        pairs.second,
        strict=True,
    ):
        anchors.setdefault((task, bool(same), *alike), set()).add(anchor)
        decisions.setdefault((task, *texts), set()).add(bool(same))
        halves.setdefault((task, anchor), set()).add(half)
    for found, counted, fault in (
        (anchors, "pair", AGAIN),
        (decisions, "pair", "with both decisions: no score can be right about both."),
        (
            halves,
            "anchor",
            "in more than one half: what is held out was seen. Keep an anchor's pairs in one half.",
        ),
    ):
        number = sum(len(held) > 1 for held in found.values())
        if number:
            yield f"{plural(number, counted)} stand{'s' if number == 1 else ''} {fault}"


def _folder(root: Path) -> Corpus:
    manifest = read_toml(root / MANIFEST, CorpusManifest)
    for name, expected in manifest.files.items():
        if file_digest(root / name) != expected:
            raise IntegrityError(
                "differs from its SHA-256 in the manifest",
                path=root / name,
                hint="restore the file, or build again",
            )
    anchors = [
        (anchor, name)
        for name, half in manifest.halves.items()
        for anchor in read_records(root / half.anchors, CorpusAnchor)
    ]
    fallen = read_records(root / REJECTED, RejectedAnchor) if REJECTED in manifest.files else None
    reading = None if fallen is None else _second_reading([*(anchor for anchor, _ in anchors), *fallen])
    return Corpus(
        name=f"{manifest.name} {manifest.version}",
        digest=file_digest(root / MANIFEST),
        pairs=of_anchors(anchors),
        split=manifest.split,
        second_reading=reading,
        notes=(*manifest.notes, *(() if reading is None else (reading.sentence,))),
        licence=manifest.licence,
        anchors=tuple(anchor for anchor, _ in anchors),
    )


def _second_reading(anchors: Sequence[CorpusAnchor]) -> SecondReading | None:
    """Return the counts over anchors that stayed and that fell; None where none was read."""
    read = [[cell.result for cell in anchor.second_reading.values()] for anchor in anchors]
    held = [results for results in ([r for r in of if r != "unread"] for of in read) if results]
    if not held:
        return None
    return SecondReading(
        anchors=len(held),
        disputed=sum("disputed" in results for results in held),
        pairs=sum(map(len, held)),
        disputed_pairs=sum(results.count("disputed") for results in held),
    )


def _holds_anchors(data: bytes) -> bool:
    """Whether a file is one of anchors, not of pairs: its first line says."""
    first = next((line for line in data.split(b"\n") if line.strip()), b"")
    return b'"same_close"' in first


def _anchor_of(pair: UserPair) -> str:
    """Return the anchor of a pair that names none: pairs of a task with one first text are no independent evidence."""
    return f"text-{digest([pair.task, pair.text1])[:16]}"


def _rows(read: Iterable[UserPair]) -> Iterator[OnePair]:
    for pair in read:
        shared = overlap(pair.text1, pair.text2)
        yield OnePair(
            anchor=pair.anchor or _anchor_of(pair),
            task=pair.task or TASK,
            half=pair.half,
            register=pair.register,
            mutation=pair.mutation,
            same=pair.decision == SAME,
            close=pair.pole == CLOSE if pair.pole else shared >= POLE,
            first=pair.text1,
            second=pair.text2,
            overlap=shared,
        )
