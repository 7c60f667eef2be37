"""A small instrument and suite, so that these tests depend on no other room's data."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from denotary.suites.instrument import AnswerError

if TYPE_CHECKING:
    from pathlib import Path


class Instrument:
    """Decodes ``{"decision": {"concept_code", "confidence"}}`` and names what is wrong with anything else."""

    name = "fake"

    def encode(self, case: Any, suite: Any) -> dict[str, Any]:
        return {"text": case.text, "language": "en", "registry_version": suite.registry.version}

    def decode(self, raw: Any) -> dict[str, Any]:
        if not isinstance(raw, dict):
            raise AnswerError("not_an_object")
        if not isinstance(raw.get("decision"), dict):
            raise AnswerError("no_decision")
        confidence = raw["decision"].get("confidence")
        if isinstance(confidence, float) and not 0 <= confidence <= 1:
            raise AnswerError("confidence_not_finite")
        return {"code": raw["decision"]["concept_code"], "confidence": confidence}


class FakeSuite:
    """As much of a suite as a run touches."""

    def __init__(
        self,
        cases: tuple[Any, ...],
        root: Path,
        *,
        name: str = "fake",
        hash: str = "5" * 64,  # noqa: A002
    ) -> None:
        self.cases = cases
        self.lines = tuple(range(1, len(cases) + 1))
        self.root = root
        self.name = name
        self.version = "1.0.0"
        self.hash = hash
        self.instrument = Instrument()
        self.manifest = SimpleNamespace(name=name, version="1.0.0", instrument="fake")
        self.registry = SimpleNamespace(name="reg", version="1.0.0", hash="7" * 64, root=root / "registry")


def fake_suite(root: Path, size: int = 20, **changes: Any) -> Any:
    """Return a suite of so many cases; ``needs`` gives the numbers of the cases that a case depends on."""
    needs: dict[int, tuple[int, ...]] = changes.pop("needs", {})
    turns: dict[int, int] = changes.pop("turns", {})
    cases = []
    for i in range(size):
        before = needs.get(i, ())
        turns.setdefault(i, 1 + max((turns.get(j, 0) for j in before), default=-1))
        cases.append(
            SimpleNamespace(
                record_id=f"case-{i:05d}",
                text=f"text of {i}",
                turn=turns[i],
                depends_on=tuple(f"case-{j:05d}" for j in before),
            )
        )
    return FakeSuite(cases=tuple(cases), root=root, **changes)


def answer_to(payload: dict[str, Any]) -> dict[str, Any]:
    """Return the fake truth: a code made from the text."""
    code = payload["text"].rpartition(" ")[2]
    return {
        "record_id": payload["record_id"],
        "decision": {"concept_code": f"code.{code}", "confidence": 0.5},
    }
