"""What a system may claim in each language: tiers L0 to L3, from evidence and gates.

``L3`` passes every gate alone, ``L2`` has the evidence and does not pass yet, ``L1`` holds for reviewed expressions
only, ``L0`` is unsupported. ``L2`` and ``L3`` need evidence of all four sources, so a language with translated cases
alone stays at ``L1``: what a translator carries over is how another language says it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from denotary.instruments.identity.instrument import identity_cases
from denotary.instruments.identity.tracks import semantic
from denotary.measures.records import Series
from denotary.measures.required import LANGUAGES
from denotary.verdicts.records import Standing
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.measures.measurement import Measurement
    from denotary.measures.table import BoolArray, Table
    from denotary.suites.suite import Suite
    from denotary.verdicts.records import GateResult, Policy, Verdict

SERIES: Final = "language_evidence"
UNKNOWN: Final = "und"
"""Slice of texts whose language is not told: no language, so nothing is claimed for it."""
TITLES: Final = {"L0": "unsupported", "L1": "exact only", "L2": "qualified", "L3": "certified"}
TRACK: Final = "semantic-generalization"
"""The track whose gates a language must pass; no other claims anything beyond reviewed expressions."""
_DONE: Final = frozenset({"PASS", "NOT_APPLICABLE", "NOT_EXPRESSIBLE"})


class Evidence(NamedTuple):
    """What a suite holds of one language: numbers of cases, of expressions, and of seeds.

    ``cases``, ``native`` and ``translated`` are of texts beyond the reviewed expressions, whoever reviewed them. The
    four sources count what is reviewed and approved: ``expressions`` (``broken`` look-ups, of misses too), native
    ``held_out`` paraphrases, seeds ``paired`` with another language, and ``challenges`` of the language itself, not
    translated. ``floors_short`` are floors not met, ``lower`` cases judged at the depth of a rare language.
    """

    language: str
    cases: int
    native: int
    translated: int
    expressions: int
    broken: int
    held_out: int
    paired: int
    challenges: int
    floors_short: int
    lower: int

    @property
    def lacking(self) -> list[str]:
        """Sources of evidence of which there is none."""
        sources = {
            "native-authored held-out paraphrases": self.held_out,
            "seeds paired with another language": self.paired,
            "challenges of the language": self.challenges,
        }
        return [name for name, count in sources.items() if not count]


def language_evidence(suite: Suite, table: Table) -> Series:
    """Return what the suite holds of each language, one row a language."""
    rows: list[tuple[str | int | float | None, ...]] = [(*item,) for item in _evidence(suite, table)]
    return Series("identity", SERIES, "all", Evidence._fields, tuple(rows))


def _evidence(suite: Suite, table: Table) -> Iterator[Evidence]:
    language, beyond = table.coded["language"], semantic(table.coded["family"])
    notes = [case.annotation for case in identity_cases(suite)]
    reviewed = np.asarray(
        [note.review == "reviewed" and note.adjudication_status == "approved" for note in notes], np.bool_
    )
    own = beyond & ~table.flag("translated") & reviewed
    size = len(language.labels)

    def count(chosen: BoolArray) -> list[int]:
        found: list[int] = np.bincount(language.codes[chosen], minlength=size).tolist()
        return found

    columns = (
        count(beyond),
        count(beyond & table.flag("native")),
        count(beyond & table.flag("translated")),
        count(~beyond & reviewed & ~table.is_label("disposition", "EXACT_MISS")),
        count(~beyond & reviewed & ~table.flag("correct")),
        count(own & table.flag("native") & table.is_label("family", "held_out_paraphrase")),
        _paired(suite, language.labels, beyond & reviewed),
        count(own & table.flag("robustness")),
    )
    lower = count(np.asarray([note.depth_tier == "A-R" for note in notes], np.bool_))
    short = _short(table)
    for index, label in enumerate(language.labels):
        if label != UNKNOWN and (language.codes == index).any():
            numbers = [column[index] for column in columns]
            yield Evidence._make((label, *numbers, short.get(label, 0), lower[index]))


def _paired(suite: Suite, languages: Sequence[str], chosen: BoolArray) -> list[int]:
    """Return how many translation families of each language stand in another one too."""
    members: dict[str, set[str]] = {}
    for case, inside in zip(identity_cases(suite), chosen.tolist(), strict=True):
        if inside and case.construction.translation_family is not None:
            members.setdefault(case.construction.translation_family, set()).add(case.language_slice)
    several = [found for found in members.values() if len(found) > 1]
    return [sum(language in found for found in several) for language in languages]


def _short(table: Table) -> dict[str, int]:
    from denotary.instruments.identity.floors import floors

    short: dict[str, int] = {}
    for floor in floors(table.plain, table.coded):
        if floor.axis == "language" and floor.have < floor.need:
            short[floor.group] = short.get(floor.group, 0) + 1
    return short


def standings(measurement: Measurement, policy: Policy, verdict: Verdict) -> tuple[Standing, ...]:
    """Return the tier of every language that the suite holds or the system advertises, by language.

    Args:
        measurement: holds the series of :func:`language_evidence`.
        policy: its track decides whether anything beyond reviewed expressions is claimed.
        verdict: what the policy said of the measurement.
    """
    found = next((series.rows for series in measurement.series if series.series == SERIES), ())
    evidence = {str(row[0]): Evidence._make(row) for row in found}
    blank = [0] * (len(Evidence._fields) - 1)
    return tuple(
        _standing(evidence.get(name, Evidence._make((name, *blank))), policy, verdict)
        for name in sorted({*evidence, *measurement.required.get(LANGUAGES, ())})
    )


def _standing(held: Evidence, policy: Policy, verdict: Verdict) -> Standing:
    gates = list(_gates_of(held.language, verdict))
    tier, reason = _tier(held, policy, gates)
    if held.lower and tier in {"L2", "L3"}:
        reason += f"; lower certification, as {plural(held.lower, 'case')} had fewer reviewers"
    numbers: dict[str, Any] = dict(zip(Evidence._fields[1:], held[1:], strict=True))
    return Standing(
        slice=f"language={held.language}", tier=tier, title=TITLES[tier], reason=reason, evidence=numbers
    )


def _tier(held: Evidence, policy: Policy, gates: Sequence[GateResult]) -> tuple[str, str]:
    if not held.expressions:
        return "L0", "no reviewed and approved expression was asked in it"
    if held.broken:
        return "L0", f"{plural(held.broken, 'look-up')} went wrong, of expressions and of misses"
    own = [gate for gate in gates if gate.slice == f"language={held.language}"]
    short = _short_of_qualified(held, own)
    if short:
        return "L1", short
    if policy.track != TRACK or not own:
        return "L2", f"floors met; policy {policy.id} asked no gate in it"
    missing = dict.fromkeys(gate.title for gate in gates if gate.verdict not in _DONE)
    if missing:
        return "L2", f"floors met; not shown: {', '.join(missing)}"
    return "L3", f"passes every gate of {policy.id} alone"


def _short_of_qualified(held: Evidence, own: Sequence[GateResult]) -> str:
    """Return why nothing may be claimed beyond the reviewed expressions, or an empty string."""
    if held.lacking:
        only = " (its cases are translated)" if held.translated and held.translated == held.cases else ""
        return f"no {', no '.join(held.lacking)}{only}"
    if held.floors_short:
        return f"{plural(held.floors_short, 'evidence floor')} not met"
    failed = dict.fromkeys(gate.title for gate in own if "FAIL" in {gate.verdict, gate.underlying})
    return f"failed: {', '.join(failed)}" if failed else ""


def _gates_of(language: str, verdict: Verdict) -> Iterator[GateResult]:
    """Yield the gates that a language must pass: its own, and those that are not asked by language.

    Where a limit is asked by language, the same limit over all cases or in a concept speaks of other languages too.
    """
    by_language = {gate.measure for gate in verdict.gates if gate.slice.startswith("language=")}
    for gate in verdict.gates:
        elsewhere = gate.slice.startswith("language=") or (
            gate.limit is not None and gate.measure in by_language
        )
        if gate.slice == f"language={language}" or not elsewhere:
            yield gate
