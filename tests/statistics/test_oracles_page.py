from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_public_function_says_what_it_is_compared_with() -> None:
    public = {
        f"{path.stem}.{node.name}"
        for path in (ROOT / "src" / "denotary" / "statistics").glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }
    page = (ROOT / "docs" / "explanation" / "oracles.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`([\w.]+)`", " ".join(rows))) == public
