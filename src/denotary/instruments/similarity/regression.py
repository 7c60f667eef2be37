"""What a release may do anew to a pair: events over the answers of two systems.

The measures name the columns of :mod:`denotary.instruments.similarity.table` as the new system has them, and with
``base_`` before their names as the base system has them. Pairs of a half that either was fitted on count nothing. A
failure is excused only by a base that decided in the same wrong way: one that decided nothing shows nothing.
"""

from __future__ import annotations

from typing import Final

from denotary.measures.records import Rate

_SLICES: Final = ("all", "task", "mutation", "pole", "half", "register")
_BOTH: Final = "judged AND base_judged"

REGRESSIONS: Final = (
    Rate(
        id="new_wrong_approval",
        title="Opposite pairs that the release approves and the base did not",
        panel="gate",
        direction="lower",
        event="(acted OR NOT decided) AND NOT base_acted",
        among=f"{_BOTH} AND NOT same",
        needs="decisions",
        slices=_SLICES,
        beside=("mended_wrong_approval",),
        hides="Pairs that both approve wrongly do not count here; they count in the certificate of either.",
    ),
    Rate(
        id="mended_wrong_approval",
        title="Opposite pairs that the base approved and the release does not",
        panel="gate",
        direction="higher",
        event="decided AND NOT acted AND base_acted",
        among=f"{_BOTH} AND NOT same",
        needs="decisions",
        slices=_SLICES,
        beside=("new_wrong_approval",),
        hides="A release that rejects everything mends them all; read it with the new wrong rejections.",
    ),
    Rate(
        id="new_wrong_rejection",
        title="Same pairs that the base approved and the release does not",
        panel="gate",
        direction="lower",
        event="NOT acted AND base_acted",
        among=f"{_BOTH} AND same",
        needs="decisions",
        slices=_SLICES,
        beside=("mended_wrong_rejection",),
        hides="Pairs that both reject wrongly do not count here; they count in the certificate of either.",
    ),
    Rate(
        id="mended_wrong_rejection",
        title="Same pairs that the release approves and the base did not",
        panel="gate",
        direction="higher",
        event="acted AND NOT base_acted",
        among=f"{_BOTH} AND same",
        needs="decisions",
        slices=_SLICES,
        beside=("new_wrong_rejection",),
        hides="A release that approves everything mends them all; read it with the new wrong approvals.",
    ),
    Rate(
        id="new_instability",
        title="Repeated calls of the release that disagree",
        panel="operation",
        direction="lower",
        event="repeats_differ OR NOT repeats_answered",
        among="repeated",
        answered="repeats_answered",
        slices=("all", "task"),
        hides="Calls made within minutes of each other; what changes from day to day does not show.",
    ),
)
"""Events over pairs of cases. The policy on two runs tolerates no disagreement of repeats; the others describe."""
