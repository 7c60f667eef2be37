"""What the case studies share: public data into a frozen registry and a frozen suite, and figures out of a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

import denotary as dn
from denotary.files import encode_jsonl, encode_toml, write_atomic
from denotary.instruments.identity.cases import Gold, IdentityCase, Input
from denotary.instruments.identity.overlap import expressions_by_code, measured_stratum
from denotary.registry import freeze as freeze_registry
from denotary.registry.records import Concept, Expression, Review
from denotary.suites import freeze as freeze_suite
from denotary.suites.records import Annotation, AuthorSaw, Construction, NeighbourNote, Security
from denotary.words import percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from denotary.certify import Judged

SHOWN = ("correct_known_coverage", "assignment_coverage", "assignment_risk", "unknown_far", "hncr")


def registry(
    folder: Path, name: str, texts: Iterable[tuple[str, str, str]], source: str, definition: str
) -> None:
    """Write and freeze a registry.

    Args:
        folder: where.
        name: of the registry.
        texts: (code, what to call it, expression), in English.
        source: data set and licence.
        definition: sentence with ``{}`` for what the concept is called; the data sets have no definitions.
    """
    titles: dict[str, str] = {}
    expressions = []
    review = Review(by=source, on="2026-11-30", status="illustrative")
    for number, (code, title, text) in enumerate(texts):
        titles.setdefault(code, title)
        expressions.append(
            Expression(
                id=f"e{number:06}", text=text, language="en", script="Latn", codes=(code,), review=review
            )
        )
    concepts = [
        Concept(
            code=code,
            definitions={"en": definition.format(title)},
            semantic_type="case study",
            consequence_tier="C1",
            owner=source,
        )
        for code, title in sorted(titles.items())
    ]
    spaced = [e.id for e in expressions if "  " in e.text or e.text != e.text.strip()]
    header = {
        "schema": "denotary.registry/1",
        "name": name,
        "version": "1.0.0",
        "title": name,
        "licence": source,
        "review": "unreviewed",
        "languages": ["en"],
        # The data are kept as published.
        "waivers": [f"whitespace:{record}" for record in spaced],
    }
    write_atomic(folder / "registry.toml", encode_toml(header))
    write_atomic(folder / "concepts.jsonl", encode_jsonl(concepts))
    write_atomic(folder / "expressions.jsonl", encode_jsonl(expressions))
    freeze_registry(folder)


def case(name: str, text: str, code: str | None, forbidden: tuple[str, str] | None = None) -> IdentityCase:
    """Return one case in English: known with its code, or unknown, perhaps with a neighbour that it is not.

    Args:
        name: id, which is its unit too.
        text: what is asked.
        code: the right one, if there is one.
        forbidden: code of the neighbour, and the written reason why it is another.
    """
    known = code is not None
    family = "hard_negative" if forbidden else "held_out_paraphrase" if known else "shadow_concept_unknown"
    notes = (NeighbourNote(code=forbidden[0], type="sibling", reason=forbidden[1]),) if forbidden else ()
    return IdentityCase(
        record_id=name,
        benchmark_version="1.0.0",
        registry_version="1.0.0",
        semantic_seed_id=name,
        input=Input(text=text, language="en", script="Latn"),
        gold=Gold(
            disposition="SINGLE" if known else "UNKNOWN_REGISTRY",
            acceptable_concept_codes=(code,) if code is not None else (),
            forbidden_neighbor_codes=(forbidden[0],) if forbidden else (),
        ),
        construction=Construction(
            primary_family=family,
            generation_method="published data set",
            tags=("registry_absent",) if family == "shadow_concept_unknown" else (),
            author_saw=AuthorSaw() if family == "held_out_paraphrase" else None,
            equivalence_reviewed_by="the data set's curators" if family == "held_out_paraphrase" else None,
            neighbours=notes,
            mechanisms=("F02",) if forbidden else ("F03",) if known else ("F01",),
        ),
        annotation=Annotation(review="unreviewed"),
        security=Security(visibility="public"),
    )


def suite(folder: Path, name: str, cases: Sequence[IdentityCase], source: str, role: str) -> None:
    """Write and freeze a suite beside its registry."""
    held = dn.load_registry(folder.parent / "registry")
    by_code = expressions_by_code(held)
    manifest = {
        "schema": "denotary.suite/1",
        "name": name,
        "version": "1.0.0",
        "instrument": "identity",
        "role": role,
        "title": name,
        "licence": source,
        "review": "unreviewed",
        "registry": {"name": held.name, "version": "1.0.0", "path": "../registry"},
        "notes": ["Authors and sources are not recorded: those grouping keys are not controlled."],
        "mechanisms_not_exercised": {
            f"F{number:02}": "not a phenomenon this data set was built for"
            for number in range(1, 20)
            if number not in (1, 2, 3)
        },
    }
    write_atomic(folder / "suite.toml", encode_toml(manifest))
    write_atomic(folder / "cases.jsonl", encode_jsonl([_with_overlap(each, by_code) for each in cases]))
    freeze_suite(folder)


def _with_overlap(made: IdentityCase, by_code: dict[str, list[Expression]]) -> IdentityCase:
    if not made.gold.acceptable_concept_codes:
        return made
    measured = measured_stratum(made, by_code)
    return replace(made, construction=replace(made.construction, overlap_stratum=measured))


def figures(title: str, own: str, judged: Judged) -> str:
    """Return what a verdict says as lines of Markdown, with what the system's own metric says."""
    rows = {row.measure: row for row in judged.measurement.rows if row.slice == "all"}
    lines = [f"**{title}**: {judged.decision}; its own figure: {own}", ""]
    lines += ["| measure | observed | of | one-sided 95 % bound |", "| --- | --- | --- | --- |"]
    for name in SHOWN:
        row = rows.get(name)
        if row is not None and row.value is not None:
            bound = percent(row.bound, "down" if row.direction == "higher" else "up")
            lines.append(
                f"| `{name}` | {percent(row.value)} | {row.numerator:,} of {row.denominator:,} | {bound} |"
            )
    failed = dict.fromkeys(gate.title for gate in judged.verdict.gates if gate.verdict == "FAIL")
    lines += ["", "Gates that fail: " + ("; ".join(failed) or "none") + ".", ""]
    return "\n".join(lines)
