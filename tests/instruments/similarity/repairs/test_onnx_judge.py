"""A pair classifier of two numbers, written here byte by byte: its logits are a known sum of the ids."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from denotary.canonical import canonical_json
from denotary.errors import InputError
from denotary.instruments.similarity.repairs.judge_files import read_judge
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


def test_the_identity_names_all_that_the_logits_hang_on(model: Path, tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    vocabulary = {"[UNK]": 0, "open": 1}
    for name, words in (("one.json", vocabulary), ("two.json", {**vocabulary, "shut": 2})):
        (tmp_path / name).write_text(
            json.dumps({"model": {"type": "WordLevel", "vocab": words, "unk_token": "[UNK]"}})
        )
    made = [
        onnx_judge(
            model, tmp_path / name, {"agrees": 0, "contradicts": 1}, LABELS, length=length, padded=padded
        )
        for name, length, padded in (
            ("one.json", 4, True),
            ("two.json", 4, True),
            ("one.json", 3, True),
            ("one.json", 4, False),
        )
    ]
    assert len({canonical_json(dict(judge.identity)) for judge in made}) == 4
    assert made[0].judge(["open"], ["open"]).scores.tolist() == [0.5]


def test_a_tokenizer_that_is_absent_or_none_is_an_error(model: Path, tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    (tmp_path / "bad.json").write_text("no tokenizer")
    for name in ("bad.json", "absent.json"):
        with pytest.raises(InputError) as caught:
            onnx_judge(model, tmp_path / name, {"agrees": 0, "contradicts": 1}, LABELS)
        assert caught.value.path == str(tmp_path / name)
    file = tmp_path / "judge.toml"
    file.write_text(
        'schema = "denotary.similarity-judge/1"\nkind = "onnx"\ntarget = "tiny.onnx"\nsame = ["agrees"]\n'
        'opposite = ["contradicts"]\n[indices]\nagrees = 0\ncontradicts = 1\n'
    )
    with pytest.raises(InputError, match="needs its tokenizer"):
        read_judge(file)


def test_an_index_needs_a_meaning_and_a_model_must_load(model: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="says nothing of: neutral"):
        onnx_judge(model, tokenise, {"neutral": 0}, LABELS)
    other = tmp_path / "other.onnx"
    other.write_bytes(b"no model")
    with pytest.raises(InputError, match="no model"):
        onnx_judge(other, tokenise, {"agrees": 0}, LABELS)
