"""Hostile texts, and a report that holds one of them wherever somebody else's text can stand."""

from dataclasses import fields, replace
from typing import Any

import msgspec

from denotary.measures.records import Series
from denotary.reports import CaseView, Mechanism, PlanLine, Report

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "end of script": "</script><script>alert(1)</script><!--",
    "attribute": '" onmouseover="alert(1)" x=\'y\' autofocus onfocus=alert(1) ',
    "svg": '</title></svg><svg onload="alert(1)"><use href="https://example.org/#x"/>',
    "template": "{{ 7 * 7 }}{% for x in y %}{{ config }}",
    "style": "</style><style>@import 'https://example.org/x.css'",
    "bidi": "safe\u202egnp.exe\u2066 tail",
    "controls": "\x00\x07\x1b[31mred\r\n\t",
    "invisible": "a\u200bb\u00adc\ufeffd\u00a0e\U000e0041",
    "surrogate": "lone \ud800 one",
    "entity": "&lt;b&gt; &#x3C;script&#x3E; &amp;amp;",
    "comment": "--> <!-- <![CDATA[ ]]>",
    "end of cell": "</td></tr></table></li></main>",
    "markdown": "[x](javascript:alert(1)) `code`",
}


def marked(report: Report, mark: str) -> Report:
    """Return the report with a text put into every field that somebody else fills."""

    def case(view: CaseView) -> CaseView:
        texts: dict[str, Any] = {
            f.name: f"{mark}{getattr(view, f.name)}"
            for f in fields(view)
            if isinstance(getattr(view, f.name), str)
            and f.name not in ("outcome", "answer_kind", "family", "parent")
        }
        pair = (mark, 0.5)
        return replace(
            view, **texts, codes=(mark,), candidates=(pair,), neighbours=((mark, mark, mark),), tags=(mark,),
            mechanisms=(mark,), root_causes=((mark, mark),), lineage=((mark, mark),), parent=mark,
        )  # fmt: skip

    def cell(value: Any) -> Any:
        return (
            f"{mark}{value}"
            if isinstance(value, str)
            and value not in ("code", "refusal", "unanswered", "language", "concept")
            else value
        )

    def curve(series: Series) -> Series:
        return msgspec.structs.replace(series, rows=tuple(tuple(map(cell, row)) for row in series.rows))

    gates = tuple(
        msgspec.structs.replace(g, title=f"{mark}{g.title}", reason=mark, needed=mark, bound_method=mark)
        for g in report.verdict.gates
    )
    verdict: Any = msgspec.structs.replace(
        report.verdict, gates=gates, reason=mark, qualification=mark, instead=(mark,)
    )
    rows = tuple(
        msgspec.structs.replace(
            r,
            hides=f"{mark}{r.hides}",
            slice=f"{r.slice}{mark}" if "=" in r.slice else r.slice,
            note=mark,
            bound_method=mark,
        )
        for r in report.rows
    )
    assert report.cases is not None
    return replace(
        report,
        tool=mark,
        verdict=verdict,
        suite=replace(report.suite, name=mark, version=mark, role=mark, review=mark),
        registry=replace(report.registry, name=mark),
        system={"spec": mark, "kind": mark},
        identity={"system": mark, "prompt": mark},
        threshold=mark,
        rows=rows,
        measures=tuple(msgspec.structs.replace(m, title=f"{mark}{m.title}") for m in report.measures),
        facts=tuple(msgspec.structs.replace(f, detail=mark) for f in report.facts),
        series=tuple(map(curve, report.series)),
        cases=tuple(map(case, report.cases)),
        plan=(PlanLine(mark, "language=" + mark, 1, 2, mark),),
        mechanisms=(Mechanism(mark, mark, 0, mark),),
        limitations=(mark,),
        illustrative=(mark,),
        inputs={mark: mark},
    )
