"""Rules that propose a root cause for a case that went wrong: where a person should begin to look.

They read the gold, the answers, what the case's author wrote down, its relatives, the registry, and what the text by
itself shows (:mod:`denotary.instruments.identity.text_evidence`), so that they also speak of cases without family or
tags. They stand in the order of how specific their evidence is, and the first that fits gives the proposal. A proposal
changes no rate.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from denotary.instruments.identity.case_columns import CONTRADICTIONS
from denotary.instruments.identity.probes import ESCAPING, LANGUAGE, NORMALISATION, UNICODE
from denotary.instruments.identity.text_evidence import orders
from denotary.instruments.identity.tracks import FAMILY
from denotary.runs.triage import Proposal
from denotary.suites.records import GENERATED
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from denotary.instruments.identity.failures import Failed
    from denotary.registry import Registry

    Rule = Callable[[Failed], Iterator[tuple[str, str]]]

FORCED: Final = {
    "UNKNOWN_REGISTRY": "E11",
    "AMBIGUOUS": "E12",
    "UNDERSPECIFIED": "E13",
    "MIXED": "E14",
    "INVALID_INPUT": "E15",
    "EXACT_MISS": "E11",
}
"""A code where none is right."""

NEIGHBOURS: Final = {
    "sibling": "E01",
    "negation_or_antonym": "E05",
    "role_reversal": "E07",
    "scope_or_quantifier": "E08",
}
"""A neighbour of this type; any other type is E04, related and not identical."""

CHANGES: Final = {
    "role_reversal": "E07",
    "quantifier_scope": "E08",
    "modifier_scope": "E08",
    "mention": "E10",
    "negation": "E05",
    "negation_contradiction": "E06",
    "compositional": "E09",
}
"""Family or tag of a text whose meaning was changed, the most specific first."""

VARIANTS: Final = {
    "code_switch": "E17",
    "cross_script": "E18",
    "romanised": "E18",
    "unicode_punctuation": "E19",
    "spelling_noise": "E20",
    "morphology": "E20",
    "dialect_variety": "E16",
    "rare_language": "E16",
    "paired_multilingual": "E16",
    "domain_shift": "E21",
    "long_context": "E22",
}
"""Family or tag of a text that says the same in another form."""

ATTACKS: Final = ("malicious_input", "prompt_like", "instruction_override")
ON_THE_WAY: Final = (NORMALISATION, UNICODE, ESCAPING)
CONFIDENT: Final = 0.9
"""A wrong code with at least this confidence is overconfidence, whatever else it is."""
_SEPARATED: Final = re.compile(r"[._:/#]")
"""A code with one of these cannot be a word of the text by chance."""


def proposals(failed: Failed) -> tuple[Proposal, ...]:
    """Return the causes that fit, each code once, the one with the most specific evidence first."""
    found: dict[str, Proposal] = {}
    for name, rule in RULES.items():
        for code, evidence in rule(failed):
            found.setdefault(code, Proposal(code, name, evidence))
    return tuple(found.values())


def _annotated(failed: Failed) -> Iterator[tuple[str, str]]:
    votes = _votes(failed)
    if failed.given and votes:
        name, count = votes.most_common(1)[0]
        if name == failed.given and count > 1 and failed.result == "wrong":
            yield "E29", f"{count} of {sum(votes.values())} independent votes name the code that was given"


def _unanswered(failed: Failed) -> Iterator[tuple[str, str]]:
    if failed.kind != "no_answer":
        return
    problem = (failed.answers[0].problem if failed.answers else None) or failed.result
    gold = failed.case.gold.disposition
    if problem == "several_codes" and gold in ("MIXED", "AMBIGUOUS"):
        yield FORCED[gold], f"several codes were given at once for a text that is {gold}"
    yield (
        "E31",
        f"no answer ({problem}): calls.jsonl shows whether the system, the line or the harness failed",
    )


def _another_version(failed: Failed) -> Iterator[tuple[str, str]]:
    if failed.kind == "other_version":
        yield "E27", "an answer does not name the registry version of the run"


def _unstable(failed: Failed) -> Iterator[tuple[str, str]]:
    results = failed.results()
    right = sum(result in ("right", "refused_rightly") for result in results)
    if len(results) > 1 and (failed.kind == "unstable" or 0 < right < len(results)):
        yield "E26", f"{right} of {len(results)} identical calls were decided as they should"
    elif failed.wavers and failed.habits.is_a_draw:
        seen = f"{failed.habits.wavering:,} of {failed.habits.repeated:,} repeated cases"
        yield "E26", f"identical calls were decided differently, as in {seen}"


def _spoofed(failed: Failed) -> Iterator[tuple[str, str]]:
    code, text = failed.given, failed.case.input.text
    if failed.kind != "wrong_code" or text is None:
        return
    marked = failed.case.has("identifier_spoof") or _is_attack(failed)
    pattern = rf"(?<!\w){re.escape(code)}(?!\w)"
    named = (marked or _SEPARATED.search(code)) and re.search(pattern, text, re.IGNORECASE)
    if named and not _said_anyway(failed, text):
        yield "E24", "the text itself names the code that was given"


def _injected(failed: Failed) -> Iterator[tuple[str, str]]:
    if failed.kind == "wrong_code" and _is_attack(failed):
        family = failed.case.construction.attack_family
        yield "E23", f"the text holds an instruction or fake structure ({family or _named(failed, ATTACKS)})"
    text = failed.case.input.text or ""
    form = orders(text, failed.given) if failed.kind == "wrong_code" else ""
    if form and not _said_anyway(failed, text):
        yield "E23", f"the text orders the code that was given ({form})"


def _said_anyway(failed: Failed, text: str) -> bool:
    """Whether a system that never refuses is explained by what the text says beside the code."""
    rest = text.replace(failed.given, " ")
    return failed.habits.never_refuses and failed.wordings.holds(rest, failed.given)


def _is_attack(failed: Failed) -> bool:
    return bool(_named(failed, ATTACKS))


def _exact(failed: Failed) -> Iterator[tuple[str, str]]:
    if failed.case.construction.primary_family != FAMILY:
        return
    if failed.case.has(LANGUAGE):
        yield "E16", "a reviewed expression was asked in a language that it is not registered in"
    if name := _named(failed, ON_THE_WAY):
        yield "E19", f"the text differs from a reviewed expression, or is at risk on the way, by {name}"
    if failed.case.gold.disposition in ("SINGLE", "AMBIGUOUS"):
        yield "E28", "a reviewed expression of the snapshot did not resolve as the registry says"


def _reviewed(failed: Failed) -> Iterator[tuple[str, str]]:
    """What the registry says of the very text, whatever family the case is in."""
    text, language = failed.case.input.text, failed.case.input.language
    if failed.kind != "wrong_code" or text is None:
        return
    found = failed.wordings.registered(text)
    here = [expression for expression in found if language in (None, expression.language)]
    if here and failed.given not in {code for expression in here for code in expression.codes}:
        yield "E28", "the text is a reviewed expression of the snapshot, of another code than was given"
    elif (
        not here
        and not failed.habits.never_refuses
        and any(failed.given in expression.codes for expression in found)
    ):
        yield "E16", "the text is a reviewed expression in another language than it was asked in"


def _snapped(failed: Failed) -> Iterator[tuple[str, str]]:
    gold = failed.case.gold.disposition
    if failed.kind == "wrong_code" and failed.habits.never_refuses and gold in FORCED:
        always = f"as to each of {failed.habits.outside:,} texts without a right one"
        yield FORCED[gold], f"a code was given to a text that is {gold}, {always}"


def _folded(failed: Failed) -> Iterator[tuple[str, str]]:
    if failed.kind != "wrong_code" or failed.case.input.text is None:
        return
    if names := failed.wordings.folded(failed.case.input.text, failed.given):
        yield (
            "E19",
            f"the text is no expression of the code that was given, and would be one under {', '.join(names)}",
        )


def _negated(failed: Failed) -> Iterator[tuple[str, str]]:
    text, language = failed.case.input.text or "", failed.case.input.language or "und"
    if failed.kind == "wrong_code" and failed.wordings.negated(text, language, failed.given):
        yield "E05", "the text holds a wording of the code that was given, and a negation that it has not"


def _changed_meaning(failed: Failed) -> Iterator[tuple[str, str]]:
    if failed.kind != "wrong_code" or failed.given != failed.original_code:
        return
    tag = next((tag for tag in sorted(CONTRADICTIONS) if failed.case.has(tag)), "")
    evidence = "the code of the meaning before the change was given; the text is changed by"
    if tag:
        yield "E06", f"{evidence} {_words(tag)}"
    for name, code in CHANGES.items():
        if failed.case.has(name):
            yield code, f"{evidence} {_words(name)}"


def _same_meaning(failed: Failed) -> Iterator[tuple[str, str]]:
    if _decided(failed) and failed.same and failed.original is not None and failed.original.right:
        for name, code in VARIANTS.items():
            if failed.case.has(name):
                other = failed.original.case.record_id
                yield (
                    code,
                    f"{other}, which says the same, was decided rightly; this one differs by {_words(name)}",
                )


def _other_language(failed: Failed) -> Iterator[tuple[str, str]]:
    right = [item.case for item in failed.translations if item.right]
    if right and _decided(failed):
        named = ", ".join(f"{case.record_id} ({case.language_slice})" for case in right[:3])
        yield "E16", f"the same seed was decided rightly in {plural(len(right), 'other language')}: {named}"


def _forced(failed: Failed) -> Iterator[tuple[str, str]]:
    gold = failed.case.gold.disposition
    if failed.kind == "wrong_code" and gold in FORCED:
        yield FORCED[gold], f"a code was given to a text that is {gold}"


def _not_registered(failed: Failed) -> Iterator[tuple[str, str]]:
    if failed.kind == "wrong_code" and failed.given not in failed.registry.concepts:
        yield "E27", "the code that was given is not in the registry snapshot"


def _related(failed: Failed) -> Iterator[tuple[str, str]]:
    """How the given code relates to the right one, or to the text by the author's own note."""
    given, gold, registry = failed.given, failed.case.gold, failed.registry
    if failed.kind != "wrong_code" or given not in registry.concepts:
        return
    right = gold.acceptable_concept_codes[0] if gold.disposition == "SINGLE" else ""
    if right:
        if given in _ancestors(right, registry):
            yield "E02", "the code that was given is an ancestor of the right one"
        if right in _ancestors(given, registry):
            yield "E03", "the code that was given is a descendant of the right one"
        if set(registry.concepts[given].parents) & set(registry.concepts[right].parents):
            yield "E01", "the code that was given has a parent in common with the right one"
    noted = [note.type for note in failed.case.construction.neighbours if note.code == given]
    declared = registry.concepts[right].neighbours if right else ()
    for kind in [*noted, *(item.type for item in declared if item.code == given)]:
        where = "named by the case" if kind in noted else "declared in the registry"
        yield NEIGHBOURS.get(kind, "E04"), f"the code that was given is a neighbour {where}: {_words(kind)}"


def _ancestors(code: str, registry: Registry) -> set[str]:
    found: set[str] = set()
    rest = list(registry.concepts[code].parents)
    while rest:
        parent = rest.pop()
        if parent not in found and parent in registry.concepts:
            found.add(parent)
            rest += registry.concepts[parent].parents
    return found


def _circumstance(failed: Failed) -> Iterator[tuple[str, str]]:
    if failed.kind not in ("wrong_code", "refusal"):
        return
    changes = CHANGES if failed.kind == "wrong_code" else {}
    for name, code in (*changes.items(), *VARIANTS.items()):
        if failed.case.has(name):
            yield code, f"the case was made hard by {_words(name)}; no sibling shows that this is the cause"


def _wavering(failed: Failed) -> Iterator[tuple[str, str]]:
    if failed.kind != "unstable" and failed.wavers:
        yield "E26", "identical calls were decided differently, none as it should"


def _confident(failed: Failed) -> Iterator[tuple[str, str]]:
    body = failed.answers[0].body if failed.answers else None
    confidence = body["confidence"] if body else None
    if failed.kind == "wrong_code" and confidence is not None and confidence >= CONFIDENT:
        yield "E25", f"the wrong code was given with confidence {confidence:.3g}"


def _votes(failed: Failed) -> Counter[str]:
    """Return the votes that persons cast; without names of reviewers, all votes are taken for theirs."""
    note = failed.case.annotation
    named = zip_longest(note.independent_votes, note.reviewers, fillvalue="")
    return Counter(vote for vote, name in named if vote and not name.startswith(GENERATED))


def _doubtful(failed: Failed) -> Iterator[tuple[str, str]]:
    note, votes = failed.case.annotation, _votes(failed)
    gold = failed.case.gold
    right = {gold.disposition, *gold.acceptable_concept_codes}
    if votes and not right & {name for name, count in votes.items() if count == max(votes.values())}:
        yield "E29", "most of the independent votes are for something else than the gold"
    if note.adjudication_status in ("contested", "rejected"):
        yield "E29", f"the adjudication is {note.adjudication_status}"
    if "F19" in failed.case.construction.mechanisms:
        yield "E30", "the case was written for a defect of the registry"
    if note.registry_complete_for_item is False and gold.disposition != "UNKNOWN_REGISTRY":
        yield "E30", "its reviewers found the registry incomplete for this text"


RULES: Final[dict[str, Rule]] = {
    "annotated": _annotated,
    "unanswered": _unanswered,
    "another_version": _another_version,
    "unstable": _unstable,
    "spoofed": _spoofed,
    "injected": _injected,
    "exact": _exact,
    "reviewed": _reviewed,
    "not_registered": _not_registered,
    "changed_meaning": _changed_meaning,
    "same_meaning": _same_meaning,
    "other_language": _other_language,
    "snapped": _snapped,
    "folded": _folded,
    "negated": _negated,
    "forced": _forced,
    "related": _related,
    "circumstance": _circumstance,
    "wavering": _wavering,
    "confident": _confident,
    "doubtful": _doubtful,
}
"""Rule by name, those with the most specific evidence first."""


def _decided(failed: Failed) -> bool:
    return failed.kind in ("wrong_code", "conformance", "refusal")


def _named(failed: Failed, names: tuple[str, ...]) -> str:
    return next((_words(name) for name in names if failed.case.has(name)), "")


def _words(name: str) -> str:
    return name.replace("_", " ")
