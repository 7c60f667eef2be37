"""Checks of a suite as a whole: its manifest, its strata and mechanisms, and who may see its cases."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from checked import HELD_OUT, UNKNOWN  # type: ignore[import-not-found]
from hypothesis import given
from hypothesis import strategies as st

from denotary.instruments.identity.sets import edit_distance

Make = Callable[..., Path]
Case = Callable[..., dict[str, Any]]
Found = set[tuple[str, str | None]]


def test_a_stated_stratum_that_is_not_the_measured_one_is_warned_of(
    problems: Callable[..., Found], case: Case
) -> None:
    def stated(stratum: str) -> dict[str, Any]:
        made: dict[str, Any] = HELD_OUT | {"overlap_stratum": stratum}
        return made

    cases = [
        case("same", text="a PERSISTENT name", construction=stated("high")),
        case("half", text="one persistent thing", construction=stated("moderate")),
        case("none", text="whatever lasts", construction=stated("low")),
        case("off", text="whatever lasts", construction=stated("high")),
    ]
    found = problems(*cases, severity="warning")
    assert {record for code, record in found if code == "overlap_stratum"} == {"off"}


def test_mechanisms_without_a_case_need_a_reason(problems: Callable[..., Found], case: Case) -> None:
    reasons = {f"F{number:02}": "not in this suite" for number in range(1, 20) if number not in (5, 6)}
    assert not problems(case("c1"), severity="warning", mechanisms_not_exercised=reasons)
    assert ("mechanism", None) in problems(case("c1"), severity="warning")
    declared = reasons | {"F05": "said not to be exercised, but it is"}
    assert ("mechanism", None) in problems(case("c1"), severity="warning", mechanisms_not_exercised=declared)
    assert ("mechanism", None) in problems(case("c1"), mechanisms_not_exercised={"F99": "none"})


def test_a_dominant_template_is_warned_of_and_barred_from_certification(
    problems: Callable[..., Found], case: Case
) -> None:
    def suite(dominant: int, visibility: str) -> list[dict[str, Any]]:
        return [
            case(
                f"c{number}",
                construction={"generation_template": "t" if number < dominant else None},
                security={"visibility": visibility},
            )
            for number in range(100)
        ]

    def shares(*args: Any, **more: Any) -> set[str]:
        return {code for code, _ in problems(*args, **more) if code.endswith("_share")}

    assert shares(*suite(5, "public"), severity="warning") == set()
    assert shares(*suite(6, "public"), severity="warning") == {"template_share", "unit_share"}
    assert shares(*suite(6, "sealed"), role="sealed-certification") == {"template_share"}


@pytest.mark.parametrize(
    ("manifest", "code"),
    [
        ({"version": "1.0"}, "version_format"),
        ({"looks": 0}, "looks"),
        ({"unknown_share": 1.5}, "unknown_share"),
        ({"review": "reviewed"}, "review"),
    ],
)
def test_a_fault_of_the_manifest_is_found(
    problems: Callable[..., Found], case: Case, manifest: dict[str, Any], code: str
) -> None:
    assert (code, None) in problems(case("c1"), **manifest)


@pytest.mark.parametrize(("share", "sound"), [(0.25, True), (0.3, True), (0.5, False), (0.0, False)])
def test_the_declared_share_of_unknown_texts_is_that_of_the_cases(
    problems: Callable[..., Found], case: Case, share: float, sound: bool
) -> None:
    cases = [case("u", gold=UNKNOWN, construction={"primary_family": "shadow_concept_unknown"})]
    cases += [case(f"c{number}") for number in range(3)]
    found = problems(*cases, unknown_share=share)
    assert (("unknown_share", None) not in found) is sound


def test_a_suite_without_cases_is_not_sound(problems: Callable[..., Found]) -> None:
    assert problems() == {("no_cases", None)}


@pytest.mark.parametrize(
    ("role", "visibility", "sound"),
    [
        ("public-diagnostic", "public", True),
        ("sealed-certification", "sealed", True),
        ("sealed-certification", "public", False),
        ("sealed-certification", "regression", False),
        ("regression", "regression", True),
        ("regression", "sealed", False),
        ("registry-exact-conformance", "sealed", False),
    ],
)
def test_who_may_see_the_cases_of_a_role(
    problems: Callable[..., Found], case: Case, role: str, visibility: str, sound: bool
) -> None:
    found = problems(case("c1", security={"visibility": visibility}), role=role)
    assert (("visibility", "c1") not in found) is sound


words = st.text(st.sampled_from("abc é語"), max_size=7)


@given(words, words)
def test_edit_distance_is_the_shortest_path_of_edits(left: str, right: str) -> None:
    assert edit_distance(left, right) == shortest(left, right)


@cache
def shortest(left: str, right: str) -> int:
    """Return the Levenshtein distance by its recursive definition."""
    if not left or not right:
        return len(left) + len(right)
    if left[0] == right[0]:
        return shortest(left[1:], right[1:])
    return 1 + min(shortest(left[1:], right), shortest(left, right[1:]), shortest(left[1:], right[1:]))
