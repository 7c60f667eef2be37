"""The tests that suites of similarity gates lack, as pytest cases.

They are texts that share their words and not their decision, and texts that share their decision and not their words.
The pack is two files: pairs as JSON Lines in the form of users' own, and a test that asks the user's gate of each.
"""

from __future__ import annotations

import hashlib
import keyword
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.files import encode_jsonl, write_atomic
from denotary.instruments.similarity.corpus_records import UserPair

if TYPE_CHECKING:
    from pathlib import Path

    from denotary.instruments.similarity.corpus import Corpus
    from denotary.instruments.similarity.pairs import Pairs

PAIRS = "polarity_pairs.jsonl"
TEST = "test_polarity.py"


def polarity_pairs(corpus: Corpus, *, per_class: int, task: str = "") -> list[UserPair]:
    """Return close opposites and distant sames, both of the same anchors.

    Args:
        corpus: matched pairs.
        per_class: anchors by task and class of change, at most; which of them, a digest of their ids says. Opposites
            whose class nobody named are a class of their own.
        task: one task; by default all.

    Raises:
        InputError: the corpus holds no such task, or no anchor with both pairs.
    """
    pairs = corpus.pairs
    if task and task not in pairs.values("task"):
        raise InputError(
            f"the corpus {corpus.name} has no task {task!r}; it has: {', '.join(pairs.values('task'))}"
        )
    wanted = (~pairs.same & pairs.close) | (pairs.same & ~pairs.close)
    chosen = pairs.where(wanted & pairs.of(task=task) if task else wanted)
    sames: dict[tuple[str, str], list[int]] = {}
    for row in np.flatnonzero(chosen.same):
        sames.setdefault((chosen.task[row], chosen.anchor[row]), []).append(int(row))
    groups: dict[tuple[str, str], dict[str, list[int]]] = {}
    for row in np.flatnonzero(~chosen.same):
        group = groups.setdefault((chosen.task[row], chosen.mutation[row]), {})
        group.setdefault(chosen.anchor[row], []).append(int(row))
    # A pair that stands for two classes of one anchor is tested once.
    kept: dict[int, None] = {}
    for (of, _), anchors in sorted(groups.items()):
        whole = {name: rows for name, rows in anchors.items() if (of, name) in sames}
        for name in sorted(sorted(whole, key=_digest)[:per_class]):
            kept |= dict.fromkeys(sorted(whole[name] + sames[of, name]))
    found = [_pair(chosen, row) for row in kept]
    if not found:
        raise InputError(
            f"the corpus {corpus.name} has no anchor with a close opposite and a distant same pair"
        )
    return found


def write_pack(folder: Path, pairs: list[UserPair], *, gate: str, source: str) -> None:
    """Write the pairs and the test into a folder.

    Args:
        folder: made if it does not exist.
        pairs: of :func:`polarity_pairs`.
        gate: ``module:name`` of a function that takes two texts and returns whether it treats them as the same.
        source: name of the corpus, for the test's first lines.

    Raises:
        InputError: ``gate`` is not of that form, or a file of the pack exists already.
    """
    module, _, name = gate.partition(":")
    parts = (*module.split("."), *name.split("."))
    if not all(part.isidentifier() and not keyword.iskeyword(part) for part in parts):
        raise InputError(f"expected MODULE:NAME, found {gate!r}", hint="for example my_cache:is_hit")
    for existing in (folder / PAIRS, folder / TEST):
        if existing.exists():
            raise InputError("exists already", path=existing, hint="give another folder, or remove it")
    template = (files("denotary.instruments.similarity") / "data" / "test_polarity.py.txt").read_text("utf-8")
    write_atomic(folder / PAIRS, encode_jsonl(pairs))
    first, _, rest = name.partition(".")
    text = template.replace("@MODULE@", module).replace("@FIRST@", first)
    text = text.replace("@ATTRIBUTE@", f".{rest}" if rest else "").replace("@SOURCE@", _plain(source))
    write_atomic(folder / TEST, text.encode())


def _plain(source: str) -> str:
    """Return the name of a corpus as it may stand in a docstring: a file may be called anything."""
    return "".join(sign if sign.isprintable() and sign not in '"\\' else "?" for sign in source)


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def _pair(pairs: Pairs, row: int) -> UserPair:
    return UserPair(
        text1=pairs.first[row],
        text2=pairs.second[row],
        decision="same" if pairs.same[row] else "opposite",
        task=pairs.task[row],
        anchor=pairs.anchor[row],
        half=pairs.half[row],
        register=pairs.register[row],
        mutation=pairs.mutation[row],
        pole="close" if pairs.close[row] else "distant",
    )
