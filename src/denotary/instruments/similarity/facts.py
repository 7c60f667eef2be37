"""What gates of the similarity instrument read and is no rate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity import manipulation
from denotary.instruments.similarity.fitting import fitting_declared
from denotary.instruments.similarity.instrument import similarity_cases
from denotary.instruments.similarity.overlap import overlap
from denotary.instruments.similarity.pairs import OnePair, Pairs, columns
from denotary.instruments.similarity.review import review_sufficient
from denotary.measures.records import Fact
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denotary.measures.table import Table
    from denotary.runs.records import Identity
    from denotary.suites.suite import Suite

MANIPULATION: Final = "manipulation_check"
_NEEDED: Final[Mapping[str, str]] = {
    MANIPULATION: "pairs in a half that the system was not fitted on",
    "fitting_declared": "fitted_on in identity.toml: the halves of the corpus that anything of the system was fitted "
    "or chosen on, or none",
}
"""What to do where a fact is not known."""


def facts(suite: Suite, table: Table, identity: Identity) -> tuple[Fact, ...]:
    """Return every fact, whatever the policy reads.

    Args:
        suite: the suite.
        table: its table, as measured.
        identity: what the owner of the system declared.
    """
    pairs = pairs_of(suite).where(table.flag("judged"))
    found = manipulation_fact(pairs), fitting_declared(suite, identity), review_sufficient(suite)
    return tuple(fact.told_by(_NEEDED) for fact in found)


def manipulation_fact(pairs: Pairs) -> Fact:
    """Return the fact that overlap is balanced between the decisions of the pairs that are judged."""
    found = manipulation.checks(pairs)
    faults = [fault for check in found for fault in check.faults]
    if not found:
        return Fact(name=MANIPULATION, holds=None, detail="no pair is left to judge by")
    if faults:
        return Fact(name=MANIPULATION, holds=False, detail="; ".join(faults))
    widest = max(
        abs(end)
        for check in found
        for item in check.balance
        for end in (item.difference.low, item.difference.high)
    )
    detail = (
        f"overlap of same less opposite pairs lies within ±{manipulation.TOLERANCE} with its whole interval in "
        f"{plural(len(found), 'task and half', 'tasks and halves')}, at most {widest:.3f} off; the poles lie apart"
    )
    return Fact(name=MANIPULATION, holds=True, detail=detail)


def pairs_of(suite: Suite) -> Pairs:
    """Return the cases of a suite as the columns that an audit reads; the anchor is the independent unit."""
    return columns(
        [
            OnePair(
                anchor=unit,
                task=case.input.task,
                half=case.design.half,
                register=case.design.register,
                mutation=case.design.mutation,
                same=case.gold.decision == "same",
                close=case.design.pole == "close",
                first=case.input.text1,
                second=case.input.text2,
                overlap=overlap(case.input.text1, case.input.text2),
            )
            for case, unit in zip(similarity_cases(suite), suite.units, strict=True)
        ]
    )
