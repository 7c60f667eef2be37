"""Encoders of the user's own: any callable, and models of sentence-transformers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from denotary.encoders.base import EncoderIdentity, checked_vectors, missing, unit_rows
from denotary.errors import InputError
from denotary.importing import called

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from denotary.encoders.base import Vectors


class CallableEncoder:
    """A function from a list of texts to rows of numbers. Rows are brought to unit length here, unless they are raw."""

    def __init__(
        self,
        function: Callable[[list[str]], Any],
        *,
        name: str,
        files: dict[str, str] | None = None,
        raw: bool = False,
    ) -> None:
        """Ask the function for one vector, to learn its dimension.

        Args:
            function: gets a list of texts, returns an array-like of shape (n, d).
            name: what the identity calls it.
            files: SHA-256 of the files that its vectors depend on; undeclared if None.
            raw: leave the rows as they are, as dot products and Euclidean distances need them.

        Raises:
            InputError: it raises, or what it returns is no such array.
        """
        self._function = function
        self._name = name
        dimension = checked_vectors(self._asked(["dimension"]), 1, None, name).shape[1]
        if not dimension:
            raise InputError(f"encoder {name} returned vectors without a component")
        self.identity = EncoderIdentity(
            name=name, kind="callable", dimension=dimension, normalised=not raw, files=files or {}
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return vectors, shape (n, d).

        Raises:
            InputError: the function raises, or what it returns is no such array.
        """
        found = self._asked(list(texts)) if texts else []
        rows = checked_vectors(found, len(texts), self.identity.dimension, self._name)
        return unit_rows(rows) if self.identity.normalised else rows

    def truncated(self, texts: Sequence[str]) -> int:
        """Return 0: whether the function cuts texts cannot be known, which ``window`` None says."""
        del texts
        return 0

    def _asked(self, texts: list[str]) -> Any:
        return called(f"encoder {self._name}", self._function, texts)


class SentenceTransformersEncoder:
    """A model that the library sentence-transformers loads. Batch and single vectors differ in the last bits."""

    def __init__(self, model: str, *, loaded: Any = None, raw: bool = False) -> None:
        """Load a model by name or folder.

        Args:
            model: what the library's own loader takes.
            loaded: a model that is loaded already.
            raw: leave the vectors as the model gives them: of unit length only if it has a layer for that.

        Raises:
            InputError: the library is not installed.
        """
        self._model = _load(model) if loaded is None else loaded
        self._tokenizer = self._model.tokenizer
        self.identity = EncoderIdentity(
            name=model,
            kind="sentence-transformers",
            dimension=int(self._model.get_sentence_embedding_dimension()),
            window=int(self._model.max_seq_length),
            normalised=not raw,
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return vectors, shape (n, d)."""
        unit = self.identity.normalised
        found = self._model.encode(list(texts), normalize_embeddings=unit) if texts else []
        return checked_vectors(found, len(texts), self.identity.dimension, self.identity.name)

    def truncated(self, texts: Sequence[str]) -> int:
        """Return how many texts have more tokens than the model's window."""
        window = self.identity.window or 0
        return sum(len(self._tokenizer.encode(text)) > window for text in texts)


def _load(model: str) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise missing("sentence-transformers", "sentence-transformers") from error
    return SentenceTransformer(model)
