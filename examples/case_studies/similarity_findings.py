"""What the audit that this part is modelled on found, and whether these encoders and this corpus show it too."""

# ruff: noqa: PLR2004 - the bars are figures of the published audit, named beside each
from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from similarity_records import TASKS, Kept, axis, balanced, encoders, table, value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LEAN = """\
Part of that is a lean of the corpus and not of the encoders. Close pairs are matched on all words, and among them
same pairs share fewer content words than opposite ones (by 0.06 to 0.09, `denotary similarity check`), most where
an opposite changes the order alone. Between pairs that also share about as many content words, minilm has 0.541
[0.526, 0.555] and 0.567 [0.553, 0.582] where the table has 0.515 and 0.527 (`denotary similarity audit --encoder
minilm`, *decision, content matched*). That temporal order is the worst class, that a class lies below 0.5, and small
differences between classes are therefore no findings about an encoder."""
Line = tuple[str, str, str, bool]
"""Finding, in the source, here, whether it is shown here too."""


def findings(kept: dict[str, Kept]) -> Iterator[str]:
    """Yield the section."""
    shown = list(encoders(kept).values())
    yield "## Against the published audit\n"
    yield "An [audit of nine configurations](https://arxiv.org/abs/2608.10216) on ten anchors a task reports the"
    yield "figures of the second column. The third has those of the encoders with weights here, lowest to highest"
    yield "over encoders and tasks; the fourth says whether the finding, not its size, is shown here too."
    yield "Its encoders are others: all-MiniLM-L6-v2 and all-mpnet-base-v2 alone are in both.\n"
    lines = [line for part in (_axes(shown), _gates(shown), _classes(shown), _moves(shown)) for line in part]
    yield from table(
        ("finding", "there", "here", "shown here"),
        ((name, there, here, "yes" if held else "**no**") for name, there, here, held in lines),
    )
    yield ""
    yield from _account(shown)


def _account(shown: Sequence[Kept]) -> Iterator[str]:
    heads = [value(axis(item, "decision", task)) for item in shown for task in TASKS]
    strong = sum(found >= 0.73 for found in heads)
    yield "What holds: each score reads wording almost without error, no shipped cutoff decides much better than a"
    yield "coin, a guard at 0.4 is out of reach of close changes, and an unmatched comparison inverts every encoder."
    yield "All of it is of cosines, and the guard of that distance: for e5 one can be chosen on a half that catches up"
    yield "to 28 % of the close changes of the other half and fires on 8 % of restatements, and a regression on its"
    yield "vectors has an AUROC of 0.65 to 0.69 there ([attacks](attacks.md#guard))."
    yield f"\nWhat differs: {strong} of {len(heads)} decision axes reach 0.73, as the stronger half of the published"
    yield "field did. Its strongest encoders are in no package, so this page says nothing of them. The order of"
    yield "the classes is another one too: exchanged roles or events are lowest here, not a weakened modal. There, a"
    yield "class is compared with restatements in other wording; here, within an overlap stratum, which alone may move"
    yield "the order. One cutoff for both strata costs little here, because there is little to lose."
    yield f"\n{LEAN}"
    yield "\nThe corpus was written by language models and reviewed by no person. A pair that is labelled wrongly pulls"
    yield "every decision axis towards 0.5, so a figure near chance need not be the encoder's fault alone."


def _axes(shown: Sequence[Kept]) -> Iterator[Line]:
    lexical, narrow, rank, naive, decision = (
        [value(axis(item, of, task)) for item in shown for task in TASKS]
        for of in ("lexical", "lexical narrowed", "overlap rank", "naive", "decision")
    )
    yield "lexical axis, the positive control", "0.975 to 1.000", _span(lexical), min(lexical) >= 0.975
    yield "the same between near overlaps", "0.62 to 0.93", _span(narrow), min(narrow) > 0.55
    yield (
        "rank correlation with overlap within cells (median)", "0.35, 0.43", f"{median(rank):.2f} ({_span(rank)})",
        median(rank) >= 0.3,
    )  # fmt: skip
    zeros = sum(found < 0.0005 for found in naive)
    yield (
        "naive comparison inverts", "0.000 in 13 of 18, at most 0.040",
        f"0.000 in {zeros} of {len(naive)}, at most {max(naive):.4f}", max(naive) <= 0.04,
    )  # fmt: skip
    yield "decision axis at matched overlap, weakest", "0.440", f"{min(decision):.3f}", min(decision) < 0.55
    yield (
        "decision axis at matched overlap, strongest",
        "0.815",
        f"{max(decision):.3f}",
        max(decision) >= 0.73,
    )


def _gates(shown: Sequence[Kept]) -> Iterator[Line]:
    cells = [found for item in shown for task in TASKS for found in balanced(item, task).values()]
    yield (
        "balanced accuracy at a shipped cutoff", "at most 0.700, median 0.525",
        f"at most {max(cells):.3f}, median {median(cells):.3f}, {len(cells)} cells", max(cells) <= 0.7,
    )  # fmt: skip
    cuts = [row for item in shown for row in item.audit.cutoffs if not row.fitted_on]
    gaps = [abs((row.close_cutoff or 0.0) - (row.distant_cutoff or 0.0)) for row in cuts]
    costs = [row.cost or 0.0 for row in cuts]
    yield "best cutoff differs between strata by", "0.11 to 0.56", _span(gaps), min(gaps) > 0.1
    yield "cost of one cutoff for both strata", "0.05 to 0.15", _span(costs), max(costs) >= 0.05
    guards = [row for item in shown for row in item.guard if not row.mutation]
    caught, changes = sum(row.caught for row in guards), sum(row.mutations for row in guards)
    none = sum(row.caught == 0 for row in guards)
    yield (
        "drift guard catches close changes", "0 of 56",
        f"{caught} of {changes:,}; none in {none} of {len(guards)} encoders and tasks", caught <= 0.01 * changes,
    )  # fmt: skip
    fired, controls = sum(row.fired for row in guards), sum(row.controls for row in guards)
    yield "and fires on close restatements", "0 of 15", f"{fired} of {controls:,}", fired <= 0.01 * controls


def _classes(shown: Sequence[Kept]) -> Iterator[Line]:
    orders = [
        sorted((value(row), row.mutation) for row in item.audit.axes if row.mutation and row.task == task)
        for item in shown
        for task in TASKS
    ]
    worst = [order[0][1].replace("_", " ") for order in orders]
    counts = ", ".join(
        f"{of} in {worst.count(of)}" for of in sorted(set(worst), key=lambda of: (-worst.count(of), of))
    )
    yield (
        "worst class", "modal downgrade; then quantity", f"{counts} of {len(orders)}",
        worst.count("modal downgrade") > len(orders) / 2,
    )  # fmt: skip
    for of in ("modal_downgrade", "quantity_unit", "negation"):
        places = [[name for _, name in order].index(of) + 1 for order in orders]
        expected = "nearest chance" if of == "negation" else "first or second"
        held = median(places) > 2 if of == "negation" else median(places) <= 2
        yield (
            f"place of {of.replace('_', ' ')} from the worst", expected,
            f"median {median(places):g} of {len(orders[0])}", held,
        )  # fmt: skip


def _moves(shown: Sequence[Kept]) -> Iterator[Line]:
    rows = [row for item in shown for row in item.audit.displacement]
    apart = [row for row in rows if row.comparison == "unmatched"]
    less, anchors = sum(row.less for row in apart), sum(row.anchors for row in apart)
    yield (
        "unmatched, a reversal moves the score less",
        "180 of 180",
        f"{less:,} of {anchors:,}",
        less >= 0.95 * anchors,
    )
    level = [row for row in rows if row.comparison != "unmatched"]
    more = sum(row.reversal > row.restatement for row in level)
    yield (
        "at matched overlap it moves it more (means)", "29 of 36", f"{more} of {len(level)}", more > len(level) / 2,
    )  # fmt: skip
    for policy, of, there, low, high in (
        ("adaptive chunker", "an adaptive chunker splits reversals off", "0 of 20", 0.0, 0.05),
        ("top-k mining", "wrong pairs of top-k mining", "0.2 to 0.4", 0.2, 0.6),
        ("redundancy filter", "a redundancy filter drops the disagreeing document", "0.20 to 0.90", 0.2, 1.0),
        ("answer grader,", "Youden's J of an answer grader", "0.025 to 0.175", -0.05, 0.175),
    ):
        found = [
            row.value or 0.0 for item in shown for row in item.audit.beyond if row.policy.startswith(policy)
        ]
        yield of, there, _span(found), low <= min(found) and max(found) <= high


def _span(found: Sequence[float]) -> str:
    return f"{min(found):.3f} to {max(found):.3f}"
