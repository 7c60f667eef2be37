"""A sealed run's answers are decoded when they are read, and are what they would be if they were all held."""

from typing import Any

import pytest

from denotary import runs, systems
from denotary.errors import InputError, IntegrityError
from denotary.files import read_jsonl
from denotary.runs import sealed_answers as module
from denotary.runs.records import Answer
from denotary.runs.sealed_answers import SealedAnswers, sealed_answers
from denotary.runs.sealing import encode_seal


@pytest.fixture
def made(suite: Any, truth: Any, tmp_path: Any) -> Any:
    return runs.ask(systems.python(truth), suite(30), tmp_path / "run", repeats=2, repeat_core=7)


def test_they_are_those_of_the_file(made: Any, suite: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "TOGETHER", 8)
    loaded = runs.load_run(made.root, suite=suite(30)).answers
    assert isinstance(loaded, SealedAnswers)
    whole = tuple(answer for _, answer in read_jsonl(made.root / "sealed.jsonl", Answer))
    assert tuple(loaded) == whole == made.answers
    assert loaded == whole
    assert whole == loaded
    assert (len(loaded), list(loaded.call_ids())) == (37, [answer.call_id for answer in whole])
    assert (loaded[0], loaded[36], loaded[-1]) == (whole[0], whole[36], whole[36])
    assert (loaded[3:9:2], loaded[35:], loaded[5:5]) == (whole[3:9:2], whole[35:], ())
    for index in (37, -38):
        with pytest.raises(IndexError):
            loaded[index]


def test_what_differs_is_not_equal(made: Any, suite: Any) -> None:
    loaded: Any = runs.load_run(made.root, suite=suite(30)).answers
    whole = list(loaded)
    assert loaded != whole[:-1]
    assert loaded != [*whole[:-1], whole[0]]
    assert loaded != "answers"
    assert loaded != 37
    with pytest.raises(TypeError, match="unhashable"):
        hash(loaded)


def resealed(root: Any, data: bytes) -> None:
    (root / "sealed.jsonl").write_bytes(data)
    (root / "seal.json").write_bytes(encode_seal(root))


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: [lines[1], lines[0], *lines[2:]],
        lambda lines: lines[:-1],
        lambda lines: [lines[0], b"\n", *lines[1:]],
        lambda lines: [*lines[:-1], lines[-1][:-1]],
    ],
)
def test_a_file_that_no_run_leaves_is_read_whole(made: Any, suite: Any, change: Any) -> None:
    lines = (made.root / "sealed.jsonl").read_bytes().splitlines(keepends=True)
    resealed(made.root, b"".join(change(lines)))
    assert sealed_answers(made.root) is None
    found = runs.load_run(made.root, suite=suite(30)).answers
    assert isinstance(found, tuple)
    assert {answer.call_id for answer in found} == {answer.call_id for answer in made.answers}


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        (lambda text: text + text, IntegrityError, "a second answer to this call"),
        (lambda text: text.replace(b'"call_id"', b'"call"', 1), InputError, r"sealed\.jsonl:1: "),
        (lambda text: text.replace(b"{", b"[", 1), InputError, r"sealed\.jsonl:1: "),
        (lambda text: text.replace(b'"repeat":0', b'"repeat":"x"', 1), InputError, r"sealed\.jsonl:1: not a valid"),
        (lambda text: text.replace(b'"status"', b'"\xff"', 1), InputError, r"sealed\.jsonl:1: "),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_named_with_its_line(
    made: Any, suite: Any, change: Any, error: Any, said: Any
) -> None:
    resealed(made.root, change((made.root / "sealed.jsonl").read_bytes()))
    with pytest.raises(error, match=said):
        list(runs.load_run(made.root, suite=suite(30)).answers)
