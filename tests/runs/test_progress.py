import io
from typing import Any

import pytest

from denotary.runs import terminal_progress
from denotary.runs.progress import Live, Progress


class Terminal(io.StringIO):
    def isatty(self) -> Any:
        return True


def shown(stream: Any, *steps: Any) -> Any:
    with terminal_progress(stream) as watcher:
        for step in steps:
            watcher.update(step)
        watcher.note("a torn [line]")
    return stream.getvalue()


def test_without_a_terminal_there_is_a_plain_line_each_tenth() -> None:
    steps = [Progress(1000, done, {"answered": done - 3, "timeout": 3}, 250.0) for done in range(5, 1001, 5)]
    text = shown(io.StringIO(), *steps)
    lines = text.splitlines()
    assert len(lines) == 12
    assert lines[0] == "5 of 1,000 calls, 3 timeout, 250 a second"
    assert lines[1] == "100 of 1,000 calls, 3 timeout, 250 a second"
    assert lines[-2] == "1,000 of 1,000 calls, 3 timeout, 250 a second"
    assert lines[-1] == "a torn [line]"
    assert "\x1b" not in text


def test_the_end_is_told_once() -> None:
    steps = [Progress(10, 10, {"answered": 10})] * 3
    assert shown(io.StringIO(), *steps).splitlines() == ["10 of 10 calls", "a torn [line]"]


def test_a_plan_of_nothing_is_done() -> None:
    assert shown(io.StringIO(), Progress(0, 0)).splitlines()[0] == "0 of 0 calls"


def test_on_a_terminal_there_is_a_bar() -> None:
    text = shown(
        Terminal(),
        Progress(1000, 10, {"answered": 10}),
        Progress(1000, 1000, {"answered": 998, "error": 2}, 31.0),
    )
    assert "1000/1000" in text
    assert "2 error, 31 a second" in text
    assert "a torn [line]" in text


def test_a_stream_decides_what_is_shown() -> None:
    assert isinstance(terminal_progress(Terminal()), Live)
    assert not isinstance(terminal_progress(io.StringIO()), Live)


@pytest.mark.parametrize(
    ("counts", "failed"), [({"answered": 10}, 0), ({"answered": 7, "error": 2, "timeout": 1}, 3), ({}, 10)]
)
def test_failed_calls_are_those_without_an_answer(counts: Any, failed: Any) -> None:
    assert Progress(20, 10, counts).failed == failed
