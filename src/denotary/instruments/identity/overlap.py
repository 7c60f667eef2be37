"""Lexical overlap of a text with what the registry says of a concept, in declared strata."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from denotary.text.languages import primary_subtag

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.registry import Registry
    from denotary.registry.records import Expression

HIGH = 0.6
"""Least overlap of the stratum ``high``."""
MODERATE = 0.3
"""Least overlap of the stratum ``moderate``."""

# Scripts that are written without spaces between words: Thai, Lao, Myanmar, Khmer, kana, ideographs.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"\w+")


def overlap(text: str, references: Iterable[str]) -> float:
    """Return the largest share, in [0, 1], of a text's units that also stand in one of the references.

    Units are case-folded words; in scripts without spaces, pairs of adjacent characters. The share is the
    overlap coefficient of the two sets of units (intersection over the smaller set), so that a short reviewed
    expression inside a longer text counts in full.
    """
    units = _units(text)
    return max((_coefficient(units, _units(reference)) for reference in references), default=0.0)


def expressions_by_code(registry: Registry) -> dict[str, list[Expression]]:
    """Return the expressions of every code of a registry."""
    found: dict[str, list[Expression]] = {}
    for expression in registry.authorised:
        for code in expression.codes:
            found.setdefault(code, []).append(expression)
    return found


def measured_stratum(
    case: IdentityCase, by_code: Mapping[str, Sequence[Expression]]
) -> Literal["high", "moderate", "low"]:
    """Return the overlap stratum of a case against the expressions of its acceptable codes.

    Only expressions in the language of the case count; where there is none, those of every language do.

    Args:
        case: the case.
        by_code: the expressions of every code (see :func:`expressions_by_code`).
    """
    content = case.content()
    language = primary_subtag(case.input.language or "und")
    found = [
        expression for code in case.gold.acceptable_concept_codes for expression in by_code.get(code, ())
    ]
    own = [expression for expression in found if primary_subtag(expression.language) == language]
    value = overlap(
        content if isinstance(content, str) else "", (expression.text for expression in own or found)
    )
    return "high" if value >= HIGH else "moderate" if value >= MODERATE else "low"


def _units(text: str) -> frozenset[str]:
    folded = text.casefold()
    if _UNSPACED.search(folded):
        letters = "".join(_WORD.findall(folded))
        return frozenset(letters[i : i + 2] for i in range(max(1, len(letters) - 1)))
    return frozenset(_WORD.findall(folded))


def _coefficient(left: frozenset[str], right: frozenset[str]) -> float:
    smaller = min(len(left), len(right))
    return len(left & right) / smaller if smaller else 0.0
