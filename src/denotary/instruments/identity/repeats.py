"""Texts of a suite that repeat each other under different seeds: no further evidence, however the seeds are called."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from denotary.suites.checking import FEW, TEMPLATE_SHARE
from denotary.suites.loading import safe_name
from denotary.suites.near_duplicates import near_duplicates
from denotary.suites.split_templates import skeleton_clusters
from denotary.suites.split_texts import GRAM
from denotary.text.evidence import wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.suites.suite import Suite

NEAR: Final = 0.9
"""Least Jaccard index of character 5-grams at which two texts of one gold are one. Of 3,080 texts that people wrote
(Banking77's test half) one is so near to another of its intent; at 0.7, where a split check stands, 57 are."""

_DIGITS: Final = re.compile(r"\d+")
_Severity: TypeAlias = Literal["error", "warning"]
_Finding = tuple["IdentityCase", _Severity, str, str]


def repeated_texts(suite: Suite, cases: Sequence[IdentityCase], unit: dict[str, str]) -> Iterator[_Finding]:
    """Find texts that a system is shown twice: once more is no further evidence, however the seeds are called.

    Texts that differ in case, width, spacing or punctuation alone count as one where their gold is the same, and so do
    those whose language tags differ beyond the language: neither is a further meaning. A text that comes after other
    turns is another than the same text after these, or after none. An exhaustive suite is no sample, so there a text
    may stand in more than one unit.
    """
    sample = suite.manifest.role != "registry-exact-conformance"
    severity = _severity(suite)
    sent: dict[tuple[object, ...], IdentityCase] = {}
    folded: dict[tuple[object, ...], IdentityCase] = {}
    for case in cases:
        text, language, gold = case.content(), case.input.language, case.gold
        if gold.disposition == "EXACT_MISS" or text is None:
            # It asks for any refusal and claims nothing about the meaning.
            continue
        first = sent.setdefault((text, language, case.depends_on), case)
        if first.gold.answer != gold.answer:
            message = (
                f"the system is shown the same as in {safe_name(first.record_id)}, and the gold is another"
            )
            yield case, "error", "repeated_text_gold", message
            continue
        said = wording(text) if isinstance(text, str) else text
        key = (said, case.language_slice, case.depends_on, *gold.answer)
        first = folded.setdefault(key, case)
        if sample and unit[first.record_id] != unit[case.record_id]:
            message = (
                f"the text is that of {safe_name(first.record_id)} once more; it must share its semantic seed"
            )
            yield case, severity, "repeated_text", message


def template_texts(suite: Suite, cases: Sequence[IdentityCase], unit: dict[str, str]) -> Iterator[_Finding]:
    """Find texts of one gold, one language and different units that differ in numbers or in a few letters alone.

    Texts that are the same words but for a slot are found too; people write such by chance, so they are named only
    where one template supplies more of the suite than a declared one may. A contrast has another gold or shares its
    unit, so it is never found.
    """
    if suite.manifest.role == "registry-exact-conformance":
        return
    severity = _severity(suite)
    limit = max(FEW - 1, TEMPLATE_SHARE * len(cases))
    for wordings in _alike(cases, unit):
        known: set[str] = set()
        for first, case in _near(wordings):
            if unit[case.record_id] != unit[first.record_id] and case.record_id not in known:
                known.add(case.record_id)
                message = f"the text is nearly that of {safe_name(first.record_id)}; it must share its semantic seed"
                yield case, severity, "repeated_text", message
        # Slots are costly to look for, and of a gold with fewer units no template can supply too much.
        rest = {said: case for said, case in wordings.items() if case.record_id not in known}
        for same in _templates(rest) if len({unit[case.record_id] for case in rest.values()}) > limit else ():
            if len({unit[case.record_id] for case in same}) > limit:
                message = (
                    f"{len(same)} texts of one gold are the same words but for a slot; declare their template"
                )
                yield same[0], severity, "template_share", message


def _alike(cases: Sequence[IdentityCase], unit: dict[str, str]) -> Iterator[dict[str, IdentityCase]]:
    """Yield the cases of each gold and language by wording, the first of each, if they stand in more than one unit."""
    groups: dict[tuple[object, ...], dict[str, IdentityCase]] = defaultdict(dict)
    for case in cases:
        if case.input.text and case.gold.disposition != "EXACT_MISS":
            key = (case.language_slice, case.depends_on, *case.gold.answer)
            groups[key].setdefault(wording(case.input.text), case)
    for members in groups.values():
        if len({unit[case.record_id] for case in members.values()}) > 1:
            yield members


def _near(wordings: dict[str, IdentityCase]) -> Iterator[tuple[IdentityCase, IdentityCase]]:
    """Yield pairs of cases whose texts are one but for their numbers, or nearly one by their n-grams."""
    first: dict[str, IdentityCase] = {}
    for said, case in wordings.items():
        masked = _DIGITS.sub("0", said)
        if first.setdefault(masked, case) is not case:
            yield first[masked], case
    if len(first) > 1:
        cases = list(first.values())
        found = near_duplicates(list(first), [0] * len(first), similarity=NEAR, gram=GRAM)
        for left, right in zip(found.first.tolist(), found.second.tolist(), strict=True):
            yield cases[left], cases[right]


def _templates(wordings: dict[str, IdentityCase]) -> Iterator[list[IdentityCase]]:
    cases = list(wordings.values())
    for cluster in skeleton_clusters(list(wordings)):
        yield [cases[index] for index in cluster]


def _severity(suite: Suite) -> _Severity:
    return "error" if suite.manifest.role == "sealed-certification" else "warning"
