"""Texts in bulk: the answers are those of single requests, lines are named, memory stays."""

import io
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

import pytest

from denotary.errors import InputError
from denotary.resolver import ExactLane
from denotary.resolver.batch import answer_all, read_requests

TEXTS = Path("texts")


@pytest.fixture(scope="module")
def lane() -> ExactLane:
    return ExactLane("bundled:bootstrap")


def read(data: str | bytes, form: Any, language: str | None = None) -> list[tuple[int, dict[str, Any]]]:
    raw = data if isinstance(data, bytes) else data.encode()
    return list(read_requests(io.BytesIO(raw), form, TEXTS, language))


def test_both_forms_give_the_same_requests() -> None:
    lines = '{"text": "a, b", "language": "en", "record_id": "1"}\n\n{"text": "ä"}\n'
    table = 'text,language,record_id\r\n"a, b",en,1\r\nä,,\r\n'
    expected = [{"text": "a, b", "language": "en", "record_id": "1"}, {"text": "ä", "language": "de"}]
    for found in (read(lines, "jsonl", "de"), read(table, "csv", "de")):
        assert [request for _, request in found] == expected
    assert [number for number, _ in read(lines, "jsonl")] == [1, 3]


@pytest.mark.parametrize(
    ("data", "form", "line"),
    [
        ('{"text": "a"}\nsecret', "jsonl", 2),
        ("[1]", "jsonl", 1),
        (b'{"text": "\xff"}', "jsonl", 1),
        ("word\nsecret", "csv", 1),
        ("text,text\na,b", "csv", 1),
        ("\ufefftext\na", "csv", 1),
        ("text,language\nsecret", "csv", 2),
        ("text\na\nsecret,b", "csv", 3),
        ('text\n"secret', "csv", 2),
        (b"text\n\xff", "csv", None),
        ("", "csv", 1),
    ],
)
def test_a_line_that_cannot_be_read_is_named_and_never_quoted(data: Any, form: Any, line: int | None) -> None:
    with pytest.raises(InputError) as caught:
        read(data, form)
    assert caught.value.line == line
    assert "secret" not in str(caught.value)


def test_answers_are_those_of_single_requests_and_a_bad_request_has_its_line(lane: ExactLane) -> None:
    requests = [
        {"text": "machine-readable representation", "language": "en"},
        {"text": "nothing"},
        {"text": "\x00"},
    ]
    numbered = list(enumerate(requests * 700, start=1))
    assert list(answer_all(lane, numbered, TEXTS)) == [lane.resolve(request) for request in requests] * 700
    with pytest.raises(InputError) as caught:
        list(answer_all(lane, [*numbered, (9000, {"text": "secret", "language": "x_y"})], TEXTS))
    assert caught.value.line == 9000
    assert "secret" not in str(caught.value)


class Endless(io.RawIOBase):
    """A file of many lines that is nowhere."""

    def __init__(self, lines: int) -> None:
        self.left = lines

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(self.left):
            yield b'{"text": "something that nobody registered", "language": "en"}\n'


def peak(lane: ExactLane, lines: int) -> int:
    tracemalloc.start()
    source = cast("IO[bytes]", Endless(lines))
    count = sum(1 for _ in answer_all(lane, read_requests(source, "jsonl", TEXTS), TEXTS))
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == lines
    return found


def test_memory_does_not_grow_with_the_file(lane: ExactLane) -> None:
    peak(lane, 1000)
    assert peak(lane, 6000) < 1.2 * peak(lane, 2000)
