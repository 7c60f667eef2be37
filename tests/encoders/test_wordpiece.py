"""The tokenizer against numbers that the reference tokenizer gave, and its vocabulary against its digest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.canonical import sha256
from denotary.encoders.wordpiece import VOCABULARY_SHA256, WordPiece, bert_vocabulary, words
from denotary.errors import InputError

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "with", "##hold", "##er", "drug", ",", "un", "##with"]


@pytest.fixture(scope="module")
def bert() -> WordPiece:
    pytest.importorskip("blingfire")
    return WordPiece.bert_uncased()


def test_the_longest_piece_wins_and_a_word_with_an_unknown_rest_is_unknown() -> None:
    small = WordPiece(PIECES)
    assert small.ids("Withholder drug") == [2, 4, 5, 6, 7, 3]
    assert small.ids("withholds") == [2, 1, 3]
    assert small.ids("unwith,") == [2, 9, 10, 8, 3]
    assert small.ids("with" * 26) == [2, 1, 3]


def test_the_window_cuts_from_the_end_and_keeps_both_marks() -> None:
    assert WordPiece(PIECES).ids("drug drug with", 4) == [2, 7, 7, 3]


def test_a_vocabulary_without_marks_is_refused() -> None:
    with pytest.raises(InputError, match=r"lacks \[CLS\], \[SEP\]"):
        WordPiece(["[UNK]", "a"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't STOP", ["don", "'", "t", "stop"]),
        ("\u00c5ngstr\u00f6m", ["angstrom"]),
        ("\u5317\u4eacx", ["\u5317", "\u4eac", "x"]),
        ("a\u200bb\x00c\x0bd", ["abcd"]),
        ("a\u3000b\u00a0c\nd", ["a", "b", "c", "d"]),
        ("\u03a3\u0391\u03a3", ["\u03c3\u03b1\u03c3"]),
        ("5$+1", ["5", "$", "+", "1"]),
        ("\u0130", ["i"]),
        ("", []),
    ],
)
def test_words_are_folded_and_parted_as_an_uncased_model_expects(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_folding_twice_is_folding_once(text: str) -> None:
    once = list(words(text))
    assert [again for word in once for again in words(word)] == once


def test_the_vocabulary_of_the_package_is_the_published_one() -> None:
    pytest.importorskip("blingfire")
    pieces = bert_vocabulary()
    assert len(pieces) == 30_522
    assert sha256("".join(f"{piece}\n" for piece in pieces).encode()) == VOCABULARY_SHA256


# Numbers of the library tokenizers 0.23.3 with tokenizer.json of all-MiniLM-L6-v2.
REFERENCE = [
    (
        "Withhold the study drug, don't administer it!",
        [101, 2007, 12640, 1996, 2817, 4319, 1010, 2123, 1005, 1056, 21497, 2009, 999, 102],
    ),
    (
        "M\xfcller's na\xefve caf\xe9 \u2014 10^-3 \xb5g",
        [101, 12304, 1005, 1055, 15743, 7668, 1517, 2184, 1034, 1011, 1017, 1085, 2290, 102],
    ),
    (
        "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440",
        [101, 1194, 16856, 10325, 25529, 15290, 22919, 1010, 1191, 10325, 16856, 102],
    ),
    (
        "\u03b3\u03b5\u03b9\u03ac \u03c3\u03bf\u03c5 \u039a\u03cc\u03c3\u03bc\u03b5",
        [101, 1157, 29723, 27432, 1173, 26789, 1164, 29730, 29733, 29728, 29723, 102],
    ),
    (
        "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645",
        [101, 1295, 17149, 29820, 29816, 25573, 1271, 25573, 23673, 29830, 25573, 23673, 22192, 102],
    ),
    (
        "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd",
        [101, 1266, 29799, 29792, 29800, 1259, 29792, 29799, 29800, 102],
    ),
    (
        "\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e",
        [101, 1327, 29867, 29874, 29859, 1325, 29863, 29877, 29868, 29876, 102],
    ),
    ("\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35\u0e0a\u0e32\u0e27\u0e42\u0e25\u0e01", [101, 100, 102]),
    ("\u3053\u3093\u306b\u3061\u306f\u4e16\u754c", [101, 1655, 30217, 30194, 30188, 30198, 1745, 100, 102]),
    (
        "\uc548\ub155\ud558\uc138\uc694 \uc138\uacc4",
        [101, 1463, 30006, 30021, 29992, 30010, 30025, 30005, 30006, 29997, 30009, 29999, 30013, 100, 102],
    ),
    ("\u5317\u4eac\u6b22\u8fce\u4f60", [101, 1781, 1755, 100, 100, 100, 102]),
    ("xin ch\xe0o th\u1ebf gi\u1edbi", [101, 8418, 2078, 22455, 1996, 21025, 10448, 102]),
    ("\u10d2\u10d0\u10db\u10d0\u10e0\u10ef\u10dd\u10d1\u10d0", [101, 100, 102]),
    ("\u0532\u0561\u0580\u0565\u0582", [101, 1220, 29766, 29784, 29770, 29785, 102]),
    ("\u1230\u120b\u121d", [101, 100, 102]),
    ("\U0001f642 \U0001f469\u200d\U0001f469\u200d\U0001f467", [101, 100, 100, 102]),
    ("\ufb01anc\xe9 \ufb00", [101, 1984, 6651, 100, 102]),
    ("\u0130stanbul \u0131spanak", [101, 9960, 1104, 13102, 5162, 2243, 102]),
    ("\xbd \xb2 \u2122 \u2116", [101, 1092, 1082, 1580, 1578, 102]),
    ("a" * 101, [101, 100, 102]),
    (
        "\u0928\u0939\u0940\u0902\u200c\u0939\u0948 zero\u200cwidth",
        [101, 1327, 29875, 29878, 29875, 5717, 9148, 11927, 2232, 102],
    ),
]


@pytest.mark.parametrize(("text", "expected"), REFERENCE)
def test_numbers_are_those_of_the_reference_tokenizer_in_every_script(
    bert: WordPiece, text: str, expected: list[int]
) -> None:
    assert bert.ids(text) == expected


def test_a_text_cannot_spell_a_mark(bert: WordPiece) -> None:
    assert bert.ids("[SEP]") == [101, 1031, *bert.ids("sep")[1:-1], 1033, 102]
