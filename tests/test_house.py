"""The rules of the house that a machine can check."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src" / "denotary").rglob("*.py"))
TRACKED = [ROOT / name for name in subprocess.run(
    ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
).stdout.splitlines()] if (ROOT / ".git").exists() else SOURCES  # fmt: skip

HEAVY = {"numpy", "scipy", "duckdb", "httpx", "rich", "jinja2", "pandas", "sklearn"}
"""Libraries that `import denotary` and `denotary --help` must not load."""

PLACES = re.compile(r"/(?:work|farm|root|home)/\w")
"""Paths of somebody's machine."""


def functions(path: Path) -> list[tuple[str, int]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        (
            f"{path.relative_to(ROOT)}:{node.lineno} {node.name}",
            (node.end_lineno or node.lineno) - node.lineno,
        )
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]


def test_there_are_sources() -> None:
    assert len(SOURCES) > 50


def test_no_file_is_longer_than_can_be_read_in_one_sitting() -> None:
    long = {str(p.relative_to(ROOT)): n for p in SOURCES if (n := len(p.read_text().splitlines())) > 400}
    assert not long


def test_no_function_is_longer_than_a_screen() -> None:
    long = [(name, size) for path in SOURCES for name, size in functions(path) if size > 60]
    assert not long


def test_every_record_that_names_its_schema_has_one() -> None:
    named = {
        name
        for path in SOURCES
        for name in re.findall(
            r'schema: Literal\["denotary\.([a-z-]+)/\d+"[],]', path.read_text(encoding="utf-8")
        )
    }
    assert len(named) > 20
    assert not [name for name in sorted(named) if not (ROOT / "schemas" / f"{name}.schema.json").exists()]


def test_no_assert_guards_anything_in_the_package() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assert)
    ]
    assert not found


def test_every_room_says_what_lives_there() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in SOURCES
        if path.name == "__init__.py" and not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not silent


def test_no_path_of_a_machine_stands_in_the_tree() -> None:
    found = []
    for path in TRACKED:
        if path.suffix in {".png", ".ico", ".svg"} or not path.is_file():
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        found += [f"{path.relative_to(ROOT)}:{n}" for n, line in enumerate(lines, 1) if PLACES.search(line)]
    assert not found


@pytest.mark.parametrize("code", ["import denotary", "from denotary.cli.root import run; run(['--help'])"])
def test_start_up_loads_nothing_heavy(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint('MODULES', *sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.split(".")[0] for name in done.stdout.split("MODULES")[1].split()}
    assert not loaded & HEAVY
