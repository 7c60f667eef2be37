"""Text to vectors: the default ONNX encoder, a multilingual one, baselines, callables and services.

:func:`load_encoder` returns an :class:`Encoder` by name (``minilm``, ``e5``, ``hash-words``, ``hash-characters``,
``sentence-transformers:MODEL``, ``python:MODULE:NAME``, an ``http`` address); :func:`installed_encoders` says
which can be had here. :class:`EncoderIdentity` names all that can change a vector, with digests.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.encoders.adapters import CallableEncoder, SentenceTransformersEncoder
    from denotary.encoders.base import Encoder, EncoderIdentity
    from denotary.encoders.baselines import HashedEncoder
    from denotary.encoders.loading import installed_encoders, load_encoder
    from denotary.encoders.minilm import MiniLMEncoder
    from denotary.encoders.multilingual import E5Encoder
    from denotary.encoders.service import ServiceEncoder
    from denotary.encoders.wordpiece import WordPiece

_HOMES = {
    "CallableEncoder": "adapters",
    "E5Encoder": "multilingual",
    "Encoder": "base",
    "EncoderIdentity": "base",
    "HashedEncoder": "baselines",
    "MiniLMEncoder": "minilm",
    "SentenceTransformersEncoder": "adapters",
    "ServiceEncoder": "service",
    "WordPiece": "wordpiece",
    "installed_encoders": "loading",
    "load_encoder": "loading",
}

__all__ = [
    "CallableEncoder",
    "E5Encoder",
    "Encoder",
    "EncoderIdentity",
    "HashedEncoder",
    "MiniLMEncoder",
    "SentenceTransformersEncoder",
    "ServiceEncoder",
    "WordPiece",
    "installed_encoders",
    "load_encoder",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that importing the room costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
