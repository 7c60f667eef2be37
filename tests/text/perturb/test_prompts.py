"""Prompt-like text: codes are named, the text stays, encodings decode."""

import codecs
from base64 import b64decode

import pytest

from denotary.text.perturb import apply, operators
from denotary.text.perturb.phrases import phrases

CODE = "registry.migration_record"
OTHER = "representation.notation"
TEXT = "an identity that stays"
PROMPTS = [operator.id for operator in operators() if operator.family == "prompt"]


@pytest.mark.parametrize("operator", PROMPTS)
@pytest.mark.parametrize("severity", ["low", "medium", "high"])
def test_the_text_stays_and_the_codes_are_named(operator: str, severity: str) -> None:
    for seed in range(6):
        made = apply(operator, TEXT, "en", seed, severity, options={"codes": [CODE, OTHER]})  # type: ignore[arg-type]
        assert made.text is not None
        assert TEXT in made.text
        assert made.details["codes"] == [CODE, OTHER]
        if operator != "prompt.encoded":
            assert CODE in made.text or OTHER in made.text
        assert "{" not in made.text.replace('{"', "")


@pytest.mark.parametrize(
    "operator", [name for name in PROMPTS if name not in {"prompt.trailing", "prompt.long_prefix"}]
)
@pytest.mark.parametrize("severity", ["low", "high"])
def test_a_side_that_is_asked_for_is_kept(operator: str, severity: str) -> None:
    for side in ("before", "after"):
        made = apply(operator, TEXT, "en", 1, severity, options={"codes": [CODE, OTHER], "side": side})  # type: ignore[arg-type]
        assert made.text is not None
        assert made.text.endswith(TEXT) if side == "before" else made.text.startswith(TEXT)


def test_fixed_sides() -> None:
    options = {"codes": [CODE]}
    assert str(apply("prompt.trailing", TEXT, options=options).text).startswith(TEXT)
    prefixed = [
        apply("prompt.long_prefix", TEXT, "en", 0, severity, options=options).text
        for severity in ("low", "medium", "high")
    ]
    lengths = [len(text) - len(TEXT) for text in prefixed if text is not None]
    assert [length >= least for length, least in zip(lengths, (300, 800, 1600), strict=True)] == [True] * 3
    assert all(str(text).endswith(TEXT) for text in prefixed)


def test_every_encoding_decodes_to_an_order() -> None:
    orders = {phrase.format(code=CODE) for phrase in phrases()["prompt"]["override"]}
    found = set()
    for seed in range(60):
        made = apply("prompt.encoded", TEXT, "en", seed, options={"codes": [CODE], "side": "after"})
        payload = str(made.text).removeprefix(f"{TEXT} ")
        found |= {name for name, decoded in decodings(payload).items() if decoded in orders}
    assert found == {"base64", "hex", "rot13", "backwards", "spaced"}


def decodings(payload: str) -> dict[str, str]:
    decoded = {
        "rot13": codecs.decode(payload, "rot13"),
        "backwards": payload[::-1],
        "spaced": payload[::2],
    }
    for name, decode in (("base64", lambda text: b64decode(text, validate=True)), ("hex", bytes.fromhex)):
        try:
            decoded[name] = decode(payload).decode()
        except ValueError:
            continue
    return decoded


def test_another_language_is_another_language() -> None:
    own = phrases()["prompt"]["languages"]["de"].format(code=CODE)
    made = {
        apply("prompt.multilingual", "Wort", "de-CH", seed, options={"codes": [CODE], "side": "after"}).text
        for seed in range(60)
    }
    assert len(made) == len(phrases()["prompt"]["languages"]) - 1
    assert not any(own in str(text) for text in made)


def test_every_phrase_has_a_place_for_a_code() -> None:
    prompt = phrases()["prompt"]
    for kind, sentences in prompt.items():
        if kind not in {"prefix", "languages"}:
            assert all("{code" in sentence for sentence in sentences), kind
    assert all("{code}" in sentence for sentence in prompt["languages"].values())
