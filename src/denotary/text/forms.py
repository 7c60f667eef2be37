"""The normal forms of the Unicode version that the project is held to, whatever the interpreter's own is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import unicodedata2

if TYPE_CHECKING:
    from collections.abc import Callable


def _form(name: str) -> Callable[[str], str]:
    def normal(text: str) -> str:
        result: str = unicodedata2.normalize(name, text)
        return result

    return normal


NFC: Final = _form("NFC")
NFD: Final = _form("NFD")
NFKC: Final = _form("NFKC")
NFKD: Final = _form("NFKD")
