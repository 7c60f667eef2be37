"""The public Python names, and the five verbs from end to end."""

import importlib
import inspect
import pkgutil
from pathlib import Path
from typing import Any

import pytest

import denotary as dn
from denotary.certify import certify
from denotary.runs import Identity
from denotary.runs.records import Identity as Record

ROOMS = sorted(
    f"denotary.{module.name}"
    for module in pkgutil.iter_modules(dn.__path__)
    if module.ispkg and module.name != "data"
)


def test_every_public_name_resolves() -> None:
    assert sorted(dn.__all__) == dn.__all__
    for name in dn.__all__:
        assert getattr(dn, name) is not None
        # Asked again once its room is loaded: no name may have given way to a room's module.
        assert inspect.ismodule(getattr(dn, name)) == (name == "systems")
    assert dn.Identity is Identity is Record
    assert dn.systems is importlib.import_module("denotary.systems")
    with pytest.raises(AttributeError, match="module 'denotary' has no attribute 'no_such'"):
        _ = dn.no_such


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_of_a_room_resolves(room: str) -> None:
    module = importlib.import_module(room)
    for name in getattr(module, "__all__", ()):
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="no_such"):
        _ = module.no_such


def test_the_five_verbs(small: Path, tmp_path: Path) -> None:
    """As the package's own docstring shows them."""
    registry = dn.load_registry(small / "registry")
    suite = dn.load_suite(small / "suite", registry=registry)

    def resolver(request: dict[str, Any]) -> dict[str, Any]:
        assert set(request) == {"record_id", "text", "language", "registry_version"}
        return {"decision": {"type": "abstain"}, "registry_version_returned": request["registry_version"]}

    identity = dn.Identity(system="abstainer", system_version="1", languages=("en",))
    run = dn.ask(dn.systems.python(resolver), suite, tmp_path / "run", identity=identity)
    assert dn.load_run(tmp_path / "run", suite=suite).answers == run.answers
    verdict = dn.judge(dn.measure(run), policy="c3")
    assert (verdict.decision, verdict.verdict.reason) == ("BLOCK", "failed: exact_non_regression")
    verdict.report(tmp_path / "report.html")
    verdict.certificate(tmp_path / "certificate.json")
    assert (tmp_path / "report.html").read_bytes().startswith(b"<!doctype html>")
    assert dn.plan("c3", suite).infeasible
    certified = certify(dn.systems.exact(registry), suite, "c3", tmp_path / "out")
    assert certified.exit_code == dn.ExitCode.INSUFFICIENT
    assert dn.verify(tmp_path / "out") == []
    with pytest.raises(dn.InputError) as caught:
        dn.load_suite(tmp_path / "nowhere")
    assert isinstance(caught.value, dn.DenotaryError)
