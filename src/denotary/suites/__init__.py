"""Suites: what is right, case by case, against one registry.

``load_suite`` reads a folder into a ``Suite`` and refuses an edited frozen one; ``check`` lists what is wrong
with it, ``quota`` compares it with the quotas of its manifest, ``summary`` says what it holds. ``units`` is
the only function that says which cases are independent. ``pin`` binds a draft to a registry snapshot,
``freeze`` fixes it under a version; ``correct``, ``withdraw`` and ``disclose`` are the recorded acts that may
follow; ``diff`` says what changed between two versions, and which version that demands. ``split_check`` finds
families of cases that cross between suites of different roles. ``accept`` and ``reject`` decide on
candidates, which wait beside the cases and are none.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.suites.building_acceptance import accept, reject
    from denotary.suites.checking import check
    from denotary.suites.correcting import Correction, Decision, correct, withdraw
    from denotary.suites.diffing import diff
    from denotary.suites.disclosing import disclose
    from denotary.suites.freezing import freeze, pin
    from denotary.suites.grouping import units
    from denotary.suites.loading import load_suite
    from denotary.suites.quotas import QuotaRow, quota
    from denotary.suites.splitting import split_check
    from denotary.suites.suite import Suite
    from denotary.suites.summaries import summary

__all__ = [
    "Correction",
    "Decision",
    "QuotaRow",
    "Suite",
    "accept",
    "check",
    "correct",
    "diff",
    "disclose",
    "freeze",
    "load_suite",
    "pin",
    "quota",
    "reject",
    "split_check",
    "summary",
    "units",
    "withdraw",
]

_HOMES = {
    "Correction": "correcting",
    "Decision": "correcting",
    "QuotaRow": "quotas",
    "Suite": "suite",
    "accept": "building_acceptance",
    "check": "checking",
    "correct": "correcting",
    "diff": "diffing",
    "disclose": "disclosing",
    "freeze": "freezing",
    "load_suite": "loading",
    "pin": "freezing",
    "quota": "quotas",
    "reject": "building_acceptance",
    "split_check": "splitting",
    "summary": "summaries",
    "units": "grouping",
    "withdraw": "correcting",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that importing the room costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
