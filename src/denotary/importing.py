"""A user's own function by ``MODULE:NAME``, as options and configuration name it."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

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
