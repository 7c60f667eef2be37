"""The conformance suite against a brute-force reading of the registry."""

import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.errors import InputError
from denotary.instruments.identity.answers import decode, encode, outcome
from denotary.instruments.identity.cases import Gold, IdentityCase
from denotary.instruments.identity.conformance import conformance, uncovered
from denotary.instruments.identity.instrument import identity_cases
from denotary.registry import Registry, load_registry
from denotary.registry import freeze as freeze_registry
from denotary.resolver import ExactLane
from denotary.suites import check, load_suite
from denotary.suites.suite import Suite

Make = Callable[..., Path]


@pytest.fixture
def registry(frozen_registry: Path) -> Registry:
    return load_registry(frozen_registry)


@pytest.fixture
def written(tmp_path: Path, registry: Registry) -> Suite:
    conformance(registry, tmp_path / "out")
    return load_suite(tmp_path / "out")


def asked(suite: Suite, *tags: str) -> list[IdentityCase]:
    return [case for case in identity_cases(suite) if set(tags) <= set(case.construction.tags)]


def lookup(registry: Registry, language: str | None, text: str | None) -> set[str]:
    """Return the codes of a text by comparing it with every record, as an exact lane must."""
    same = unicodedata.normalize("NFC", text or "")
    entries = [(item.language, item.text, item.codes) for item in registry.expressions]
    entries += [(item.language, item.text, item.codes) for item in registry.ambiguities]
    return {
        code
        for where, known, codes in entries
        for code in codes
        if unicodedata.normalize("NFC", known) == same and language in (None, where)
    }


def test_the_suite_is_frozen_sound_and_of_the_right_role(written: Suite) -> None:
    assert written.is_frozen
    assert written.manifest.role == "registry-exact-conformance"
    assert written.manifest.review == "reviewed"
    assert not check(written)
    assert {case.construction.primary_family for case in written.cases} == {"reviewed_exact"}
    assert {case.annotation.depth_tier for case in written.cases} == {"A0"}


def test_every_gold_is_what_the_whole_registry_says(written: Suite, registry: Registry) -> None:
    for case in identity_cases(written):
        codes = lookup(registry, case.input.language, case.input.text)
        disposition = "EXACT_MISS" if not codes else "SINGLE" if len(codes) == 1 else "AMBIGUOUS"
        assert str(case.gold.disposition) == disposition, case.record_id
        assert case.gold.answer[1] == codes, case.record_id


def test_every_expression_and_ambiguity_is_asked_in_its_language(written: Suite, registry: Registry) -> None:
    texts = {(case.input.language, case.input.text) for case in identity_cases(written)}
    assert {(item.language, item.text) for item in registry.expressions} <= texts
    assert {(item.language, item.text) for item in registry.ambiguities} <= texts
    assert uncovered(written) == ()
    assert len({case.record_id for case in written.cases}) == len(written.cases)


def test_a_text_that_two_languages_give_to_two_concepts_is_a_collision(written: Suite) -> None:
    (collision,) = asked(written, "collision")
    assert (collision.input.text, collision.input.language) == ("gift", None)
    assert collision.gold == Gold(disposition="AMBIGUOUS", acceptable_concept_codes=("x.alpha", "x.beta"))


def test_the_decomposed_form_is_the_same_text(written: Suite) -> None:
    (case,) = [item for item in asked(written, "normalisation") if item.gold.disposition == "SINGLE"]
    assert case.input.text == "cafe\u0301-bar"
    assert case.gold == Gold(disposition="SINGLE", acceptable_concept_codes=("x.beta",))


def test_a_text_in_another_language_is_a_miss(written: Suite) -> None:
    probes = asked(written, "language_constraint")
    assert {case.gold.disposition for case in probes} == {"EXACT_MISS"}
    assert {case.input.language for case in asked(written, "unsupported_language")} == {"qaa"}
    # "gift" is registered in English and German, so French is its one other language for both.
    assert len(asked(written, "other_language")) == len(registry_texts(written))


def registry_texts(suite: Suite) -> set[str]:
    return {item.text for item in suite.registry.expressions}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("nfkc", None),
        ("case", "GIFT"),
        ("width", "ｇｉｆｔ"),
        ("whitespace", "a  persistent name"),
        ("whitespace", "gift "),
        ("no_break_space", "a\u00a0persistent name"),
        ("dash", "café\u2013bar"),
        ("dash", "a-persistent name"),
        ("ignorable", "g\u200bift"),
        ("marks", "cafe-bar"),
        ("quoted", '"gift"'),
        ("html", "<b>gift</b>"),
        ("code_as_text", "x.alpha"),
        ("nothing_to_resolve", ""),
    ],
)
def test_listed_misses(written: Suite, kind: str, text: str | None) -> None:
    texts = [case.input.text for case in asked(written, "miss", kind)]
    assert (text in texts) if text is not None else not texts


def test_text_beyond_ascii_and_text_that_transports_escape_are_tagged(written: Suite) -> None:
    for case in identity_cases(written):
        text = case.input.text or ""
        assert ("unicode_preservation" in case.construction.tags) is not text.isascii()
    assert {case.record_id for case in asked(written, "escaping")} >= {"exact:e-quote", "miss:html:e-present"}


def test_a_variant_that_is_registered_is_no_miss(tmp_path: Path, make_registry: Make) -> None:
    review = {"by": "reviewer-1", "on": "2026-01-05", "status": "approved"}
    expressions = [
        {"id": name, "text": text, "language": "en", "script": "Latn", "codes": ["x.alpha"], "review": review}
        for name, text in (("e1", "gift"), ("e2", "GIFT"), ("e3", "x.beta"))
    ]
    folder = make_registry(tmp_path / "variants", expressions=expressions[:2], ambiguities=[])
    freeze_registry(folder)
    conformance(load_registry(folder), tmp_path / "suite")
    texts = [case.input.text for case in asked(load_suite(tmp_path / "suite"), "miss", "case")]
    assert "GIFT" not in texts
    assert "gift" not in texts


def test_same_registry_same_bytes(tmp_path: Path, registry: Registry, written: Suite) -> None:
    conformance(registry, tmp_path / "again")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [
        "cases.jsonl",
        "ledger.jsonl",
        "records.sha256",
        "registry.lock",
        "suite.lock",
        "suite.toml",
    ]
    for name in names:
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()
    before = written.hash
    assert conformance(registry, tmp_path / "out").hash == before


def test_the_order_of_the_expressions_does_not_matter(
    tmp_path: Path, make_registry: Make, written: Suite
) -> None:
    folder = make_registry(tmp_path / "reversed")
    path = folder / "expressions.jsonl"
    path.write_text("".join(reversed(path.read_text().splitlines(keepends=True))))
    freeze_registry(folder)
    conformance(load_registry(folder), tmp_path / "elsewhere")
    assert (tmp_path / "elsewhere" / "cases.jsonl").read_bytes() == (
        written.root / "cases.jsonl"
    ).read_bytes()


def test_misses_are_bounded_by_kind(tmp_path: Path, registry: Registry) -> None:
    conformance(registry, tmp_path / "few", misses=2)
    suite = load_suite(tmp_path / "few")
    for kind in ("case", "html", "unsupported_language", "code_as_text"):
        assert len(asked(suite, "miss", kind)) == 2
    assert uncovered(suite) == ()


def test_another_suite_is_never_overwritten(tmp_path: Path, registry: Registry) -> None:
    conformance(registry, tmp_path / "out", version="1.0.0")
    with pytest.raises(InputError, match="never overwritten"):
        conformance(registry, tmp_path / "out", version="1.1.0")


def test_a_draft_registry_is_refused(tmp_path: Path, make_registry: Make) -> None:
    draft = load_registry(make_registry(tmp_path / "draft"))
    with pytest.raises(InputError, match="not frozen"):
        conformance(draft, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_registry_without_expressions_covers_nothing_and_asks_only_misses(
    tmp_path: Path, make_registry: Make
) -> None:
    folder = make_registry(tmp_path / "empty", expressions=[], ambiguities=[])
    freeze_registry(folder)
    conformance(load_registry(folder), tmp_path / "out")
    assert {case.gold.disposition for case in identity_cases(load_suite(tmp_path / "out"))} == {"EXACT_MISS"}


def test_what_a_suite_does_not_ask_is_listed(
    make_suite: Make, case: Callable[..., dict[str, Any]], registry: Registry
) -> None:
    exact = {"primary_family": "reviewed_exact"}
    cases = [
        case("c1", text="gift", construction=exact),
        case("c2", "x.gamma", text="a persistent name", construction=exact),
        case("c3", "x.beta", text="gift", input={"language": "de"}, construction=exact),
    ]
    suite = load_suite(make_suite(cases), registry=registry)
    assert uncovered(suite) == ("a-bank", "e-cafe", "e-hindi", "e-persistent", "e-quote")


def test_an_illustrative_registry_makes_an_illustrative_suite(tmp_path: Path, make_registry: Make) -> None:
    folder = make_registry(tmp_path / "illustrative", review="illustrative")
    freeze_registry(folder)
    conformance(load_registry(folder), tmp_path / "out")
    suite = load_suite(tmp_path / "out")
    assert suite.manifest.review == "illustrative"
    assert {case.annotation.review for case in asked(suite, "miss")} == {"illustrative"}
    assert {case.annotation.review for case in asked(suite, "expression")} == {"reviewed"}


def test_the_exact_lane_conforms(tmp_path: Path, make_registry: Make) -> None:
    open_ambiguity = {"id": "a-jar", "text": "jar", "language": "en", "codes": ["x.alpha"], "kind": "open"}
    closed = {
        "id": "a-bank",
        "text": "bank",
        "language": "en",
        "codes": ["x.alpha", "x.beta"],
        "kind": "closed",
    }
    folder = make_registry(tmp_path / "open", ambiguities=[open_ambiguity, closed])
    freeze_registry(folder)
    conformance(load_registry(folder), tmp_path / "out")
    suite = load_suite(tmp_path / "out")
    lane = ExactLane(suite.registry)
    outcomes = Counter(
        (case.gold.disposition, outcome(case.gold, "answered", decode(lane.resolve(encode(case)))))
        for case in identity_cases(suite)
    )
    assert {key: outcomes[key] for key in outcomes if key[1] not in ("right", "refused_rightly")} == {}
    assert {key[0] for key in outcomes} == {"SINGLE", "AMBIGUOUS", "EXACT_MISS"}
