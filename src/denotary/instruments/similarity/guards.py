"""Gates as guards: which changes of meaning a gate does not approve, by class of change and pole of overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from denotary.instruments.similarity.axes import CLAIMED, fewest_anchors
from denotary.instruments.similarity.operating import rate_bound
from denotary.instruments.similarity.results import GuardRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.instruments.similarity.gates import Gate
    from denotary.instruments.similarity.pairs import Pairs
    from denotary.statistics.checks import BoolArray, FloatArray


def guard_view(pairs: Pairs, scores: FloatArray, gates: Sequence[Gate]) -> Iterator[GuardRow]:
    """Yield what each gate catches, and how often it fires on what did not change; see :func:`guard_rows`."""
    for gate in gates:
        yield from guard_rows(pairs, ~gate.approves(scores), gate=gate.name)


def guard_rows(pairs: Pairs, fired: BoolArray, *, gate: str) -> Iterator[GuardRow]:
    """Yield what a guard catches that fired on some pairs, by task, mutation class and pole of overlap.

    A distant pair shares few words whatever its decision, so a guard that reads wording fires on it. The sum over both
    poles hides that it catches no close change, which is why each pole has a row of its own.

    Args:
        pairs: what the guard was asked about.
        fired: on which of them it fired, shape (N,).
        gate: its name.
    """
    for task in pairs.values("task"):
        for mutation in ("", *pairs.values("mutation")):
            chosen = pairs.of(task=task) & (pairs.of(mutation=mutation) if mutation else True)
            for pole, at in pairs.poles(chosen):
                found = _row(pairs.where(at), fired[at], named=(gate, task, mutation, pole))
                few = fewest_anchors(pairs.where(at), pairs.values("half")) < CLAIMED
                yield msgspec.structs.replace(found, exploratory=bool(mutation) and few)


def _row(pairs: Pairs, fired: BoolArray, named: tuple[str, str, str, str]) -> GuardRow:
    changed = ~pairs.same
    units = pairs.codes[changed]
    gate, task, mutation, pole = named
    return GuardRow(
        gate=gate,
        task=task,
        mutation=mutation,
        pole=pole,
        mutations=int(changed.sum()),
        caught=int(fired[changed].sum()),
        catch_bound=rate_bound(fired[changed], units)[0],
        miss_bound=rate_bound(~fired[changed], units)[0],
        controls=int(pairs.same.sum()),
        fired=int(fired[pairs.same].sum()),
        exploratory=False,
    )
