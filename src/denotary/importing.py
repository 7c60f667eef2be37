"""A user's own function by ``MODULE:NAME``, as options and configuration name it, and what its answers depend on."""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from denotary.canonical import sha256
from denotary.errors import InputError, did_you_mean


def import_callable(target: str) -> Any:
    """Return what ``module:name`` names; ``name`` may be dotted.

    Raises:
        InputError: the form is wrong, the module cannot be imported, or the name is absent.
    """
    module_name, _, path = target.partition(":")
    if not module_name or not path:
        raise InputError(
            f"expected MODULE:NAME, found {target!r}", hint="for example python:my_resolver:resolve"
        )
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = import_module(module_name)
    except (Exception, SystemExit) as error:
        raise InputError(
            f"module {module_name} cannot be imported: {type(error).__name__}: {error}",
            hint="run from the folder that holds it, or install it",
        ) from error
    for name in path.split("."):
        if not hasattr(found, name):
            names = (known for known in vars(found) if not known.startswith("_"))
            raise InputError(f"module {module_name} has no {path}", hint=did_you_mean(name, names))
        found = getattr(found, name)
    return found


def source_digests(function: Any, module: str = "") -> dict[str, str]:
    """Return the SHA-256 of the files of the modules that name and that define a function, by name of the module.

    What these modules call elsewhere is not among them. A module that has no file, such as a built-in one, is left out.

    Args:
        function: as :func:`import_callable` returned it; for an object that is called, its class counts.
        module: the one that named it.
    """
    inner = inspect.unwrap(getattr(function, "func", function))
    defined = getattr(inner, "__module__", None) or type(inner).__module__
    files = {name: getattr(sys.modules.get(name), "__file__", None) for name in (module, defined) if name}
    return {
        name: sha256(Path(file).read_bytes())
        for name, file in sorted(files.items())
        if file and Path(file).is_file()
    }


def distribution(module: str) -> str:
    """Return the distributions that a module came with, each with its version; empty if it came with none."""
    from importlib.metadata import packages_distributions, version

    found = packages_distributions().get(module.partition(".")[0], [])
    return ", ".join(f"{name} {version(name)}" for name in sorted(set(found)))


def called(what: str, function: Any, *arguments: Any, record: str | None = None, quoted: bool = False) -> Any:
    """Return what a user's own function gives.

    Args:
        what: names the function in the message.
        function: gets the arguments.
        arguments: what it gets.
        record: id of what it is asked for, for the message.
        quoted: tell what its error says; not where it gets texts, which the error may quote.

    Raises:
        InputError: it raises, or ends the program: a command that stops with exit code 0 would seem to have passed.
    """
    try:
        return function(*arguments)
    except (Exception, SystemExit) as error:
        said = f": {error}" if quoted else ""
        raise InputError(f"{what} raised {type(error).__name__}{said}", record=record) from error
