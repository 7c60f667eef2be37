"""Certify: the main job put together, and everything that it writes.

``certify(system, suite, policy, out)`` plans, asks, measures, judges and writes report and certificate;
``judge(measurement, policy)`` does the second half on answers that exist;
``compare(base, new, policy)`` holds a release against the version before it, case by case;
``plan(policy, suite)`` says what a claim costs; ``verify(folder)`` rebuilds every figure from the raw run,
``is_signed(folder)`` says whether a signature stands there.
``triage(run)`` gives every failed case the root cause that a person set or rules propose.
``certificate``, ``documents`` and the projections ``markdown``, ``junit`` and ``sarif`` show a judged run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.certify.comparing import Compared, compare
    from denotary.certify.judged import Judged, judge
    from denotary.certify.junit_xml import junit
    from denotary.certify.main import certify
    from denotary.certify.planning import Plan, plan, require_feasible
    from denotary.certify.sarif_log import sarif
    from denotary.certify.statement import certificate
    from denotary.certify.summary import markdown
    from denotary.certify.triaging import judge_cause, triage
    from denotary.certify.verifying import verify
    from denotary.certify.writing import documents, is_signed, write_documents

_HOMES = {
    "Compared": "comparing",
    "Judged": "judged",
    "Plan": "planning",
    "certificate": "statement",
    "certify": "main",
    "compare": "comparing",
    "documents": "writing",
    "is_signed": "writing",
    "judge": "judged",
    "judge_cause": "triaging",
    "junit": "junit_xml",
    "markdown": "summary",
    "plan": "planning",
    "require_feasible": "planning",
    "sarif": "sarif_log",
    "triage": "triaging",
    "verify": "verifying",
    "write_documents": "writing",
}

__all__ = [
    "Compared",
    "Judged",
    "Plan",
    "certificate",
    "certify",
    "compare",
    "documents",
    "is_signed",
    "judge",
    "judge_cause",
    "junit",
    "markdown",
    "plan",
    "require_feasible",
    "sarif",
    "triage",
    "verify",
    "write_documents",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
