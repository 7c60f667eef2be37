"""Write the table of word relations from the files of WordNet 3.0.

python tools/wordnet_table.py DICT    # DICT: the folder with data.noun, index.sense, noun.exc, LICENSE

Kept are single words that WordNet's own tagged texts hold or that have an opposite; all their synsets, the synsets
above those, opposites and irregular forms. Same input, same bytes.
"""

from __future__ import annotations

import gzip
import sys
from dataclasses import dataclass
from pathlib import Path

from denotary.files import write_atomic

FOLDER = Path(__file__).parents[1] / "src" / "denotary" / "text" / "data"
LETTERS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


@dataclass(frozen=True)
class Synset:
    """A synset: its words, what stands above it, what is similar, and opposites as (word, word)."""

    words: list[str]
    above: list[str]
    similar: list[str]
    opposites: list[tuple[int, str, int]]


def main(source: Path) -> None:
    """Write the table and its licence."""
    synsets = {key: made for part in LETTERS for key, made in read(source / f"data.{part}", part)}
    opposites = {
        tuple(sorted((synset.words[left - 1], synsets[key].words[right - 1])))
        for synset in synsets.values()
        for left, key, right in synset.opposites
        if left and right
    }
    opposites = {pair for pair in opposites if all(word.isalpha() for word in pair)}
    known = {word for pair in opposites for word in pair} | tagged(source / "index.sense")
    lines = table(synsets, known) + [f"!\t{one}\t{two}" for one, two in sorted(opposites)]
    lines += sorted({line for part in LETTERS for line in irregular(source / f"{part}.exc", known)})
    data = gzip.compress("".join(f"{line}\n" for line in lines).encode(), 9, mtime=0)
    write_atomic(FOLDER / "wordnet-3.0.tsv.gz", data)
    write_atomic(FOLDER / "wordnet-licence.txt", (source / "LICENSE").read_bytes())
    print(f"{len(known):,} words, {len(lines):,} lines, {len(data):,} bytes")


def read(path: Path, part: str) -> list[tuple[str, Synset]]:
    """Return the synsets of a data file; see wndb(5WN)."""
    found = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        field = line.split(" | ")[0].split()
        count = int(field[3], 16)
        words = [field[4 + 2 * at].lower().split("(")[0] for at in range(count)]
        start = 5 + 2 * count
        links = [field[at : at + 4] for at in range(start, start + 4 * int(field[start - 1]), 4)]
        named = [(mark, link.replace("s", "a") + offset, ends) for mark, offset, link, ends in links]
        found.append(
            (
                LETTERS[part] + field[0],
                Synset(
                    words,
                    [key for mark, key, _ in named if mark in {"@", "@i"}],
                    [key for mark, key, _ in named if mark in {"&", "^"}],
                    [
                        (int(ends[:2], 16), key, int(ends[2:4], 16))
                        for mark, key, ends in named
                        if mark == "!"
                    ],
                ),
            )
        )
    return found


def tagged(path: Path) -> set[str]:
    """Return the single words with a tagged sense."""
    fields = [line.split() for line in path.read_text("utf-8").splitlines()]
    words = {field[0].split("%")[0] for field in fields if int(field[3]) > 0}
    return {word for word in words if word.isalpha() and len(word) > 1}


def table(synsets: dict[str, Synset], known: set[str]) -> list[str]:
    """Return one line a synset that holds a known word or stands above one that does: words, above, similar."""
    kept = {key for key, synset in synsets.items() if known & set(synset.words)}
    todo = set(kept)
    while todo:
        todo = {key for one in todo for key in synsets[one].above} - kept
        kept |= todo
    number = {key: str(at) for at, key in enumerate(sorted(kept))}
    return [
        "\t".join(
            (
                " ".join(word for word in synsets[key].words if word in known),
                " ".join(number[one] for one in synsets[key].above),
                " ".join(number[one] for one in synsets[key].similar if one in number),
            )
        )
        for key in number
    ]


def irregular(path: Path, known: set[str]) -> list[str]:
    """Return the irregular forms of known words."""
    forms = [line.split() for line in path.read_text("utf-8").splitlines()]
    return [f"~\t{form[0]}\t{base}" for form in forms for base in form[1:] if base in known]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
