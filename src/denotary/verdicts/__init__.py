"""Verdicts: policies, gates, and the one rule that promotes or blocks. The default is never the good one.

``load_policy(name_or_path, instrument)`` and ``load_waivers(path)`` read what a release must show and what
somebody set aside; ``judge(measurement, policy)`` returns the verdict with a reason for every gate;
``prospect(gate, slice, ...)`` says what a gate costs before anything is asked. ``records`` holds the data
types, ``bounds`` the bound that gates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.verdicts.decision import judge
    from denotary.verdicts.policies import load_policy, load_waivers, policy_path
    from denotary.verdicts.prospects import prospect

_HOMES = {
    "judge": "decision",
    "load_policy": "policies",
    "load_waivers": "policies",
    "policy_path": "policies",
    "prospect": "prospects",
}

__all__ = ["judge", "load_policy", "load_waivers", "policy_path", "prospect"]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
