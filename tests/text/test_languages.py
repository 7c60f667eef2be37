"""Language tags: examples of RFC 5646 and RFC 4647."""

import pytest

from denotary.errors import InputError
from denotary.text import broader_tags, canonical_tag, primary_subtag

WELL_FORMED = [
    # RFC 5646 appendix A and section 2.1.1
    "de", "fr", "ja", "zh-Hant", "zh-Hans", "sr-Cyrl", "sr-Latn", "zh-cmn-Hans-CN", "cmn-Hans-CN", "zh-yue-HK",
    "yue-HK", "zh-Hans-CN", "sr-Latn-RS", "sl-rozaj", "sl-rozaj-biske", "sl-nedis", "de-CH-1901", "sl-IT-nedis",
    "hy-Latn-IT-arevela", "de-DE", "en-US", "es-419", "de-CH-x-phonebk", "az-Arab-x-aze-derbend", "x-whatever",
    "qaa-Qaaa-QM-x-southern", "de-Qaaa", "sr-Latn-QM", "sr-Qaaa-RS", "en-US-u-islamcal", "zh-CN-a-myext-x-private",
    "en-a-myext-b-another", "mn-Cyrl-MN", "en-CA-x-ca",
]  # fmt: skip
ILL_FORMED = [
    "", "a-DE", "de-419-DE", "en_US", "english language", "en-", "-en", "en--US", "e", "123", "en-toolongsubtag",
    "en-x", "en-a", "\u212aa", "\u017fv", "en\n", "fr\u00e9", "en-US-",
]  # fmt: skip


@pytest.mark.parametrize("tag", WELL_FORMED)
def test_case_is_made_canonical_from_any(tag: str) -> None:
    for given in (tag, tag.upper(), tag.lower(), tag.swapcase()):
        assert canonical_tag(given) == tag


@pytest.mark.parametrize("tag", [*ILL_FORMED, "sgn-BE-FR"])
def test_what_is_not_well_formed_is_refused(tag: str) -> None:
    """``sgn-BE-FR`` is grandfathered and deprecated; it does not fit the grammar."""
    with pytest.raises(InputError, match="BCP 47"):
        canonical_tag(tag)


@pytest.mark.parametrize(("tag", "primary"), [("pt-BR", "pt"), ("ZH-Hant", "zh"), ("en", "en"), ("x-a", "x")])
def test_primary_subtag(tag: str, primary: str) -> None:
    assert primary_subtag(tag) == primary


def test_lookup_goes_from_the_narrowest_to_the_broadest() -> None:
    """RFC 4647 section 3.4, its own example."""
    assert broader_tags("zh-Hant-CN-x-private1-private2") == (
        "zh-Hant-CN-x-private1-private2",
        "zh-Hant-CN-x-private1",
        "zh-Hant-CN",
        "zh-Hant",
        "zh",
    )
