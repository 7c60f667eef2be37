"""The sentences that operators put around a text."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

_DATA: Final = Path(__file__).parent / "data" / "phrases.toml"


@cache
def phrases() -> dict[str, Any]:
    """Return the tables of ``phrases.toml``."""
    return tomllib.loads(_DATA.read_text("utf-8"))
