"""Hard negatives are nominated by the union of sources, and each source is named."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.errors import InputError
from denotary.instruments.identity.recipes import build
from denotary.instruments.identity.recipes.nominating import nominations
from denotary.instruments.identity.recipes.records import NominateStep
from denotary.registry import Registry, freeze, load_registry
from denotary.runs import ask, load_run
from denotary.suites import freeze as freeze_suite
from denotary.suites import load_suite
from denotary.systems import python

Make = Callable[..., Path]
TEXTS = {
    "x.alpha": [("a lasting name", "en"), ("ein Name", "de")],
    "x.beta": [("a lasting place", "en"), ("ein Ort", "de")],
    "x.gamma": [("weather", "en"), ("Wetter und Name", "de")],
}
CODES = list(TEXTS)


def concept(code: str, **parts: Any) -> dict[str, Any]:
    usual = {
        "code": code, "definitions": {"en": code}, "semantic_type": "concept", "consequence_tier": "C2", "owner": "o",
    }  # fmt: skip
    return usual | parts


@pytest.fixture
def registry_folder(tmp_path: Path, make_registry: Make) -> Path:
    near = {"code": "x.gamma", "type": "sibling", "reason": "weather is no name"}
    concepts = [concept("x.alpha", neighbours=[near]), concept("x.beta"), concept("x.gamma")]
    approved = {"by": "reviewer-1", "on": "2026-01-05", "status": "approved"}
    expressions = [
        {
            "id": f"{code}-{language}",
            "text": text,
            "language": language,
            "script": "Latn",
            "codes": [code],
            "review": approved,
        }
        for code, items in TEXTS.items()
        for text, language in items
    ]
    folder = make_registry(tmp_path / "registry", concepts=concepts, expressions=expressions, ambiguities=[])
    freeze(folder)
    return folder


@pytest.fixture
def registry(registry_folder: Path) -> Registry:
    return load_registry(registry_folder)


def pairs(found: list[Any], source: str) -> dict[tuple[str, str], float]:
    return {(item.target, item.neighbour): item.sources[source] for item in found if source in item.sources}


def test_experts_give_type_and_reason(registry: Registry) -> None:
    (found,) = nominations(registry, NominateStep(lexical=None))
    assert (found.target, found.neighbour, found.sources) == ("x.alpha", "x.gamma", {"experts": 1.0})
    assert (found.type, found.reason) == ("sibling", "weather is no name")


def test_lexical_overlap_is_the_largest_within_a_language(registry: Registry) -> None:
    found = pairs(nominations(registry, NominateStep(experts=False, lexical=0.5)), "lexical")
    # "a lasting name" and "a lasting place" share two of three words; "ein Name" and "Wetter und Name" one of two.
    half, two_thirds = (
        [("x.alpha", "x.gamma"), ("x.gamma", "x.alpha")],
        [("x.alpha", "x.beta"), ("x.beta", "x.alpha")],
    )
    assert found == dict.fromkeys(half, 0.5) | dict.fromkeys(two_thirds, 2 / 3)
    assert not pairs(nominations(registry, NominateStep(experts=False, lexical=0.7)), "lexical")


def test_the_encoder_nominates_its_nearest(registry: Registry) -> None:
    vectors = {
        "a lasting name": (1, 0),
        "a lasting place": (1, 1),
        "weather": (0, 1),
        "ein Name": (3, 4),
        "ein Ort": (1, -1),
        "Wetter und Name": (-1, 0),
    }
    step = NominateStep(experts=False, lexical=None, nearest=1)
    found = pairs(
        nominations(registry, step, encoder=lambda texts: [vectors[text] for text in texts]), "encoder"
    )
    # Cosines by hand: alpha-beta 1/sqrt(2), beta-gamma 1/sqrt(2), alpha-gamma 0 in English; less in German.
    assert found == {
        ("x.alpha", "x.beta"): 0.707107, ("x.beta", "x.alpha"): 0.707107, ("x.gamma", "x.beta"): 0.707107,
    }  # fmt: skip


@pytest.mark.parametrize(
    "encoder",
    [
        lambda texts: [(1.0, 0.0)] * (len(texts) - 1),
        lambda texts: [(0.0, 0.0)] * len(texts),
        lambda texts: [(float("nan"), 1.0)] * len(texts),
        lambda texts: [(1.0,) * (1 + number) for number, _ in enumerate(texts)],
        lambda texts: "no vectors",
    ],
)
def test_what_is_no_vector_a_text_is_refused(encoder: Callable[[list[str]], Any], registry: Registry) -> None:
    with pytest.raises(InputError, match="3 finite vectors"):
        nominations(registry, NominateStep(), encoder=encoder)


def test_confusions_of_a_run_are_counted(
    registry: Registry, tmp_path: Path, suite_files: Make, case: Callable[..., Any]
) -> None:
    unknown = {"disposition": "UNKNOWN_REGISTRY"}
    folder = suite_files(
        tmp_path / "suite", [case("c1"), case("c2"), case("c3", "x.beta"), case("c4", unknown)]
    )
    freeze_suite(folder)

    def always_beta(request: dict[str, Any]) -> dict[str, Any]:
        return {"decision": {"type": "concept", "concept_code": "x.beta"}}

    ask(python(always_beta), load_suite(folder), tmp_path / "run")
    step = NominateStep(experts=False, lexical=None)
    found = pairs(nominations(registry, step, runs=[load_run(tmp_path / "run")]), "confusions")
    # The code for the unknown text confuses no pair of concepts.
    assert found == {("x.alpha", "x.beta"): 2.0}


def test_a_pair_of_several_sources_names_them_all_and_the_file_holds_it(
    registry: Registry, registry_folder: Path, suite_files: Make, case: Callable[..., Any]
) -> None:
    folder = suite_files(registry_folder.parent / "suite", [case("c1")])
    path = folder.parent / "recipe.toml"
    path.write_text(
        'schema = "denotary.recipe/1"\nname = "n"\nauthor = "a"\n[nominate]\nlexical = 0.5\n',
        encoding="utf-8",
    )
    built = build(path, folder)
    both = {(item.target, item.neighbour): set(item.sources) for item in built.nominations}
    assert both["x.alpha", "x.gamma"] == {"experts", "lexical"}
    assert list(built.nominations) == sorted(
        built.nominations, key=lambda item: (item.target, item.neighbour)
    )
    assert (folder / "nominations.jsonl").read_bytes().count(b"\n") == len(built.nominations)
    assert list(built.nominations) == nominations(registry, NominateStep(lexical=0.5))
