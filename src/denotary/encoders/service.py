"""An embeddings service with the request of the OpenAI interface: ``POST`` {model, input} -> data[].embedding."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from denotary.canonical import lenient_json
from denotary.encoders.base import EncoderIdentity, checked_vectors, unit_rows
from denotary.errors import InputError, UnreachableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.encoders.base import Vectors

BATCH: Final = 128
"""Texts in one request."""
TIMEOUT: Final = 60.0
"""Seconds that one request may take."""
KEY_VARIABLE: Final = "DENOTARY_EMBEDDINGS_KEY"
"""Environment variable with the bearer token, if the service wants one; it never stands in an identity."""


class ServiceEncoder:
    """Vectors from a service; which weights stand behind it nobody here can check, and the identity says so."""

    def __init__(self, url: str, model: str, *, window: int | None = None, raw: bool = False) -> None:
        """Ask the service for one vector, to learn its dimension.

        Args:
            url: address of the embeddings endpoint.
            model: what the request names.
            window: the model's window in tokens, if known.
            raw: leave the vectors as the service sends them.

        Raises:
            InputError: the address is none, or the reply is no list of vectors.
            UnreachableError: nothing answers.
        """
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or not model:
            raise InputError("an embeddings service needs an http address and a model: URL#MODEL")
        self._url, self._model = url, model
        dimension = self._ask(["dimension"]).shape[1]
        address = f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}{parts.path}"
        self.identity = EncoderIdentity(
            name=model,
            kind="service",
            dimension=dimension,
            window=window,
            normalised=not raw,
            parameters={"address": address},
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return vectors, shape (n, d)."""
        import numpy as np

        parts = [self._ask(list(texts[at : at + BATCH])) for at in range(0, len(texts), BATCH)]
        found: Any = np.concatenate(parts) if parts else []
        rows = checked_vectors(found, len(texts), self.identity.dimension, self._model)
        return unit_rows(rows) if self.identity.normalised else rows

    def truncated(self, texts: Sequence[str]) -> int:
        """Return 0: the service does not say."""
        del texts
        return 0

    def _ask(self, texts: list[str]) -> Vectors:
        import httpx

        key = os.environ.get(KEY_VARIABLE)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        body = {"model": self._model, "input": texts, "encoding_format": "float"}
        try:
            reply = httpx.post(self._url, json=body, headers=headers, timeout=TIMEOUT)
        except httpx.HTTPError as error:
            raise UnreachableError(
                f"the embeddings service does not answer ({type(error).__name__})"
            ) from error
        if reply.status_code != httpx.codes.OK:
            raise InputError(f"the embeddings service answered {reply.status_code}")
        return checked_vectors(_rows(reply, len(texts)), len(texts), None, self._model)


def _rows(reply: Any, count: int) -> list[Any]:
    """Return the vectors of a reply in the order of the texts, which its ``index`` says.

    Raises:
        InputError: it is no such reply.
    """
    try:
        items = {item["index"]: item["embedding"] for item in lenient_json(reply.content)["data"]}
        return [items[at] for at in range(count)]
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(
            "the embeddings service sent no data[] with index and embedding for every text"
        ) from error
