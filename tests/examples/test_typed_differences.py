"""The page on typed differences says what its script finds today."""

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_script_writes() -> None:
    path = ROOT / "examples" / "typed_differences.py"
    spec = importlib.util.spec_from_file_location("typed_differences", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    written = (ROOT / "docs" / "explanation" / "typed-differences.md").read_text(encoding="utf-8")
    assert module.page(module.pairs()) == written
