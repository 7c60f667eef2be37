"""Facts about each concept and each language that stand beside its measures, and the order of those measures."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.canonical import digest
from denotary.instruments.identity.floors import floors
from denotary.instruments.identity.instrument import identity_cases
from denotary.instruments.identity.tally import confusions
from denotary.instruments.identity.tracks import semantic
from denotary.measures.records import Series
from denotary.reports.model import Card
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.instruments.identity.tally import Cell
    from denotary.measures.table import IntArray, Table
    from denotary.suites.suite import Suite

CARDS: Final = (
    Card(
        "language",
        (
            "exact_conformance_failure",
            "correct_known_coverage",
            "assignment_coverage",
            "faar",
            "assignment_risk",
            "unknown_far",
            "ambiguity_forced",
            "underspecified_forced",
            "mixed_collapse",
            "hncr",
            "language_pair_agreement",
            "language_pair_correct",
            "noise_faar",
            "noise_correct",
            "code_switch_faar",
            "code_switch_correct",
            "ece_equal_width",
            "brier",
            "decision_instability",
        ),
        shared=(("matrix_language", "of what is tagged with it"),),
    ),
    Card(
        "concept",
        (
            "exact_conformance_failure",
            "correct_known_coverage",
            "assignment_risk",
            "hncr",
            "hncr_pair",
            "negation_collapse",
            "contradiction_acceptance",
            "role_reversal_confusion",
            "unknown_far_nearby",
            "ambiguity_forced_nearby",
            "pair_correct",
            "flip_correct",
            "contrast_consistency",
            "ece_equal_width",
            "brier",
            "decision_instability",
            "wrong_in_a_repeat",
        ),
        shared=(
            ("answered_code", "false attraction: of the texts that were given this code"),
            ("original", "of what was made from it"),
        ),
        pairs="pair",
    ),
)
"""What a scorecard says first, in this order; every other measure of the group follows."""

_TOP: Final = 3
"""Confusions named on a scorecard."""


def scorecards(suite: Suite, table: Table) -> Iterator[Series]:
    """Yield one scorecard for each concept and each language that holds a case.

    Args:
        suite: the suite.
        table: its table.
    """
    wrong = [cell for cell in confusions(table) if cell.single]
    short, questions = _floors(table), _questions(suite)
    for axis in ("concept", "language"):
        column = table.coded[axis]
        order = np.argsort(column.codes, kind="stable")
        ends = np.searchsorted(column.codes[order], np.arange(len(column.labels) + 1))
        for index, label in enumerate(column.labels):
            rows = order[ends[index] : ends[index + 1]]
            if label and len(rows):
                met = label in table.sufficient.get(axis, ())
                items = {
                    "evidence": "sufficient" if met else "INSUFFICIENT EVALUATION EVIDENCE",
                    "cases": f"{len(rows):,}",
                    "units": f"{len(np.unique(table.unit[rows])):,}",
                }
                if axis == "concept":
                    items["against floors"] = short.get(label, "none is declared")
                    items |= _concept(label, suite, wrong)
                    items["worst language"] = _worst_language(rows, table)
                    items["open ontology questions"] = questions.get(label, "none")
                else:
                    items |= _language(label, rows, table)
                yield _card(f"{axis}={label}", items)


def _card(name: str, items: dict[str, str]) -> Series:
    rows = tuple(items.items())
    return Series(instrument="identity", series="scorecard", slice=name, columns=("item", "value"), rows=rows)


def _floors(table: Table) -> dict[str, str]:
    """Return how much of each floor each concept has; those of languages are drawn for all of them together."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for floor in floors(table.plain, table.coded):
        if floor.axis == "concept":
            found[floor.group].append(f"{floor.floor} {floor.have:,} of {floor.need:,}")
    return {code: "; ".join(parts) for code, parts in found.items()}


def _concept(code: str, suite: Suite, wrong: Sequence[Cell]) -> dict[str, str]:
    concept = suite.registry.concepts.get(code)
    top = [cell for cell in wrong if cell.expected == code][:_TOP]
    known = {}
    if concept is not None:
        known = {
            "consequence tier": concept.consequence_tier,
            "registry version": suite.registry.version,
            "definitions sha256": digest(concept.definitions),
        }
    confused = "; ".join(f"{cell.answered} in {plural(cell.units, 'unit')}" for cell in top)
    return known | {"top confusions": confused or "none"}


def _worst_language(rows: IntArray, table: Table) -> str:
    """Return the language in which most of a concept's cases got a wrong code or no answer."""
    language = table.coded["language"]
    counted = rows[semantic(table.coded["family"])[rows]]
    harm = (table.flag("wrong_assignment") | table.flag("unanswered"))[counted]
    codes, size = language.codes[counted], len(language.labels)
    held = np.bincount(codes, minlength=size)
    harmed = np.bincount(codes[harm], minlength=size)
    among = [index for index in range(size) if held[index]]
    if not among:
        return "no case counts"
    worst = max(among, key=lambda index: (harmed[index] / held[index], harmed[index], language.labels[index]))
    if not harmed[worst]:
        return f"none: no wrong code in {plural(len(among), 'language')}"
    return (
        f"{language.labels[worst]}: a wrong code or no answer in {harmed[worst]:,} of "
        f"{plural(int(held[worst]), 'case')}; of {plural(len(among), 'language')}"
    )


def _questions(suite: Suite) -> Mapping[str, str]:
    """Return what the cases of each concept leave open about the registry itself."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for case in identity_cases(suite):
        for reason in _open(case.annotation.adjudication_status, case.construction.mechanisms):
            found[_home(case)][reason] += 1
        incomplete = case.annotation.registry_complete_for_item is False
        if incomplete and case.gold.disposition != "UNKNOWN_REGISTRY":
            found[_home(case)]["registry found incomplete for"] += 1
    return {
        code: "; ".join(f"{reason} {plural(count, 'case')}" for reason, count in sorted(reasons.items()))
        for code, reasons in found.items()
    }


def _open(adjudication: str, mechanisms: Sequence[str]) -> Iterator[str]:
    if adjudication == "contested":
        yield "reviewers do not agree on"
    if "F19" in mechanisms:
        yield "a defect of the registry is suspected in"


def _home(case: IdentityCase) -> str:
    gold = case.gold
    single = gold.acceptable_concept_codes[0] if gold.disposition == "SINGLE" else None
    return single or case.construction.concept_neighbourhood or ""


def _language(language: str, rows: IntArray, table: Table) -> dict[str, str]:
    beyond = rows[semantic(table.coded["family"])[rows]]
    varieties = _listed("variety", rows, table)
    named = {} if varieties == f"{language} {len(rows):,}" else {"varieties": varieties}
    return {
        "scripts": _listed("script", rows, table),
        **named,
        "native-authored": _share(table, "native", beyond),
        "translated": _share(table, "translated", beyond),
    }


def _listed(name: str, rows: IntArray, table: Table) -> str:
    column = table.coded[name]
    held = np.bincount(column.codes[rows], minlength=len(column.labels))
    return ", ".join(
        f"{label or 'not given'} {held[index]:,}" for index, label in enumerate(column.labels) if held[index]
    )


def _share(table: Table, name: str, rows: IntArray) -> str:
    flag = table.flag(name)[rows]
    return f"{int(flag.sum()):,} of {len(flag):,}"
