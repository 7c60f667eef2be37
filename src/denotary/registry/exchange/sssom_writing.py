"""SSSOM: reviewed texts as mappings of literals, and what concepts are declared to be, and not to be, the same as."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Final

from denotary.registry.exchange.carrying import Export, left_out
from denotary.registry.exchange.sssom import LANGUAGE, LITERAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.registry.model import Registry

    Row = dict[str, str]

_COLUMNS: Final = (
    "subject_id",
    "subject_label",
    "subject_type",
    "predicate_id",
    "predicate_modifier",
    "object_id",
    "mapping_justification",
    "reviewer_label",
    "review_date",
    "comment",
    LANGUAGE,
)
_JUSTIFIED: Final = {"approved": "semapv:ManualMappingCuration", "rejected": "semapv:ManualMappingCuration"}
_UNSPECIFIED: Final = "semapv:UnspecifiedMatching"


def write_sssom(registry: Registry) -> Export:
    """Return a registry's evidence as an SSSOM table.

    One row a text and concept: a mapping of the literal to the code, which stands as ``NAME:code``. A rejected text
    is a negative mapping, and so is a neighbour, with its reason as comment. ``exact_matches`` are mappings between
    terms. The language of a text stands in the extension slot ``ext_language``, declared in the metadata.
    """
    rows = sorted(
        [*_texts(registry), *_terms(registry)], key=lambda row: [row.get(name, "") for name in _COLUMNS]
    )
    out = io.StringIO()
    out.writelines(f"#{line}\n" for line in _metadata(registry))
    table = csv.DictWriter(out, _COLUMNS, restval="", delimiter="\t", lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    carried = frozenset({"text", "language", "review"})
    left = left_out(registry, frozenset({"exact_matches"}), expressions=carried, neighbours=True)
    return Export(out.getvalue().encode(), left)


def _metadata(registry: Registry) -> Iterator[str]:
    yield "curie_map:"
    yield f'  {registry.name}: "urn:denotary:{registry.name}:"'
    yield "extension_definitions:"
    yield f"  - slot_name: {LANGUAGE}"
    yield "    property: http://purl.org/dc/terms/language"
    if registry.header.licence:
        # A JSON string is a YAML one, and stays on its line.
        yield f"license: {json.dumps(registry.header.licence, ensure_ascii=False)}"
    yield f'mapping_set_id: "urn:denotary:{registry.name}"'
    yield f'mapping_set_version: "{registry.version}"'


def _texts(registry: Registry) -> Iterator[Row]:
    for item in registry.expressions:
        for code in item.codes:
            yield {
                "subject_label": item.text,
                "subject_type": LITERAL,
                "predicate_id": "skos:exactMatch",
                "predicate_modifier": "Not" if item.review.status == "rejected" else "",
                "object_id": f"{registry.name}:{code}",
                "mapping_justification": _JUSTIFIED.get(item.review.status, _UNSPECIFIED),
                "reviewer_label": item.review.by,
                "review_date": item.review.on,
                LANGUAGE: item.language,
            }


def _terms(registry: Registry) -> Iterator[Row]:
    for code, concept in registry.concepts.items():
        common = {"subject_id": f"{registry.name}:{code}", "predicate_id": "skos:exactMatch"}
        for match in concept.exact_matches:
            yield {**common, "object_id": match, "mapping_justification": _UNSPECIFIED}
        for neighbour in concept.neighbours:
            yield {
                **common,
                "predicate_modifier": "Not",
                "object_id": f"{registry.name}:{neighbour.code}",
                "mapping_justification": "semapv:ManualMappingCuration",
                "comment": neighbour.reason,
            }
