"""Walking a tree of sources."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from denotary.errors import InputError
from denotary.instruments.similarity.scan.beside import polarity_tests
from denotary.instruments.similarity.scan.components import COMPONENTS, component_script
from denotary.instruments.similarity.scan.notebooks import NOTEBOOK, read_notebook
from denotary.instruments.similarity.scan.python_modules import read_module
from denotary.instruments.similarity.scan.python_sites import python_sites
from denotary.instruments.similarity.scan.python_values import Values
from denotary.instruments.similarity.scan.records import TOO_DEEP, Found
from denotary.instruments.similarity.scan.script_tree import Script, dialect
from denotary.instruments.similarity.scan.sources import PYTHON, SCRIPTS, sources

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.instruments.similarity.scan.notebooks import Place
    from denotary.instruments.similarity.scan.python_modules import Module
    from denotary.instruments.similarity.scan.records import Site


def scan(root: Path | str, *, progress: Callable[[int], None] = lambda _: None) -> Found:
    """Return the gates in a tree of sources.

    Only what stands in the source is followed; nothing is imported or run. What was found is a list of places opened
    and read, and no rate: how many gates a tree has that this does not see is not known from it.

    Args:
        root: a folder or a file.
        progress: called with the number of files read so far.

    Raises:
        InputError: there is no such folder or file, or there are scripts alone and the extra ``scan`` is not installed.
    """
    base = Path(root)
    if not base.exists():
        raise InputError("there is no such folder or file", path=base)
    tree = _Tree()
    for path, text in sources(base, tree.skipped, tree.others):
        tree.take(path, text)
        progress(len(tree.modules))
    sites = [*tree.python_sites(), *tree.script_sites()]
    tests = polarity_tests(tree.texts)
    found = {replace(tree.placed(site), tests=tests(site)) for site in sites}
    unread = tree.texts.keys() & {path for path, _ in tree.skipped}
    return Found(
        tuple(sorted(found, key=lambda site: (site.path, site.cell, site.line, site))),
        len(tree.texts) - len(unread) - tree.extra.total(),
        tuple(sorted(tree.skipped)),
        tuple(sorted(tree.others.items())),
        tuple(tree.cells),
        tuple(sorted(tree.extra.items())),
    )


@dataclass(slots=True)
class _Tree:
    """What was read of a tree.

    Attributes:
        texts: by relative path.
        modules: the Python files and the notebooks that could be parsed.
        scripts: those of script and component files, by path.
        places: of the lines of the notebooks that could be read, by path.
        skipped: files that were not read, with the reason.
        cells: cells of notebooks that were not read, with the reason.
        others: how many files there are of languages that are not read, by the end of their names.
        extra: how many scripts and components are not read without the extra ``scan``, by the end of their names.
    """

    texts: dict[str, str] = field(default_factory=dict)
    modules: list[Module] = field(default_factory=list)
    scripts: dict[str, Script] = field(default_factory=dict)
    places: dict[str, tuple[Place, ...]] = field(default_factory=dict)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    cells: list[tuple[str, str]] = field(default_factory=list)
    others: dict[str, int] = field(default_factory=dict)
    extra: Counter[str] = field(default_factory=Counter)

    def take(self, path: str, text: str) -> None:
        """Take in a file."""
        self.texts[path] = text
        if path.endswith(SCRIPTS):
            self.scripts[path] = Script(text, dialect(path))
        elif path.endswith(COMPONENTS):
            self.scripts[path] = component_script(path, text)
        elif path.endswith(NOTEBOOK):
            self._take_notebook(path, text)
        elif path.endswith(PYTHON):
            self._take_module(path, text)

    def _take_notebook(self, path: str, text: str) -> None:
        try:
            notebook = read_notebook(text)
        except ValueError as error:
            self.skipped.append((path, str(error)))
            return
        self.places[path] = notebook.places
        self.texts[path] = notebook.code
        self.cells += [(f"{path}:cell {cell}", "cannot be parsed as Python") for cell in notebook.unread]
        self._take_module(path, notebook.code)

    def _take_module(self, path: str, text: str) -> None:
        try:
            self.modules.append(read_module(path, text))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            self._give_up(path, f"cannot be parsed as Python ({type(error).__name__})")

    def _give_up(self, path: str, reason: str) -> None:
        self.places.pop(path, None)
        self.skipped.append((path, reason))

    def python_sites(self) -> list[Site]:
        """Return the gates of Python; lines of notebooks are those of their code as one source."""
        values = Values(self.modules)
        sites: list[Site] = []
        for module in self.modules:
            try:
                sites += list(python_sites(module, values))
            except RecursionError:
                self._give_up(module.path, TOO_DEEP)
        return sites

    def script_sites(self) -> list[Site]:
        """Return the gates of scripts; without the extra ``scan`` none, and the files are counted.

        Raises:
            InputError: the extra is not installed, and there is nothing but scripts.
        """
        if not self.scripts:
            return []
        from denotary.instruments.similarity.scan.script_sites import script_sites

        try:
            return script_sites(self.scripts, self.skipped)
        except InputError:
            if self.scripts.keys() == self.texts.keys():
                raise
            self.extra.update(Path(path).suffix for path in self.scripts)
            return []

    def placed(self, site: Site) -> Site:
        """Return a gate with the lines of a notebook's code written as lines of its cells."""
        path, _, line = site.origin.rpartition(":")
        if path in self.places:
            origin = self.places[path][int(line) - 1]
            site = replace(site, origin=f"{path}:cell {origin.cell}:{origin.line}")
        if site.path in self.places:
            site = replace(site, **self.places[site.path][site.line - 1]._asdict())
        return site
