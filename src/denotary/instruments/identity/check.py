"""What may be wrong with one identity case, beyond its types. No finding quotes its text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from denotary.errors import InputError, Problem
from denotary.instruments.identity.families import FAMILIES, MECHANISMS, UNKNOWN_KINDS, allowed_gold
from denotary.suites.keys import shown
from denotary.text.languages import canonical_tag
from denotary.text.profile import Rejection, normalise
from denotary.text.scripts import UNSPECIFIC, holds_script

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.instruments.identity.families import Family
    from denotary.suites.suite import Suite

LONGEST = 1_000_000
"""Longest text of a case, in characters of its field. A case over the profile's limit needs far less."""
NUMBER_OF_CODES: dict[str, tuple[int, float]] = {
    "SINGLE": (1, 1),
    "AMBIGUOUS": (2, math.inf),
    "UNKNOWN_REGISTRY": (0, 0),
    "UNDERSPECIFIED": (0, math.inf),
    "MIXED": (2, math.inf),
    "INVALID_INPUT": (0, 0),
    "EXACT_MISS": (0, 0),
}
"""Least and greatest number of acceptable codes by disposition."""
PERTURBATIONS = ("unicode_punctuation", "spelling_noise", "morphology")
"""Families whose every case is a change with a reviewed relation to the original."""
_SUM_TOLERANCE = 1e-6


def check_case(case: IdentityCase, suite: Suite) -> Iterator[Problem]:
    """Yield the problems of one case."""
    yield from _input(case)
    yield from _codes(case, suite)
    yield from _distribution(case)
    yield from _neighbours(case)
    family = FAMILIES.get(case.construction.primary_family)
    if family is None:
        yield _error("family", f"no family of this name; expected one of {', '.join(FAMILIES)}")
        return
    yield from _gold_allowed(case, suite, family)
    yield from _provenance(case)
    yield from _required_fields(case)


def _error(code: str, message: str, severity: Literal["error", "warning"] = "error") -> Problem:
    return Problem(severity, code, message)


def _input(case: IdentityCase) -> Iterator[Problem]:
    text, encoded = case.input.text, case.input.text_b64
    if (text is None) == (encoded is None):
        yield _error("input", "give exactly one of text and text_b64")
        return
    if len(text or encoded or "") > LONGEST:
        yield _error(
            "text_too_large", f"longer than {LONGEST:,} characters; an over-limit case needs far fewer"
        )
        return
    content = case.content()
    if content is None:
        yield _error("base64", "text_b64 is not base64 (RFC 4648, standard alphabet, padded)")
        return
    yield from _validity(case, content)
    yield from _language(case)
    yield from _script(case)


def _validity(case: IdentityCase, content: str | bytes) -> Iterator[Problem]:
    """Compare the gold with what the normalisation profile says of the text."""
    found, disposition = normalise(content), case.gold.disposition
    if isinstance(found, Rejection):
        if disposition not in ("INVALID_INPUT", "EXACT_MISS"):
            message = f"the profile refuses the text ({found}): gold must be INVALID_INPUT, not {disposition}"
            yield _error("invalid_input", message)
    elif disposition == "INVALID_INPUT":
        message = (
            "the gold is INVALID_INPUT, but the text is valid: invalid are empty and blank texts, bytes that are no "
            "UTF-8, forbidden code points, too long texts. A text without sense is UNDERSPECIFIED or UNKNOWN_REGISTRY"
        )
        yield _error("invalid_input", message)
    if isinstance(content, bytes) and not (isinstance(found, Rejection) and found.rule == "not_utf8"):
        yield _error("base64", "text_b64 is for bytes that are no UTF-8; give this text as text")


def _language(case: IdentityCase) -> Iterator[Problem]:
    language, disposition = case.input.language, case.gold.disposition
    if language is None:
        if disposition != "INVALID_INPUT" and case.construction.primary_family != "reviewed_exact":
            yield _error("language", "language is missing; expected a BCP 47 tag")
        return
    try:
        canonical = canonical_tag(language)
    except InputError:
        yield _error("language", "language is not a well-formed BCP 47 tag")
        return
    if canonical != language:
        yield _error("language", f"language must be in canonical case: {canonical}")


def _codes(case: IdentityCase, suite: Suite) -> Iterator[Problem]:
    gold = case.gold
    least, most = NUMBER_OF_CODES[gold.disposition]
    count = len(gold.acceptable_concept_codes)
    if not least <= count <= most:
        expected = str(least) if least == most else f"at least {least}"
        yield _error("gold_codes", f"{gold.disposition} needs {expected} acceptable codes, found {count}")
    for name in ("acceptable_concept_codes", "forbidden_neighbor_codes"):
        codes: tuple[str, ...] = getattr(gold, name)
        if len(set(codes)) != len(codes):
            yield _error("repeated_code", f"{name} names a code twice")
        for code in codes:
            concept = suite.registry.concepts.get(code)
            if concept is None:
                yield _error(
                    "unknown_code", f"{name}: {shown(code)} is not in registry {suite.registry.version}"
                )
            elif concept.status != "active":
                yield _error("retired_code", f"{name}: {shown(code)} is retired")
    for code in sorted(set(gold.acceptable_concept_codes) & set(gold.forbidden_neighbor_codes)):
        yield _error("forbidden_code", f"{shown(code)} is both acceptable and forbidden")


def _distribution(case: IdentityCase) -> Iterator[Problem]:
    distribution = case.gold.ambiguity_distribution
    if distribution is None:
        return
    values = distribution.values()
    if (
        not all(math.isfinite(value) and value >= 0 for value in values)
        or abs(sum(values) - 1) > _SUM_TOLERANCE
    ):
        yield _error("distribution", "ambiguity_distribution must be shares that sum to 1")
    known = {*case.gold.acceptable_concept_codes, *case.gold.forbidden_neighbor_codes, *NUMBER_OF_CODES}
    if not known.issuperset(distribution):
        yield _error(
            "distribution", "ambiguity_distribution may name only codes of the gold and dispositions"
        )


def _neighbours(case: IdentityCase) -> Iterator[Problem]:
    forbidden, notes = set(case.gold.forbidden_neighbor_codes), case.construction.neighbours
    noted = {note.code for note in notes}
    if len(noted) != len(notes):
        yield _error("neighbour", "neighbours names a code twice")
    for code in sorted(noted - forbidden):
        yield _error("neighbour", f"neighbours names {shown(code)}, which forbidden_neighbor_codes does not")
    for note in notes:
        if not note.reason.strip():
            yield _error("neighbour", f"neighbour {shown(note.code)} has no reason")
    if case.construction.primary_family != "hard_negative":
        return
    if not forbidden:
        yield _error("neighbour", "a hard negative names at least one forbidden neighbour")
    for code in sorted(forbidden - noted):
        yield _error("neighbour", f"a hard negative needs type and reason for {shown(code)} in neighbours")


def _gold_allowed(case: IdentityCase, suite: Suite, family: Family) -> Iterator[Problem]:
    parent = suite.by_id.get(case.parent_record_id) if case.parent_record_id else None
    relation = case.construction.meaning_relation_to_parent
    allowed = allowed_gold(family, case, parent if isinstance(parent, type(case)) else None)
    if case.gold.disposition not in allowed:
        expected = " or ".join(sorted(allowed))
        yield _error("family_gold", f"{family.name} allows {expected} here, found {case.gold.disposition}")
    if case.parent_record_id and relation is None and case.gold.disposition != "EXACT_MISS":
        yield _error(
            "relation", "has a parent, so meaning_relation_to_parent must say how the meanings relate"
        )
    if (
        isinstance(parent, type(case))
        and relation == "SAME_MEANING"
        and case.gold.answer != parent.gold.answer
    ):
        yield _error("relation", "SAME_MEANING keeps disposition and codes of the parent")


def _provenance(case: IdentityCase) -> Iterator[Problem]:
    """Held-out and adversarial paraphrases say where they come from."""
    construction = case.construction
    family = construction.primary_family
    if family not in ("held_out_paraphrase", "adversarial_paraphrase"):
        return
    missing = [
        name
        for name in ("author_saw", "equivalence_reviewed_by", "overlap_stratum")
        if getattr(construction, name) in (None, "")
    ]
    if missing:
        yield _error("provenance", f"{family} must give {', '.join(missing)}")
    if construction.native_author is None:
        yield _error("provenance", f"{family}: whether the author is native is not recorded", "warning")
    if family == "adversarial_paraphrase" and not construction.made_against:
        yield _error(
            "made_against", "an adversarial paraphrase names the system it was made against, or none"
        )
    if family == "held_out_paraphrase" and construction.author_saw and construction.author_saw.system_output:
        yield _error(
            "author_saw", "the author of a held-out paraphrase must not have seen the system's output"
        )
    if family == "held_out_paraphrase" and construction.made_against:
        yield _error("made_against", "a paraphrase that was made against a system is not held out")


def _required_fields(case: IdentityCase) -> Iterator[Problem]:
    """Fields that a family cannot do without. A case of invalid input has no meaning for them to describe."""
    construction, disposition = case.construction, case.gold.disposition
    family = construction.primary_family
    unknown = sorted(set(construction.mechanisms) - set(MECHANISMS))
    if unknown:
        yield _error("mechanism", f"no such mechanism: {', '.join(map(shown, unknown))}; see F01 to F19")
    if family in ("minimal_contrast", "ambiguity") and construction.contrast is None:
        yield _error("contrast", f"{family} must give contrast.set and contrast.role")
    if disposition == "INVALID_INPUT":
        return
    if family in PERTURBATIONS and construction.meaning_relation_to_parent is None:
        yield _error("relation", f"{family} must give meaning_relation_to_parent")
    if family == "spelling_noise" and construction.variant_severity is None:
        yield _error("severity", "spelling_noise must give variant_severity")
    if family == "long_context" and disposition == "SINGLE" and construction.position_of_evidence is None:
        yield _error("position", "long_context with one right code must give position_of_evidence")
    if family == "domain_shift" and not case.input.domain:
        yield _error("domain", "domain_shift must give input.domain")
    if family == "shadow_concept_unknown" and set(UNKNOWN_KINDS).isdisjoint(construction.tags):
        yield _error("unknown_kind", f"expected one of the tags {', '.join(UNKNOWN_KINDS)}", "warning")


def _script(case: IdentityCase) -> Iterator[Problem]:
    """Compare the declared script with the text, and the tags on script and length with both."""
    script, text = case.input.script, case.input.text
    if text is None or case.gold.disposition == "INVALID_INPUT":
        return
    if script is None:
        yield _error("script", "script is missing; expected an ISO 15924 code such as Latn")
        return
    if script not in UNSPECIFIC and not holds_script(text, script):
        yield _error("script", f"the text holds no character of script {shown(script)}")
    if case.has("romanised") and script != "Latn":
        yield _error("script", "a romanised text is in script Latn")
    for tag, number in (("one_token", 1), ("two_tokens", 2)):
        if case.has(tag) and len(text.split()) > number:
            yield _error("tokens", f"tagged {tag}, but it has {len(text.split())} words")
