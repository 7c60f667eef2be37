"""Builders of rows, measurements and policies with one unit type or several."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from denotary.measures.measurement import Corpus, Measurement
from denotary.measures.records import Fact, Row, UnitType
from denotary.verdicts.gates import Evidence, judge_gate
from denotary.verdicts.records import Gate, GateResult, Policy

REVIEWED = Fact(name="review_sufficient", holds=True, detail="every case is reviewed to its depth")

Types = Sequence[tuple[int, int, int, int]]


def build_row(types: Types, *, measure: str = "risk", where: str = "all", **more: Any) -> Row:
    units = [UnitType(numerator=k, denominator=n, size=m, count=c) for k, n, m, c in types]
    top = sum(unit.numerator * unit.count for unit in units)
    bottom = sum(unit.denominator * unit.count for unit in units)
    fields: dict[str, Any] = {
        "instrument": "identity",
        "measure": measure,
        "slice": where,
        "numerator": top,
        "denominator": bottom,
        "answered_numerator": top,
        "answered_denominator": bottom,
        "units": sum(unit.count for unit in units),
        "unit_kind": "seed",
        "value": top / bottom if bottom else None,
        "low": None,
        "high": None,
        "interval": "Wilson 95 %",
        "bound": None,
        "bound_method": "",
        "status": "SUFFICIENT",
        "direction": "lower",
        "hides": "",
        "panel": "final",
        "types": tuple(units),
    }
    return Row(**(fields | more))


def build_measurement(
    *rows: Row,
    facts: Sequence[Fact] = (REVIEWED,),
    role: str = "sealed-certification",
    looks: int = 1,
    required: dict[str, tuple[str, ...]] | None = None,
) -> Measurement:
    return Measurement(
        instrument="identity",
        unit_kind="seed",
        suite=Corpus(
            identifier="suite 1.0.0 sha256:00",
            role=role,
            looks=looks,
            review="reviewed",
            visibility={"sealed": 1},
        ),
        snapshot_id="registry 1.0.0 sha256:00",
        outcomes={},
        required=required or {},
        rows=rows,
        facts=tuple(facts),
    )


def build_gate(**fields: Any) -> Gate:
    default: dict[str, Any] = {"id": "g", "title": "Gate", "kind": "bound", "measure": "risk"}
    if fields.get("kind", "bound") == "bound":
        default |= {"limit": 0.001}
    return Gate(**(default | fields))


def build_policy(*gates: Gate, **fields: Any) -> Policy:
    default: dict[str, Any] = {
        "schema": "denotary.policy/1",
        "id": "p",
        "title": "Policy",
        "instrument": "identity",
        "track": "test",
        "roles": ("sealed-certification",),
    }
    return Policy(**(default | fields), gates=gates)


@pytest.fixture
def row() -> Callable[..., Row]:
    return build_row


@pytest.fixture
def measurement() -> Callable[..., Measurement]:
    return build_measurement


@pytest.fixture
def gate() -> Callable[..., Gate]:
    return build_gate


@pytest.fixture
def policy() -> Callable[..., Policy]:
    return build_policy


@pytest.fixture
def single() -> Callable[..., GateResult]:
    """Judge k failures in n units of one case."""

    def judge(k: int, n: int, *, alpha: float = 0.05, side: str = "upper", **fields: Any) -> GateResult:
        events = k if side == "upper" else n - k
        types = [(1, 1, 1, events), (0, 1, 1, n - events)]
        return next(
            judge_gate(build_gate(side=side, **fields), Evidence(build_measurement(build_row(types)), alpha))
        )

    return judge
