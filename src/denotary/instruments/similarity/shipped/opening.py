"""The shipped gates by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from denotary.errors import InputError, did_you_mean
from denotary.instruments.similarity.configurations import Vectors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.instruments.similarity.configurations import TextEncoder
    from denotary.instruments.similarity.shipped.component import Component

KNOWN: Mapping[str, tuple[str, str]] = {
    "langchain": ("langchain", "redundant_filter"),
    "llama-index": ("llama_index", "evaluator"),
    "gptcache": ("gptcache", "semantic_cache"),
    "semantic-router": ("semantic_router", "router"),
}
"""Module of this package and function in it, by name of the gate."""


def open_gate(name: str, encoder: TextEncoder) -> Component:
    """Return a gate of an installed library with an encoder plugged in through the library's own interface.

    Raises:
        InputError: no gate of that name, or its extra is not installed.
    """
    if name not in KNOWN:
        raise InputError(f"no shipped gate named {name!r}", hint=did_you_mean(name, KNOWN))
    module, function = KNOWN[name]
    vectors = Vectors(encoder, "", None)

    def embed(texts: Sequence[str]) -> list[list[float]]:
        rows: list[list[float]] = vectors(texts).tolist()
        return rows

    component: Component = getattr(import_module(f"{__package__}.{module}"), function)(embed)
    return component


def installed_gates() -> dict[str, str]:
    """Return the installed version of each gate's library by name of the gate; those that are absent are left out."""
    from denotary.instruments.similarity.shipped.component import version_of

    found = {}
    for name, (module, _) in KNOWN.items():
        chosen = import_module(f"{__package__}.{module}")
        try:
            found[name] = version_of(chosen.PACKAGE, chosen.EXTRA)
        except InputError:
            continue
    return found
