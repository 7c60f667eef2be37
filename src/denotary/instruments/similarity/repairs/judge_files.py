"""A judge as a file, ``judge.toml``: which kind it is, where it is asked, and what its labels mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from denotary.errors import InputError
from denotary.files import read_toml
from denotary.instruments.similarity.repairs.judges import TIMEOUT, AskedJudge, Labels
from denotary.records import Record

if TYPE_CHECKING:
    from pathlib import Path


class JudgeFile(Record, frozen=True):
    """``judge.toml``.

    Attributes:
        kind: ``python``, ``http``, ``chat`` or ``onnx``.
        target: ``MODULE:NAME``, an address, or the file of a model, beside this file unless absolute.
        same: labels that say that both texts mean the same; ``opposite`` and ``undecided`` alike.
        model: what a chat request names.
        tokenizer: ``tokenizer.json`` of an ONNX model.
        indices: place of each label among an ONNX model's logits.
        length: tokens at which an ONNX model's pair is cut.
        padded: whether its pairs are filled up to that length.
        both: whether each pair is asked in both orders and the less sure answer counts.
        timeout: seconds an answer over HTTP may take.
    """

    schema: Literal["denotary.similarity-judge/1"]
    kind: Literal["python", "http", "chat", "onnx"]
    target: str
    same: tuple[str, ...]
    opposite: tuple[str, ...]
    undecided: tuple[str, ...] = ()
    model: str = ""
    tokenizer: str = ""
    indices: dict[str, int] = msgspec.field(default_factory=dict)
    length: Annotated[int, msgspec.Meta(ge=1)] = 256
    padded: bool = False
    both: bool = False
    timeout: Annotated[float, msgspec.Meta(gt=0)] = TIMEOUT


def read_judge(path: Path) -> AskedJudge:
    """Return the judge of a file.

    Raises:
        InputError: the file is malformed, or what it names is not there.
    """
    given = read_toml(path, JudgeFile)
    labels = Labels(given.same, given.opposite, given.undecided)
    if given.kind == "http":
        from denotary.instruments.similarity.repairs.remote_judges import http_judge

        return http_judge(given.target, labels, both=given.both, timeout=given.timeout)
    if given.kind == "chat":
        from denotary.instruments.similarity.repairs.remote_judges import chat_judge

        return chat_judge(given.target, given.model, labels, both=given.both, timeout=given.timeout)
    if given.kind == "onnx":
        if not given.tokenizer:
            raise InputError(
                "an onnx judge needs its tokenizer", path=path, hint='tokenizer = "tokenizer.json"'
            )
        from denotary.instruments.similarity.repairs.onnx_judge import onnx_judge

        return onnx_judge(
            path.parent / given.target,
            path.parent / given.tokenizer,
            given.indices,
            labels,
            length=given.length,
            padded=given.padded,
            both=given.both,
        )
    return _own(given.target, labels, both=given.both)


def _own(target: str, labels: Labels, *, both: bool) -> AskedJudge:
    from denotary.importing import distribution, import_callable, source_digests

    function = import_callable(target)
    if not callable(function):
        raise InputError(f"python:{target} is not callable")
    module = target.partition(":")[0]
    files = {f"sha256 of {name}": found for name, found in source_digests(function, module).items()}
    about = {"kind": "python", "distribution": distribution(module) or "none", **files}
    return AskedJudge(target, function, labels, about, both)
