"""Relations of words: each kind, both ways round, against WordNet's own entries."""

import pytest

from denotary.text.lexicon import RELATIONS, lexicon_hash, relation

FOUND = """
same|walked|walks
opposite|raise|lower
opposite|locked|unlocked
opposite|began|ended
synonym|buy|purchase
synonym|shut|close
indirect|enormous|little
similar|wet|damp
above|dog|animal
beside|monday|tuesday
unknown|harbour|theorem
"""


@pytest.mark.parametrize("line", FOUND.strip().splitlines())
def test_each_relation_is_found_from_both_sides(line: str) -> None:
    expected, first, second = line.split("|")
    assert relation(first, second) == relation(second, first) == expected


def test_every_relation_has_a_pair_above() -> None:
    assert {line.split("|")[0] for line in FOUND.strip().splitlines()} == set(RELATIONS)


@pytest.mark.parametrize("word", ["", "a", "xyzzy", "ß", "ing", "es"])
def test_any_string_is_a_word(word: str) -> None:
    assert relation(word, "harbour") in RELATIONS
    assert relation(word, word) == "same"


def test_the_tables_have_a_digest() -> None:
    assert len(lexicon_hash()) == 64
