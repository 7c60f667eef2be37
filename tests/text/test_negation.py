"""Which words negate, and where."""

import pytest

from denotary.text.negation import negating, negations


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("It is NOT so, and never was.", "en", ("not", "never")),
        ("It isn't.", "en-GB", ("n't",)),
        ("kein Vektor", "de", ("kein",)),
        ("no é assim", "pt", ()),
        ("no es así", "es", ("no",)),
        ("ce n’est pas lui", "fr", ("pas",)),
        ("これではない", "ja", ("ない",)),
        ("यह नहीं है", "hi", ("नहीं",)),
        ("هذا ليس متجها", "ar", ("ليس",)),
        # Where nobody says which language it is, short words prove nothing.
        ("no, kein Vektor", "und", ("kein",)),
        ("a note about knots", "en", ()),
        ("", "en", ()),
    ],
)
def test_words_that_negate(text: str, language: str, found: tuple[str, ...]) -> None:
    assert negating(text, language) == found


def test_the_words_are_those_of_all_groups_in_folded_form() -> None:
    known = negations()
    assert known.all == frozenset(word for words in known.words.values() for word in words)
    assert all(word == word.casefold() for word in known.all)
