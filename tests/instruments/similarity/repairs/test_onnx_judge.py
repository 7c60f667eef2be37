"""A pair classifier of two numbers, written here byte by byte: its logits are a known sum of the ids."""

import struct
from pathlib import Path

import numpy as np
import pytest

from denotary.errors import InputError
from denotary.instruments.similarity.repairs.judges import Labels
from denotary.instruments.similarity.repairs.onnx_judge import onnx_judge

LENGTH = 4
LABELS = Labels(("agrees",), ("contradicts",))


def field(number: int, value: bytes | int) -> bytes:
    """One field of a protocol buffer: a number or bytes."""
    head, rest = (
        (number << 3, varint(value))
        if isinstance(value, int)
        else (number << 3 | 2, varint(len(value)) + value)
    )
    return varint(head) + rest


def varint(value: int) -> bytes:
    found = b""
    while value > 127:
        found += bytes([value & 127 | 128])
        value >>= 7
    return found + bytes([value])


def node(kind: str, inputs: list[str], output: str, attributes: bytes = b"") -> bytes:
    return (
        b"".join(field(1, name.encode()) for name in inputs)
        + field(2, output.encode())
        + field(4, kind.encode())
        + attributes
    )


def tensor_type(name: str, kind: int, shape: tuple[int, ...]) -> bytes:
    dims = b"".join(field(1, field(1, size)) for size in shape)
    return field(1, name.encode()) + field(2, field(1, field(1, kind) + field(2, dims)))


def tiny_model(weights: np.ndarray) -> bytes:
    """logits = float(input_ids) @ weights."""
    cast = node("Cast", ["input_ids"], "numbers", field(5, field(1, b"to") + field(3, 1) + field(20, 2)))
    product = node("MatMul", ["numbers", "weights"], "logits")
    raw = b"".join(struct.pack("<f", value) for value in weights.ravel())
    table = (
        b"".join(field(1, size) for size in weights.shape)
        + field(2, 1)
        + field(8, b"weights")
        + field(9, raw)
    )
    graph = (
        field(1, cast) + field(1, product) + field(2, b"tiny") + field(5, table)
        + field(11, tensor_type("input_ids", 7, (1, LENGTH))) + field(12, tensor_type("logits", 1, (1, 2)))
    )  # fmt: skip
    return field(1, 8) + field(7, graph) + field(8, field(1, b"") + field(2, 13))


def tokenise(first: str, second: str) -> tuple[list[int], list[int]]:
    ids = [len(first), len(second)]
    return ids, [0, 1]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    pytest.importorskip("onnxruntime")
    path = tmp_path / "tiny.onnx"
    path.write_bytes(tiny_model(np.array([[1.0, 0.0], [0.0, 1.0], [9.0, 9.0], [9.0, 9.0]])))
    return path


def test_logits_become_the_share_of_same(model: Path) -> None:
    judge = onnx_judge(model, tokenise, {"agrees": 0, "contradicts": 1}, LABELS, length=LENGTH, padded=True)
    said = judge.judge(["aaa", "a"], ["b", "bbb"])
    expected = 1.0 / (1.0 + np.exp(-2.0))
    assert said.scores.tolist() == pytest.approx([expected, 1.0 - expected])
    swapped = onnx_judge(model, tokenise, {"agrees": 1, "contradicts": 0}, LABELS, length=LENGTH, padded=True)
    assert swapped.judge(["aaa"], ["b"]).scores.tolist() == pytest.approx([1.0 - expected])
    assert judge.identity["model_sha256"] == swapped.identity["model_sha256"]
    assert judge.identity["indices"] != swapped.identity["indices"]


def test_a_shape_that_the_model_does_not_take_is_a_failure(model: Path) -> None:
    judge = onnx_judge(model, tokenise, {"agrees": 0, "contradicts": 1}, LABELS, length=LENGTH)
    assert judge.judge(["aaa"], ["b"]).failed.tolist() == [True]


def test_an_index_needs_a_meaning_and_a_model_must_load(model: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="says nothing of: neutral"):
        onnx_judge(model, tokenise, {"neutral": 0}, LABELS)
    other = tmp_path / "other.onnx"
    other.write_bytes(b"no model")
    with pytest.raises(InputError, match="no model"):
        onnx_judge(other, tokenise, {"agrees": 0}, LABELS)
