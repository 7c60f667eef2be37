"""denotary: may a system that decides what text means be trusted to act?

Five verbs are the whole way of the data::

    import denotary as dn

    suite = dn.load_suite("suite/")
    run = dn.ask(dn.systems.http("http://127.0.0.1:8080/resolve"), suite, "run/")
    rows = dn.measure(run)
    verdict = dn.judge(rows, policy="c3")
    verdict.report("report.html")

``denotary.certify.certify`` does all of them and writes everything that shows the result. Public names resolve late, so
that ``import denotary`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary import systems
    from denotary.certify import compare, judge, plan, verify
    from denotary.errors import DenotaryError, ExitCode, InputError
    from denotary.measures import measure
    from denotary.registry import load_registry
    from denotary.runs import Identity, ask, load_run
    from denotary.suites import load_suite

__version__ = "0.1.0"

_HOMES = {
    "DenotaryError": "denotary.errors",
    "ExitCode": "denotary.errors",
    "Identity": "denotary.runs",
    "InputError": "denotary.errors",
    "ask": "denotary.runs",
    "compare": "denotary.certify",
    "judge": "denotary.certify",
    "load_registry": "denotary.registry",
    "load_run": "denotary.runs",
    "load_suite": "denotary.suites",
    "measure": "denotary.measures",
    "plan": "denotary.certify",
    "verify": "denotary.certify",
}

__all__ = [
    "DenotaryError",
    "ExitCode",
    "Identity",
    "InputError",
    "ask",
    "compare",
    "judge",
    "load_registry",
    "load_run",
    "load_suite",
    "measure",
    "plan",
    "systems",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name == "systems":
        return import_module("denotary.systems")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'denotary' has no attribute {name!r}")
