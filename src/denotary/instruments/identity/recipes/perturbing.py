"""Candidates that operators make of seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from denotary.canonical import canonical_json
from denotary.instruments.identity.case_columns import BOUNDARIES, BOUNDARY, CONTRADICTIONS
from denotary.instruments.identity.cases import CODE_SWITCH, Gold
from denotary.instruments.identity.families import UNKNOWN_KINDS
from denotary.text.languages import primary_subtag
from denotary.text.perturb import apply
from denotary.text.perturb.parents import chosen_operators
from denotary.text.scripts import scripts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.instruments.identity.recipes.drafting import Bench
    from denotary.instruments.identity.recipes.records import PerturbStep
    from denotary.records import Severity
    from denotary.suites.building import CaseCandidate
    from denotary.suites.records import Construction
    from denotary.text.perturb import Operator, Variant

FAMILY_OF: Final = {
    "unicode": "unicode_punctuation",
    "format": "unicode_punctuation",
    "spelling": "spelling_noise",
    "morphology": "morphology",
    "script": "cross_script",
    "prompt": "malicious_input",
    "long": "long_context",
}
"""Primary family of a case by the family of its operator."""
TEMPLATES: Final = frozenset({"prompt", "long"})
"""Families whose operators put the same sentences around every text: each operator is one template."""
_TAGS: Final = {"prompt": ("prompt_like", "identifier_spoof")}
_CONTENT: Final = frozenset(
    {
        "negation",
        "role_reversal",
        "dialect_variety",
        "rare_language",
        "domain_shift",
        BOUNDARY,
        CODE_SWITCH,
        *CONTRADICTIONS,
        *UNKNOWN_KINDS,
    }
)
"""Tags, and families, that say something of what a text says or of whose language it is: no operator that keeps the
meaning takes it away. Tags of writing and length are the variant's own."""
_CONTRARY: Final = frozenset({"negation", "role_reversal"})
"""Tags of what the family of contraries holds beside contradictions."""
_CODES: Final = 3
"""How many wrong codes an attack may name."""
_SENTENCES: Final = frozenset({"neighbours", "decoys", "others"})
"""Options that want sentences about other concepts."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A seed that an operator did not change.

    Attributes:
        seed: record id of the seed.
        operator: identifier of the operator.
        reason: why.
    """

    seed: str
    operator: str
    reason: str


def perturbed(bench: Bench, step: PerturbStep) -> Iterator[CaseCandidate | Skipped]:
    """Yield a candidate a seed, operator and severity, or why there is none."""
    operators = chosen_operators(step.operators)
    for case in bench.chosen(step.select):
        text = case.input.text
        for operator in operators:
            if text is None:
                yield Skipped(case.record_id, operator.id, "the seed is no text")
                continue
            options = _options(bench, case, operator, step.options)
            if isinstance(options, str):
                yield Skipped(case.record_id, operator.id, options)
                continue
            shown: set[str] = set()
            for severity in step.severities:
                made = _made(bench, case, operator, severity, options)
                if isinstance(made, Skipped) or made.case["input"]["text"] not in shown:
                    yield made
                else:
                    yield Skipped(
                        case.record_id, operator.id, f"{severity} gives the text of another severity"
                    )
                if not isinstance(made, Skipped):
                    shown.add(made.case["input"]["text"])


def _made(
    bench: Bench, case: IdentityCase, operator: Operator, severity: Severity, options: dict[str, Any]
) -> CaseCandidate | Skipped:
    variant = apply(
        operator.id,
        case.input.text or "",
        case.input.language or "und",
        bench.recipe.seed,
        severity,
        options=options,
        parent_record_id=case.record_id,
    )
    if variant.text is None:
        return Skipped(case.record_id, operator.id, str(variant.reason))
    return _candidate(bench, case, operator, variant)


def _candidate(bench: Bench, case: IdentityCase, operator: Operator, variant: Variant) -> CaseCandidate:
    refused = variant.effects[0].outcome == "refused"
    lineage = variant.lineage
    step = {
        "operator": f"{lineage.operator}/{lineage.version}",
        "detail": canonical_json({"severity": lineage.severity, "options": lineage.options}).decode(),
        "seed": lineage.seed,
    }
    # What the profile refuses has no meaning to relate to the parent's; lineage and seed still say where it is from.
    related = {} if refused else {"parent_record_id": case.record_id}
    security = msgspec.to_builtins(case.security)
    return bench.draft(
        "perturb",
        msgspec.to_builtins(lineage),
        seed=case.semantic_seed_id,
        text=variant.text or "",
        language=case.input.language,
        script=case.input.script,
        gold=_gold(case, variant, refused=refused),
        proposed={"gold": msgspec.to_builtins(case.gold)}
        if variant.relation == "POTENTIALLY_AMBIGUOUS"
        else {},
        construction=_construction(case, operator, variant, refused=refused),
        lineage=[*map(msgspec.to_builtins, case.lineage), step],
        security=security,
        **related,
    )


def _gold(case: IdentityCase, variant: Variant, *, refused: bool) -> Gold | None:
    """Return the gold that follows: the parent's if the meaning stays, INVALID_INPUT if the profile refuses."""
    if refused:
        return Gold(disposition="INVALID_INPUT")
    return case.gold if variant.relation == "SAME_MEANING" else None


def _construction(
    case: IdentityCase, operator: Operator, variant: Variant, *, refused: bool
) -> dict[str, Any]:
    parent = case.construction
    keeps = not refused and variant.relation == "SAME_MEANING"
    tags = [*_TAGS.get(operator.family, ()), *(_content(parent) if keeps else ())]
    if operator.family == "script" and scripts(variant.text or "") == {"Latn"}:
        tags.append("romanised")
    found: dict[str, Any] = {
        "primary_family": FAMILY_OF[operator.family],
        "tags": list(dict.fromkeys(tags)),
        "native_author": parent.native_author if keeps else None,
        # Words that were translated stay so, whatever became of their meaning.
        "translated": (parent.translated and not refused) or None,
        "neighbours": msgspec.to_builtins(parent.neighbours) if keeps else [],
        "author": parent.author,
        "concept_neighbourhood": parent.concept_neighbourhood,
        "source_document": parent.source_document,
        "translation_family": parent.translation_family,
        "meaning_relation_to_parent": None if refused else variant.relation,
        "variant_severity": variant.lineage.severity,
        "position_of_evidence": variant.details.get("position"),
        "perturbation_lineage": case.record_id,
        "generation_template": f"{operator.id}/{operator.version}" if operator.family in TEMPLATES else None,
        "attack_family": operator.id if operator.family == "prompt" else parent.attack_family,
    }
    return {name: value for name, value in found.items() if value not in (None, [])}


def _content(parent: Construction) -> list[str]:
    """Return the tags of a seed that hold of what it says; its family's among them."""
    named = (*parent.tags, parent.primary_family)
    found = [name for name in named if name in _CONTENT]
    # The family without either tag means a contradiction, and the variant is of another family.
    if parent.primary_family == "negation_contradiction" and _CONTRARY.isdisjoint(found):
        found.append("contradiction")
    # The variant is in no contrast set, and of another family, yet as near to the neighbour as its seed.
    if parent.contrast is not None or parent.primary_family in BOUNDARIES:
        found.append(BOUNDARY)
    return found


def _options(
    bench: Bench, case: IdentityCase, operator: Operator, given: dict[str, Any]
) -> dict[str, Any] | str:
    """Return an operator's options, what the registry can supply among them; or why they cannot be had."""
    known = {option.name for option in operator.options}
    options = {name: value for name, value in given.items() if name in known}
    others = wrong_codes(bench, case)
    if "codes" in known and "codes" not in options:
        if not others:
            return "the registry has no code that is wrong for the seed"
        options["codes"] = others[:_CODES]
    for name in sorted(_SENTENCES & known - options.keys()):
        sentences = _said(bench, others, primary_subtag(case.input.language or "und"))
        if not sentences:
            return "the registry says nothing of other concepts in the seed's language"
        options[name] = sentences
    return options


def wrong_codes(bench: Bench, case: IdentityCase) -> list[str]:
    """Return active codes that are wrong for a case: its forbidden neighbours, declared neighbours, then the others."""
    concepts = bench.suite.registry.concepts
    right = case.gold.acceptable_concept_codes
    declared = [
        neighbour.code for code in right if code in concepts for neighbour in concepts[code].neighbours
    ]
    order = dict.fromkeys([*case.gold.forbidden_neighbor_codes, *declared, *sorted(concepts)])
    return [
        code for code in order if code not in right and code in concepts and concepts[code].status == "active"
    ]


def _said(bench: Bench, codes: list[str], language: str) -> list[str]:
    """Return the first expression of each of the nearest wrong codes in a language."""
    found: dict[str, str] = {}
    for expression in bench.suite.registry.authorised:
        if primary_subtag(expression.language) == language and len(expression.codes) == 1:
            found.setdefault(expression.codes[0], expression.text)
    return [found[code] for code in codes if code in found][:_CODES]
