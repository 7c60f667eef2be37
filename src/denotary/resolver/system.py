"""The exact lane as a black box: a plain callable, as any system under test is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from denotary.resolver.exact import ExactLane

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from denotary.registry.model import Registry


def exact_lane_system(source: Registry | Path | str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a function from request to answer that may be called from several threads.

    Args:
        source: a frozen registry, its folder, or a compiled registry's file.

    Raises:
        InputError: the source does not exist, is no registry, or is a draft.
        IntegrityError: the source was edited after it was frozen, or is damaged.
    """
    return ExactLane(source).resolve
