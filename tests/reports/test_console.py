"""The summary on a terminal, in a log, and in a terminal of little space and few characters."""

import io
import re
from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest

from denotary import words
from denotary.reports import Report, terminal
from denotary.reports.operating import operating


class Stream(io.StringIO):
    """A text stream that says of itself whether it is a terminal and how it encodes."""

    def __init__(self, *, tty: bool = False, encoding: str = "utf-8") -> None:
        super().__init__()
        self._tty, self._encoding = tty, encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._tty


def printed(report: Report, *, tty: bool = False, encoding: str = "utf-8") -> str:
    stream = Stream(tty=tty, encoding=encoding)
    terminal(report, stream)
    return stream.getvalue()


@pytest.fixture(scope="module")
def small(make: Callable[..., Report]) -> Report:
    return make(400)


def test_a_log_gets_plain_lines_decision_first(small: Report) -> None:
    text = printed(small)
    lines = text.splitlines()
    assert lines[0].split(None, 1) == ["BLOCK", f"Block the release. {words.why(small.verdict)}"]
    assert lines[1].startswith("Qualification only ")
    assert operating(small) in lines
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in lines)


def test_every_open_gate_is_named_once(small: Report) -> None:
    text = printed(small)
    for verdict in ("FAIL", "INSUFFICIENT"):
        slices: dict[str, list[str]] = {}
        for gate in small.verdict.gates:
            if gate.verdict == verdict:
                slices.setdefault(gate.title, []).append(gate.slice)
        # A single slice that is open without the whole is named: the sentence after it is of that slice alone.
        titles = [
            title if len(open_) > 1 or open_ == ["all"] else f"{title} ({words.slice_name(open_[0])})"
            for title, open_ in slices.items()
        ]
        found = re.findall(rf"^{verdict} +(.*?)\. ", text, re.MULTILINE)
        assert sorted(found) == sorted(titles)


def test_outcomes_that_occur_are_counted(small: Report) -> None:
    line = next(line for line in printed(small).splitlines() if line.startswith("outcomes"))
    assert sum(map(int, re.findall(r"\d+", line))) == 400


@pytest.mark.parametrize("width", [200, 80, 60, 40, 20])
def test_a_terminal_is_never_overrun(small: Report, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = re.sub(r"\x1b\[[0-9;]*m", "", printed(small, tty=True))
    assert max(map(len, text.splitlines())) <= width
    assert "Block" in text
    # Nothing is lost by wrapping.
    assert "AssignmentRisk".casefold() in re.sub(r"\s", "", text).casefold()


def test_a_terminal_gets_colour_and_the_same_words(small: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = printed(small, tty=True)
    assert "\x1b[1;31mBLOCK" in coloured
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert bare.split() == printed(small).split()


def test_names_in_brackets_and_control_characters_are_text(
    small: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    hostile = replace(
        small, identity={"system": "[red]x[/red] \x1b[2J\u202e\ud800 [link=https://example.org]y"}
    )
    for tty in (False, True):
        text = printed(hostile, tty=tty)
        assert "[red]x[/red] ⟨U+001B⟩[2J⟨U+202E⟩⟨U+D800⟩ [link=https://example.org]y" in text
        assert "\x1b[2J" not in text


def test_a_stream_without_unicode_gets_ascii(small: Report) -> None:
    small = replace(small, identity={"system": "r≤s – ü"})
    text = printed(small, encoding="ascii")
    assert text.isascii()
    assert "r<=s - ?" in text


def test_a_decision_without_gates_is_printed(small: Report) -> None:
    bare = msgspec.structs.replace(
        small.verdict, gates=(), decision="INSUFFICIENT", reason="no gate was evaluated"
    )
    text = printed(replace(small, verdict=bare, outcomes={}, rows=(), identity={}, system={}))
    assert text.splitlines()[0].endswith("No gate was evaluated.")
    assert "observed AssignmentRisk is not measured" in text


def test_many_failing_gates_are_cut_and_the_rest_counted(small: Report) -> None:
    one = next(g for g in small.verdict.gates if g.verdict == "FAIL")
    many = tuple(msgspec.structs.replace(one, gate=f"g{i}", title=f"Gate {i}") for i in range(20))
    text = printed(replace(small, verdict=msgspec.structs.replace(small.verdict, gates=many)))
    assert len(re.findall("^FAIL", text, re.MULTILINE)) == 12
    assert "8 more are in the report." in text
