"""A lane of the reference resolver states its own parts; every other black box is as its owner declares."""

from pathlib import Path
from typing import Any

import pytest

import denotary as dn
from denotary import systems
from denotary.certify.statement import identity_block
from denotary.errors import InputError
from denotary.runs.declaring import complete
from denotary.runs.records import Identity


@pytest.fixture(scope="module")
def starter() -> Any:
    return dn.load_suite("bundled:starter")


def test_the_exact_lane_states_the_registry_it_answers_from(starter: Any, tmp_path: Path) -> None:
    system = systems.exact(starter.registry)
    run = dn.ask(system, starter, tmp_path / "run", identity=Identity(system="ours", languages=("en",)))
    found = run.header.identity
    assert (found.system, found.languages) == ("ours", ("en",))
    assert found.index == starter.registry.snapshot_id
    assert found.normalisation.startswith("esid-nfc/1, Unicode ")
    undeclared = {name for name, value in identity_block(run).items() if not value}
    assert undeclared == {
        "acceptance_threshold",
        "calibration",
        "threshold_fixed_on",
        "fitted_on",
        "test_date",
        "expresses",
    }
    assert dn.load_run(run.root).header.identity == found


def test_what_contradicts_the_lane_is_refused_and_what_agrees_is_not(starter: Any) -> None:
    system = systems.exact(starter.registry)
    assert complete(Identity(index=starter.registry.snapshot_id), system).prompt == "none"
    with pytest.raises(InputError, match=r"index: the system \(exact\) states another value"):
        complete(Identity(index="another"), system)


def test_other_systems_state_nothing() -> None:
    declared = Identity(system="theirs")
    assert complete(declared, systems.from_spec("python:json:loads")) is declared
