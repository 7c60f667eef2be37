"""Which denotary made a result: the version, and a digest over the source that computed it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from denotary.canonical import digest, sha256

_KINDS = (".py", ".toml", ".j2", ".css", ".js", ".html")


@cache
def tool_digest() -> str:
    """Return one SHA-256 over every source file of the installed package; data sets are left out."""
    root = Path(__file__).parents[1]
    files = sorted(path for path in root.rglob("*") if path.suffix in _KINDS and path.is_file())
    named = {path.relative_to(root).as_posix(): sha256(path.read_bytes()) for path in files}
    return digest({name: value for name, value in named.items() if not name.startswith("data/")})
