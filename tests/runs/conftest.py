"""What the tests of runs share: a fake suite, a server that misbehaves, and a watcher that remembers."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from denotary import runs, systems
from denotary.runs.recorder import Recorder

sys.path.insert(0, str(Path(__file__).parents[1] / "benches"))


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FAKES = _load(Path(__file__).with_name("fakes.py"))
LOOPBACK = _load(Path(__file__).parents[1] / "loopback.py")


@pytest.fixture
def suite(tmp_path: Path) -> Callable[..., Any]:
    """Make a suite of so many cases; its folder is ``tmp_path / "suite"``."""
    return lambda size=20, **changes: FAKES.fake_suite(tmp_path / "suite", size, **changes)


@pytest.fixture
def truth() -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Answer a payload of the fake suite."""
    answer: Callable[[dict[str, Any]], dict[str, Any]] = FAKES.answer_to
    return answer


@pytest.fixture
def outcomes(suite: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """Ask a system and return status and problem by the number of the case."""

    def run(system: Any, size: int = 4, out: str = "run", **options: Any) -> list[tuple[str, str | None]]:
        system = system if hasattr(system, "descriptor") else systems.python(system)
        made = runs.ask(system, suite(size), tmp_path / out, **options)
        return [(answer.status, answer.problem) for answer in made.answers]

    return run


@pytest.fixture
def serve() -> Iterator[Callable[..., Any]]:
    """Start a loopback server with a handler; it stops with the test."""
    servers: list[Any] = []

    def start(handler: Any) -> Any:
        servers.append(LOOPBACK.Loopback(handler))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def reply() -> Any:
    """See ``loopback.reply``."""
    return LOOPBACK.reply


class Memory:
    """A watcher that keeps what it is told."""

    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.notes: list[str] = []

    def update(self, progress: Any) -> None:
        self.seen.append(progress)

    def note(self, message: str) -> None:
        self.notes.append(message)


@pytest.fixture
def memory() -> Memory:
    """Make a watcher that remembers."""
    return Memory()


@pytest.fixture
def quick_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make retries wait next to nothing."""
    monkeypatch.setattr("denotary.runs.waits.FIRST_WAIT", 0.001)


@pytest.fixture
def acknowledged(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The calls that :meth:`Recorder.flush` said were on the disk; the beat is quick."""
    found: set[str] = set()
    real = Recorder.flush

    def flush(recorder: Recorder) -> list[str]:
        names = real(recorder)
        found.update(names)
        return names

    monkeypatch.setattr(Recorder, "flush", flush)
    monkeypatch.setattr("denotary.runs.asking.BEAT", 0.003)
    monkeypatch.setattr("denotary.runs.asking.NOD", 0.003)
    monkeypatch.setattr("denotary.runs.tasks.WATCH", 0.001)
    monkeypatch.setattr("denotary.runs.threads.WATCH", 0.004)
    return found


@pytest.fixture(scope="module")
def suite_of() -> Callable[..., Any]:
    """Make a suite in a folder of one's own."""
    make: Callable[..., Any] = FAKES.fake_suite
    return make
