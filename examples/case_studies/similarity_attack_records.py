"""Claims, attacks and their rules as they were written before, and what came out."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from denotary.records import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = Path(__file__).with_name("similarity_attacks")

Judgement = Literal["held", "weakened", "refuted", "not run"]


class Attack(Record, frozen=True):
    """One attack; up to ``held`` its number leaves the claim as it is, up to ``weakened`` it weakens it."""

    id: str
    text: str
    number: str
    held: float
    weakened: float

    def judge(self, number: float | None) -> Judgement:
        """Return what a number means for the claim."""
        if number is None:
            return "not run"
        if number <= self.held:
            return "held"
        return "weakened" if number <= self.weakened else "refuted"


class Claim(Record, frozen=True):
    """A claim as it stood, and the pages that it stood on."""

    id: str
    text: str
    places: list[str]
    attack: list[Attack]


class Rules(Record, frozen=True):
    """The rules of one round of attacks."""

    schema: Literal["denotary.attack-rules/1"]
    corpus: str
    seen: list[str]
    unattacked: list[str]
    claim: list[Claim]


class Outcome(Record, frozen=True):
    """What an attack gave: its number, None if it could not be run, and figures that the number is taken from."""

    number: float | None
    rows: list[tuple[str, str]]


class Remarks(Record, frozen=True):
    """What is said of the outcomes, written after them.

    Attributes:
        now: what a claim says since, by its id.
        attack: what to know of an outcome, by id of the attack.
        seen: what had been measured by others when the rules were written, beside what they name.
    """

    now: dict[str, str]
    attack: dict[str, str]
    seen: list[str]


def rules() -> tuple[Rules, str]:
    """Return the rules and their SHA-256.

    Raises:
        SystemExit: they are not those that were committed before the attacks.
    """
    data = (FOLDER / "rules.toml").read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if (FOLDER / "rules.sha256").read_text(encoding="utf-8").split()[0] != found:
        raise SystemExit(f"{FOLDER / 'rules.toml'} is not the file whose SHA-256 stands in rules.sha256")
    return msgspec.convert(tomllib.loads(data.decode()), Rules), found


def worst(numbers: Mapping[str, float], count: int) -> list[tuple[str, float]]:
    """Return the largest numbers with their names, largest first."""
    return sorted(numbers.items(), key=lambda item: -item[1])[:count]
