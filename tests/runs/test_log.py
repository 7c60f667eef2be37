import errno
import json
import os
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.errors import StorageError
from denotary.runs.log import AppendFile, answered_line, asked_line, raw_bytes, whole_lines
from denotary.runs.replies import Arrival
from denotary.runs.resuming import arrivals_of, logged_calls


def test_lines_of_many_threads_stay_whole(tmp_path: Any) -> None:
    file = AppendFile(tmp_path / "log")

    def write(name: Any) -> None:
        for i in range(200):
            file.write(json.dumps({"name": name, "i": i, "pad": "x" * 500}).encode() + b"\n")

    threads = [threading.Thread(target=write, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    file.sync()
    file.close()
    lines = [json.loads(line) for line in (tmp_path / "log").read_bytes().splitlines()]
    assert sorted((line["name"], line["i"]) for line in lines) == [
        (n, i) for n in range(6) for i in range(200)
    ]


def test_a_full_disk_is_named_and_leaves_no_part_of_a_line(tmp_path: Any, monkeypatch: Any) -> None:
    file = AppendFile(tmp_path / "log")
    file.write(b"whole\n")
    real = os.write

    def small(descriptor: Any, data: Any) -> Any:
        if len(data) > 3:
            return real(descriptor, data[:3])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", small)
    with pytest.raises(StorageError, match="the disk is full"):
        file.write(b"torn line\n")
    monkeypatch.setattr(os, "write", real)
    with pytest.raises(StorageError, match="the disk is full"):
        file.write(b"later\n")
    file.close()
    assert (tmp_path / "log").read_bytes() == b"whole\n"


def test_a_short_write_is_continued(tmp_path: Any, monkeypatch: Any) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:2]))
    file = AppendFile(tmp_path / "log")
    file.write(b"a whole line\n")
    file.close()
    assert (tmp_path / "log").read_bytes() == b"a whole line\n"


def test_a_failed_sync_is_named(tmp_path: Any, monkeypatch: Any) -> None:
    def fails(descriptor: Any) -> None:
        raise OSError(errno.EIO, "Input/output error")

    file = AppendFile(tmp_path / "log")
    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(StorageError, match="Input/output error"):
        file.sync()
    file.close()


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Any) -> None:
    with pytest.raises(StorageError):
        AppendFile(tmp_path / "no" / "log")


def test_a_thread_that_was_left_behind_cannot_write_after_the_end(tmp_path: Any) -> None:
    file = AppendFile(tmp_path / "log")
    file.close()
    with pytest.raises(StorageError, match="the run has ended"):
        file.write(b"late\n")
    assert (tmp_path / "log").read_bytes() == b""


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        (b"", b""),
        (b"a\nb\n", b"a\nb\n"),
        (b"a\nb", b"a\n"),
        (b"torn", b""),
        (b"a\n" + b"x" * 200_000, b"a\n"),
        (b"y" * 200_000 + b"\n" + b"x" * 200_000, b"y" * 200_000 + b"\n"),
    ],
)
def test_a_torn_last_line_is_cut_off(tmp_path: Any, content: Any, kept: Any) -> None:
    path = tmp_path / "log"
    path.write_bytes(content)
    assert whole_lines(path) == len(content) - len(kept)
    assert path.read_bytes() == kept
    assert whole_lines(path) == 0


@given(
    st.lists(
        st.tuples(st.one_of(st.none(), st.binary(max_size=40), st.text().map(str.encode)), st.booleans()),
        min_size=1,
    )
)
def test_what_came_back_is_read_back_as_it_was(tmp_path_factory: Any, parts: Any) -> None:
    arrivals = [
        Arrival(f"c{i}#0", raw)
        if raw is not None
        else Arrival(f"c{i}#0", None, "timeout" if flag else "error", "why:x")
        for i, (raw, flag) in enumerate(parts)
    ]
    path = tmp_path_factory.mktemp("log") / "calls.jsonl"
    path.write_bytes(asked_line(("c0#0",), reasked=True) + answered_line(arrivals, seconds=0.25, attempts=2))
    asked, answered = logged_calls(path)
    assert (asked.event, asked.call_ids, asked.reasked) == ("asked", ("c0#0",), True)
    assert (answered.seconds, answered.attempts) == (0.25, 2)
    assert list(arrivals_of(answered)) == arrivals


@pytest.mark.parametrize("raw", [b"base64:AAAA", b"base64:", b"\xff\x00", b"base64:{}"])
def test_bytes_that_look_like_an_encoding_come_back_as_themselves(tmp_path: Any, raw: Any) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_bytes(answered_line([Arrival("a#0", raw)], seconds=0.0, attempts=1))
    (record,) = logged_calls(path)
    assert list(raw_bytes(record)) == [raw]
