import functools
import json
import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from denotary import systems
from denotary.errors import InputError
from denotary.systems.base import CallFailure
from denotary.systems.coroutines import CoroutineSystem


def echo(payload: Any) -> Any:
    return {"decision": payload}


async def echo_later(payload: Any) -> Any:
    return {"decision": payload}


def test_the_callable_gets_the_payload_and_its_answer_becomes_json(call: Any, request_for: Any) -> None:
    raw = call(systems.python(echo), request_for("r1", text="a"))
    assert json.loads(raw) == {"decision": {"record_id": "r1", "text": "a"}}


@pytest.mark.parametrize("given", ['{"a": 1}', b'{"a": 1}', bytearray(b'{"a": 1}')])
def test_json_text_passes_as_it_is(call: Any, request_for: Any, given: Any) -> None:
    assert call(systems.python(lambda _: given), request_for("r1")) == b'{"a": 1}'


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_without_value_is_not_turned_into_null(call: Any, request_for: Any, number: Any) -> None:
    raw = call(systems.python(lambda _: {"confidence": number}), request_for("r1"))
    back = json.loads(raw)["confidence"]
    assert back == number or (math.isnan(back) and math.isnan(number))


def test_null_stays_null(call: Any, request_for: Any) -> None:
    assert json.loads(call(systems.python(lambda _: {"a": None, "b": 0.5}), request_for("r1"))) == {
        "a": None,
        "b": 0.5,
    }


def test_numeric_scalars_and_records_are_written_as_what_they_hold(call: Any, request_for: Any) -> None:
    import numpy as np

    @dataclass
    class Answer:
        code: str

    answer = {"confidence": np.float32(0.5), "count": np.int64(3), "record": Answer("x"), "none": None}
    raw = call(systems.python(lambda _: answer), request_for("r1"))
    assert json.loads(raw) == {"confidence": 0.5, "count": 3, "record": {"code": "x"}, "none": None}


def test_a_lone_surrogate_is_a_reply_and_no_crash(call: Any, request_for: Any) -> None:
    assert call(systems.python(lambda _: {"a": "\ud800"}), request_for("r1")) == b'{"a": "\\ud800"}'
    assert call(systems.python(lambda _: "\ud800"), request_for("r1")) == b"\xed\xa0\x80"


class Treacherous:
    def item(self) -> None:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    "result", [object(), {"a": object()}, (i for i in "ab"), Treacherous(), {1, 2}, lambda: 1]
)
def test_what_is_no_json_is_invalid_output(call: Any, request_for: Any, result: Any) -> None:
    outcome = call(systems.python(lambda _: result), request_for("r1"))
    assert outcome in [("invalid_output", "not_json"), b"[1,2]"]


def test_a_reply_that_refers_to_itself_is_invalid_output(call: Any, request_for: Any) -> None:
    loop: dict[str, object] = {}
    loop["self"] = loop
    assert call(systems.python(lambda _: loop), request_for("r1")) == ("invalid_output", "not_json")


def test_a_reply_over_the_limit_is_invalid_output(call: Any, request_for: Any) -> None:
    assert call(systems.python(lambda _: "x" * 11, limit=10), request_for("r1")) == (
        "invalid_output",
        "too_large",
    )
    assert call(systems.python(lambda _: "x" * 10, limit=10), request_for("r1")) == b"x" * 10
    assert call(systems.python(lambda _: "x" * 1_000_001), request_for("r1")) == (
        "invalid_output",
        "too_large",
    )


@pytest.mark.parametrize("error", [ValueError, SystemExit, KeyboardInterrupt, GeneratorExit, RecursionError])
def test_whatever_it_raises_is_an_error_without_its_message(call: Any, request_for: Any, error: Any) -> None:
    def fails(payload: Any) -> None:
        raise error("secret text")

    assert call(systems.python(fails), request_for("r1")) == ("error", f"raised_{error.__name__}")


def test_an_odd_exception_name_does_not_reach_the_log(call: Any, request_for: Any) -> None:
    odd = type("secret text", (Exception,), {})

    def fails(payload: Any) -> None:
        raise odd

    assert call(systems.python(fails), request_for("r1")) == ("error", "raised")


def test_a_callable_may_name_its_own_failure(call: Any, request_for: Any) -> None:
    def fails(payload: Any) -> None:
        raise CallFailure("quota")

    assert call(systems.python(fails), request_for("r1")) == ("error", "raised_CallFailure")


def test_descriptor_names_the_callable_and_no_address() -> None:
    assert systems.python(echo).descriptor.spec.endswith(":echo")
    assert "0x" not in systems.python(functools.partial(echo)).descriptor.spec
    assert systems.python("json:loads").descriptor.spec == "python:json:loads"


class Sync:
    def __call__(self, payload: Any) -> Any:
        return echo(payload)


class Later:
    async def __call__(self, payload: Any) -> Any:
        return echo(payload)

    async def method(self, payload: Any) -> Any:
        return echo(payload)


@pytest.mark.parametrize(
    ("target", "is_async"),
    [
        (echo, False),
        (Sync(), False),
        (functools.partial(echo), False),
        (print, False),
        (echo_later, True),
        (Later(), True),
        (Later().method, True),
        (functools.partial(echo_later), True),
    ],
)
def test_coroutine_functions_are_recognised(target: Any, is_async: Any) -> None:
    assert isinstance(systems.python(target), CoroutineSystem) is is_async


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("json", "MODULE:NAME"),
        (":loads", "MODULE:NAME"),
        ("json:", "MODULE:NAME"),
        ("no_such_module_x:f", "cannot be imported"),
        ("json:no_such", "has no no_such"),
        ("json:__name__", "expected a callable"),
        (3, "expected a callable"),
    ],
)
def test_a_target_that_is_none_is_refused(target: Any, said: Any) -> None:
    with pytest.raises(InputError, match=said):
        systems.python(target)


@pytest.mark.parametrize("body", ["raise ValueError('no')", "import sys; sys.exit(3)", "def ("])
def test_a_module_that_fails_at_import_is_refused(tmp_path: Any, monkeypatch: Any, body: Any) -> None:
    (tmp_path / "failing_module.py").write_text(body)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match="failing_module cannot be imported"):
        systems.python("failing_module:f")


def test_a_module_of_the_current_folder_is_found_and_names_may_be_dotted(
    tmp_path: Any, monkeypatch: Any, call: Any, request_for: Any
) -> None:
    (tmp_path / "own_module.py").write_text(
        "class A:\n    @staticmethod\n    def f(payload): return payload\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["/nowhere"])
    assert json.loads(call(systems.python("own_module:A.f"), request_for("r1"))) == {"record_id": "r1"}


def test_the_room_resolves_its_names_late() -> None:
    assert callable(systems.http)
    with pytest.raises(AttributeError, match="nonsense"):
        systems.nonsense  # noqa: B018


def test_an_unknown_object_with_items_is_no_crash(call: Any, request_for: Any) -> None:
    strange = SimpleNamespace(item=object)
    assert call(systems.python(lambda _: {"a": strange}), request_for("r1")) == ("invalid_output", "not_json")
