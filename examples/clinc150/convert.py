"""Turn the CLINC150 data set into a denotary registry, a threshold suite and a test suite.

    python convert.py DATA OUT

DATA is a folder with ``data_full.json`` and ``domains.json`` of the public repository ``clinc/oos-eval`` (CC BY 3.0).
OUT gets ``registry/`` (150 concepts; the training split as reviewed expressions), ``threshold/`` (validation split with
its out-of-scope part, role ``calibration``) and ``suite/`` (4,500 in-scope SINGLE and 1,000 out-of-scope
UNKNOWN_REGISTRY cases, role ``public-diagnostic``). All three are frozen.

The data set has no definitions, so a concept's definition names its intent and domain only; nobody reviewed the
utterances for this registry, and the records say so.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from msgspec.structs import replace

import denotary as dn
from denotary.files import encode_jsonl, encode_toml, write_atomic
from denotary.instruments.identity.cases import Gold, IdentityCase, Input
from denotary.instruments.identity.overlap import expressions_by_code, measured_stratum
from denotary.registry import freeze as freeze_registry
from denotary.registry.records import Concept, Expression, Review
from denotary.suites import freeze as freeze_suite
from denotary.suites.records import Annotation, AuthorSaw, Construction, Security

SOURCE = "clinc/oos-eval, CC BY 3.0"
REVIEW = Review(by="crowd workers of CLINC150", on="2019-11-01", status="illustrative")
OUT_OF_SCOPE = "oos"


def write_registry(data: dict[str, Any], domains: dict[str, list[str]], folder: Path) -> None:
    """Write and freeze the registry."""
    concepts = [
        Concept(
            code=f"{domain}.{intent}",
            definitions={
                "en": f"The request named {intent.replace('_', ' ')} in the domain {domain.replace('_', ' ')}."
            },
            semantic_type="intent",
            consequence_tier="C3",
            owner="CLINC150",
        )
        for domain, intents in sorted(domains.items())
        for intent in sorted(intents)
    ]
    codes = code_of(domains)
    expressions = [
        Expression(
            id=f"train-{i:05}", text=text, language="en", script="Latn", codes=(codes[intent],), review=REVIEW
        )
        for i, (text, intent) in enumerate(data["train"])
    ]
    spaced = [e.id for e in expressions if "  " in e.text or e.text != e.text.strip()]
    header = {
        "schema": "denotary.registry/1",
        "name": "clinc150",
        "version": "1.0.0",
        "title": "CLINC150 intents",
        "licence": SOURCE,
        "review": "unreviewed",
        "languages": ["en"],
        # The data are kept as published; these utterances carry a double or outer space.
        "waivers": [f"whitespace:{record}" for record in spaced],
    }
    write_atomic(folder / "registry.toml", encode_toml(header))
    write_atomic(folder / "concepts.jsonl", encode_jsonl(concepts))
    write_atomic(folder / "expressions.jsonl", encode_jsonl(expressions))
    freeze_registry(folder)


def code_of(domains: dict[str, list[str]]) -> dict[str, str]:
    """Return the concept code of each intent."""
    return {intent: f"{domain}.{intent}" for domain, intents in domains.items() for intent in intents}


def write_suite(
    folder: Path,
    name: str,
    role: str,
    rows: list[tuple[str, str]],
    domains: dict[str, list[str]],
) -> None:
    """Write and freeze one suite from (text, intent) rows."""
    codes = code_of(domains)
    by_code = expressions_by_code(dn.load_registry(folder.parent / "registry"))
    cases = [
        with_overlap(case(f"{name}-{i:05}", text, codes.get(intent)), by_code)
        for i, (text, intent) in enumerate(rows)
    ]
    manifest = {
        "schema": "denotary.suite/1",
        "name": f"clinc150-{name}",
        "version": "1.0.0",
        "instrument": "identity",
        "role": role,
        "title": f"CLINC150, {name} split with its out-of-scope part",
        "licence": SOURCE,
        "review": "unreviewed",
        "registry": {"name": "clinc150", "version": "1.0.0", "path": "../registry"},
        "notes": [
            "Authors and sources of the utterances are not recorded: those grouping keys are not controlled."
        ],
        "mechanisms_not_exercised": {
            f"F{number:02}": "not a phenomenon this data set was built for"
            for number in range(1, 20)
            if number not in (1, 3)
        },
    }
    write_atomic(folder / "suite.toml", encode_toml(manifest))
    write_atomic(folder / "cases.jsonl", encode_jsonl(cases))
    freeze_suite(folder)


def case(record_id: str, text: str, code: str | None) -> IdentityCase:
    """Return one case: in scope with its code, out of scope without."""
    known = code is not None
    return IdentityCase(
        record_id=record_id,
        benchmark_version="1.0.0",
        registry_version="1.0.0",
        semantic_seed_id=record_id,
        input=Input(text=text, language="en", script="Latn"),
        gold=Gold(
            disposition="SINGLE" if known else "UNKNOWN_REGISTRY",
            acceptable_concept_codes=(code,) if code is not None else (),
        ),
        construction=Construction(
            primary_family="held_out_paraphrase" if known else "shadow_concept_unknown",
            generation_method="crowd-written",
            tags=() if known else ("registry_absent",),
            # The registry is younger than the utterances: their authors saw nothing of it.
            author_saw=AuthorSaw() if known else None,
            equivalence_reviewed_by="the authors of CLINC150" if known else None,
            mechanisms=("F03",) if known else ("F01",),
        ),
        annotation=Annotation(review="unreviewed"),
        security=Security(visibility="public"),
    )


def with_overlap(made: IdentityCase, by_code: dict[str, list[Expression]]) -> IdentityCase:
    """Return the case with its measured lexical overlap with the expressions of its code."""
    if not made.gold.acceptable_concept_codes:
        return made
    measured = measured_stratum(made, by_code)
    return replace(made, construction=replace(made.construction, overlap_stratum=measured))


def main(source: Path, out: Path) -> None:
    """Write registry, threshold suite and suite."""
    data = json.loads((source / "data_full.json").read_bytes())
    domains = json.loads((source / "domains.json").read_bytes())
    write_registry(data, domains, out / "registry")
    write_suite(out / "threshold", "validation", "calibration", [*data["val"], *data["oos_val"]], domains)
    write_suite(out / "suite", "test", "public-diagnostic", [*data["test"], *data["oos_test"]], domains)
    for part in ("threshold", "suite"):
        suite = dn.load_suite(out / part)
        print(f"{part}: {len(suite.cases):,} cases against {suite.registry.snapshot_id}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [data_folder, out_folder]:
            main(Path(data_folder), Path(out_folder))
        case _:
            sys.exit("usage: python convert.py DATA OUT")
