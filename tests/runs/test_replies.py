import json
import math
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.runs.planning import Wire, plan
from denotary.runs.records import Answer
from denotary.runs.replies import Arrival, Reader, not_run, parse
from denotary.suites.instrument import AnswerError


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"", "not_json"),
        (b"  \n", "not_json"),
        (b'{"a": ', "truncated"),
        (b'{"a": "b', "truncated"),
        (b"[1, 2", "truncated"),
        (b"<!doctype html>", "html"),
        (b"  <html", "html"),
        (b"nonsense", "not_json"),
        (b'{"a": 1}}', "not_json"),
        (b'{"a": "\x01"}', "not_json"),
        (b"\xff\xfe{}", "not_json"),
        (b'{"a": 1}\n{"a": 2}', "not_json"),
        (b"[" * 100_000, "not_json"),
        (b"1" * 10_000, "not_json"),
        ('{"a": 1}'.encode("utf-16"), "not_json"),
        ('{"a": 1}'.encode("utf-16-le"), "not_json"),
        ('{"a": 1}'.encode("utf-16-be"), "not_json"),
        ('{"a": 1}'.encode("utf-32"), "not_json"),
        (b'{"a": "\xed\xa0\x80"}', "not_json"),
    ],
)
def test_what_is_no_json_is_named(raw: Any, problem: Any) -> None:
    with pytest.raises(AnswerError) as caught:
        parse(raw)
    assert caught.value.problem == problem


def test_a_mark_before_utf_8_is_passed_over() -> None:
    assert parse(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


def test_numbers_that_json_does_not_have_are_let_through() -> None:
    assert math.isnan(parse(b'{"c": NaN}')["c"])
    assert parse(b'{"c": -Infinity}')["c"] == -math.inf
    assert parse(b'{"c": "\\ud800"}')["c"] == "\ud800"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
        max_leaves=8,
    )
)
def test_json_is_read_as_the_standard_library_reads_it(value: Any) -> None:
    try:
        raw = json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raw = json.dumps(value).encode()
    assert parse(raw) == json.loads(raw)


@pytest.fixture
def read(suite: Any) -> Any:
    """Decode one raw reply to the first call of a suite."""

    def decode(raw: Any, *, instrument: Any = None, **arrival: Any) -> Any:
        (call,) = plan(suite(1))
        wire = Wire(b"k" * 16)
        raw = raw.replace(b"ID", wire.record_id(call).encode()) if raw is not None else None
        answer, line = Reader(instrument or suite(1).instrument, wire).answer(
            call, Arrival(call.call_id, raw, **arrival)
        )
        assert json.loads(line)["call_id"] == call.call_id
        assert line.endswith(b"\n")
        return answer

    return decode


GOOD = b'{"decision": {"concept_code": "x", "confidence": 0.5}}'


def test_an_answer_is_what_the_instrument_makes_of_the_reply(read: Any) -> None:
    assert read(GOOD) == Answer(
        call_id="case-00000#0",
        case_id="case-00000",
        repeat=0,
        status="answered",
        body={"code": "x", "confidence": 0.5},
    )


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (b'"ID"', None),
        (b"null", None),
        (b'"other"', "wrong_id"),
        (b"7", "wrong_id"),
        (b'"case-00000"', "wrong_id"),
    ],
)
def test_the_record_id_must_be_the_one_that_was_sent(read: Any, name: Any, problem: Any) -> None:
    assert read(b'{"record_id": ' + name + b', "decision": {"concept_code": "x"}}').problem == problem


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"[]", "not_an_object"),
        (b"null", "not_an_object"),
        (b"{}", "no_decision"),
        (b'{"decision": {"concept_code": "x", "confidence": NaN}}', "confidence_not_finite"),
        (b'{"decision": {}}', "undecodable"),
        (b'{"decision": {"concept_code": "\\ud800"}}', "not_json"),
        (b"<html>", "html"),
        (b"  <!DOCTYPE html>", "html"),
        (b"", "not_json"),
        (b"  ", "not_json"),
        (b"ok", "not_json"),
        (b"\xff\xfe", "not_json"),
        (b'{"decision" {}}', "not_json"),
        (b'{"decision": ' + b"[" * 50_000, "not_json"),
        (b"[1, 2", "truncated"),
        (b'{"decision": {"concept_code": "x"', "truncated"),
        (b'{"decision": {"concept_code": "CONC', "truncated"),
    ],
)
def test_whatever_came_there_is_an_answer(read: Any, raw: Any, problem: Any) -> None:
    answer = read(raw)
    assert (answer.status, answer.problem, answer.body) == ("invalid_output", problem, None)


def test_a_number_without_value_that_the_instrument_lets_through_is_not_written_as_missing(read: Any) -> None:
    careless = SimpleNamespace(decode=lambda raw: raw)
    answer = read(b'{"c": NaN}', instrument=careless)
    assert (answer.status, answer.problem) == ("invalid_output", "not_json")


def test_a_failure_keeps_its_status_and_problem(read: Any) -> None:
    answer = read(None, status="timeout", problem="timeout")
    assert (answer.status, answer.problem, answer.body) == ("timeout", "timeout", None)


def test_a_call_that_was_not_asked_says_so(suite: Any) -> None:
    (call,) = plan(suite(1))
    assert (not_run(call).status, not_run(call).case_id) == ("not_run", "case-00000")


@given(st.binary(max_size=100))
def test_any_bytes_become_an_answer(raw: Any) -> None:
    instrument = SimpleNamespace(decode=lambda reply: {"kind": type(reply).__name__})
    call = SimpleNamespace(call_id="a#0", case_id="a", repeat=0)
    answer, _ = Reader(instrument, Wire(b"k" * 16)).answer(call, Arrival("a#0", raw))  # type: ignore[arg-type]
    assert answer.status in {"answered", "invalid_output"}
