"""SKOS: concepts and their labels, read through rdflib (extra ``skos``)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from denotary.errors import InputError
from denotary.files import read_bytes
from denotary.registry.exchange.gathering import Defaults, Gathering

if TYPE_CHECKING:
    from pathlib import Path

    from denotary.registry.exchange.gathering import Gathered

CORE: Final = "http://www.w3.org/2004/02/skos/core#"
DEPRECATED: Final = "http://www.w3.org/2002/07/owl#deprecated"
FORMATS: Final = {".ttl": "turtle", ".nt": "nt", ".n3": "n3", ".rdf": "xml", ".xml": "xml", ".owl": "xml"}
"""Syntax by file name. JSON-LD is not among them: reading it can mean fetching a context from the network."""
_TYPE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_LABELS: Final = ("prefLabel", "altLabel", "hiddenLabel")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_STRUCTURE: Final = frozenset({f"{CORE}inScheme", f"{CORE}topConceptOf", _TYPE})
"""Properties that say where a concept is kept, and nothing of what it means."""


def read_skos(path: Path, defaults: Defaults, *, syntax: str | None = None) -> Gathered:
    """Read the concepts of a SKOS vocabulary.

    Every label, preferred, alternative or hidden, expresses its concept in the language of its tag. ``broader`` and
    ``narrower`` give parents, ``exactMatch`` what means the same elsewhere, ``owl:deprecated`` a retired concept.

    Args:
        path: the file.
        defaults: what the file does not say; ``prefix`` is cut from IRIs to make codes.
        syntax: a value of :data:`FORMATS`; by default as the file's name ends.

    Raises:
        InputError: rdflib is not installed, the syntax is not known, or the file does not follow it.
    """
    graph = _graph(path, syntax)
    _refuse_lone_surrogates(graph, path)
    gathering = Gathering(path.name, defaults)
    iris = _concepts(graph, gathering)
    for iri in sorted(iris):
        gathering.concept(gathering.code_of(iri), f"<{iri}>")
    codes = {iri: code for iri in iris if (code := gathering.code_of(iri)) in gathering.codes}
    for iri, code in sorted(codes.items()):
        for predicate, value in sorted(graph.predicate_objects(iris[iri]), key=_order):
            _property(gathering, code, str(predicate), value)
    return gathering.gathered()


def _graph(path: Path, syntax: str | None) -> Any:
    name = syntax or FORMATS.get(path.suffix.lower())
    if name not in FORMATS.values():
        known = ", ".join(dict.fromkeys(FORMATS.values()))
        raise InputError("the syntax is not known", path=path, hint=f"give --syntax, one of {known}")
    content = read_bytes(path)
    try:
        from rdflib import Graph
    except ImportError as error:
        raise InputError("SKOS is read through rdflib", hint="pip install 'denotary[skos]'") from error
    try:
        return Graph().parse(data=content, format=name)
    except Exception as error:  # every parser of rdflib has exceptions of its own
        message = f"no valid {name} ({type(error).__name__})"
        raise InputError(message, path=path, line=getattr(error, "lines", None)) from error


def _refuse_lone_surrogates(graph: Any, path: Path) -> None:
    r"""Refuse what an escape such as ``\uD800`` can put into a term: half a character, which no file can hold."""
    broken = [str(triple[0]) for triple in graph if any(_SURROGATE.search(str(term)) for term in triple)]
    if broken:
        named = sorted(iri for iri in broken if not _SURROGATE.search(iri))
        raise InputError(
            "a string holds a lone surrogate, which is no character",
            path=path,
            record=f"<{named[0]}>" if named else None,
            hint="write a character beyond U+FFFF as \\UXXXXXXXX, with eight digits",
        )


def _concepts(graph: Any, gathering: Gathering) -> dict[str, Any]:
    from rdflib import BNode, URIRef

    found = {}
    for subject in graph.subjects(URIRef(_TYPE), URIRef(f"{CORE}Concept")):
        if isinstance(subject, BNode):
            gathering.skip("concept", "it is a blank node, which has no lasting name")
        else:
            found[str(subject)] = subject
    return found


def _order(pair: tuple[Any, Any]) -> tuple[str, str, str]:
    predicate, value = pair
    return str(predicate), str(getattr(value, "language", None) or ""), str(value)


def _property(gathering: Gathering, code: str, predicate: str, value: Any) -> None:
    name = predicate.removeprefix(CORE)
    other = gathering.code_of(str(value))
    if name in _LABELS:
        gathering.express(code, str(value), getattr(value, "language", None) or "", name)
    elif name == "definition":
        gathering.define(code, str(value), getattr(value, "language", None) or "")
    elif name == "broader":
        gathering.parent(code, other)
    elif name == "narrower" and other in gathering.codes:
        gathering.parent(other, code)
    elif name == "exactMatch":
        gathering.same_as(code, str(value))
    elif predicate == DEPRECATED:
        if str(value).lower() in {"true", "1"}:
            gathering.say(code, "status", "retired")
    elif predicate not in _STRUCTURE:
        shown = f"skos:{name}" if name != predicate else predicate
        gathering.skip(f"property {shown}", "no part of a registry takes it")
