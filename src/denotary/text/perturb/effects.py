"""What the normalisation profiles make of a variant: asked of the profiles, not believed of the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.text.evidence import transforms
from denotary.text.folds import folds_for
from denotary.text.perturb.records import Effect
from denotary.text.profile import PROFILE, Normalised, Rejection, normalise

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PROFILES: Final[Mapping[str, Callable[[str], Normalised | Rejection]]] = {PROFILE: normalise}
"""The profiles by identifier."""


def effects(parent: str, variant: str, language: str) -> tuple[Effect, ...]:
    """Return what each profile makes of a variant; the folds are those of the language."""
    return tuple(
        _effect(name, profile(parent), profile(variant), language) for name, profile in PROFILES.items()
    )


def _effect(
    name: str, parent: Normalised | Rejection, variant: Normalised | Rejection, language: str
) -> Effect:
    if isinstance(parent, Rejection):
        return Effect(profile=name, outcome="parent_refused", rule=parent.rule)
    if isinstance(variant, Rejection):
        return Effect(profile=name, outcome="refused", rule=variant.rule)
    if parent.text == variant.text:
        return Effect(profile=name, outcome="same_key")
    folds = transforms(parent.text, variant.text, folds_for(language)) or ()
    return Effect(profile=name, outcome="other_key", folds=folds)
