"""What the tests of measuring share: see ``measured.py``, ``plain_loop.py``, ``caused.py`` and ``checked.py``."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from denotary.suites import check, load_suite


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


MEASURED = _load(Path(__file__).with_name("measured.py"))
_load(Path(__file__).with_name("plain_loop.py"))
_load(Path(__file__).with_name("caused.py"))
_load(Path(__file__).with_name("checked.py"))


@pytest.fixture
def measured() -> ModuleType:
    """Small suites and answers in memory."""
    return MEASURED


@pytest.fixture
def problems(make_suite: Callable[..., Path]) -> Callable[..., set[tuple[str, str | None]]]:
    """Return (code, record) of every error, and of warnings where asked for."""

    def of(*cases: dict[str, Any], severity: str = "error", **manifest: Any) -> set[tuple[str, str | None]]:
        suite = load_suite(make_suite(cases, **manifest))
        return {(item.code, item.record) for item in check(suite) if item.severity == severity}

    return of
