"""Encoders and lexical baselines on the shipped corpus of matched anchors: do their scores read meaning or wording?

    python similarity_encoders.py CACHE PAGE.md [NAME ...]

Audits of NAMEs (default: all) are kept in CACHE; the page is written from all audits that are there. Needs the
extras ``encoders`` and ``multilingual``; about five minutes of one core.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from denotary.canonical import canonical_json
from denotary.files import write_atomic
from denotary.instruments.similarity.audit import audit
from denotary.instruments.similarity.configurations import named
from denotary.instruments.similarity.corpus import load_corpus
from denotary.instruments.similarity.results import Audit
from denotary.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NAMES = (
    "minilm", "e5", "hash-words", "hash-characters", "token-jaccard", "character-3-grams", "bm25", "length-difference",
)  # fmt: skip
ENCODERS = ("minilm", "e5")
"""Of these the page shows classes of change, gates and guard."""
TASKS = ("constraint", "distinctness")

HEAD = """# Encoders on matched wording

Does the cosine of an encoder follow whether two texts mean the same, or how many words they share? Every anchor of the
shipped corpus has four variants: same or opposite decision, in nearly the same or in other words, with overlap held
equal between the decisions ([how the audit works](../how-to/audit-a-gate.md)). This page is written by a script:

```sh
pip install '.[encoders,multilingual]'
python examples/case_studies/similarity_encoders.py CACHE docs/case-studies/similarity-encoders.md
```

"""


def run(name: str, cache: Path) -> None:
    """Audit one configuration and keep what it gave, with its seconds of CPU."""
    begin = time.process_time()
    found = audit(named(name), load_corpus())
    seconds = time.process_time() - begin
    write_atomic(cache / f"{name}.json", canonical_json({"seconds": round(seconds, 1), "audit": found}))


class Kept(Record, frozen=True):
    """An audit with its seconds of CPU."""

    seconds: float
    audit: Audit


def page(kept: dict[str, Kept]) -> str:
    """Return the page."""
    parts = (part(kept) for part in (_corpus, _axes, _halves, _classes, _gates, _guard))
    return HEAD + "\n\n".join("\n".join(part).rstrip() for part in parts) + "\n"


def _corpus(kept: dict[str, Kept]) -> Iterator[str]:
    found = next(iter(kept.values())).audit
    corpus = load_corpus()
    yield f"Corpus {found.corpus}: {found.anchors:,} anchors, {found.pairs:,} pairs. Its manifest has SHA-256"
    yield f"`{found.corpus_sha256}`.\n"
    yield from (f"* {note}" for note in corpus.notes)


def _axes(kept: dict[str, Kept]) -> Iterator[str]:
    yield "## Both axes\n"
    yield "AUROC with 95 % intervals over anchors. *Decision*: same against opposite within overlap"
    yield "strata; 0.5 is chance."
    yield "*Lexical*: close against distant within decisions, the positive control. *Naive*: same"
    yield "in other words against"
    yield "opposite in the same words, which is what pairs that nobody matched would show. Seconds"
    yield "of CPU are those of one"
    yield "audit, on two shared cores.\n"
    yield from _table(
        ("configuration", "task", "decision", "lexical", "naive", "verdict", "CPU s"),
        (
            (
                name if task == TASKS[0] else "", task, _axis(item.audit, "decision", task),
                _axis(item.audit, "lexical", task), _axis(item.audit, "naive", task),
                item.audit.verdict if task == TASKS[0] else "", f"{item.seconds:.0f}" if task == TASKS[0] else "",
            )
            for name, item in kept.items() for task in TASKS
        ),
    )  # fmt: skip
    yield ""
    for name in _shown(kept):
        yield f"{name}: {kept[name].audit.sentence}\n"


def _halves(kept: dict[str, Kept]) -> Iterator[str]:
    yield "## By half and by overlap\n"
    yield "The halves were written under different instructions. A figure that holds in one alone"
    yield "is one of its instruction.\n"
    columns = ({"half": "A"}, {"half": "B"}, {"pole": "close"}, {"pole": "distant"})
    yield from _table(
        ("encoder", "task", "half A", "half B", "close pairs", "distant pairs"),
        (
            (name, task, *(_axis(kept[name].audit, "decision", task, **column) for column in columns))
            for name in _shown(kept)
            for task in TASKS
        ),
    )


def _classes(kept: dict[str, Kept]) -> Iterator[str]:
    yield "## By class of change\n"
    yield "Decision AUROC within overlap strata. A class with fewer than 30 anchors in a half is"
    yield "exploratory (*).\n"
    rows = {
        (name, row.task, row.mutation): _interval(row.value, row.low, row.high)
        + (" *" if row.exploratory else "")
        for name in _shown(kept)
        for row in kept[name].audit.axes
        if row.mutation
    }
    classes = sorted({key[2] for key in rows})
    heads = [(name, task) for name in _shown(kept) for task in TASKS]
    yield from _table(
        ("change", *(f"{name}, {task}" for name, task in heads)),
        ((of.replace("_", " "), *(rows[name, task, of] for name, task in heads)) for of in classes),
    )


def _gates(kept: dict[str, Kept]) -> Iterator[str]:
    yield "## Gates at their cutoffs\n"
    yield "Over both strata: opposite pairs approved, same pairs refused, with one-sided 95 %"
    yield "bounds of the rates; Youden's J."
    yield "The second table has the best cutoff, and what it gives on the half that it was not chosen on.\n"
    yield from _table(
        ("encoder", "task", "approves", "wrong approvals", "wrong rejections", "J"),
        (
            (
                name, row.task, f"`{row.rule}`", f"{row.wrong_approvals}/{row.opposites}, {row.approval_bound:.3f}",
                f"{row.wrong_rejections}/{row.sames}, {row.rejection_bound:.3f}", _number(row.youden),
            )
            for name in _shown(kept) for row in kept[name].audit.operating if not row.pole
        ),
    )  # fmt: skip
    yield ""
    yield from _table(
        ("encoder", "task", "cutoff", "chosen on", "balanced accuracy", "on the other half", "cost against one each"),
        (
            (
                name, row.task, _number(row.cutoff), f"half {row.fitted_on}" if row.fitted_on else "all",
                _number(row.balanced_accuracy), _number(row.held_out), _number(row.cost),
            )
            for name in _shown(kept) for row in kept[name].audit.cutoffs
        ),
    )  # fmt: skip


def _guard(kept: dict[str, Kept]) -> Iterator[str]:
    yield "## A drift guard that fires where 1 - cosine exceeds 0.4\n"
    yield "Opposite pairs caught, and same pairs (controls) on which it fired.\n"
    yield from _table(
        ("encoder", "task", "change", "caught", "fired on controls"),
        (
            (
                name, row.task, row.mutation.replace("_", " ") or "all", f"{row.caught}/{row.mutations}",
                f"{row.fired}/{row.controls}",
            )
            for name in _shown(kept) for row in kept[name].audit.guard
        ),
    )  # fmt: skip


def _shown(kept: dict[str, Kept]) -> list[str]:
    return [name for name in ENCODERS if name in kept]


def _axis(found: Audit, axis: str, task: str, *, half: str = "", pole: str = "") -> str:
    row = next(
        row
        for row in found.axes
        if (row.axis, row.task, row.half, row.pole, row.mutation) == (axis, task, half, pole, "")
    )
    return _interval(row.value, row.low, row.high)


def _interval(value: float | None, low: float | None, high: float | None) -> str:
    return _number(value) if low is None or high is None else f"{value:.3f} [{low:.3f}, {high:.3f}]"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def main(cache: Path, target: Path, names: list[str]) -> None:
    """Run what is asked for and write the page."""
    cache.mkdir(parents=True, exist_ok=True)
    for name in names:
        run(name, cache)
    kept = {
        name: msgspec.json.decode((cache / f"{name}.json").read_bytes(), type=Kept)
        for name in NAMES
        if (cache / f"{name}.json").exists()
    }
    write_atomic(target, page(kept).encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] or list(NAMES))
