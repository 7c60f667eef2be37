"""Grapheme clusters against the official tests of Unicode, and against what is said of scripts."""

import os
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.text import boundaries, clusters
from denotary.text.graphemes import _LETTERS

HERE = Path(__file__).parent
FOLDER = os.environ.get("UNICODE_BREAK_TESTS")
"""A folder with a GraphemeBreakTest.txt of any version, if there is one."""
CONJUNCT = re.compile("[KJ][EZ]*O")
NO_PICTOGRAPH = "\u2701"
"""Was Extended_Pictographic in earlier versions."""


def cases(path: Path) -> list[list[str]]:
    lines = [line.split("#")[0].strip() for line in path.read_text("utf-8").splitlines()]
    return [
        ["".join(chr(int(code, 16)) for code in part.split("×")) for part in line.strip("÷ ").split("÷")]
        for line in lines
        if line
    ]


OFFICIAL = cases(HERE / "GraphemeBreakTest-18.0.0.txt")


def test_every_official_case_of_the_pinned_version_holds() -> None:
    assert len(OFFICIAL) == 853
    assert [clusters("".join(case)) for case in OFFICIAL] == OFFICIAL


@pytest.mark.skipif(FOLDER is None, reason="UNICODE_BREAK_TESTS names no folder")
def test_cases_of_another_version_differ_only_where_rules_or_properties_changed() -> None:
    found = cases(Path(str(FOLDER)) / "GraphemeBreakTest.txt")
    assert len(found) > 500
    for case in found:
        text = "".join(case)
        if clusters(text) != case:
            assert CONJUNCT.search(text.translate(_LETTERS)) or NO_PICTOGRAPH in text, ascii(text)


@pytest.mark.parametrize(
    ("codes", "count"),
    [
        ("0915 094D 0937", 1),
        ("1780 17D2 1780", 1),
        ("0905 094D 0915", 1),
        ("1CF5 0995", 1),
        ("0061 1CF5 0995", 2),
        ("0915 1B44 11A3A 095E", 2),
        ("0B95 0BCD 0BB7", 2),
        ("0915 094D 200C 0937", 2),
        ("0915 094D 200D 0937", 1),
        ("0928 092E 0938 094D 0924 0947", 3),
        ("0E17 0E35 0E48 0E19 0E35 0E48", 2),
        ("0E19 0E49 0E33", 1),
        ("1112 1161 11AB 1100 116E 11A8", 2),
        ("D55C AD6D", 2),
        ("1F469 1F3FD 200D 1F52C", 1),
        ("1F1E9 1F1EA 1F1EB 1F1F7", 2),
        ("0031 FE0F 20E3", 1),
        ("0065 0301 0323", 1),
        ("000D 000A", 1),
        ("FF76 FF9E", 1),
    ],
)
def test_counts_that_the_rules_of_this_version_give(codes: str, count: int) -> None:
    assert len(clusters("".join(chr(int(code, 16)) for code in codes.split()))) == count


CHARACTERS = st.one_of(
    st.sampled_from([part for case in OFFICIAL for part in "".join(case)]),
    st.characters(codec=None),
)


@given(st.lists(CHARACTERS, max_size=12).map("".join))
def test_clusters_are_the_text_and_stand_between_the_boundaries(text: str) -> None:
    parts, ends = clusters(text), boundaries(text)
    assert "".join(parts) == text
    assert all(parts)
    assert [text[start:end] for start, end in pairwise(ends)] == parts


@given(st.lists(CHARACTERS, max_size=12).map("".join))
def test_a_cluster_alone_is_one_cluster(text: str) -> None:
    assert all(clusters(part) == [part] for part in clusters(text))
