"""Write the reference pages of the documentation from the code, or check that they still say what it says.

python tools/reference.py            # writes the pages below docs/reference that have a writer in reference_pages
python tools/reference.py --check    # exit code 1 if one differs
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from reference_pages import cli, files, identity, measures, operators, policies, python, similarity

from denotary.files import write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
NOTE = "<!-- Written by tools/reference.py from the code; edit the code or the tool, not this page. -->\n\n"
PAGES: dict[str, Callable[[], str]] = {
    "cli": cli.page,
    "files": files.page,
    "identity": identity.page,
    "measures": measures.page,
    "operators": operators.page,
    "policies": policies.page,
    "similarity": similarity.page,
}
"""Pages that are written as a whole, by name."""
PYTHON = "python"
"""The page that was written by hand and holds a list of functions from the code."""


def wanted() -> dict[Path, str]:
    """Return the content of every page by path."""
    found = {FOLDER / f"{name}.md": NOTE + page().rstrip() + "\n" for name, page in PAGES.items()}
    path = FOLDER / f"{PYTHON}.md"
    return {**found, path: python.renewed(path.read_text(encoding="utf-8"))}


def main(arguments: list[str]) -> int:
    """Write or check the pages; return the exit code."""
    check = arguments == ["--check"]
    differing = 0
    for path, text in wanted().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        differing += 1
        if check:
            print(f"docs/reference/{path.name}: differs from the code; run python tools/reference.py")
        else:
            write_atomic(path, text.encode())
    return 1 if check and differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
