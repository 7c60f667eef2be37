"""Pairs of texts as columns: what every figure of the instrument is computed from."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from denotary.canonical import digest
from denotary.instruments.similarity.anchors import CELLS
from denotary.instruments.similarity.overlap import overlap
from denotary.text import wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from denotary.instruments.similarity.anchors import Anchor

SAME, OPPOSITE = "same", "opposite"
CLOSE, DISTANT = "close", "distant"


@dataclass(frozen=True, slots=True, repr=False)
class Pairs:
    """Pairs of texts with what is known of them, columns of shape (N,). Its repr shows no text.

    Attributes:
        anchor: id of the anchor: pairs that share it are one independent unit.
        task: ``distinctness``, ``constraint``, or a user's own.
        half: which half of the corpus; fitting and judging never share one.
        register: ``clinical`` and so on; empty if unknown.
        mutation: class of the change on an opposite pair, and of its anchor on a same one; empty if unknown.
        same: whether the decision is the same.
        close: whether the pair is at the close pole of overlap.
        first: the anchor's text.
        second: the variant.
        overlap: see ``overlap.overlap``.
    """

    anchor: NDArray[Any]
    task: NDArray[Any]
    half: NDArray[Any]
    register: NDArray[Any]
    mutation: NDArray[Any]
    same: NDArray[np.bool_]
    close: NDArray[np.bool_]
    first: NDArray[Any]
    second: NDArray[Any]
    overlap: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"<Pairs {len(self)}>"

    def __len__(self) -> int:
        return len(self.anchor)

    def where(self, mask: NDArray[np.bool_]) -> Pairs:
        """Return the pairs at which a mask of shape (N,) holds."""
        return Pairs(*(getattr(self, field.name)[mask] for field in fields(self)))

    def of(self, **wanted: str) -> NDArray[np.bool_]:
        """Return where text columns have the given values, such as ``of(task="constraint", half="B")``."""
        mask = np.ones(len(self), dtype=np.bool_)
        for column, value in wanted.items():
            mask &= getattr(self, column) == value
        return mask

    def values(self, column: str) -> tuple[str, ...]:
        """Return the distinct values of a text column but the empty one, sorted."""
        return tuple(sorted({str(value) for value in getattr(self, column)} - {""}))

    def poles(self, among: NDArray[np.bool_]) -> Iterator[tuple[str, NDArray[np.bool_]]]:
        """Yield both poles of overlap together, as an empty name, and each alone: those of a mask that hold pairs."""
        for pole, at in (("", among), (CLOSE, among & self.close), (DISTANT, among & ~self.close)):
            if at.any():
                yield pole, at

    @property
    def wordings(self) -> list[tuple[str, str]]:
        """The two texts of each pair by their wording, sorted: alike for a pair that is turned round or respelled."""
        told = {text: wording(text) for text in self.texts}
        turned = (sorted((told[a], told[b])) for a, b in zip(self.first, self.second, strict=True))
        return [(low, high) for low, high in turned]

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON of the columns by their names: of the pairs as they were read."""
        return digest({field.name: getattr(self, field.name).tolist() for field in fields(self)})

    @property
    def texts(self) -> list[str]:
        """The distinct texts, sorted."""
        return sorted({*self.first, *self.second})

    @property
    def codes(self) -> NDArray[np.int64]:
        """The number of each pair's anchor, from 0 on."""
        _, codes = np.unique(self.anchor, return_inverse=True)
        return codes.astype(np.int64)

    @property
    def stratum(self) -> NDArray[np.int64]:
        """0 at the distant pole of overlap, 1 at the close one."""
        return self.close.astype(np.int64)


@dataclass(frozen=True, slots=True)
class OnePair:
    """One row of :class:`Pairs` before it is a column."""

    anchor: str
    task: str
    half: str
    register: str
    mutation: str
    same: bool
    close: bool
    first: str
    second: str
    overlap: float

    def __repr__(self) -> str:
        return f"OnePair({self.anchor})"


def columns(rows: Sequence[OnePair]) -> Pairs:
    """Return rows as columns."""
    kinds = {"same": np.bool_, "close": np.bool_, "overlap": np.float64}
    return Pairs(
        *(
            np.array([getattr(row, field.name) for row in rows], dtype=kinds.get(field.name, object))
            for field in fields(Pairs)
        )
    )


def of_anchors(anchors: Iterable[tuple[Anchor, str]]) -> Pairs:
    """Return the four pairs of every anchor, each given with its half."""
    return columns(
        [
            OnePair(
                anchor=anchor.anchor,
                task=anchor.task,
                half=half,
                register=anchor.register,
                mutation=anchor.mutation,
                same=decision == SAME,
                close=pole == CLOSE,
                first=anchor.text,
                second=anchor.cell(decision, pole),
                overlap=overlap(anchor.text, anchor.cell(decision, pole)),
            )
            for anchor, half in anchors
            for decision, pole in CELLS
        ]
    )
