"""The files of a tree that a scan reads, and those that it only counts."""

from __future__ import annotations

import io
import os
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity.scan.components import COMPONENTS
from denotary.instruments.similarity.scan.names import word_set
from denotary.instruments.similarity.scan.notebooks import NOTEBOOK

if TYPE_CHECKING:
    from collections.abc import Iterator

PYTHON: Final = (".py", ".pyi")
SCRIPTS: Final = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
READ: Final = (*PYTHON, *SCRIPTS, *COMPONENTS, NOTEBOOK)
OTHERS: Final = word_set(
    ".c .cc .cpp .cxx .h .hpp .cs .clj .dart .erl .ex .exs .fs .go .groovy .hs .htm .html .java .jl .kt .kts .lua .m "
    ".mdx .ml .mm .php .pl .pm .pyx .qmd .r .rb .rmd .rs .scala .sh .sql .swift .vb .zig"
)
"""Names of files with code that is not read: they may hold gates, so that they are counted."""
LEFT_OUT: Final = {"node_modules", "__pycache__", "venv", "site-packages", "dist", "build", "vendor"}
"""Folders of other people's or generated code. A folder named as the root is scanned whatever it is called."""
LONGEST: Final = 2_000_000
"""Bytes of a source file; longer ones are generated."""
LONGEST_NOTEBOOK: Final = 50_000_000
"""Bytes of a notebook, which holds pictures too."""


def sources(base: Path, skipped: list[tuple[str, str]], others: dict[str, int]) -> Iterator[tuple[str, str]]:
    """Yield relative paths and texts, sorted; links are not followed, so that no circle is walked.

    Args:
        base: a folder or a file.
        skipped: takes the files that could not be read.
        others: takes how many files of a language that is not read there are, by the end of their names.
    """
    for path in sorted(_files(base)):
        if not path.name.endswith(READ) and path.suffix.lower() in OTHERS:
            others[path.suffix.lower()] = others.get(path.suffix.lower(), 0) + 1
            continue
        name = printable(path.relative_to(base).as_posix() if base.is_dir() else path.name)
        most = LONGEST_NOTEBOOK if path.name.endswith(NOTEBOOK) else LONGEST
        try:
            if path.stat().st_size > most:
                skipped.append((name, f"longer than {most:,} bytes"))
            else:
                yield name, _decoded(path)
        except (UnicodeDecodeError, LookupError, SyntaxError):
            skipped.append((name, "not UTF-8, nor what it declares"))
        except OSError as error:
            skipped.append((name, f"cannot be read ({error.strerror})"))


def _decoded(path: Path) -> str:
    """Return a source as text: a byte order mark is taken off, and Python may declare another encoding (PEP 263)."""
    data = path.read_bytes()
    if not path.name.endswith(PYTHON):
        return data.decode("utf-8-sig")
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return io.TextIOWrapper(io.BytesIO(data), encoding).read()


def printable(path: str) -> str:
    """Return a path whose bytes are no UTF-8 with those bytes escaped, so that every output can carry it."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _files(base: Path) -> Iterator[Path]:
    if base.is_file():
        yield base
        return
    for folder, folders, files in os.walk(base):
        folders[:] = [name for name in folders if name not in LEFT_OUT and not name.startswith(".")]
        for name in files:
            path = Path(folder, name)
            if (
                (name.endswith(READ) or path.suffix.lower() in OTHERS)
                and not name.endswith(".d.ts")
                and path.is_file()
                and not path.is_symlink()
            ):
                yield path
