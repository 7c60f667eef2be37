"""Records of one unit count as one: the guarantee is of units, not of their copies."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from denotary.errors import InputError
from denotary.registry import Registry
from denotary.resolver.semantic import calibrate, fit
from denotary.resolver.semantic.certifying import certified
from denotary.resolver.semantic.records import Example

LIMIT, DELTA = 0.1, 0.05


def examples(prefix: str, units: int, copies: int) -> list[Example]:
    return [
        Example(
            id=f"{prefix}-{unit}-{copy}",
            text=f"{verb} card number {prefix} {100 * unit + copy}",
            code=verb,
            unit=f"{prefix}-{unit}",
        )
        for unit in range(units)
        for copy in range(copies)
        for verb in (("open", "close")[unit % 2],)
    ]


@pytest.mark.parametrize("share", [None, 0.1])
def test_copies_of_a_few_units_certify_no_more_than_the_few(share: float | None) -> None:
    draw = np.random.default_rng(3)
    confidence, right = draw.random(40), np.ones(40, dtype=bool)
    unknown = np.arange(40) % 4 == 0
    right &= ~unknown
    confidence[unknown] = 0.0
    times = np.repeat(np.arange(40), 50)
    asked = {"limit": LIMIT, "unknown_limit": None, "delta": DELTA, "share": share}
    copied = confidence[times], right[times], unknown[times]
    assert certified(*copied, **asked) is not None  # type: ignore[arg-type]
    assert certified(*copied, times, **asked) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("share", [None, 0.1])
def test_units_of_one_record_change_nothing(share: float | None) -> None:
    draw = np.random.default_rng(4)
    size = 3000
    unknown = draw.random(size) < 0.1
    confidence = np.where(unknown, draw.random(size) ** 8, draw.random(size))
    right = ~unknown & (draw.random(size) >= (1 - confidence) / 5)
    asked = {"limit": LIMIT, "unknown_limit": None, "delta": DELTA, "share": share}
    alone = certified(confidence, right, unknown, **asked)  # type: ignore[arg-type]
    assert alone is not None
    assert alone == certified(confidence, right, unknown, draw.permutation(size), **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize("share", [None, 0.1])
def test_with_siblings_that_fail_together_the_limit_is_kept(share: float | None) -> None:
    """A unit of five fails as a whole, with chance (1 - c) / 2; by units the risk exceeds its limit at most rarely."""
    runs, broken, naive, found = 40, 0, 0, 0
    for seed in range(runs):
        draw = np.random.default_rng(seed)
        units, copies = 300, 5
        sure, unknown = draw.random(units), draw.random(units) < 0.1
        sure = np.where(unknown, sure**8, sure)
        right = ~unknown & (draw.random(units) >= (1 - sure) / 2)
        of = np.repeat(np.arange(units), copies)
        asked = {"limit": 0.25, "unknown_limit": None, "delta": DELTA, "share": share}
        by_unit = certified(sure[of], right[of], unknown[of], of, **asked)  # type: ignore[arg-type]
        by_text = certified(sure[of], right[of], unknown[of], **asked)  # type: ignore[arg-type]
        found += by_unit is not None
        broken += by_unit is not None and risk(by_unit) > 0.25
        naive += by_text is not None and risk(by_text) > 0.25
    assert found > 0
    assert broken <= DELTA * runs + 3 * (DELTA * (1 - DELTA) * runs) ** 0.5
    if share is None:  # at a declared share the test is conservative enough to hide the fault here
        assert naive > broken


def risk(at: float) -> float:
    """By integration: a known text errs with chance (1 - c) / 2; the sureness of an unknown one (10 %) is u ** 8."""
    wrong, false = 0.9 * (1 - at) ** 2 / 4, 0.1 * (1 - at**0.125)
    return float((wrong + false) / (0.9 * (1 - at) + false))


def test_calibration_collapses_units_and_says_how_many(verbs: Registry, tmp_path: Path) -> None:
    fit(verbs, examples("fit", 6, 3), tmp_path, encoder="hash-words")
    many, few = examples("cal", 300, 1), examples("few", 10, 30)
    assert calibrate(tmp_path, many, limit=0.05).threshold is not None
    found = calibrate(tmp_path, few, limit=0.05)
    assert (found.known, found.units, found.threshold) == (300, 10, None)
    unmarked = [msgspec.structs.replace(example, unit=None) for example in few]
    found = calibrate(tmp_path, unmarked, limit=0.05)
    assert found.units is None
    assert found.threshold is not None


def test_siblings_of_what_fit_saw_are_refused(verbs: Registry, tmp_path: Path) -> None:
    fit(verbs, examples("fit", 6, 3), tmp_path, encoder="hash-words")
    sibling = Example(id="new", text="open card number 7777", code="open", unit="fit-0")
    with pytest.raises(InputError, match="serves both fit and calibration") as caught:
        calibrate(tmp_path, [sibling], limit=0.05)
    assert caught.value.record == "fit-0"
