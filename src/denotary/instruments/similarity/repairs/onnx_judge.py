"""A pair classifier as an ONNX file, its labels given by their indices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from denotary.encoders.base import missing
from denotary.errors import InputError
from denotary.files import file_digest
from denotary.importing import source_digests
from denotary.instruments.similarity.repairs.judges import AskedJudge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from denotary.instruments.similarity.repairs.judges import Labels


class Session(Protocol):
    """What is used of an onnxruntime session."""

    def get_inputs(self) -> list[Any]:
        """Return the inputs, each with a name."""

    def run(self, outputs: list[str] | None, inputs: Mapping[str, Any]) -> list[Any]:
        """Return the outputs; the first one holds logits of shape (1, labels)."""


def onnx_judge(
    model: Path,
    tokenizer: Path | Callable[[str, str], tuple[list[int], list[int]]],
    indices: Mapping[str, int],
    labels: Labels,
    *,
    length: int = 256,
    padded: bool = False,
    both: bool = False,
) -> AskedJudge:
    """Return the judge; pairs are scored one at a time, since int8 models let a batch change its members' scores.

    Args:
        model: with inputs ``input_ids`` and, if it has them, ``attention_mask`` and ``token_type_ids``.
        tokenizer: ``tokenizer.json`` for the library tokenizers, or a function from two texts to ids and types.
        indices: the place of each label among the logits.
        labels: what the labels mean.
        length: tokens at which a pair is cut.
        padded: whether every pair is filled up to that length.
        both: whether each pair is asked in both orders.

    Raises:
        InputError: onnxruntime or tokenizers is not installed, a file is not what it should be, or an index has no
            label.
    """
    unknown = sorted(label for label in indices if labels.score(label) is None)
    if unknown or not indices:
        raise InputError(f"the label map says nothing of: {', '.join(unknown) or 'any index'}")
    session = _session(model)
    inputs = {item.name for item in session.get_inputs()}
    tokenise = tokenizer if callable(tokenizer) else _tokenizer(tokenizer, length)

    def ask(first: str, second: str) -> dict[str, float]:
        ids, types = (part[:length] for part in tokenise(first, second))
        fill = length - len(ids) if padded else 0
        given = {
            "input_ids": ids + [0] * fill,
            "attention_mask": [1] * len(ids) + [0] * fill,
            "token_type_ids": types + [0] * fill,
        }
        fed = {name: np.array([values], dtype=np.int64) for name, values in given.items() if name in inputs}
        logits = np.asarray(session.run(None, fed)[0], dtype=np.float64)[0]
        weights = np.exp(logits - logits.max())
        return {label: float(weights[index]) for label, index in indices.items()}

    about = {
        "kind": "onnx",
        "model_sha256": file_digest(model),
        "indices": str(sorted(indices.items())),
        "tokenizer": _named(tokenizer) if callable(tokenizer) else f"sha256:{file_digest(tokenizer)}",
        "length": str(length),
        "padded": str(padded),
    }
    return AskedJudge(model.stem, ask, labels, about, both)


def _named(tokenise: Callable[[str, str], tuple[list[int], list[int]]]) -> str:
    files = [f"{name} sha256:{found}" for name, found in source_digests(tokenise).items()]
    return " ".join(["function", getattr(tokenise, "__qualname__", type(tokenise).__qualname__), *files])


def _session(model: Path) -> Session:
    try:
        import onnxruntime
    except ImportError as error:
        raise missing("onnxruntime", "judges") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    try:
        session: Session = onnxruntime.InferenceSession(
            str(model), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:
        raise InputError("is no model that onnxruntime can load", path=model) from error
    return session


def _tokenizer(path: Path, length: int) -> Callable[[str, str], tuple[list[int], list[int]]]:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise missing("tokenizers", "judges") from error
    try:
        loaded = Tokenizer.from_file(str(path))
    except Exception as error:
        # The library raises its bare Exception, whatever is wrong.
        raise InputError("is no tokenizer.json that the package tokenizers reads", path=path) from error
    loaded.enable_truncation(length)
    loaded.no_padding()

    def tokenise(first: str, second: str) -> tuple[list[int], list[int]]:
        found = loaded.encode(first, second)
        return list(found.ids), list(found.type_ids)

    return tokenise
