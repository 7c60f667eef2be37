"""The folder of a run: what else lies in it, who else writes there, and disks that refuse."""

import errno
import os
import threading
from typing import Any

import pytest

from denotary import runs, systems
from denotary.errors import InputError, IntegrityError, StorageError
from denotary.runs.records import Identity


def test_another_run_in_the_folder_is_refused_with_what_differs(
    suite: Any, truth: Any, tmp_path: Any
) -> None:
    identity = Identity(system="resolver", semantic_model="one")
    runs.ask(systems.python(truth), suite(5), tmp_path / "run", identity=identity)

    def refused(system: Any, cases: Any, **options: Any) -> Any:
        with pytest.raises(IntegrityError, match="holds another run") as caught:
            runs.ask(system, cases, tmp_path / "run", **{"identity": identity} | options)
        return caught.value.message

    mine = systems.python(truth)
    assert "system.spec was" in refused(systems.python(print), suite(5))
    assert "identity.semantic_model was 'one' and is 'two'" in refused(
        mine, suite(5), identity=Identity(system="resolver", semantic_model="two")
    )
    assert "identity.semantic_model was 'one' and is not given" in refused(
        mine, suite(5), identity=Identity(system="resolver")
    )
    assert "suite.hash was" in refused(mine, suite(5, hash="6" * 64))
    assert "plan was" in refused(mine, suite(6))
    assert "attempts was 3 and is 2" in refused(mine, suite(5), attempts=2)
    assert "timeout was 30.0 and is 5.0" in refused(mine, suite(5), timeout=5)
    assert "repeats was" in refused(mine, suite(5), repeats=2)


def test_a_folder_moved_together_with_its_suite_is_the_same_run(
    suite: Any, truth: Any, tmp_path: Any
) -> None:
    runs.ask(systems.python(truth), suite(5), tmp_path / "run")
    moved = suite(5)
    moved.root = tmp_path / "elsewhere"
    assert runs.ask(systems.python(truth), moved, tmp_path / "run").complete


def test_a_folder_of_something_else_is_left_alone(suite: Any, truth: Any, tmp_path: Any) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.tex").write_text("x")
    with pytest.raises(InputError, match="1 other files"):
        runs.ask(systems.python(truth), suite(5), tmp_path / "run")
    assert not (tmp_path / "run" / "run.toml").exists()


def test_a_second_writer_is_refused(suite: Any, truth: Any, tmp_path: Any) -> None:
    entered, leave = threading.Event(), threading.Event()

    def slow(payload: Any) -> Any:
        entered.set()
        leave.wait(60)
        return truth(payload)

    first = threading.Thread(target=runs.ask, args=(systems.python(slow), suite(1), tmp_path / "run"))
    first.start()
    try:
        assert entered.wait(60)
        with pytest.raises(StorageError, match="another run is writing"):
            runs.ask(systems.python(slow), suite(1), tmp_path / "run")
    finally:
        leave.set()
        first.join()
    assert runs.load_run(tmp_path / "run", suite=suite(1)).complete


def test_a_folder_that_cannot_be_made_is_named(suite: Any, truth: Any, tmp_path: Any) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="cannot be written"):
        runs.ask(systems.python(truth), suite(1), tmp_path / "file" / "run")


@pytest.mark.parametrize(
    ("code", "said"),
    [(errno.EROFS, "read-only"), (errno.EACCES, "may not be written to"), (errno.ENOSPC, "disk is full")],
)
def test_a_read_only_folder_is_named(
    suite: Any, truth: Any, tmp_path: Any, monkeypatch: Any, code: Any, said: Any
) -> None:
    real = os.open

    def refuse(path: Any, flags: Any, *rest: Any, **named: Any) -> Any:
        if flags & os.O_CREAT:
            raise OSError(code, os.strerror(code))
        return real(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StorageError, match=said):
        runs.ask(systems.python(truth), suite(1), tmp_path / "run")


@pytest.mark.parametrize("lane", ["threads", "tasks"])
def test_a_disk_that_fills_up_stops_the_run_which_goes_on_later(
    suite: Any, truth: Any, tmp_path: Any, monkeypatch: Any, lane: Any
) -> None:
    async def later(payload: Any) -> Any:
        return truth(payload)

    system = truth if lane == "threads" else later
    whole = tmp_path / "whole"
    runs.ask(systems.python(system), suite(40), whole)
    real, written = os.write, []

    def fill(descriptor: Any, data: Any) -> Any:
        written.append(len(data))
        if sum(written) > 4000:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", fill)
        with pytest.raises(StorageError, match="disk is full"):
            runs.ask(systems.python(system), suite(40), tmp_path / "run")
    part = runs.load_run(tmp_path / "run", suite=suite(40))
    assert not part.complete
    assert {answer.status for answer in part.answers} <= {"answered", "not_run"}
    runs.ask(systems.python(system), suite(40), tmp_path / "run")
    assert (tmp_path / "run" / "sealed.jsonl").read_bytes() == (whole / "sealed.jsonl").read_bytes()
