"""Colours of the style sheet against WCAG 2.2: 4.5 to 1 for text, 3 to 1 for marks."""

import re
from pathlib import Path

import pytest

import denotary.reports

STYLE = (Path(denotary.reports.__file__).parent / "templates" / "report.css").read_text("utf-8")


def variables(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+):(#[0-9a-f]{3,6})", block))


LIGHT = variables(STYLE.split("}", 1)[0])
DARK = LIGHT | variables(STYLE.split("(prefers-color-scheme:dark){:root{", 1)[1].split("}", 1)[0])
PRINT = LIGHT | variables(STYLE.split("@media print{:root{", 1)[1].split("}", 1)[0])


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    digits = colour.lstrip("#")
    digits = "".join(c * 2 for c in digits) if len(digits) == 3 else digits
    channels = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


TEXT = [
    (text, ground)
    for ground in ("paper", "raised")
    for text in (
        "ink",
        "muted",
        "link",
        "pass",
        "fail",
        "insufficient",
        "exploratory",
        "waived",
        "bound",
        "not_applicable",
    )
]
ON_CELLS = [
    *[("ink", f"{kind}{step}") for kind in ("right", "wrong", "refused") for step in (0, 1)],
    *[("on2", f"{kind}2") for kind in ("right", "wrong", "refused")],
    *[("oninv", f"{kind}3") for kind in ("right", "wrong", "refused")],
    *[("oninv", ground) for ground in ("right3", "fail", "waived", "insufficient", "bound", "refused3")],
    *[("ink", ground) for ground in ("right1", "refused1")],
]
MARKS = [
    ("data", "paper"),
    ("rule", "paper"),
    ("refused2", "paper"),
    ("fail", "paper"),
    ("bound", "paper"),
    ("cut", "fail"),
    ("cut", "pass"),
]
SCHEMES = {"light": LIGHT, "dark": DARK, "print": PRINT}


def test_black_on_white_is_21_to_1() -> None:
    assert contrast("#000", "#fff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("text", "ground"), TEXT + ON_CELLS)
def test_text_stands_out_from_its_ground(scheme: str, text: str, ground: str) -> None:
    colours = SCHEMES[scheme]
    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("mark", "ground"), MARKS)
def test_marks_stand_out_from_their_ground(scheme: str, mark: str, ground: str) -> None:
    colours = SCHEMES[scheme]
    assert contrast(colours[mark], colours[ground]) >= 3.0
