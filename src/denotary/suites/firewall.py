"""What must never reach training or tuning, and the mark by which it is recognised if it did."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Final

from denotary.errors import InputError, IntegrityError
from denotary.files import locked, read_bytes, write_atomic
from denotary.suites.loading import MANIFEST, SUITE_LOCK, folder_of, read_suite, verify_lock

if TYPE_CHECKING:
    from pathlib import Path

_CANARY: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")

NEVER_IN_TRAINING: Final = (
    "sealed certification texts",
    "paraphrases and translations that descend from a certification seed",
    "private hard-negative pairs",
    "private ambiguity cases and their senses",
    "private texts of unknown or withheld concepts",
    "definitions of concepts that were withheld for testing",
    "private attack strings",
    "private prompt-injection templates",
    "private long documents with decoys",
    "seeds of private noise and Unicode transformations",
    "successes of private red teams, until that generation of tests is retired",
    "time-sliced cases that are meant for certification",
    "gold, confidences and thresholds that were derived from private results",
)
"""Material of the semantic track that stays out of training, fine-tuning, prompts, retrieval indexes, few-shot
examples, threshold selection, calibration, developers' dashboards and generation of synthetic data."""


def is_canary(text: str) -> bool:
    """Whether a text has the form of a canary."""
    return _CANARY.fullmatch(text) is not None


def notice(canary: str, whole: str) -> str:
    """Return the notice that lies beside exported cases."""
    listed = "\n".join(f"- {item}" for item in NEVER_IN_TRAINING)
    return (
        "These cases are a test. Do not put them into a training corpus.\n\n"
        f"Canary: {canary}\n"
        f"Part of: {whole}\n\n"
        "A corpus that holds the canary has taken cases in. That it does not hold it proves nothing.\n\n"
        "What must never enter training, fine-tuning, prompts, retrieval indexes, few-shot examples, threshold\n"
        "selection, calibration, dashboards that developers see, or the generation of synthetic data:\n\n"
        f"{listed}\n\n"
        "Published definitions and reviewed expressions of the registry need not be hidden: they are what a system\n"
        "resolves against.\n"
    )


def set_canary(path: Path | str, canary: str | None = None) -> str:
    """Write a canary into a suite's manifest, once and for all its versions, and return it.

    A frozen suite is a draft again.

    Args:
        path: folder of the suite.
        canary: the canary; by default a random one.

    Raises:
        InputError: it has not the form of a canary.
        IntegrityError: the suite has a canary already, or was edited after it was frozen.
    """
    with locked(folder_of(path)):
        suite = read_suite(folder_of(path))
        if suite.lock is not None:
            verify_lock(suite.root, suite.lock)
        if suite.manifest.canary is not None:
            raise IntegrityError(
                "the suite has a canary already; it is chosen once", path=suite.root / MANIFEST
            )
        chosen = canary or str(uuid.uuid4())
        if not is_canary(chosen):
            raise InputError("a canary is a UUID in lower case", hint="leave it out for a random one")
        content = read_bytes(suite.root / MANIFEST)
        (suite.root / SUITE_LOCK).unlink(missing_ok=True)
        # The first line is the one place of a TOML file that is in no table, array or string.
        write_atomic(suite.root / MANIFEST, f'canary = "{chosen}"\n'.encode() + content)
    return chosen
