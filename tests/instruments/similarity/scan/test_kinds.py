"""Notebooks, components, and files in languages that are not read."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from denotary.cli.root import root
from denotary.errors import InputError
from denotary.instruments.similarity.scan import scan
from denotary.instruments.similarity.scan.sarif import sarif


def notebook(folder: Path, *cells: str | list[str], indent: int | None = 1, **metadata: Any) -> Path:
    """Write a notebook with a cell of text before the cells of code."""
    code = [{"cell_type": "code", "outputs": [], "source": cell} for cell in cells]
    text = {"cell_type": "markdown", "source": "similarity > 0.1"}
    document = {"cells": [text, *code], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    path = folder / "study.ipynb"
    path.write_text(json.dumps(document, indent=indent), encoding="utf-8")
    return path


def test_a_gate_of_a_notebook_is_placed_in_its_cell_and_its_file(tmp_path: Path) -> None:
    path = notebook(tmp_path, ["LIMIT = 0.8"], ["x = 1\n", "found = similarity > LIMIT\n"])
    found = scan(tmp_path)
    (site,) = found.sites
    assert (site.place, site.origin, site.value) == ("study.ipynb:cell 3:2", "study.ipynb:cell 2:1", 0.8)
    assert "similarity > LIMIT" in path.read_text(encoding="utf-8").split("\n")[site.file_line - 1]
    (result,) = json.loads(sarif(found, version="1"))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": site.file_line}
    assert result["message"]["text"].startswith("cell 3, line 2: similarity > LIMIT")


def test_a_printed_line_that_looks_like_the_code_is_not_taken_for_it(tmp_path: Path) -> None:
    path = notebook(tmp_path, ["a = 1\n", "found = similarity > 0.8"])
    document = json.loads(path.read_text(encoding="utf-8"))
    document["cells"][1]["outputs"] = [{"text": ["found = similarity > 0.8"]}]
    path.write_text(json.dumps(document, indent=1, sort_keys=True), encoding="utf-8")
    (site,) = scan(tmp_path).sites
    assert path.read_text(encoding="utf-8").split("\n")[site.file_line - 2].strip() == '"a = 1\\n",'


@pytest.mark.parametrize(
    ("cell", "indent"),
    [("\n\nfound = similarity > 0.8", 1), (["\n", "\n", "found = similarity > 0.8"], None)],
)
def test_a_notebook_that_is_not_laid_out_by_lines_is_named_as_a_whole(
    tmp_path: Path, cell: str | list[str], indent: int | None
) -> None:
    notebook(tmp_path, cell, indent=indent)
    found = scan(tmp_path)
    assert [(site.cell, site.line, site.file_line) for site in found.sites] == [(2, 3, 0)]
    assert '"startLine":1}' in sarif(found, version="1").decode()


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("%matplotlib inline\n!pip install x\nimport numpy as np\nsimilarity > 0.8", 4),
        ("%%time\nsimilarity > 0.8", 2),
        ("files = !ls *.txt\nsimilarity > 0.8", 2),
        ("out = %timeit -o f()\nif similarity > 0.8:\n    %debug", 2),
        ("similarity?\nsimilarity > 0.8", 2),
        ("x = ('%s'\n% similarity)\nsimilarity > 0.8", 3),
        ("await load()\nsimilarity > 0.8", 2),
    ],
)
def test_magics_are_passed_over(tmp_path: Path, cell: str, line: int) -> None:
    notebook(tmp_path, cell)
    found = scan(tmp_path)
    assert ([(site.cell, site.line) for site in found.sites], found.cells) == ([(2, line)], ())


def test_a_cell_in_another_language_is_no_python(tmp_path: Path) -> None:
    notebook(tmp_path, "%%bash\nsimilarity > 0.8", "%%writefile a.py\nsimilarity > 0.8")
    found = scan(tmp_path)
    assert (found.sites, found.cells, found.files) == ((), (), 1)


def test_a_cell_that_cannot_be_parsed_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    notebook(tmp_path, "def broken(:", "similarity > 0.8")
    found = scan(tmp_path)
    assert found.cells == (("study.ipynb:cell 2", "cannot be parsed as Python"),)
    assert ([site.cell for site in found.sites], found.files, found.skipped) == ([3], 1, ())
    result = CliRunner().invoke(root, ["similarity", "scan", str(tmp_path), "--quiet", "--json"])
    printed = json.loads(result.output)
    assert (printed["cells"], printed["sites"][0]["cell"]) == (dict(found.cells), 3)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "cannot be parsed as a notebook"),
        ("[" * 100_000, "cannot be parsed as a notebook"),
        ("[]", "is no notebook in format 4"),
        ('{"worksheets": []}', "is no notebook in format 4"),
        ('{"cells": [1]}', "is no notebook in format 4"),
        ('{"cells": [], "metadata": {"kernelspec": {"language": "R"}}}', "its code is not Python"),
        ('{"cells": [], "metadata": {"language_info": {"name": "julia"}}}', "its code is not Python"),
    ],
)
def test_what_is_no_notebook_of_python_is_named(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "study.ipynb").write_text(text, encoding="utf-8")
    found = scan(tmp_path)
    assert (found.skipped, found.files) == ((("study.ipynb", reason),), 0)


@pytest.mark.parametrize(
    ("name", "source", "line", "language"),
    [
        (
            "A.vue",
            '<template/>\n<script setup lang="ts">\nconst a: B = similarity > 0.8;\n</script>',
            3,
            "typescript",
        ),
        ("A.vue", "<script>x = 1</script>\n<script setup>\nsimilarity > 0.8\n</script>", 3, "javascript"),
        (
            "A.svelte",
            '<script lang="ts" generics="T extends A<B>">\n$: a = similarity > 0.8;\n</script>',
            2,
            "typescript",
        ),
        ("A.astro", "---\nconst a: B = similarity > 0.8;\n---\n<p>{similarity > 0.3}</p>", 2, "typescript"),
        ("A.astro", "<p/>\n<script>\nconst a: B = similarity > 0.8;\n</script>", 3, "typescript"),
        (
            "A.vue",
            "<!-- <script>similarity > 0.1</script> -->\n<script>similarity > 0.8</script>",
            2,
            "javascript",
        ),
    ],
)
def test_scripts_of_components_are_read(
    tmp_path: Path, name: str, source: str, line: int, language: str
) -> None:
    pytest.importorskip("tree_sitter_typescript")
    (tmp_path / name).write_text(source, encoding="utf-8")
    (site,) = scan(tmp_path).sites
    assert (site.line, site.value, site.language) == (line, 0.8, language)


def test_files_in_other_languages_are_counted(tmp_path: Path) -> None:
    for name in ("a.go", "b.go", "c.R", "notes.md", "d.py"):
        (tmp_path / name).write_text("", encoding="utf-8")
    found = scan(tmp_path)
    assert (found.others, found.files) == ((((".go", 2), (".r", 1))), 1)
    result = CliRunner().invoke(
        root, ["similarity", "scan", str(tmp_path), "--quiet", "--sarif", str(tmp_path / "s")]
    )
    assert result.exit_code == 0
    assert "2 files .go not read" in (tmp_path / "s").read_text(encoding="utf-8")
    shown = CliRunner().invoke(root, ["similarity", "scan", str(tmp_path)])
    assert "not read, in languages that the scan does not know: 2 .go, 1 .r" in shown.output


def without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the import of tree-sitter fail, as where it is not installed."""
    monkeypatch.setitem(sys.modules, "tree_sitter", None)


def test_without_the_extra_python_is_read_and_scripts_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_the_extra(monkeypatch)
    (tmp_path / "a.py").write_text("hit = similarity > 0.8\n", encoding="utf-8")
    for name in ("a.ts", "b.ts", "c.vue"):
        (tmp_path / name).write_text("const hit = similarity > 0.7;\n", encoding="utf-8")
    command = ["similarity", "scan", str(tmp_path)]
    log = tmp_path / "log.sarif"
    shown = CliRunner().invoke(root, [*command, "--sarif", str(log)])
    assert shown.exit_code == 0
    assert "1 gate in 1 file; 3 files not read" in shown.output
    why = "3 files not read: TypeScript and JavaScript need the extra scan: pip install 'denotary[scan]'"
    assert why in shown.output.splitlines()
    (invocation,) = json.loads(log.read_text(encoding="utf-8"))["runs"][0]["invocations"]
    assert invocation["toolExecutionNotifications"] == [{"level": "note", "message": {"text": why}}]
    printed = json.loads(CliRunner().invoke(root, [*command, "--json"]).stdout)
    assert (printed["files"], printed["extra"]) == (1, {".ts": 2, ".vue": 1})
    assert [site["path"] for site in printed["sites"]] == ["a.py"]


def test_without_the_extra_scripts_alone_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_the_extra(monkeypatch)
    (tmp_path / "a.ts").write_text("const hit = similarity > 0.7;\n", encoding="utf-8")
    with pytest.raises(InputError, match="reading TypeScript and JavaScript needs the package tree_sitter"):
        scan(tmp_path)
