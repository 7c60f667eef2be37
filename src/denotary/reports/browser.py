"""What script reads on the page: cases with failures first, and the measures of every slice.

The data are JSON, compressed (zlib, base 85): plain, the cases of a suite of a thousand would outweigh the page. What a
reader needs without script (verdict, gates, panels, headline measures, the first failures) stands in the page as text.
"""

from __future__ import annotations

import base64
import zlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from denotary import words
from denotary.canonical import canonical_json
from denotary.reports.safe import clipped
from denotary.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.reports.model import CaseView

CASE_CAP = 5_000
"""Most cases on a page."""
BYTE_CAP = 800_000
"""Most bytes of compressed data on a page."""
CANDIDATES = 5
"""Most candidates of a case on a page."""
CAUSES = 4
"""Most proposed root causes of a case on a page."""
STATIC = 20
"""Most failures printed as text."""
CHANGES = ("regressed", "changed", "improved", "unchanged")
"""What became of a case against another system, what needs attention first."""
_UNEVENTFUL = ("right", "refused_rightly")


class WithCases(Protocol):
    """A report with cases for the browser."""

    @property
    def cases(self) -> tuple[CaseView, ...] | None:
        """The cases; None where they are withheld."""

    @property
    def cases_total(self) -> int | None:
        """How many there are, where ``cases`` holds only a part."""


@dataclass(frozen=True, slots=True)
class Browser:
    """The cases of a page.

    Attributes:
        listed: cases in the order of the page.
        total: number of cases of the suite.
        failures: the first of those that did not go right, or became worse where two systems are compared, for readers
            without script and for paper.
        failed: how many such cases are listed.
    """

    listed: tuple[CaseView, ...]
    total: int
    failures: tuple[CaseView, ...]
    failed: int


def failures_first(cases: Sequence[CaseView]) -> list[CaseView]:
    """Return cases ordered by change, by outcome, the most confident errors first, then by id.

    Among cases that changed alike those that were right before stand first.
    """
    changes = {name: index for index, name in enumerate(CHANGES)}
    place = {name: index for index, name in enumerate(words.FAILURES_FIRST)}
    return sorted(
        cases,
        key=lambda case: (
            changes.get(case.change, len(changes)),
            place.get(case.outcome, len(place)),
            -place.get(case.before, 0),
            -(case.confidence if case.confidence is not None else -1.0),
            case.record_id,
        ),
    )


def browser_and_data(report: WithCases, slices: dict[str, Any]) -> tuple[Browser | None, str]:
    """Return the cases of the page (None where they are withheld) and the data that script reads.

    Args:
        report: the report.
        slices: measures by slice, see ``panel_view.slice_data``.
    """
    slices = {**slices, "slices": _by_measure(slices["slices"])}
    if report.cases is None:
        return None, packed({"cases": None, **slices})
    listed = failures_first(report.cases)[:CASE_CAP]
    plain = [_plain(case) for case in listed]
    data = packed({**_columns(plain), **slices})
    while len(data) > BYTE_CAP and len(plain) > 1:
        plain = plain[: len(plain) // 2]
        data = packed({**_columns(plain), **slices})
    listed = listed[: len(plain)]
    bad = [
        case
        for case in listed
        if (case.change == CHANGES[0] if case.change else case.outcome not in _UNEVENTFUL)
    ]
    total = report.cases_total if report.cases_total is not None else len(report.cases)
    return Browser(tuple(listed), total, tuple(bad[:STATIC]), len(bad)), data


def packed(value: Any) -> str:
    """Return the zlib stream of JSON in base 85, which takes a sixteenth less than base 64.

    Digits are those of RFC 1924 with a comma for "<", so that nothing in a script element can end it or open a comment.
    """
    # Short blocks: what stands in one field is of another kind than what stands in the next.
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 4)
    stream = packer.compress(canonical_json(value)) + packer.flush()
    return base64.b85encode(stream).decode().replace("<", ",")


def _by_measure(slices: Mapping[str, Sequence[tuple[Any, ...]]]) -> list[list[Any]]:
    """Return the names of slices, then the place of the slice of every row and the fields of the rows, by measure."""
    rows = [(place, *row) for place, own in enumerate(slices.values()) for row in own]
    return [list(slices), *map(list, zip(*sorted(rows, key=lambda row: row[1]), strict=True))]


def _columns(cases: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return cases by field, which compresses better than case by case; an absent field is null.

    A code is its place among ``names``, the most frequent first, and candidates have two fields a rank: one for all of
    them would be half of the data.
    """
    used = Counter(code for case in cases for code in _codes(case))
    names = sorted(used, key=lambda code: (-used[code], code))
    place = {code: index for index, code in enumerate(names)}
    numbered = [_numbered(case, place) for case in cases]
    fields = dict.fromkeys(key for case in numbered for key in case)
    return {"cases": {name: [case.get(name) for case in numbered] for name in fields}, "names": names}


def _codes(case: dict[str, Any]) -> Iterator[str]:
    """Yield the codes of a case that script reads, one as often as it stands there."""
    yield from case.get("codes", ())
    yield from (code for code, _ in case.get("candidates", ()))
    if "answer" in case:
        yield case["answer"]


def _numbered(case: dict[str, Any], place: Mapping[str, int]) -> dict[str, Any]:
    found = {name: value for name, value in case.items() if name != "candidates"}
    for rank, (code, score) in enumerate(case.get("candidates", ())):
        found[f"candidate{rank}"], found[f"score{rank}"] = place[code], score
    if "answer" in case:
        found["answer"] = place[case["answer"]]
    if "codes" in case:
        found["codes"] = [place[code] for code in case["codes"]]
    return found


def _plain(case: CaseView) -> dict[str, Any]:
    """Return a case as ``report.js`` reads it: every text visible and cut to length, empty fields left away."""
    found = {
        "id": case.record_id,
        "outcome": case.outcome,
        "text": case.text,
        "language": case.language,
        "family": case.family,
        "expected": case.expected,
        "codes": case.codes,
        "answer": case.answer,
        "kind": case.answer_kind,
        "confidence": None if case.confidence is None else f"{case.confidence:.4g}",
        "unit": case.unit,
        "candidates": case.candidates[:CANDIDATES],
        "more": max(0, len(case.candidates) - CANDIDATES),
        "neighbours": case.neighbours,
        "tags": case.tags,
        "mechanisms": case.mechanisms,
        "cause": case.cause,
        "setBy": case.cause_note,
        "proposed": case.root_causes[:CAUSES],
        "parent": case.parent,
        "relation": case.relation,
        "lineage": case.lineage,
        "contrast": case.contrast,
        "review": case.review,
        "change": case.change,
        "before": case.before,
        "beforeAnswer": case.before_answer,
        "beforeConfidence": None if case.before_confidence is None else f"{case.before_confidence:.4g}",
    }
    return {name: _shown(value) for name, value in found.items() if value or isinstance(value, float)}


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return visible(clipped(value))
    if isinstance(value, float):
        return round(value, 3)
    return [_shown(item) for item in value] if isinstance(value, tuple) else value
