"""The operators there are."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING

from denotary.errors import InputError
from denotary.text.perturb import (
    canonical_forms,
    cases,
    contexts,
    hooks,
    invisible,
    lookalikes,
    marks,
    numbers,
    prompts,
    punctuation,
    spelling,
    wrapping,
)

if TYPE_CHECKING:
    from denotary.text.perturb.operator import Operator


@cache
def operators() -> tuple[Operator, ...]:
    """Return every operator, family by family."""
    modules = (
        invisible,
        canonical_forms,
        lookalikes,
        marks,
        punctuation,
        numbers,
        spelling,
        hooks,
        cases,
        wrapping,
        prompts,
        contexts,
    )
    return tuple(operator for module in modules for operator in module.OPERATORS)


def operator_named(name: str) -> Operator:
    """Return an operator by its identifier.

    Raises:
        InputError: there is none of that name.
    """
    known = {operator.id: operator for operator in operators()}
    if name not in known:
        near = get_close_matches(name, known, n=3)
        hint = f"did you mean {', '.join(near)}?" if near else "denotary text perturb --list shows all"
        raise InputError(f"no perturbation operator {name!r}", hint=hint)
    return known[name]
