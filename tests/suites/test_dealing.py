"""Dealing a suite into parts: no family is divided, shares are kept, the seed decides."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denotary.errors import InputError, IntegrityError
from denotary.instruments.identity.cases import Gold, IdentityCase, Input
from denotary.registry import load_registry
from denotary.suites import check, freeze, load_suite, split_check, units
from denotary.suites.dealing import deal, write_parts
from denotary.suites.keys import KEYS
from denotary.suites.records import Annotation, Construction, LedgerEntry, Manifest, RegistryPin, Security
from denotary.suites.suite import Suite

Case = Callable[..., Any]
Make = Callable[..., Path]
SHARES = {"calibration": 0.3, "sealed": 0.6, "public": 0.1}


def made(number: int, family: int, *, kind: str = "f", visibility: Any = "sealed") -> IdentityCase:
    draw = random.Random(number)
    text = " ".join("".join(draw.choices("abcdefghijklmnop", k=7)) for _ in range(5))
    keys: dict[str, Any] = {key: f"{key}-{family}" for key in KEYS[1:]}
    return IdentityCase(
        record_id=f"c{number:05}",
        benchmark_version="1.0.0",
        registry_version="1.0.0",
        semantic_seed_id=f"seed-{family}",
        input=Input(text=text, language="en"),
        gold=Gold(disposition="UNKNOWN_REGISTRY"),
        construction=Construction(primary_family=kind, generation_method="human", **keys),
        annotation=Annotation(review="reviewed"),
        security=Security(visibility=visibility),
    )


def pool(cases: list[IdentityCase], ledger: tuple[LedgerEntry, ...] = ()) -> Suite:
    manifest = Manifest(
        schema="denotary.suite/1",
        name="pool",
        version="1.0.0",
        instrument="identity",
        role="calibration",
        registry=RegistryPin(name="bootstrap", version="1.0.0", path="bundled:bootstrap"),
    )
    registry, lines = load_registry("bundled:bootstrap"), tuple(range(len(cases)))
    return Suite(manifest, tuple(cases), units(cases), lines, registry, None, ledger, Path("pool"))


FAMILIES = st.lists(st.integers(1, 6), min_size=12, max_size=40)


@settings(deadline=None, max_examples=60)
@given(FAMILIES, st.integers(0, 9), st.randoms())
def test_no_family_is_divided_and_every_part_gets_its_share(
    sizes: list[int], seed: int, shuffle: Any
) -> None:
    of = [family for family, size in enumerate(sizes) for _ in range(size)]
    cases = [made(n, family, kind=f"f{family % 3}") for n, family in enumerate(of)]
    shares = {"calibration": 0.5, "sealed": 0.5}
    found = deal(pool(cases), shares, seed=seed)
    part_of = {case.record_id: part for case, part in zip(cases, found.part, strict=True)}
    for family in range(len(sizes)):
        parts = {part_of[case.record_id] for case, f in zip(cases, of, strict=True) if f == family}
        assert len(parts) == 1
    # Each family goes to the part that lags most, so that no part overtakes its share by more than a family.
    assert (found.families, found.largest) == (len(sizes), max(sizes))
    for part, share in shares.items():
        assert abs(found.cases(part) - share * len(cases)) <= max(sizes)
    mixed = list(cases)
    shuffle.shuffle(mixed)
    again = deal(pool(mixed), shares, seed=seed)
    assert {case.record_id: part for case, part in zip(mixed, again.part, strict=True)} == part_of


def test_every_kind_of_case_is_dealt_by_its_share() -> None:
    cases = [made(n, n, kind=f"f{n % 4}") for n in range(400)]
    found = deal(pool(cases), SHARES, seed=3)
    for kind in range(4):
        parts = [
            p
            for case, p in zip(cases, found.part, strict=True)
            if case.construction.primary_family == f"f{kind}"
        ]
        for part, share in SHARES.items():
            assert abs(parts.count(part) - share * 100) <= 3


def test_the_seed_decides_and_only_the_seed() -> None:
    cases = [made(n, n) for n in range(60)]
    one, other, same = (deal(pool(cases), SHARES, seed=seed).part for seed in (1, 2, 1))
    assert one == same
    assert one != other
    # The order in which the shares are named does not.
    assert deal(pool(cases), dict(reversed(SHARES.items())), seed=1).part == one
    assert deal(pool(cases), {name: 10 * share for name, share in SHARES.items()}, seed=1).part == one


def test_what_was_seen_goes_to_the_public_part() -> None:
    cases = [made(n, n // 2) for n in range(40)]
    cases[0] = made(0, 0, visibility="public")
    shown = LedgerEntry(
        sequence=0, kind="disclosure", what="content", who="w", why="y", previous="", record="c00002"
    )
    found = deal(pool(cases, (shown,)), SHARES, seed=1)
    assert found.part[:4] == ("public",) * 4
    with pytest.raises(InputError, match="there is no public part; 3 of 40 cases are public already"):
        deal(pool(cases, (shown,)), {"calibration": 1, "sealed": 1}, seed=1)


def test_near_duplicates_stay_together() -> None:
    cases = [made(n, n) for n in range(20)]
    text = "the payment by card was refused in a shop yesterday"
    for n, shown in enumerate((text, text.replace("refused", "refuzed"), text.upper())):
        cases[n] = replace_text(cases[n], shown)
    found = deal(pool(cases), {"calibration": 1, "sealed": 1}, seed=1)
    assert len(set(found.part[:3])) == 1
    assert found.families == 18


def replace_text(case: IdentityCase, text: str) -> IdentityCase:
    import msgspec

    return msgspec.structs.replace(case, input=Input(text=text, language="en"))


def test_a_key_with_one_value_ties_nothing_and_is_told() -> None:
    import msgspec

    cases = [
        msgspec.structs.replace(
            case, construction=msgspec.structs.replace(case.construction, author="author-1")
        )
        for case in (made(n, n) for n in range(20))
    ]
    found = deal(pool(cases), {"calibration": 1, "sealed": 1}, seed=1)
    assert (found.inseparable, found.families) == (("author",), 20)


@pytest.mark.parametrize(
    ("shares", "waive", "told"),
    [
        ({"sealed": 1.0}, (), "two parts or more"),
        ({"sealed": 1.0, "calibration": 0.0}, (), "two parts or more"),
        ({"sealed": 1.0, "calibration": float("nan")}, (), "two parts or more"),
        ({"sealed": 1.0, "secret": 1.0}, (), "two parts or more"),
        ({"sealed": 1.0, "calibration": 1.0}, ("translation_family",), "may not be waived"),
    ],
)
def test_a_deal_that_makes_no_sense_is_refused(shares: Any, waive: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        deal(pool([made(n, n) for n in range(9)]), shares, seed=1, waive=waive)


def test_one_family_cannot_be_dealt() -> None:
    cases = [made(n, 0) for n in range(9)] + [made(9, 1)]
    # Nine cases in one family: the keys have two values, so that they do separate, and one part stays empty.
    with pytest.raises(InputError, match="gets no case; 2 families, the largest with 9 of 10 cases"):
        deal(pool(cases), SHARES, seed=1)


def test_the_parts_are_suites_that_a_split_check_finds_clean(
    tmp_path: Path, frozen_registry: Path, suite_files: Make, case: Case
) -> None:
    del frozen_registry
    cases = [
        case(
            f"c{n:02}",
            text=made(n, n).input.text,
            semantic_seed_id=f"seed-{n // 2}",
            construction={key: f"{key}-{n // 2}" for key in KEYS[1:]},
            security={"visibility": "sealed", "leakage_family": "family-1"},
        )
        for n in range(40)
    ]
    folder = suite_files(tmp_path / "pool", cases, role="calibration", quotas={"total": 40})
    suite = load_suite(folder)
    found = deal(suite, SHARES, seed=5)
    folders = write_parts(suite, found, tmp_path / "parts/deep")
    parts = [load_suite(path) for path in folders.values()]
    assert sorted(c.record_id for part in parts for c in part.cases) == [c["record_id"] for c in cases]
    assert {part.name: part.manifest.role for part in parts} == {
        "small-suite-public": "public-diagnostic",
        "small-suite-calibration": "calibration",
        "small-suite-sealed": "sealed-certification",
    }
    for part in parts:
        assert not [item for item in check(part) if item.severity == "error"]
        assert {c.security.visibility for c in part.cases} == {
            "public" if part.manifest.role == "public-diagnostic" else "sealed"
        }
        assert {c.security.leakage_family for c in part.cases} == {"family-1"}
        assert "with seed 5" in part.manifest.notes[-1]
    checked = split_check(parts)
    assert (checked.supports, checked.components) == ("certification", 20)
    freeze(folders["sealed"])
    with pytest.raises(IntegrityError, match="holds a suite already"):
        write_parts(suite, found, tmp_path / "parts/deep")


def test_a_frozen_pool_hands_its_registry_lock_on(frozen: Path, tmp_path: Path) -> None:
    suite = load_suite(frozen)
    sealed = replace(suite, cases=tuple(map(_sealed, suite.cases)))
    found = deal(sealed, {"calibration": 1, "sealed": 1}, seed=1)
    folders = write_parts(sealed, found, tmp_path / "parts")
    for folder in folders.values():
        assert (folder / "registry.lock").read_bytes() == (frozen / "registry.lock").read_bytes()
        assert suite.hash in load_suite(folder).manifest.notes[-1]


def _sealed(case: Any) -> Any:
    import msgspec

    return msgspec.structs.replace(case, security=Security(visibility="sealed"))
