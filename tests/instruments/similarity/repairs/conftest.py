"""Anchors whose decisions hang on negation, modality, amounts and order, in words that no shipped corpus has."""

import pytest

from denotary.instruments.similarity.anchors import Anchor
from denotary.instruments.similarity.baselines import token_jaccard
from denotary.instruments.similarity.configurations import Configuration
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.pairs import of_anchors

ANIMALS = (
    "otter",
    "heron",
    "badger",
    "lynx",
    "raven",
    "stoat",
    "ibex",
    "newt",
    "crane",
    "vole",
    "hare",
    "mole",
)


def anchor(number: int, half: str) -> Anchor:
    animal = ANIMALS[number % len(ANIMALS)]
    place = f"in pen {half.lower()}{chr(97 + number // len(ANIMALS))}q"
    must = number % 2 == 0
    if must:
        text, same, opposite = "must be fed", "has to be fed", "may be fed"
        far, other = "feeding is compulsory for", "feeding is optional for"
        mutation = "modal_downgrade"
    else:
        text, same, opposite = "is fed daily", "is fed every day", "is not fed daily"
        far, other = "food goes out without fail to", "food never goes out to"
        mutation = "negation"
    return Anchor(
        anchor=f"{half}-{number}", task="constraint", register="everyday", mutation=mutation,  # type: ignore[arg-type]
        text=f"The {animal} {text} {place}", same_close=f"The {animal} {same} {place}",
        opposite_close=f"The {animal} {opposite} {place}", same_distant=f"There, {far} that beast number {number}",
        opposite_distant=f"There, {other} that beast number {number}",
    )  # fmt: skip


@pytest.fixture
def halves() -> Corpus:
    made = [(anchor(number, half), half) for half in "AB" for number in range(24)]
    return Corpus("animals", "0" * 64, of_anchors(made), split="author")


@pytest.fixture
def wording() -> Configuration:
    return Configuration("jaccard", "jaccard", token_jaccard, {"encoder": "token-jaccard"})
