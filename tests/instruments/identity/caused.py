"""What the tests of root causes share: failures of tiny suites, and concepts that are related."""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import msgspec

from denotary.instruments.identity.failures import failures
from denotary.registry.records import Neighbour
from denotary.runs.records import Answer
from denotary.runs.triage import Failure

ONE, TWO, THREE = "c.one", "c.two", "c.three"
"""The right code of a SINGLE case of ``measured`` is the first."""


def found(
    measured: ModuleType, cases: Sequence[Any], answers: Sequence[Answer], **more: Any
) -> list[Failure]:
    return list(failures(measured.suite(cases, **more), answers))


def codes(failure: Failure) -> list[str]:
    return [item.code for item in failure.proposals]


def only(measured: ModuleType, answer: Answer | None, *args: Any, of: Any = None, **more: Any) -> Failure:
    """Return the one failure of one case."""
    case = measured.case("n", *args, **more)
    (failure,) = found(measured, [case], [answer] if answer else [], of=of)
    return failure


def related(measured: ModuleType, **concepts: dict[str, Any]) -> Any:
    made = dict(measured.registry().concepts)
    for name, more in concepts.items():
        made[f"c.{name}"] = msgspec.structs.replace(made[f"c.{name}"], **more)
    return measured.registry(concepts=made)


def neighbour(code: str, kind: Any) -> Neighbour:
    return Neighbour(code=code, type=kind, reason="r")
