"""Systems by a string, as the command line and policies of continuous integration name them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from denotary.errors import InputError
from denotary.systems.adapters.spec import KNOWN, adapted
from denotary.systems.base import SystemDescriptor
from denotary.systems.callables import FunctionSystem, python
from denotary.systems.endpoint import http
from denotary.systems.process import command
from denotary.systems.replaying import replay

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denotary.registry import Registry
    from denotary.systems.base import BlockingSystem, System

FORMS = (
    "python:MODULE:NAME, http://… or https://…, command:PROGRAM ARGUMENTS, replay:FILE, exact, "
    "semantic:FOLDER, encoder:NAME#gate=score>=0.8, openrefine:URL, "
    "reconcile1:URL, fhir:URL#url=VALUESET, annif:URL#project=ID&threshold=N, rasa:URL, gilda:, gilda:URL, "
    "gilda:MODULE:NAME, semantic-router:MODULE:NAME, classifier:MODULE:NAME#threshold=N, template:FILE"
)


def from_spec(
    spec: str, *, registry: Registry | Path | None = None, batch_size: int = 1
) -> System | BlockingSystem:
    """Return the system that a string names.

    Args:
        spec: ``python:MODULE:NAME``, an ``http`` or ``https`` URL, ``command:PROGRAM ARGUMENTS``,
            ``replay:FILE``, ``exact``, ``semantic:FOLDER`` of a fitted lane,
            ``encoder:NAME#gate=RULE`` for pairs of texts, or one of an adapter (:mod:`denotary.systems.adapters.spec`).
        registry: what ``exact`` answers from.
        batch_size: requests in one ``POST``; for services only.

    Raises:
        InputError: the string has none of these forms, or what it names cannot be had.
    """
    kind, _, rest = spec.partition(":")
    if kind in KNOWN:
        return adapted(kind, rest, batch_size=batch_size)
    if batch_size != 1 and kind not in {"http", "https"}:
        raise InputError(f"a batch size needs an http system, found {kind}")
    if kind in {"http", "https"}:
        return http(spec, batch_size=batch_size)
    if kind == "python":
        return python(rest)
    if kind in {"semantic", "encoder"} and rest:
        return encoder(rest) if kind == "encoder" else semantic(Path(rest), registry)
    if kind in {"command", "replay"}:
        return command(rest) if kind == "command" else replay(rest)
    if spec == "exact" and registry is not None:
        return exact(registry)
    if spec == "exact":
        raise InputError("the exact lane needs a registry to answer from")
    raise InputError(f"no system of the form {kind!r}", hint=f"expected {FORMS}")


def exact(registry: Registry | Path) -> BlockingSystem:
    """Return the exact lane of the reference resolver over a registry, or over the path of a compiled one."""
    # The resolver stands above this room, so it is found by name, as any other system is.
    lane = import_module("denotary.resolver").ExactLane(registry)
    return LaneSystem(lane, SystemDescriptor(kind="exact", spec="exact"))


def semantic(folder: Path, registry: Registry | Path | None = None) -> BlockingSystem:
    """Return the semantic lane in a folder; it is refused for a registry that it was not fitted for."""
    loaded = None if isinstance(registry, Path) else registry
    lane = import_module("denotary.resolver.semantic").SemanticLane(folder, registry=loaded)
    return LaneSystem(lane, SystemDescriptor(kind="semantic", spec="semantic"))


class LaneSystem(FunctionSystem):
    """A lane of the reference resolver, which states its parts for the run's identity.

    Args:
        lane: an exact or a semantic lane.
        descriptor: what the run's identity says of it.
    """

    def __init__(self, lane: Any, descriptor: SystemDescriptor) -> None:
        super().__init__(lane.resolve, descriptor)
        self.components: Mapping[str, str | tuple[str, ...]] = lane.components


def encoder(spec: str) -> BlockingSystem:
    """Return an encoder with a cutoff, which scores pairs of texts and acts on them."""
    made: BlockingSystem = import_module("denotary.instruments.similarity.system").encoder_system(spec)
    return made
