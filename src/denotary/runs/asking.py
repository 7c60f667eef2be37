"""The verb ``ask``: plan, ask, log, seal; resume where the folder holds the same run."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from denotary.canonical import sha256
from denotary.files import encode_jsonl
from denotary.runs.declaring import complete
from denotary.runs.desk import Desk, Terms
from denotary.runs.folder import ANSWERS, CALLS, RunFolder, read_salt
from denotary.runs.headers import new_header
from denotary.runs.loading import load_run
from denotary.runs.log import AppendFile
from denotary.runs.planning import Wire, core_size, plan
from denotary.runs.progress import Progress
from denotary.runs.rebuilding import REPLAY
from denotary.runs.recorder import Recorder
from denotary.runs.records import Identity
from denotary.runs.replies import Reader
from denotary.runs.resuming import recover
from denotary.runs.run import Run
from denotary.runs.sealing import is_sealed, seal
from denotary.runs.tasks import TaskLane
from denotary.runs.threads import ThreadLane
from denotary.systems.base import BlockingSystem, Preparing

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Sequence

    from denotary.runs.progress import Watcher
    from denotary.runs.records import Answer, Call, RunHeader
    from denotary.suites.suite import Suite
    from denotary.systems.base import Request, System

NOD = 0.01
"""The same while all that is left to ask waits for answers to be on the disk."""
BEAT = 0.1
"""Seconds between two flushes: the most that a power failure costs beyond the calls in flight."""
UNDECLARED = Identity()
_REASONS = 5
"""Reasons of calls without an answer that are named at the end, the most frequent ones."""


class RunInterrupted(KeyboardInterrupt):
    """The user stopped a run. What was answered is on the disk; the message says how to go on."""


def ask(
    system: System | BlockingSystem,
    suite: Suite,
    out: Path | str,
    *,
    identity: Identity = UNDECLARED,
    concurrency: int = 8,
    timeout: float = 30.0,
    attempts: int = 3,
    repeats: int = 1,
    repeat_core: int | Literal["all"] = "all",
    seed: int = 0,
    progress: Watcher | None = None,
) -> Run:
    """Ask a system every case of a suite and return the complete run.

    If ``out`` holds the same run, it goes on where it stopped: no logged reply is asked for again, and calls
    that were in flight are asked again and marked as such in the log. A complete run is returned as it is.

    Args:
        system: the black box.
        suite: frozen, on a frozen registry.
        out: folder of the run.
        identity: what the owner declares; a lane of the reference resolver fills in what is left empty.
        concurrency: calls (or batches) in flight at once; a callable is called from as many threads.
        timeout: seconds that one attempt may take; a call that outlasts it is not tried again.
        attempts: how often a call is sent at most, where its failure may pass (connection, 408, 425, 429, 5xx, a
            program that exited). A Python callable is called once: what it raises is its answer.
        repeats: how often the cases of the core are asked, to see whether the system agrees with itself.
        repeat_core: how many cases that are, or ``all``.
        seed: chooses them.
        progress: is told how it goes.

    Raises:
        InputError: an argument is out of range, or the folder holds other files; or the identity contradicts a lane.
        IntegrityError: suite or registry is not frozen, or the folder holds another run or an edited one.
        UnreachableError: the system could not be reached before any case was answered.
        StorageError: the folder cannot be written to, or another process is writing to it.
        RunInterrupted: the user stopped it.
    """
    terms = Terms(concurrency=concurrency, timeout=float(timeout), attempts=attempts)
    calls = plan(suite, repeats=repeats, repeat_core=repeat_core, seed=seed)
    lines, root = encode_jsonl(calls), Path(out)
    options = {
        "repeats": repeats,
        "repeat_core": core_size(len(suite.cases), repeats, repeat_core),
        "seed": seed,
        "timeout": terms.timeout,
        "attempts": attempts,
    }
    identity = complete(identity, system)
    header = new_header(
        suite, system.descriptor, root, identity=identity, plan=sha256(lines), options=options
    )
    with RunFolder(root) as folder:
        header = folder.begin(header, lines)
        if is_sealed(root):
            return load_run(root, suite=suite)
        sitting = _Sitting(root, suite, {call.call_id: call for call in calls}, progress)
        return sitting.complete(system, terms, header)


class _Sitting:
    """One attempt at completing a run: opens the log, asks what is missing, seals."""

    def __init__(self, root: Path, suite: Suite, calls: dict[str, Call], watcher: Watcher | None) -> None:
        self._root = root
        self._suite = suite
        self._calls = calls
        self._watcher = watcher
        self._began = time.perf_counter()
        self._recovered = recover(root, calls)

    def complete(self, system: System | BlockingSystem, terms: Terms, header: RunHeader) -> Run:
        """Ask what is missing, seal the run and return it."""
        for note in self._recovered.notes:
            self._note(note)
        with (
            closing(AppendFile(self._root / CALLS)) as log,
            closing(AppendFile(self._root / ANSWERS)) as made,
        ):
            wire = Wire(
                read_salt(self._root),
                true_ids=system.descriptor.kind == REPLAY,
                calls=self._calls,
                answers=self._recovered.answers,
            )
            reader = Reader(self._suite.instrument, wire)
            recorder = Recorder(self._calls, self._recovered.answers, reader, log, made)
            recorder.take(self._recovered.arrivals)
            logged = {arrival.call_id for arrival in self._recovered.arrivals}
            left = [
                call
                for name, call in self._calls.items()
                if name not in recorder.answers and name not in logged
            ]
            desk = Desk(left, self._recovered.in_flight, wire, log, recorder)
            # All of the plan, whatever is left of it: what is worked out together must not depend on interruptions.
            ahead = wire.requests([c for c in self._calls.values() if not c.depends_on] if left else [])
            self._ask(system, _lane(system, desk, terms), desk, recorder, ahead)
        answers = tuple(recorder.answers[name] for name in self._calls)
        if why := _why_unanswered(answers):
            self._note(f"no answer: {why}; {CALLS} of the run has each call")
        seal(self._root, answers)
        return Run(header, self._suite, answers, self._root, complete=True, notes=self._recovered.notes)

    def _ask(
        self,
        system: System | BlockingSystem,
        lane: ThreadLane | TaskLane,
        desk: Desk,
        recorder: Recorder,
        ahead: Sequence[Request],
    ) -> None:
        try:
            if isinstance(system, Preparing) and ahead:
                # What goes wrong here goes wrong again in a call, where it is that case's outcome.
                with suppress(Exception):
                    system.prepare(ahead, self._note)
                self._began = time.perf_counter()
            _run(lambda: self._drive(lane, desk, recorder))
        except KeyboardInterrupt:
            raise RunInterrupted(
                f"stopped: {len(recorder.answers):,} of {len(self._calls):,} calls are answered and on the disk; "
                f"run the same command again to go on"
            ) from None

    async def _drive(self, lane: ThreadLane | TaskLane, desk: Desk, recorder: Recorder) -> None:
        """Let the lane ask while the recorder writes, until both are done or one fails."""
        before = len(recorder.answers)

        def acknowledge() -> None:
            desk.release(recorder.flush())

        asking = asyncio.create_task(lane.run())
        try:
            while not asking.done():
                await asyncio.wait({asking}, timeout=NOD if desk.is_starved else BEAT)
                await asyncio.to_thread(acknowledge)
                self._show(recorder, before)
            await asking
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            recorder.flush()
            self._show(recorder, before)

    def _show(self, recorder: Recorder, before: int) -> None:
        if self._watcher is not None:
            done = len(recorder.answers)
            rate = (done - before) / max(time.perf_counter() - self._began, 1e-9)
            self._watcher.update(Progress(len(self._calls), done, dict(recorder.counts), rate))

    def _note(self, message: str) -> None:
        if self._watcher is not None:
            self._watcher.note(message)


def _why_unanswered(answers: Iterable[Answer]) -> str:
    """Return ``raised_KeyError 3, bad_json 1``, the most frequent reason first; empty if every call has an answer."""
    reasons = Counter(answer.problem for answer in answers if answer.problem)
    return ", ".join(f"{reason} {count:,}" for reason, count in reasons.most_common(_REASONS))


def _lane(system: System | BlockingSystem, desk: Desk, terms: Terms) -> ThreadLane | TaskLane:
    if isinstance(system, BlockingSystem):
        return ThreadLane(system, desk, terms)
    return TaskLane(system, desk, terms)


def _run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a coroutine to its end, also where this thread has a running event loop, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(main())
        return
    with ThreadPoolExecutor(1) as pool:
        tasks: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = []

        async def supervised() -> None:
            task = asyncio.ensure_future(main())
            tasks.append((asyncio.get_running_loop(), task))
            await task

        outcome = pool.submit(lambda: asyncio.run(supervised()))
        try:
            outcome.result()
        except KeyboardInterrupt:
            for loop, task in tasks:
                loop.call_soon_threadsafe(task.cancel)
            raise
