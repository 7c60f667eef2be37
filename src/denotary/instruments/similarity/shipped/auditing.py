"""The audit of a shipped gate: its own decision on every pair, beside what the pair's decision is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denotary.instruments.similarity import guards, manipulation, operating
from denotary.instruments.similarity.results import ShippedGate

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.instruments.similarity.corpus import Corpus
    from denotary.instruments.similarity.shipped.component import Component, Decision


def audit_gate(
    component: Component, corpus: Corpus, *, encoder: str, progress: Callable[[int], None] | None = None
) -> ShippedGate:
    """Return what a gate decides on matched pairs. An exception of the component is a wrong decision, and counted.

    Args:
        component: of :func:`open_gate`.
        corpus: pairs; its manipulation check is made before anything is asked.
        encoder: name of the encoder that is plugged in.
        progress: called with 1 after each pair.

    Raises:
        InputError: the manipulation check fails.
    """
    pairs = corpus.pairs
    manipulation.require(pairs)
    decisions: list[Decision | None] = []
    for first, second in zip(pairs.first, pairs.second, strict=True):
        decisions.append(_asked(component, first, second))
        if progress is not None:
            progress(1)
    failed = np.array([decision is None for decision in decisions], dtype=np.bool_)
    approved = np.array(
        [decision is not None and decision.approved for decision in decisions], dtype=np.bool_
    )
    approved = np.where(failed, ~pairs.same, approved)
    disagreeing = approved & ~pairs.same & ~failed
    kept = np.array(["" if decision is None else decision.kept for decision in decisions], dtype=object)
    return ShippedGate(
        schema="denotary.similarity-shipped-gate/2",
        gate=component.name,
        component=component.component,
        package=component.package,
        version=component.version,
        rule=component.rule,
        cutoff=component.cutoff,
        read_from=component.read_from,
        remark=component.remark,
        encoder=encoder,
        corpus=corpus.name,
        corpus_sha256=corpus.digest,
        pairs=len(pairs),
        errors=int(failed.sum()),
        operating=tuple(operating.decided(pairs, approved, name=component.name, rule=component.rule)),
        guard=tuple(guards.guard_rows(pairs, ~approved, gate=component.name)),
        kept={
            place: int((kept[disagreeing] == place).sum())
            for place in ("first", "second")
            if (kept[disagreeing] == place).any()
        },
    )


def _asked(component: Component, first: str, second: str) -> Decision | None:
    """Return the component's decision; None if it raised."""
    try:
        return component.decide(first, second)
    except (Exception, SystemExit):  # noqa: BLE001 - whatever a foreign component raises is a wrong decision
        return None
