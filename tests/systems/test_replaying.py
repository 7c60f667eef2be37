import json
from typing import Any

import pytest

from denotary import systems
from denotary.errors import InputError
from denotary.systems.base import Request


@pytest.fixture
def file(tmp_path: Any) -> Any:
    def write(*lines: Any) -> Any:
        path = tmp_path / "answers.jsonl"
        path.write_bytes(
            b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
        )
        return path

    return write


def asked(call_id: Any) -> Any:
    return Request(call_id, {"record_id": call_id.rpartition("#")[0]})


def test_a_line_is_found_by_the_case_and_repeats_by_their_number(file: Any, call: Any) -> None:
    system = systems.replay(file({"record_id": "a"}, b"", {"record_id": "a#1", "n": 1}, {"record_id": "b#0"}))
    assert json.loads(call(system, asked("a#0"))) == {"record_id": "a"}
    assert json.loads(call(system, asked("a#1"))) == {"record_id": "a#1", "n": 1}
    assert json.loads(call(system, asked("b#0"))) == {"record_id": "b#0"}
    assert call(system, asked("b#1")) == ("error", "no_line")
    assert call(system, asked("c#0")) == ("error", "no_line")


def test_a_repeat_is_never_taken_for_the_case_whose_id_ends_like_one(file: Any, call: Any) -> None:
    system = systems.replay(
        file({"record_id": "a"}, {"record_id": "a#1", "n": 1}, {"record_id": "a#2#0", "n": 2})
    )
    assert json.loads(call(system, asked("a#1"))) == {"record_id": "a#1", "n": 1}
    # The first call of a case that is called a#1, to which no line belongs.
    assert call(system, asked("a#1#0")) == ("error", "no_line")
    assert json.loads(call(system, asked("a#2#0"))) == {"record_id": "a#2#0", "n": 2}
    assert call(system, asked("a#2")) == ("error", "no_line")


@pytest.mark.parametrize("second", ["a", "a#0"])
def test_two_lines_for_one_call_are_invalid_output(file: Any, call: Any, second: Any) -> None:
    system = systems.replay(file({"record_id": "a", "x": 1}, {"record_id": second, "x": 2}))
    assert call(system, asked("a#0")) == ("invalid_output", "duplicate_id")


def test_a_line_keeps_its_bytes_and_its_limit(file: Any, call: Any) -> None:
    path = file(b'{ "record_id": "a", "c": NaN }', {"record_id": "b", "pad": "x" * 50})
    system = systems.replay(path, limit=40)
    assert call(system, asked("a#0")) == b'{ "record_id": "a", "c": NaN }'
    assert call(system, asked("b#0")) == ("invalid_output", "too_large")


@pytest.mark.parametrize("line", [b"{", b"[]", b'{"id": "a"}', b"\xff", b'{"record_id": 5}'])
def test_a_line_of_nobody_is_refused_with_its_place(file: Any, line: Any) -> None:
    with pytest.raises(InputError, match=r"answers\.jsonl:2: expected a JSON object with a record_id"):
        systems.replay(file({"record_id": "a"}, line))


def test_an_absent_file_is_refused(tmp_path: Any) -> None:
    with pytest.raises(InputError, match="no such file"):
        systems.replay(tmp_path / "none.jsonl")


def test_the_descriptor_names_the_content_and_no_folder(file: Any, tmp_path: Any) -> None:
    first = systems.replay(file({"record_id": "a"})).descriptor.spec
    second = systems.replay(file({"record_id": "b"})).descriptor.spec
    assert first.startswith("replay:answers.jsonl sha256:")
    assert first != second
    assert str(tmp_path) not in first
