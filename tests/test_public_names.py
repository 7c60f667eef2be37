"""What ``import denotary`` offers stays what it is, in whatever order the names are resolved."""

import subprocess
import sys

import denotary


def test_every_public_name_is_the_same_object_once_all_rooms_are_imported() -> None:
    # A room that is named like a public function would replace it as soon as it is imported.
    before = {name: getattr(denotary, name) for name in denotary.__all__}
    code = f"import denotary as dn; n = {sorted(denotary.__all__)!r}; [getattr(dn, x) for x in n];"
    code += "assert all(callable(getattr(dn, x)) or x == 'systems' for x in n), n"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert {name: getattr(denotary, name) for name in denotary.__all__} == before
