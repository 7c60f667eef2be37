"""What the room offers stays what it is once all of its modules are imported, and costs nothing before."""

import pkgutil
import subprocess
import sys
from importlib import import_module

import pytest

from denotary.instruments import similarity


def test_no_module_takes_the_place_of_a_public_name() -> None:
    # A module named like a public function would replace it as soon as it is imported.
    before = {name: getattr(similarity, name) for name in similarity.__all__}
    for module in pkgutil.iter_modules(similarity.__path__):
        import_module(f"{similarity.__name__}.{module.name}")
    assert {name: getattr(similarity, name) for name in similarity.__all__} == before
    assert all(callable(item) for name, item in before.items() if name != "INSTRUMENT")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = similarity.nothing


def test_importing_the_room_loads_no_arrays() -> None:
    code = "import sys, denotary.instruments.similarity; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
