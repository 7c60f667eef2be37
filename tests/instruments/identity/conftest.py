"""What the tests of measuring share: see ``measured.py`` and ``caused.py``."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


MEASURED = _load(Path(__file__).with_name("measured.py"))
_load(Path(__file__).with_name("caused.py"))


@pytest.fixture
def measured() -> ModuleType:
    """Small suites and answers in memory."""
    return MEASURED
