"""Small suites and answers in memory, random ones too."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from denotary.instruments.identity.cases import Gold, IdentityCase, Input
from denotary.registry.model import Registry
from denotary.registry.records import Concept, RegistryHeader, RegistryLock, Tier
from denotary.runs.records import Answer
from denotary.suites.grouping import units
from denotary.suites.records import Annotation, Construction, Contrast, Manifest, RegistryPin, Security
from denotary.suites.suite import Suite

if TYPE_CHECKING:
    from collections.abc import Iterable

CODES = ("c.one", "c.two", "c.three")
VERSION = "1.0.0"


def registry(**changes: Any) -> Registry:
    tiers: tuple[Tier, ...] = ("C3", "C2", "C4")
    concepts = {
        code: Concept(
            code=code, definitions={"en": code}, semantic_type="t", consequence_tier=tier, owner="o"
        )
        for code, tier in zip(CODES, tiers, strict=True)
    }
    lock = RegistryLock(
        schema="denotary.registry-lock/1", name="r", version=VERSION, profile="esid-nfc/1", unicode="16.0.0",
        files={}, concept_set_hash="", definitions_hash="", expressions_hash="", ambiguities_hash="",
        concepts=3, expressions=0, hash="f" * 64,
    )  # fmt: skip
    fields: dict[str, Any] = {
        "header": RegistryHeader(schema="denotary.registry/1", name="r", version=VERSION),
        "concepts": concepts,
        "expressions": (),
        "ambiguities": (),
        "migrations": (),
        "lock": lock,
        "root": Path(),
    }
    return Registry(**(fields | changes))


def case(
    name: str, disposition: str = "SINGLE", codes: tuple[str, ...] | None = None, **more: Any
) -> IdentityCase:
    """Make a case; keys of ``more`` go to the part of the case that has a field of that name."""
    if codes is None:
        codes = {"SINGLE": CODES[:1], "AMBIGUOUS": CODES[:2], "MIXED": CODES[1:]}.get(disposition, ())
    made: dict[str, Any] = {"primary_family": "hard_negative", "generation_method": "test"}
    shown: dict[str, Any] = {"text": name, "language": "en"}
    gold: dict[str, Any] = {"disposition": disposition, "acceptable_concept_codes": codes}
    whole: dict[str, Any] = {"semantic_seed_id": name}
    note: dict[str, Any] = {"review": "reviewed"}
    for key, value in more.items():
        for part, kind in (
            (made, Construction),
            (shown, Input),
            (gold, Gold),
            (note, Annotation),
            (whole, IdentityCase),
        ):
            if key in kind.__struct_fields__:
                part[key] = value
                break
        else:
            raise AssertionError(key)
    return IdentityCase(
        record_id=name, benchmark_version="1.0.0", registry_version=VERSION, input=Input(**shown), gold=Gold(**gold),
        construction=Construction(**made), annotation=Annotation(**note), security=Security(visibility="sealed"),
        **whole,
    )  # fmt: skip


def suite(cases: Iterable[IdentityCase], *, of: Registry | None = None, **manifest: Any) -> Suite:
    listed = tuple(cases)
    made = Manifest(
        schema="denotary.suite/1", name="s", version="1.0.0", instrument="identity", role="sealed-certification",
        registry=RegistryPin(name="r", version=VERSION), **manifest,
    )  # fmt: skip
    lines = tuple(range(1, len(listed) + 1))
    return Suite(made, listed, units(listed), lines, of or registry(), None, (), Path())


def answer(
    name: str,
    code: str | None = None,
    *,
    kind: str | None = None,
    type_: str | None = None,
    repeat: int = 0,
    status: str = "answered",
    confidence: float | None = None,
    candidates: list[tuple[str, float]] | None = None,
    version: str | None = VERSION,
) -> Answer:
    body = {
        "type": type_ or ("concept" if code else "abstain"),
        "code": code,
        "kind": kind,
        "reason": None,
        "confidence": confidence,
        "candidates": None if candidates is None else [[label, score] for label, score in candidates],
        "registry_version": version,
        "system_version": None,
    }
    return Answer(
        call_id=f"{name}#{repeat}", case_id=name, repeat=repeat, status=status,  # type: ignore[arg-type]
        problem=None if status == "answered" else status, body=body if status == "answered" else None,
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------- random suites

FAMILIES = (
    "reviewed_exact",
    "hard_negative",
    "negation_contradiction",
    "malicious_input",
    "paired_multilingual",
)
DISPOSITIONS = (
    "SINGLE",
    "AMBIGUOUS",
    "UNKNOWN_REGISTRY",
    "UNDERSPECIFIED",
    "MIXED",
    "INVALID_INPUT",
    "EXACT_MISS",
)
TAGS = (
    *("negation", "role_reversal", "contradiction", "language_constraint", "normalisation"),
    *("code_switch", "spelling_noise"),
)
CONFORMANCE = (
    "exact_conformance_failure",
    "exact_ambiguity_failure",
    "exact_ambiguity_forced",
    "invented_code_on_miss",
    "language_constraint_failure",
    "normalisation_change",
    "exact_regression",
    "exact_unanswered",
    "exact_instability",
)
ROLES = ("x", "x_same", "x_flip", "original", "changed", "unresolved", "forced_a", "forced_b")


@st.composite
def suites(draw: st.DrawFn) -> Suite:
    size = draw(st.integers(1, 14))
    made = []
    for index in range(size):
        disposition = draw(st.sampled_from(DISPOSITIONS))
        codes = {
            "SINGLE": (draw(st.sampled_from(CODES)),),
            "AMBIGUOUS": CODES[:2],
            "MIXED": CODES[1:],
        }.get(disposition, ())
        forbidden = draw(st.sets(st.sampled_from(CODES), max_size=2)) - set(codes)
        contrast = None
        if draw(st.booleans()):
            contrast = Contrast(set=draw(st.sampled_from(("k1", "k2"))), role=draw(st.sampled_from(ROLES)))
        made.append(
            case(
                f"n{index}",
                disposition,
                codes,
                semantic_seed_id=f"s{draw(st.integers(0, 4))}",
                parent_record_id=draw(st.sampled_from((None, "n0", "n1", "gone"))),
                language=draw(st.sampled_from(("en", "de-AT", "hi", None))),
                primary_family=draw(st.sampled_from(FAMILIES)),
                tags=tuple(sorted(draw(st.sets(st.sampled_from(TAGS), max_size=3)))),
                meaning_relation_to_parent=draw(st.sampled_from((None, "SAME_MEANING", "DIFFERENT_MEANING"))),
                variant_severity=draw(st.sampled_from((None, "low", "high"))),
                concept_neighbourhood=draw(st.sampled_from((None, *CODES))),
                translation_family=draw(st.sampled_from((None, "t1", "t2"))),
                attack_family=draw(st.sampled_from((None, None, "a1"))),
                forbidden_neighbor_codes=tuple(sorted(forbidden)),
                contrast=contrast,
            )
        )
    return suite(made)


@st.composite
def answers(draw: st.DrawFn, of: Suite) -> list[Answer]:
    given = [
        _answer(draw, item.record_id, repeat)
        for item in of.cases
        for repeat in range(draw(st.sampled_from((0, 1, 1, 1, 2))))
    ]
    return draw(st.permutations(given))


def _answer(draw: st.DrawFn, name: str, repeat: int) -> Answer:
    status = draw(st.sampled_from(("answered",) * 6 + ("invalid_output", "error", "timeout", "not_run")))
    kinds = (None, "AMBIGUOUS", "UNKNOWN_REGISTRY", "UNDERSPECIFIED", "MIXED", "INVALID_INPUT", "CLARIFY")
    type_ = draw(st.sampled_from(("concept", "concept", "abstain", "clarify", "reject")))
    kind = None if type_ == "concept" else "CLARIFY" if type_ == "clarify" else draw(st.sampled_from(kinds))
    listed = draw(
        st.none()
        | st.lists(
            st.tuples(st.sampled_from((*CODES, "c.else")), st.sampled_from((-1.0, 0.0, 0.5, 0.5, 0.75))),
            max_size=5,
        )
    )
    return answer(
        name,
        draw(st.sampled_from((*CODES, "c.invented"))) if type_ == "concept" else None,
        kind=kind,
        type_=type_,
        repeat=repeat,
        status=status,
        confidence=draw(st.sampled_from((None, 0.0, 0.25, 0.5, 0.9, 1.0))),
        candidates=listed,
        version=draw(st.sampled_from((VERSION, VERSION, "0.9.0", None))),
    )
