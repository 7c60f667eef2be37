"""Anchors whose decisions hang on negation, modality, amounts and order, in words that no shipped corpus has."""

from pathlib import Path

import pytest

from denotary.instruments.similarity.anchors import Anchor
from denotary.instruments.similarity.baselines import token_jaccard
from denotary.instruments.similarity.configurations import Configuration
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.pairs import of_anchors
from denotary.instruments.similarity.repairs import planned
from denotary.instruments.similarity.repairs.base import Frozen
from denotary.instruments.similarity.repairs.simple import Encoder

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


PLAN = """
schema = "denotary.repair-plan/2"
name = "animals"
[repairs]
"{name}" = "{digest}"
[[corpora]]
name = "ours"
source = "shipped"
half = "A"
role = "in-sample"
[[corpora]]
name = "theirs"
source = "shipped"
half = "B"
role = "other author"
[[bars]]
repair = "{name}"
corpus = "theirs"
measure = "auroc"
at_least = 0.9
[[predictions]]
repair = "{name}"
corpus = "theirs"
measure = "decided_share"
low = 0.5
high = 1.0
"""


@pytest.fixture
def frozen(halves: Corpus, wording: Configuration) -> Frozen:
    return Encoder(wording).fit(halves.half("A"))


@pytest.fixture
def plan(frozen: Frozen, tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN.format(name=frozen.record.name, digest=frozen.digest))
    return path


@pytest.fixture
def opened(halves: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planned, "load_corpus", lambda _path: halves)
