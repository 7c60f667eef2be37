"""Columns of the table that depend on the answers: decisions, confidences, candidates, repeats.

Answers may come from memory or line by line from a file of any length: they are taken in chunks, and only
numbers are kept of them. Within a chunk the work is done column by column, which is what makes a million
answers a matter of seconds.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from itertools import chain, islice, repeat
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.errors import IntegrityError
from denotary.instruments.identity.answers import KINDS, UNANSWERED, names_snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from denotary.instruments.identity.case_columns import CaseColumns
    from denotary.measures.table import BoolArray, FloatArray, IntArray
    from denotary.runs.records import Answer

CHUNK: Final = 1 << 12
"""Answers taken at a time."""

STATUSES: Final = ("answered", *UNANSWERED)
_STATUS: Final = {name: number for number, name in enumerate(STATUSES)}
_NOT_RUN: Final = _STATUS["not_run"]
_KIND: Final[dict[str | None, int]] = {None: -1} | {name: n for n, name in enumerate(KINDS)}
_TYPES: Final = {"concept": 0, "abstain": 1, "clarify": 2, "reject": 3}
_ASSIGNED: Final = _TYPES["concept"]

_UNHEARD_OF: Final = -2
"""Number of a candidate that neither the suite nor an assignment names."""

UNDECIDED: Final = -100
"""Decision number of a call without an answer. A code is its number, a refusal of kind K is -2 - K."""


class AnswerColumns:
    """The columns while they are being filled; arrays of shape (N,), one entry a case.

    Attributes:
        status: number in ``STATUSES``; ``not_run`` until an answer is seen.
        type: number of the decision's type, or -1.
        code: number of the assigned code, or -1.
        kind: number of the refusal's kind in ``KINDS``, or -1.
        confidence: in [0, 1], or NaN.
        version_ok: whether the answer names the registry snapshot, and so does every answer to a further call.
        candidates: number of candidates.
        gold_rank: rank of the one right code among the candidates, ties counted against it; NaN if absent.
        top_share: share of the first candidate in the sum of scores; NaN if a score is negative or all are
            zero.
        margin: score of the first candidate less that of the second; NaN with fewer than two.
        neighbour_above_gold: a designated neighbour ranks above the one right code, or level with it.
        neighbour_first: a designated neighbour ranks first, or level with the first.
        repeated: the case was planned more than once.
        repeats_differ: a further call was decided otherwise than the first.
        repeats_answered: every call was answered.
        repeats_wrong: a call was given a code that is not the right one.
    """

    def __init__(self, cases: CaseColumns, versions: Iterable[str]) -> None:
        size = len(cases.unit)
        self._cases = cases
        self._versions = frozenset(versions)
        self._seen = np.zeros(size, dtype=np.bool_)
        self._next = 0
        self._repeats: list[IntArray] = []
        self._elsewhere: list[IntArray] = []
        """Rows of which a further answer names another registry version."""
        self.status = np.full(size, _NOT_RUN, dtype=np.int32)
        self.type = np.full(size, -1, dtype=np.int32)
        self.code = np.full(size, -1, dtype=np.int32)
        self.kind = np.full(size, -1, dtype=np.int32)
        self.confidence = np.full(size, np.nan)
        self.version_ok = np.zeros(size, dtype=np.bool_)
        self.candidates = np.zeros(size, dtype=np.int32)
        self.gold_rank = np.full(size, np.nan)
        self.top_share = np.full(size, np.nan)
        self.margin = np.full(size, np.nan)
        self.neighbour_above_gold = np.zeros(size, dtype=np.bool_)
        self.neighbour_first = np.zeros(size, dtype=np.bool_)
        self.repeated = np.zeros(size, dtype=np.bool_)
        self.repeats_differ = np.zeros(size, dtype=np.bool_)
        self.repeats_answered = np.zeros(size, dtype=np.bool_)
        self.repeats_wrong = np.zeros(size, dtype=np.bool_)

    @property
    def decision(self) -> IntArray:
        """What was decided, as one number: two cases with equal numbers were decided alike."""
        return _decision(self.status, self.type, self.code, self.kind)

    def fill(self, answers: Iterable[Answer]) -> None:
        """Take the answers of a run, in any order.

        Raises:
            IntegrityError: an answer is to a case that the suite does not hold, or a call is answered twice.
        """
        with _collector_at_rest():
            for chunk in _chunks(answers):
                first = [answer for answer in chunk if answer.repeat == 0]
                self._first(first)
                if len(first) < len(chunk):
                    self._further([answer for answer in chunk if answer.repeat > 0])
        self._compare()

    def _rows(self, answers: Sequence[Answer]) -> IntArray:
        row = self._cases.row
        try:
            return np.asarray([row[answer.case_id] for answer in answers], dtype=np.int64)
        except KeyError as error:
            raise IntegrityError(
                "an answer is to a case that is not in the suite", record=str(error.args[0])
            ) from None

    def _next_rows(self, answers: Sequence[Answer]) -> IntArray:
        """Return the rows of first answers, each of which may come once.

        Answers in the order of the suite, as a sealed run has them, need no search.
        """
        rows: IntArray
        start, self._next = self._next, self._next + len(answers)
        if [answer.case_id for answer in answers] == self._cases.ids[start : self._next]:
            rows, again = np.arange(start, self._next), self._seen[start : self._next]
        else:
            rows = self._rows(answers)
            _, position, times = np.unique(rows, return_inverse=True, return_counts=True)
            again = self._seen[rows] | (times[position] > 1)
        if again.any():
            raise IntegrityError("a call is answered twice", record=answers[int(np.argmax(again))].call_id)
        self._seen[rows] = True
        return rows

    def _first(self, answers: Sequence[Answer]) -> None:
        rows = self._next_rows(answers)
        decides, bodies = _bodies(answers)
        decided = self._decided(answers, decides, bodies)
        self.status[rows], self.type[rows], self.code[rows], self.kind[rows] = decided
        self._details(rows[decides], bodies)

    def _decided(
        self, answers: Sequence[Answer], decides: BoolArray, bodies: Sequence[dict[str, Any]]
    ) -> IntArray:
        """Return status, type, code and kind of answers, shape (4, n)."""
        found = np.full((4, len(answers)), -1, dtype=np.int64)
        status = np.asarray([_STATUS[answer.status] for answer in answers], dtype=np.int64)
        # An answer without a decision is a fault of the log; it must not pass for an answered case.
        found[0] = np.where((status == 0) & ~decides, _STATUS["error"], status)
        found[1, decides] = _numbered(_TYPES, "type", bodies)
        found[2, decides] = _numbered(self._cases.codes, "code", bodies)
        found[3, decides] = _numbered(_KIND, "kind", bodies)
        return found

    def _details(self, rows: IntArray, bodies: Sequence[dict[str, Any]]) -> None:
        self.confidence[rows] = np.asarray([body["confidence"] for body in bodies], dtype=np.float64)
        self.version_ok[rows] = self._named(bodies)
        lists = [body["candidates"] or () for body in bodies]
        sizes = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
        self.candidates[rows] = sizes
        total = int(sizes.sum())
        if total:
            # Code, score, code, score …: flattening in one go is what a million lists can be read in.
            flat = list(chain.from_iterable(chain.from_iterable(lists)))
            if len(flat) != 2 * total:
                raise IntegrityError("a candidate of a decoded answer is no pair of code and score")
            numbers = np.fromiter(map(self._cases.codes.get, flat[::2], repeat(_UNHEARD_OF)), np.int64, total)
            self._ranked(rows[sizes > 0], sizes[sizes > 0], numbers, np.asarray(flat[1::2], dtype=np.float64))

    def _ranked(self, rows: IntArray, sizes: IntArray, code: IntArray, score: FloatArray) -> None:
        """Fill the columns about candidates; codes and scores are those of all rows, row after row."""
        owner = np.repeat(np.arange(len(rows)), sizes)
        starts = np.cumsum(sizes) - sizes
        if np.any((score[1:] > score[:-1]) & (owner[1:] == owner[:-1])):
            order = np.lexsort((-score, owner))
            code, score = code[order], score[order]
        top = score[starts]
        with np.errstate(over="ignore"):
            margin = top - score[np.minimum(starts + 1, len(score) - 1)]
            total = np.add.reduceat(score, starts)
        self.margin[rows] = np.where((sizes > 1) & np.isfinite(margin), margin, np.nan)
        shared = (np.minimum.reduceat(score, starts) >= 0) & (total > 0) & np.isfinite(total)
        self.top_share[rows] = np.where(shared, top / np.where(shared, total, 1.0), np.nan)

        gold = self._cases.gold[rows]
        right = (code == gold[owner]) & (gold[owner] >= 0)
        reached = _best(score, right, owner, len(rows))
        level = (score >= reached[owner]) & ~right
        rank = 1 + np.bincount(owner, weights=level, minlength=len(rows))
        self.gold_rank[rows] = np.where(np.isfinite(reached), rank, np.nan)
        near = self._cases.plain["has_neighbours"][rows][owner]
        near[near] = self._cases.is_neighbour(rows[owner[near]], code[near])
        rival = _best(score, near, owner, len(rows))
        present = np.isfinite(rival)
        self.neighbour_above_gold[rows] = present & (gold >= 0) & (rival >= reached)
        self.neighbour_first[rows] = present & (rival >= top)

    def _named(self, bodies: Sequence[dict[str, Any]]) -> BoolArray:
        """Return which bodies name the registry snapshot, shape (n,)."""
        versions = self._versions
        return np.asarray([names_snapshot(body, versions) for body in bodies], dtype=np.bool_)

    def _further(self, answers: Sequence[Answer]) -> None:
        rows = self._rows(answers)
        decides, bodies = _bodies(answers)
        decided = self._decided(answers, decides, bodies)
        self._repeats.append(np.stack([rows, _decision(*decided)]))
        self._elsewhere.append(rows[decides][~self._named(bodies)])

    def _compare(self) -> None:
        """Compare further calls of a case with its first."""
        first, gold = self.decision, self._cases.gold
        self.repeats_answered[:] = self.status == 0
        self.repeats_wrong[:] = _is_wrong(first, gold)
        for rows, further in self._repeats:
            unanswered = further == UNDECIDED
            self.repeated[rows] = True
            self.repeats_answered[rows[unanswered]] = False
            self.repeats_wrong[rows[_is_wrong(further, gold[rows])]] = True
            self.repeats_differ[rows[(further != first[rows]) & ~unanswered]] = True
        self.repeats_differ &= self.status == 0
        for rows in self._elsewhere:
            self.version_ok[rows] = False


def _numbered(
    number: Mapping[str, int] | Mapping[str | None, int], key: str, bodies: Sequence[dict[str, Any]]
) -> IntArray:
    """Return the number of each body's value under a key, shape (n,)."""
    return np.fromiter(map(number.__getitem__, map(itemgetter(key), bodies)), np.int64, len(bodies))


def _bodies(answers: Sequence[Answer]) -> tuple[BoolArray, list[dict[str, Any]]]:
    """Return which answers hold a decision, shape (n,), and the decoded bodies of those."""
    held = [answer.body if answer.status == "answered" else None for answer in answers]
    return np.asarray([bool(body) for body in held], dtype=np.bool_), [body for body in held if body]


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Keep the garbage collector from walking over answers that come and go: it took a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _decision(status: IntArray, kind_of_answer: IntArray, code: IntArray, kind: IntArray) -> IntArray:
    refused = np.where(kind_of_answer == _ASSIGNED, code, -2 - kind)
    return np.where(status == 0, refused, UNDECIDED)


def _is_wrong(decision: IntArray, gold: IntArray) -> BoolArray:
    """Return which decisions are a code other than the right one, if there is one."""
    wrong: BoolArray = (decision >= 0) & (decision != gold)
    return wrong


def _best(score: Any, chosen: Any, owner: IntArray, size: int) -> Any:
    """Return the best score of the chosen candidates of each row, minus infinity where there is none."""
    best = np.full(size, -np.inf)
    np.maximum.at(best, owner[chosen], score[chosen])
    return best


def _chunks(answers: Iterable[Answer]) -> Iterator[Sequence[Answer]]:
    rest = iter(answers)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk
