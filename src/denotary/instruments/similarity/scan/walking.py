"""Walking a tree of sources."""

from __future__ import annotations

import io
import os
import tokenize
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from denotary.errors import InputError
from denotary.instruments.similarity.scan.beside import polarity_tests
from denotary.instruments.similarity.scan.python_modules import read_module
from denotary.instruments.similarity.scan.python_sites import python_sites
from denotary.instruments.similarity.scan.python_values import Values
from denotary.instruments.similarity.scan.records import TOO_DEEP, Found

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from denotary.instruments.similarity.scan.records import Site

PYTHON: Final = (".py", ".pyi")
SCRIPTS: Final = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
LEFT_OUT: Final = {"node_modules", "__pycache__", "venv", "site-packages", "dist", "build", "vendor"}
"""Folders of other people's or generated code. A folder named as the root is scanned whatever it is called."""
LONGEST: Final = 2_000_000
"""Bytes of a source file; longer ones are generated."""


def scan(root: Path | str, *, progress: Callable[[int], None] = lambda _: None) -> Found:
    """Return the gates in a tree of sources.

    Only what stands in the source is followed; nothing is imported or run. What was found is a list of places opened
    and read, and no rate: how many gates a tree has that this does not see is not known from it.

    Args:
        root: a folder or a file.
        progress: called with the number of files read so far.

    Raises:
        InputError: there is no such folder or file, or there are scripts and the extra ``scan`` is not installed.
    """
    base = Path(root)
    if not base.exists():
        raise InputError("there is no such folder or file", path=base)
    skipped: list[tuple[str, str]] = []
    sources = dict(_sources(base, skipped))
    modules = []
    for path, text in sources.items():
        if path.endswith(PYTHON):
            try:
                modules.append(read_module(path, text))
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                skipped.append((path, f"cannot be parsed as Python ({type(error).__name__})"))
        progress(len(modules))
    values = Values(modules)
    sites: list[Site] = []
    for module in modules:
        try:
            sites += list(python_sites(module, values))
        except RecursionError:
            skipped.append((module.path, TOO_DEEP))
    scripts = {path: text for path, text in sources.items() if path.endswith(SCRIPTS)}
    if scripts:
        from denotary.instruments.similarity.scan.script_sites import script_sites

        sites += script_sites(scripts, skipped)
    tests = polarity_tests(sources)
    found = sorted({replace(site, tests=tests(site)) for site in sites})
    unread = sources.keys() & {path for path, _ in skipped}
    return Found(tuple(found), len(sources) - len(unread), tuple(sorted(skipped)))


def _sources(base: Path, skipped: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield relative paths and texts, sorted; links are not followed, so that no circle is walked."""
    for path in sorted(_files(base)):
        name = printable(path.relative_to(base).as_posix() if base.is_dir() else path.name)
        try:
            if path.stat().st_size > LONGEST:
                skipped.append((name, f"longer than {LONGEST:,} bytes"))
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
                name.endswith((*PYTHON, *SCRIPTS))
                and not name.endswith(".d.ts")
                and path.is_file()
                and not path.is_symlink()
            ):
                yield path
