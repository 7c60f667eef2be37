"""The language of a text chooses the word lists; where there are none, or nobody says it, the lane refuses."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from denotary.errors import InputError
from denotary.registry import Registry, load_registry
from denotary.resolver.semantic import SemanticLane, calibrate, fit
from denotary.resolver.semantic.records import Example
from denotary.resolver.semantic.storing import write_calibration
from denotary.text.negation import is_listed

SPOKEN = {
    "en": ("open account number {}", "close card number {}"),
    "de": ("Konto Nummer {} öffnen", "Karte Nummer {} sperren"),
    "xh": ("vula iakhawunti {}", "vala ikhadi {}"),
}


def spoken(
    prefix: str, start: int, stop: int, languages: tuple[str, ...] = ("en", "de", "xh")
) -> list[Example]:
    return [
        Example(id=f"{prefix}-{tag}-{code}-{at}", text=text.format(at), code=code, language=tag)
        for tag in languages
        for at in range(start, stop)
        for text, code in zip(SPOKEN[tag], ("open", "close"), strict=True)
    ]


def lane(folder: Path, registry: Registry, examples: list[Example], threshold: float = 0.0) -> SemanticLane:
    fit(registry, examples, folder, encoder="hash-words")
    found = calibrate(folder, spoken("cal", 100, 110, ("en",)), limit=0.5)
    write_calibration(folder, msgspec.structs.replace(found, threshold=threshold))
    return SemanticLane(folder)


@pytest.fixture
def three(verbs: Registry, tmp_path: Path) -> SemanticLane:
    return lane(tmp_path, verbs, spoken("fit", 0, 6))


def reason(answer: dict[str, Any]) -> Any:
    return answer["decision"].get("reason")


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "open account number 7", None),
        ("en-GB", "do not open account number 7", "polarity_conflict"),
        ("de", "Konto Nummer 7 öffnen", None),
        ("de-AT", "Konto Nummer 5 nicht öffnen", "polarity_conflict"),
        ("xh", "vula iakhawunti 7", "unchecked_language"),
        ("fr", "Konto Nummer 7 öffnen", "unchecked_language"),
        (None, "open account number 7", "language_not_given"),
        ("und", "open account number 7", "language_not_given"),
    ],
)
def test_the_lists_are_those_of_the_texts_language(
    three: SemanticLane, language: str | None, text: str, expected: str | None
) -> None:
    answer = three.resolve({"text": text, "language": language})
    assert reason(answer) == expected
    assert answer["provenance"]["authority"] == (expected is None)


def test_a_german_negation_is_none_in_a_text_that_is_said_to_be_english(three: SemanticLane) -> None:
    assert reason(three.resolve({"text": "open account number 7 nicht", "language": "en"})) is None


def test_a_lane_of_one_language_needs_none_in_the_request(verbs: Registry, tmp_path: Path) -> None:
    answer = lane(tmp_path, verbs, spoken("fit", 0, 6, ("en",))).resolve({"text": "open account number 7"})
    assert (reason(answer), answer["provenance"]["language"]) == (None, "en")


def test_calibration_counts_what_cannot_be_checked_as_refused(three: SemanticLane, tmp_path: Path) -> None:
    found = calibrate(tmp_path, spoken("cal", 100, 130), limit=0.05)
    assert (found.known, found.refused_known) == (180, 60)


def test_a_text_without_a_language_among_several_and_a_bad_tag_are_refused(
    verbs: Registry, tmp_path: Path
) -> None:
    for language, message in ((None, "no language"), ("en_GB", "well-formed")):
        odd = Example(id="odd", text="open", code="open", language=language)
        with pytest.raises(InputError, match=message) as caught:
            fit(verbs, [*spoken("fit", 0, 6), odd], tmp_path, encoder="hash-words")
        assert caught.value.record == "odd"


def test_lists_are_there_for_words_and_for_parts_of_words() -> None:
    assert [tag for tag in ("en", "de-AT", "zh-Hant", "ja", "xh", "und") if is_listed(tag)] == [
        "en", "de-AT", "zh-Hant", "ja",
    ]  # fmt: skip


def test_another_registry_in_several_languages_is_read_by_its_own_tags(tmp_path: Path) -> None:
    registry = load_registry("bundled:bootstrap")
    model = fit(registry, [], tmp_path, encoder="hash-words").model
    assert {"de", "en", "es"} <= set(model.languages)
