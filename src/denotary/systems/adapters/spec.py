"""Adapted systems by a string: ``KIND:WHERE#name=value&name=value``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from denotary.errors import InputError
from denotary.importing import import_callable
from denotary.systems.adapters.options import Options

if TYPE_CHECKING:
    from denotary.systems.adapters.asked import AdaptedSystem
    from denotary.systems.adapters.inprocess import AdaptedFunction

KNOWN: Final = {
    "openrefine": ("limit", "type", "prefix", "scale", "pinned"),
    "reconcile1": ("limit", "type", "prefix", "scale", "pinned"),
    "fhir": ("url", "count", "prefix", "pinned"),
    "annif": ("project", "threshold", "limit", "code", "prefix", "pinned"),
    "rasa": ("fallback", "threshold", "prefix", "pinned"),
    "gilda": ("code", "prefix", "ties", "pinned"),
    "semantic-router": ("prefix", "pinned"),
    "classifier": ("threshold", "prefix", "pinned"),
    "template": (),
}
"""Kind to the options that it takes."""
BATCHED: Final = frozenset({"openrefine", "reconcile1", "annif", "gilda"})
"""Kinds that can send several texts in one request."""


def adapted(kind: str, rest: str, *, batch_size: int = 1) -> AdaptedSystem | AdaptedFunction:
    """Return the adapted system that a specification names.

    Args:
        kind: what stands before the first colon, one of ``KNOWN``.
        rest: what stands after it.
        batch_size: texts in one request.

    Raises:
        InputError: the specification cannot be used.
    """
    if batch_size != 1 and kind not in BATCHED:
        raise InputError(f"{kind} has no batch form")
    where, _, fragment = rest.partition("#")
    options = Options(fragment, kind, KNOWN[kind])
    if kind in {"openrefine", "reconcile1"}:
        return _reconciliation(kind, where, options, batch_size)
    if kind in {"fhir", "rasa", "annif"}:
        return _service(kind, where, options, batch_size)
    if kind == "template":
        from denotary.systems.adapters.template import template

        return template(where)
    return _object(kind, where, options, batch_size)


def _common(options: Options) -> dict[str, Any]:
    return {"prefix": options.text("prefix", ""), "pinned": options.text("pinned")}


def _reconciliation(kind: str, where: str, options: Options, batch_size: int) -> AdaptedSystem:
    from denotary.systems.adapters.reconciliation import reconciliation

    return reconciliation(
        where,
        version="0.2" if kind == "openrefine" else "1.0-draft",
        batch_size=batch_size,
        limit=options.count("limit", 10),
        type_id=options.text("type"),
        scale=options.number("scale"),
        **_common(options),
    )


def _service(kind: str, where: str, options: Options, batch_size: int) -> AdaptedSystem:
    from denotary.systems.adapters.annif import annif
    from denotary.systems.adapters.fhir import fhir
    from denotary.systems.adapters.rasa import rasa

    if kind == "fhir":
        found = options.text("url") or ""
        return fhir(where, value_set=found, count=options.count("count", 5), **_common(options))
    if kind == "rasa":
        fallback = (options.text("fallback", "nlu_fallback") or "").split(",")
        least = options.number("threshold", 0.0) or 0.0
        return rasa(where, fallback=fallback, threshold=least, **_common(options))
    field: Any = options.text("code", "uri")
    return annif(
        where,
        project=options.text("project") or "",
        threshold=options.needed("threshold", "without one every text gets a code"),
        limit=options.count("limit", 10),
        field=field,
        batch_size=batch_size,
        **_common(options),
    )


def _object(kind: str, where: str, options: Options, batch_size: int) -> AdaptedSystem | AdaptedFunction:
    from denotary.systems.adapters.gilda import gilda
    from denotary.systems.adapters.inprocess import classifier, semantic_router

    if kind == "gilda":
        is_url = where.startswith(("http://", "https://"))
        if batch_size != 1 and not is_url:
            raise InputError("gilda in this process has no batch form")
        target = where if is_url else import_callable(where) if where else None
        code: Any = options.text("code", "curie")
        ties: Any = options.text("ties", "first")
        return gilda(target, code=code, ties=ties, batch_size=batch_size, **_common(options))
    if kind == "semantic-router":
        return semantic_router(import_callable(where), **_common(options))
    threshold = options.needed("threshold", "without one every text gets a code")
    return classifier(import_callable(where), threshold=threshold, **_common(options))
