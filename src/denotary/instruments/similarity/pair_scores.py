"""Scores of a user's own that take both texts at once, such as a cross-encoder's: one number a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from denotary.errors import InputError
from denotary.importing import called, import_callable, source_digests
from denotary.instruments.similarity.configurations import Configuration

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from denotary.statistics.checks import FloatArray


def pair_score(
    score: Callable[[str, str], Any],
    name: str,
    *,
    module: str = "",
    progress: Callable[[int], None] = lambda _: None,
) -> Configuration:
    """Return a function of two texts as a configuration. Each distinct pair is asked once, one after the other.

    Nothing says what its scale is, so no cutoff of a shipped component is tried on it.

    Args:
        score: gets two texts, returns one number, higher for more alike.
        name: as printed.
        module: the one that named it, whose source is part of the checkpoint.
        progress: is told how many pairs were scored.
    """
    kept: dict[tuple[str, str], float] = {}

    def scores(first: Sequence[str], second: Sequence[str]) -> FloatArray:
        for pair in zip(first, second, strict=True):
            if pair not in kept:
                kept[pair] = _number(called(f"the score {name}", score, *pair), name)
                progress(len(kept))
        return np.array([kept[pair] for pair in zip(first, second, strict=True)], dtype=np.float64)

    digests = source_digests(score, module)
    settings = {"score": name, **{f"SHA-256 of {of}": digest for of, digest in digests.items()}}
    return Configuration(name, name, scores, settings)


def named_score(target: str, progress: Callable[[int], None] = lambda _: None) -> Configuration:
    """Return the configuration of ``MODULE:NAME``, a function of two texts.

    Raises:
        InputError: there is no such function.
    """
    function = import_callable(target)
    if not callable(function):
        raise InputError(f"{target} is not callable")
    return pair_score(function, target, module=target.partition(":")[0], progress=progress)


def _number(found: Any, name: str) -> float:
    """Return what a score gave as a number; an array of one element, as models give it, is one."""
    try:
        value = np.asarray(found, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"the score {name} gave {type(found).__name__}, which is no number") from error
    if value.size != 1 or np.iscomplexobj(found):
        raise InputError(f"the score {name} gave {value.size} numbers for one pair; expected one")
    return float(value.reshape(()))
