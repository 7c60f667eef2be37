"""What is wrong with a similarity suite, and what its quotas count."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

from denotary.errors import Problem
from denotary.instruments.similarity import manipulation
from denotary.instruments.similarity.axes import CLAIMED
from denotary.instruments.similarity.facts import pairs_of
from denotary.instruments.similarity.fitting import NONE
from denotary.instruments.similarity.instrument import similarity_cases
from denotary.suites.loading import CASES, safe_name
from denotary.text import wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.instruments.similarity.cases import SimilarityCase
    from denotary.suites.suite import Suite


def check_case(case: SimilarityCase) -> Iterator[Problem]:
    """Yield what is wrong with one pair, beyond its types."""
    if not case.input.text1.strip() or not case.input.text2.strip():
        yield Problem("error", "empty_text", "a text of the pair is empty")
    if not case.input.task.strip():
        yield Problem("error", "task", "task must not be blank")
    if case.design.half == NONE:
        yield Problem("error", "half", f"no half may be called {NONE!r}: it stands for none")
    if case.gold.decision == "opposite" and not case.design.mutation:
        yield Problem(
            "warning", "mutation", "an opposite pair without a mutation class enters no claim by class"
        )


def check_suite(suite: Suite) -> Iterator[Problem]:
    """Yield pairs that stand in two anchors, the faults of the manipulation check, and too small mutation classes.

    A mutation class is too small if it has fewer anchors in a half than a claim needs.
    """
    if not suite.cases:
        return
    yield from _repeated(suite)
    pairs = pairs_of(suite)
    for found in manipulation.checks(pairs):
        yield from (Problem("error", "manipulation", fault, CASES) for fault in found.faults)
    for mutation in pairs.values("mutation"):
        for half in pairs.values("half") or ("",):
            held = len(set(pairs.anchor[pairs.of(mutation=mutation, half=half) & ~pairs.same]))
            if held < CLAIMED:
                where = f" in half {half}" if half else ""
                message = f"mutation class {mutation} has {held} anchors{where}; a claim needs {CLAIMED}"
                yield Problem("warning", "few_anchors", message, CASES)


def _repeated(suite: Suite) -> Iterator[Problem]:
    """Yield pairs that are asked once more under another anchor, which is no further evidence.

    Texts that differ in case, width, spacing or punctuation alone are one, and so is a pair turned round.
    """
    sealed = suite.manifest.role == "sealed-certification"
    severity: Literal["error", "warning"] = "error" if sealed else "warning"
    first: dict[tuple[str, ...], int] = {}
    for index, case in enumerate(similarity_cases(suite)):
        said = sorted(map(wording, case.texts))
        known = first.setdefault((case.input.task, case.gold.decision, *said), index)
        if suite.units[known] != suite.units[index]:
            name = safe_name(suite.cases[known].record_id)
            message = f"the pair is that of {name} once more; it must share its anchor"
            yield Problem(
                severity, "repeated_pair", message, CASES, suite.lines[index], safe_name(case.record_id)
            )


def quota_counts(suite: Suite) -> dict[str, int]:
    """Return how many pairs fall under each key.

    Keys: ``total``, and ``gold:``, ``task:``, ``mutation:``, ``half:``, ``pole:``, ``register:`` and ``language:`` with
        a value that occurs.
    """
    counts: Counter[str] = Counter()
    for case in similarity_cases(suite):
        design = case.design
        counts.update(
            (
                "total",
                f"gold:{case.gold.decision}",
                f"task:{case.input.task}",
                f"pole:{design.pole}",
                f"language:{case.language_slice}",
            )
        )
        named = {"mutation": design.mutation, "half": design.half, "register": design.register}
        counts.update(f"{key}:{value}" for key, value in named.items() if value)
    return dict(sorted(counts.items()))
