"""A synthetic identity suite and a system's answers to it, of any size, from a seed.

Five cases a seed: a text, a rewording of it, a text with a changed meaning, a second wording in the same language, and
one near a neighbouring concept. The answers come with five candidates each.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from denotary.canonical import canonical_json
from denotary.instruments.identity.cases import Gold, IdentityCase, Input
from denotary.instruments.identity.families import FAMILIES
from denotary.registry.model import Registry
from denotary.registry.records import Concept, RegistryHeader, RegistryLock
from denotary.runs.records import Answer
from denotary.suites.records import Annotation, Construction, Manifest, RegistryPin, Security
from denotary.suites.suite import Suite

if TYPE_CHECKING:
    from collections.abc import Iterator

LANGUAGES = [f"q{chr(97 + i // 5)}{chr(97 + i % 5)}" for i in range(20)]
CONCEPTS = [f"concept.number_{i:03d}" for i in range(150)]
SIZE = 5
"""Cases a seed."""
REWORDED, CHANGED, NEAR = 1, 2, 4
"""Members of a seed whose meaning is kept, whose meaning is changed, and that name a neighbour."""
FAILED, RANKED_FIRST, ASSIGNED = 0.01, 0.95, 0.8
"""Share of calls that time out, of right codes that are ranked first, and of calls that fail or assign a code."""
_DISPOSITIONS = ("SINGLE", "UNKNOWN_REGISTRY", "AMBIGUOUS", "UNDERSPECIFIED", "MIXED")
_TIERS = ("C1", "C2", "C3", "C4")
_REVIEWED = Annotation(
    review="reviewed",
    adjudication_status="approved",
    depth_tier="A1",
    independent_votes=("a",) * 3,
    reviewers=("r1", "r2", "r3"),
)
_SEALED = Security(visibility="sealed")


def registry() -> Registry:
    """Return a frozen registry of 150 concepts without expressions."""
    header = RegistryHeader(schema="denotary.registry/1", name="synthetic", version="1.0.0")
    concepts = {
        code: Concept(
            code=code,
            definitions={"en": f"meaning {number}"},
            semantic_type="synthetic",
            consequence_tier=_TIERS[number % 4],  # type: ignore[arg-type]
            owner="benchmark",
        )
        for number, code in enumerate(CONCEPTS)
    }
    lock = RegistryLock(
        schema="denotary.registry-lock/1",
        name="synthetic",
        version="1.0.0",
        profile="esid-nfc/1",
        unicode="16.0.0",
        files={},
        concept_set_hash="0" * 64,
        definitions_hash="0" * 64,
        expressions_hash="0" * 64,
        ambiguities_hash="0" * 64,
        concepts=len(concepts),
        expressions=0,
        hash="1" * 64,
    )
    return Registry(header, concepts, (), (), (), lock, Path())


def suite(seeds: int) -> Suite:
    """Return a suite of ``SIZE`` cases a seed."""
    cases = tuple(_cases(seeds))
    manifest = Manifest(
        schema="denotary.suite/1",
        name="synthetic",
        version="1.0.0",
        instrument="identity",
        role="sealed-certification",
        registry=RegistryPin(name="synthetic", version="1.0.0"),
    )
    units = tuple(case.semantic_seed_id for case in cases)
    return Suite(manifest, cases, units, tuple(range(1, len(cases) + 1)), registry(), None, (), Path())


def _cases(seeds: int) -> Iterator[IdentityCase]:
    rng = np.random.default_rng(1)
    families = [name for name in FAMILIES if name != "reviewed_exact"]
    language = rng.integers(0, len(LANGUAGES), seeds).tolist()
    concept = rng.integers(0, len(CONCEPTS), seeds).tolist()
    family = rng.integers(0, len(families), seeds).tolist()
    gold = rng.choice(len(_DISPOSITIONS), seeds, p=[0.7, 0.15, 0.05, 0.05, 0.05]).tolist()
    for number in range(seeds):
        seed = _Seed(
            number,
            LANGUAGES[language[number]],
            concept[number],
            families[family[number]],
            _DISPOSITIONS[gold[number]],
        )
        for member in range(SIZE):
            yield _case(seed, member)


class _Seed(NamedTuple):
    number: int
    language: str
    concept: int
    family: str
    disposition: str


def _case(seed: _Seed, member: int) -> IdentityCase:
    concept, other = CONCEPTS[seed.concept], CONCEPTS[(seed.concept + 1 + member) % len(CONCEPTS)]
    neighbour = CONCEPTS[(seed.concept + 7) % len(CONCEPTS)]
    disposition = "UNKNOWN_REGISTRY" if member == CHANGED else seed.disposition
    codes = {"SINGLE": (concept,), "AMBIGUOUS": (concept, other), "MIXED": (concept, other)}
    relation = {REWORDED: "SAME_MEANING", CHANGED: "DIFFERENT_MEANING"}.get(member)
    first = f"case-{seed.number:07d}-0"
    return IdentityCase(
        record_id=f"case-{seed.number:07d}-{member}",
        benchmark_version="1.0.0",
        registry_version="1.0.0",
        semantic_seed_id=f"seed-{seed.number:07d}",
        parent_record_id=first if relation else None,
        input=Input(
            text=f"text {seed.number} {member}", language=seed.language, script="Latn", domain="engineering"
        ),
        gold=Gold(
            disposition=disposition,  # type: ignore[arg-type]
            acceptable_concept_codes=codes.get(disposition, ()),
            forbidden_neighbor_codes=(neighbour,) if member == NEAR else (),
        ),
        construction=Construction(
            primary_family=seed.family,
            generation_method="benchmark",
            tags=("negation",) if member == CHANGED else (),
            meaning_relation_to_parent=relation,  # type: ignore[arg-type]
            concept_neighbourhood=concept,
            variant_severity="high" if seed.number % 10 == 0 else None,
        ),
        annotation=_REVIEWED,
        security=_SEALED,
    )


def answers(of: Suite) -> Iterator[Answer]:
    """Yield one answer a case: about four in five assign a code, one in a hundred fails."""
    rng = np.random.default_rng(2)
    size = len(of.cases)
    drawn = rng.random((size, 3)).tolist()
    shift = rng.integers(0, len(CONCEPTS), (size, SIZE)).tolist()
    scores = np.sort(rng.random((size, SIZE)), axis=1)[:, ::-1].round(4).tolist()
    for index, case in enumerate(of.cases):
        right = getattr(case, "gold").acceptable_concept_codes  # noqa: B009 - the envelope does not type the gold
        yield _answer(case.record_id, right, drawn[index], shift[index], scores[index])


def _answer(
    record: str, right: tuple[str, ...], drawn: list[float], shift: list[int], scores: list[float]
) -> Answer:
    call = f"{record}#0"
    if drawn[0] < FAILED:
        return Answer(call_id=call, case_id=record, repeat=0, status="timeout", problem="timeout")
    listed = [CONCEPTS[number] for number in shift]
    if right and drawn[1] < RANKED_FIRST:
        listed[0] = right[0]
    assigned = drawn[0] < ASSIGNED
    body: dict[str, Any] = {
        "type": "concept" if assigned else "abstain",
        "code": listed[0] if assigned else None,
        "kind": None if assigned else "UNKNOWN_REGISTRY",
        "reason": None if assigned else "unknown",
        "confidence": round(drawn[2], 6) if assigned else None,
        "candidates": [[code, score] for code, score in zip(listed, scores, strict=True)],
        "registry_version": "1.0.0",
        "system_version": "synthetic 1",
    }
    return Answer(call_id=call, case_id=record, repeat=0, status="answered", body=body)


def write(of: Suite, path: Path) -> None:
    """Write the answers as a run's ``sealed.jsonl``."""
    with path.open("wb") as file:
        for answer in answers(of):
            file.write(canonical_json(answer) + b"\n")
