"""Complaints of users that the lane by meaning must get right, each as its thread says it.

The lanes are small and fitted here. A threshold holds for texts of the kind that calibrated it: unknown texts of the
kind of the complaint are among them, its own is not. In row 14 the threshold is zero: the checks alone refuse.
"""

from pathlib import Path

import msgspec
import pytest

from denotary.registry import Registry
from denotary.resolver.semantic import SemanticLane, calibrate, fit
from denotary.resolver.semantic.records import Example
from denotary.resolver.semantic.storing import write_calibration


def certified(registry: Registry, folder: Path, known: dict[str, str], unknown: list[str]) -> SemanticLane:
    """Return a lane fitted on numbered texts and calibrated on others, with a threshold that bounds both risks by 5 %.

    Args:
        registry: of two concepts.
        folder: where the lane is written.
        known: a pattern with the place of a number, by code.
        unknown: texts that mean no concept: every fourth is fitted, the others calibrate.
    """

    def texts(prefix: str, start: int, stop: int, without: list[str]) -> list[Example]:
        found = [
            Example(id=f"{prefix}-{code}-{n}", text=pattern.format(n), code=code)
            for n in range(start, stop)
            for code, pattern in known.items()
        ]
        return found + [Example(id=f"{prefix}-u-{n}", text=text, code=None) for n, text in enumerate(without)]

    fitted, held = unknown[::4], [text for n, text in enumerate(unknown) if n % 4]
    fit(registry, texts("fit", 0, 30, fitted), folder, encoder="hash-words")
    found = calibrate(folder, texts("cal", 100, 300, held), limit=0.05, unknown_limit=0.05)
    assert found.threshold is not None
    return SemanticLane(folder)


def said(lane: SemanticLane, text: str) -> str:
    decision = lane.resolve({"text": text, "language": "en"})["decision"]
    return str(decision.get("concept_code") or decision["reason"])


def test_row_12_an_entity_that_is_not_held_is_none_of_the_same_name(verbs: Registry, tmp_path: Path) -> None:
    """facebookresearch/BLINK#77, explosion/spaCy#9114: others of the name are among the unknown, this one is not."""
    known = {"open": "John Smith the cricketer, match {}", "close": "John Smith the clergyman, sermon {}"}
    trades = (
        "baker", "mason", "piper", "weaver", "miller", "painter", "sailor", "tailor", "potter", "judge",
        "cooper", "lawyer", "farmer", "nurse", "drummer", "dentist",
    )  # fmt: skip
    towns = ("Leeds", "York", "Bath", "Ely", "Hull", "Kent", "Devon", "Perth", "Derby", "Wells")
    unknown = [f"John Smith the {trade} from {town}" for town in towns for trade in trades]
    lane = certified(verbs, tmp_path, known, unknown)
    assert said(lane, "John Smith the cricketer, match 7") == "open"
    assert said(lane, "John Smith the astronaut from Leeds") == "below_threshold"


def test_row_13_breakfast_is_no_higher_education(verbs: Registry, tmp_path: Path) -> None:
    """RasaHQ/rasa#387: other small talk is among the unknown, no breakfast."""
    known = {"open": "which college course is number {}", "close": "give me the status of ticket {}"}
    asked = ("what do we have", "do you like", "where did we leave", "who brought", "tell me about")
    things = (
        "the rain",
        "lunch",
        "a new film",
        "my keys",
        "the football",
        "some music",
        "the cat",
        "your weekend",
    )
    days = ("today", "tonight", "this morning")
    unknown = [f"{ask} {thing} {day}?" for day in days for thing in things for ask in asked]
    lane = certified(verbs, tmp_path, known, unknown)
    assert said(lane, "which college course is number 7") == "open"
    assert said(lane, "What do we have for breakfast today?") == "below_threshold"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("move money from checking to savings", "role_conflict"),
        ("do not move money from savings to checking", "polarity_conflict"),
        ("never move money from savings to checking", "polarity_conflict"),
        ("move money from savings to checking", "open"),
    ],
)
def test_row_14_no_threshold_lets_a_reversal_through(
    verbs: Registry, tmp_path: Path, text: str, reason: str
) -> None:
    """zilliztech/GPTCache#694, run-llama/llama_index#22729, microsoft/semantic-kernel#14295: never cosine alone."""
    fitted = [
        Example(id=f"{code}-{number}", text=text, code=code)
        for code, texts in {
            "open": ("move money from savings to checking", "shift money from savings to checking"),
            "close": ("show the weather", "tell the weather"),
        }.items()
        for number, text in enumerate(texts)
    ]
    fit(verbs, fitted, tmp_path, encoder="hash-words")
    other = [
        Example(id="cal", text="shift cash from savings to checking", code="open"),
        Example(id="cal-2", text="tell me the weather", code="close"),
    ]
    found = calibrate(tmp_path, other, limit=0.5)
    write_calibration(tmp_path, msgspec.structs.replace(found, threshold=0.0))
    assert said(SemanticLane(tmp_path), text) == reason
