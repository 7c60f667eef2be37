"""Reading a run's folder back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from denotary.errors import IntegrityError
from denotary.files import read_bytes, read_jsonl, read_toml
from denotary.registry.loading import BUNDLED
from denotary.runs.folder import ANSWERS, HEADER, PLAN, SEALED, verify_plan
from denotary.runs.records import Call, RunHeader
from denotary.runs.replies import not_run
from denotary.runs.resuming import read_answers
from denotary.runs.run import Run
from denotary.runs.sealed_answers import sealed_answers
from denotary.runs.sealing import is_sealed, verify_seal
from denotary.runs.turns import refuse_bad_turns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.runs.records import Answer
    from denotary.suites.suite import Suite


def load_run(path: Path | str, *, suite: Suite | None = None) -> Run:
    """Return the run in a folder.

    A run that was left before its end has ``complete`` False, and its missing answers are ``not_run``.

    Args:
        path: the folder.
        suite: the suite of the run; by default it is read from where the header says.

    Raises:
        InputError: a file is missing or malformed.
        IntegrityError: the run was edited, or suite or registry are not those that it was made with.
    """
    root = Path(path)
    header = read_toml(root / HEADER, RunHeader)
    complete = is_sealed(root)
    if complete:
        verify_seal(root)
    verify_plan(root, header, read_bytes(root / PLAN))
    suite = suite or _suite(root, header)
    verify_suite(root, header, suite)
    answers: Sequence[Answer] | None = sealed_answers(root) if complete else None
    if answers is None:
        # Not as a run leaves it: read whole, so that what is wrong is named.
        answers = _answers(root / (SEALED if complete else ANSWERS), read_plan(root))
    return Run(header=header, suite=suite, answers=answers, root=root, complete=complete)


def _answers(path: Path, calls: dict[str, Call]) -> tuple[Answer, ...]:
    answers = read_answers(path, calls)
    return tuple(answers.get(name) or not_run(call) for name, call in calls.items())


def read_plan(root: Path) -> dict[str, Call]:
    """Return the planned calls by id, in their order.

    Raises:
        InputError: a line is no call, or a call depends on one that is not before it.
    """
    read = read_jsonl(root / PLAN, Call)
    calls = {call.call_id: call for _, call in read}
    if any(call.depends_on or call.turn for call in calls.values()):
        places = {call.call_id: line for line, call in read}
        refuse_bad_turns(calls, lambda name: (root / PLAN, places[name]))
    return calls


def verify_suite(root: Path, header: RunHeader, suite: Suite) -> None:
    """Compare a suite and its registry with those that a run was made with.

    Raises:
        IntegrityError: they are others.
    """
    for kind, pin, found in (
        ("suite", header.suite, suite),
        ("registry", header.registry, suite.registry),
    ):
        if pin.hash != found.hash:
            raise IntegrityError(
                f"the run was made with {kind} {pin.name} {pin.version} sha256:{pin.hash}, "
                f"found {found.name} {found.version} sha256:{found.hash}",
                path=root / HEADER,
                hint=f"restore that {kind}; results are not carried over to another one",
            )


def _suite(root: Path, header: RunHeader) -> Suite:
    from denotary.registry import load_registry
    from denotary.suites import load_suite

    registry = load_registry(_place(root, header.registry.path))
    return load_suite(_place(root, header.suite.path), registry=registry)


def _place(root: Path, path: str) -> Path | str:
    return path if path.startswith(BUNDLED) else root / path
