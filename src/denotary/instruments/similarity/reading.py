"""The blind second reading: packets of pairs without gold, and votes joined with what was intended.

A packet holds the two texts and the task. Its id is a digest of them, so that votes find their pair without a
key file, and a text that is changed afterwards loses its votes. Nothing in a packet says which anchor, class or
cell a pair belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from denotary.canonical import digest, sha256
from denotary.errors import InputError
from denotary.files import read_jsonl
from denotary.instruments.similarity.anchors import CELLS, Anchor, Decision, Pole, Task
from denotary.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GUIDELINE = Path(__file__).parents[2] / "data" / "similarity" / "guideline.md"
"""What judges are told."""


class PacketPair(Record, frozen=True):
    """One pair as a judge sees it."""

    id: str
    task: Task
    text1: str
    text2: str

    def __repr__(self) -> str:
        return f"PacketPair({self.id})"


class Vote(Record, frozen=True):
    """What a judge said of one pair.

    Attributes:
        confidence: self-stated, in [0, 1].
    """

    id: str
    vote: Literal["same", "opposite", "unsure"]
    confidence: float

    def __post_init__(self) -> None:
        if not 0 <= self.confidence <= 1:
            raise ValueError("confidence is outside [0, 1]")


class NamedVote(Record, frozen=True):
    """A vote with the name of its judge, as it is stored with a corpus."""

    id: str
    judge: str
    vote: Literal["same", "opposite", "unsure"]
    confidence: float


@dataclass(frozen=True, slots=True)
class Written:
    """One pair of a written anchor.

    Attributes:
        source: name of the folder that its file was found in.
    """

    anchor: Anchor
    source: str
    decision: Decision
    pole: Pole

    @property
    def id(self) -> str:
        """The first 16 hexadecimal digits of a digest of task and texts."""
        return pair_id(self.anchor.task, self.anchor.text, self.anchor.cell(self.decision, self.pole))

    def packed(self) -> PacketPair:
        """Return the pair as a judge sees it. Claims come in either order; a rewrite follows its original."""
        texts = [self.anchor.text, self.anchor.cell(self.decision, self.pole)]
        if self.anchor.task == "distinctness" and int(self.id, 16) % 2:
            texts.reverse()
        return PacketPair(id=self.id, task=self.anchor.task, text1=texts[0], text2=texts[1])


@dataclass(frozen=True, slots=True)
class Reading:
    """A pair with every vote on it."""

    pair: Written
    votes: tuple[NamedVote, ...]

    @property
    def agrees(self) -> bool:
        """Whether every vote is what was intended; false without a vote."""
        return bool(self.votes) and all(vote.vote == self.pair.decision for vote in self.votes)

    def record(self) -> dict[str, object]:
        """Return what a writer needs to see of a disputed pair."""
        return {
            "anchor": self.pair.anchor.anchor,
            "cell": f"{self.pair.decision}_{self.pair.pole}",
            "mutation": self.pair.anchor.mutation,
            "source": self.pair.source,
            "text1": self.pair.anchor.text,
            "text2": self.pair.anchor.cell(self.pair.decision, self.pair.pole),
            "votes": [vote.vote for vote in self.votes],
        }


def pair_id(task: Task, first: str, second: str) -> str:
    """Return the opaque id of a pair."""
    return digest(["similarity-pair/1", task, first, second])[:16]


def written_pairs(path: Path, source: str) -> list[Written]:
    """Return the four pairs of every anchor of a writer's file.

    Raises:
        InputError: a line is not an anchor.
    """
    return [
        Written(anchor, source, decision, pole)
        for _, anchor in read_jsonl(path, Anchor)
        for decision, pole in CELLS
    ]


def packets(pairs: Iterable[Written], size: int) -> list[list[PacketPair]]:
    """Return pairs in packets of at most ``size``, shuffled; the cells of an anchor lie as far apart as may be.

    The order is that of digests, hence fixed by the texts. Each quarter of the whole order takes one cell of every
    anchor, in an arrangement that differs from anchor to anchor, so that no packet is rich in one cell.
    """
    quarters: list[list[Written]] = [[], [], [], []]
    for pair in pairs:
        turn = int(sha256(f"turn {pair.anchor.task} {pair.anchor.text}".encode())[:8], 16)
        quarters[(CELLS.index((pair.decision, pair.pole)) + turn) % len(CELLS)].append(pair)
    ordered = [pair for quarter in quarters for pair in sorted(quarter, key=lambda pair: pair.id)]
    packed = [pair.packed() for pair in ordered]
    count = -(-len(packed) // size)
    return [packed[len(packed) * i // count : len(packed) * (i + 1) // count] for i in range(count)]


def read_votes(pairs: Sequence[Written], files: Iterable[tuple[str, Path]]) -> list[Reading]:
    """Join votes with pairs.

    Votes on texts that have been changed since are passed over: their id is no pair's any more.

    Args:
        pairs: what was written.
        files: files of votes, each with the name of its judge.

    Raises:
        InputError: a line is not a vote, or one judge votes twice on a pair.
    """
    found: dict[str, dict[str, NamedVote]] = {}
    for judge, path in files:
        for line, vote in read_jsonl(path, Vote):
            of = found.setdefault(vote.id, {})
            if judge in of:
                raise InputError(
                    "a second vote of this judge on this pair", path=path, line=line, record=vote.id
                )
            of[judge] = NamedVote(id=vote.id, judge=judge, vote=vote.vote, confidence=vote.confidence)
    return [
        Reading(pair, tuple(vote for _, vote in sorted(found.get(pair.id, {}).items()))) for pair in pairs
    ]
