"""The firewall between fitting and judging: pairs of a half that the system was fitted on are no evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.errors import InputError
from denotary.instruments.similarity.instrument import similarity_cases
from denotary.measures.records import Fact
from denotary.words import plural

if TYPE_CHECKING:
    from denotary.measures.table import BoolArray
    from denotary.runs.records import Identity
    from denotary.suites.suite import Suite

NONE: Final = "none"
"""What an owner declares whose system was fitted on no part of the corpus; no half may be called so."""


def judged(suite: Suite, identity: Identity) -> BoolArray:
    """Return which cases lie in a half that nothing was fitted on, shape (N,); all where nothing is declared.

    Raises:
        InputError: a half is declared that the suite does not have, or one together with ``none``.
    """
    halves = {case.design.half for case in similarity_cases(suite)} - {""}
    fitted = set(identity.fitted_on)
    strangers = sorted(fitted - halves - {NONE})
    if strangers or (NONE in fitted and len(fitted) > 1):
        known = ", ".join([*sorted(halves), NONE])
        raise InputError(
            f"identity: fitted_on is {', '.join(sorted(fitted))}; the suite has {known}",
            hint="name the halves that anything of the system was fitted or chosen on, or none",
        )
    return np.array([case.design.half not in fitted for case in similarity_cases(suite)], dtype=np.bool_)


def fitting_declared(suite: Suite, identity: Identity) -> Fact:
    """Return the fact that the owner said which halves the system was fitted on, and that one is left to judge by."""
    name = "fitting_declared"
    if not identity.fitted_on:
        detail = (
            "the identity block does not say on which halves of the corpus the system was fitted, or none"
        )
        return Fact(name=name, holds=None, detail=detail)
    left = int(judged(suite, identity).sum())
    where = "no half" if identity.fitted_on == (NONE,) else f"half {' and '.join(sorted(identity.fitted_on))}"
    detail = f"fitted on {where}; {plural(left, 'pair')} lie in halves that nothing was fitted on"
    return Fact(name=name, holds=left > 0, detail=detail)
