"""A certified folder, for the commands that read one."""

import shutil
from pathlib import Path

import pytest

from denotary.certify import certify
from denotary.instruments.identity.conformance import conformance
from denotary.registry import load_registry
from denotary.suites import load_suite
from denotary.systems import exact


@pytest.fixture(scope="session")
def promoted(small: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``conformance`` (a suite) and ``promoted`` (what certifying the exact lane on it wrote). Read only."""
    root = tmp_path_factory.mktemp("promoted")
    shutil.copytree(small / "registry", root / "registry")
    conformance(load_registry(root / "registry"), root / "conformance")
    suite = load_suite(root / "conformance")
    assert certify(exact(suite.registry), suite, "registry-exact", root / "promoted").decision == "PROMOTE"
    return root


@pytest.fixture
def folder(promoted: Path, workspace: Path) -> Path:
    for name in ("conformance", "promoted"):
        shutil.copytree(promoted / name, workspace / name)
    (workspace / "table.csv").write_text("code,text,remark\nx.new,something new,left\n")
    return workspace
