"""Reading a suite: what is refused, where the message points, and that it never quotes a text."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denotary.errors import DenotaryError, InputError, IntegrityError, Problem
from denotary.files import encode_jsonl
from denotary.instruments.identity.cases import IdentityCase
from denotary.registry import load_registry
from denotary.suites import check, load_suite
from denotary.suites.loading import read_cases

SECRET = "the sealed wording of a case"
Make = Callable[..., Path]


def refused(folder: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        load_suite(folder)
    assert SECRET not in str(caught.value)
    assert SECRET not in repr(caught.value)
    return caught.value


def test_a_suite_has_cases_units_lines_and_its_registry(make_suite: Make, case: Callable[..., Any]) -> None:
    folder = make_suite([case("c1"), case("c2", semantic_seed_id="seed-c1"), case("c3")])
    suite = load_suite(folder)
    assert [item.record_id for item in suite.cases] == ["c1", "c2", "c3"]
    assert suite.units == ("seed-c1", "seed-c1", "seed-c3")
    assert suite.lines == (1, 2, 3)
    assert suite.by_id["c2"] is suite.cases[1]
    assert suite.registry.name == "small"
    assert suite.instrument.name == "identity"
    assert not suite.is_frozen


def test_no_repr_shows_a_text(make_suite: Make, case: Callable[..., Any]) -> None:
    suite = load_suite(make_suite([case("c1", text=SECRET)]))
    one = suite.cases[0]
    shown = [repr(suite), str(suite), repr(one), str(one), f"{one}", repr(getattr(one, "input")), repr([one])]  # noqa: B009
    assert not any("sealed" in text for text in shown)


def test_blank_lines_count_but_are_no_cases(make_suite: Make, case: Callable[..., Any]) -> None:
    folder = make_suite([])
    lines = ["", json.dumps(case("c1")), "  ", json.dumps(case("c2")), ""]
    (folder / "cases.jsonl").write_text("\n".join(lines))
    assert load_suite(folder).lines == (2, 4)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"record_id": ""}, "record_id must be printable and not blank"),
        ({"record_id": "a\nb"}, "record_id must be printable and not blank"),
        ({"semantic_seed_id": " "}, "semantic_seed_id must be printable and not blank"),
        ({"gold": {"disposition": SECRET}}, "not one of the allowed values"),
        ({SECRET: 1}, "unknown field"),
        ({"input": {"text": 1}}, "Expected `str | null`, got `int` - at `$.input.text`"),
        ({"benchmark_version": None}, "Expected `str`, got `null`"),
    ],
)
def test_a_malformed_case_is_named_by_line_and_record(
    make_suite: Make, case: Callable[..., Any], change: dict[str, Any], expected: str
) -> None:
    folder = make_suite([case("c1"), case("c2") | change])
    error = refused(folder)
    assert expected in str(error)
    assert error.path == str(folder / "cases.jsonl")
    assert error.line == 2
    if "record_id" not in change:
        assert error.record == "c2"


def test_a_missing_part_is_named(make_suite: Make, case: Callable[..., Any]) -> None:
    broken = case("c1")
    del broken["gold"]
    error = refused(make_suite([broken]))
    assert (error.line, error.record) == (1, "c1")
    assert "missing required field `gold`" in str(error)


@pytest.mark.parametrize("escape", ["\\ud800", "\\udfff and more", "\\ud800\\u0041"])
def test_a_lone_surrogate_is_said_to_be_one(make_suite: Make, case: Callable[..., Any], escape: str) -> None:
    folder = make_suite([])
    line = json.dumps(case("c7", text="MARK")).replace("MARK", escape)
    (folder / "cases.jsonl").write_text(f"{line}\n")
    error = refused(folder)
    assert "a string holds a lone surrogate" in str(error)
    assert "text_b64" in str(error)
    assert (error.line, error.record) == (1, "c7")


def test_bytes_that_are_no_utf8_are_named_by_line(make_suite: Make, case: Callable[..., Any]) -> None:
    folder = make_suite([case("c1")])
    with (folder / "cases.jsonl").open("ab") as handle:
        handle.write(json.dumps(case("c2", text="MARK")).encode().replace(b"MARK", b"\xff\xfe") + b"\n")
    assert refused(folder).line == 2


def test_a_truncated_last_line_is_named(make_suite: Make, case: Callable[..., Any]) -> None:
    folder = make_suite([case("c1"), case("c2", text=SECRET)])
    path = folder / "cases.jsonl"
    path.write_bytes(path.read_bytes()[:-60])
    error = refused(folder)
    assert error.line == 2
    assert "not valid JSON" in str(error)


def test_two_records_with_one_id_are_refused_with_both_lines(
    make_suite: Make, case: Callable[..., Any]
) -> None:
    error = refused(make_suite([case("c1"), case("c2"), case("c1", text=SECRET)]))
    assert (error.line, error.record) == (3, "c1")
    assert "line 1" in str(error)


def test_a_text_of_ten_megabytes_is_a_finding_and_no_crash(
    make_suite: Make, case: Callable[..., Any]
) -> None:
    folder = make_suite([case("c1"), case("huge", text="wörter " * 1_500_000)])
    found = [problem for problem in check(load_suite(folder)) if problem.code == "text_too_large"]
    assert [(problem.line, problem.record) for problem in found] == [(2, "huge")]
    assert len(str(found[0])) < 200


def test_deep_nesting_is_an_error_and_no_traceback(make_suite: Make) -> None:
    folder = make_suite([])
    (folder / "cases.jsonl").write_bytes(b'{"record_id": ' + b"[" * 100_000 + b"\n")
    assert refused(folder).line == 1


@pytest.mark.parametrize(
    "manifest",
    [b"\xff", b"schema = ", b"a = " + b"[" * 100_000, b"looks = " + b"9" * 5_000, b"looks = 'one'", b""],
)
def test_a_malformed_manifest_is_an_error_and_no_traceback(make_suite: Make, manifest: bytes) -> None:
    folder = make_suite([])
    (folder / "suite.toml").write_bytes(manifest)
    assert refused(folder).path == str(folder / "suite.toml")


@pytest.mark.parametrize("name", ["suite.toml", "cases.jsonl"])
def test_a_missing_file_is_named(make_suite: Make, name: str) -> None:
    folder = make_suite([])
    (folder / name).unlink()
    error = refused(folder)
    assert error.path == str(folder / name)


def test_a_missing_folder_is_named() -> None:
    with pytest.raises(InputError, match="no such suite folder"):
        load_suite("bundled:nothing")


def test_a_manifest_without_a_registry_path_needs_a_registry(
    make_suite: Make, case: Callable[..., Any], frozen_registry: Path
) -> None:
    folder = make_suite([case("c1")])
    manifest = (folder / "suite.toml").read_text()
    (folder / "suite.toml").write_text(manifest.replace('path = "../registry"\n', ""))
    assert "registry.path" in str(refused(folder))
    assert load_suite(folder, registry=load_registry(frozen_registry)).registry.version == "1.0.0"


def test_another_version_of_the_registry_is_refused_with_both_named(
    make_suite: Make, case: Callable[..., Any]
) -> None:
    folder = make_suite([case("c1")])
    manifest = (folder / "suite.toml").read_text()
    (folder / "suite.toml").write_text(
        manifest.replace(
            '[registry]\nname = "small"\nversion = "1.0.0"', '[registry]\nname = "small"\nversion = "2.0.0"'
        )
    )
    with pytest.raises(IntegrityError, match=r"small 2\.0\.0, but small 1\.0\.0"):
        load_suite(folder)


def test_another_content_of_the_registry_is_refused_with_both_hashes(
    tmp_path: Path, make_suite: Make, make_registry: Make, case: Callable[..., Any]
) -> None:
    from denotary.registry import freeze as freeze_registry
    from denotary.suites import pin

    folder = make_suite([case("c1")])
    pin(folder)
    mine = load_suite(folder).registry
    other_folder = make_registry(tmp_path / "other", expressions=[])
    freeze_registry(other_folder)
    other = load_registry(other_folder)
    with pytest.raises(IntegrityError) as caught:
        load_suite(folder, registry=other)
    assert mine.hash in str(caught.value)
    assert other.hash in str(caught.value)


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def paths(value: Any, prefix: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if not isinstance(value, dict):
        return [prefix]
    return [prefix, *(path for key, item in value.items() for path in paths(item, (*prefix, key)))]


def mutate(draw: Callable[..., Any], record: dict[str, Any]) -> dict[str, Any]:
    """Replace one part of a record, or add one, by some JSON value."""
    where = draw(st.sampled_from(paths(record)[1:]))
    target = record
    for key in where[:-1]:
        target = target[key]
    target[where[-1] if draw(st.booleans()) else draw(st.text(max_size=8))] = draw(json_values)
    return record


def assert_error_or_findings(data: st.DataObject, make_suite: Make, case: Callable[..., Any]) -> None:
    contrast = {"set": "s", "role": "x"}
    record = case("c1", input={"domain": "d"}, construction={"tags": ["one_token"], "contrast": contrast})
    folder = make_suite([case("c0"), mutate(data.draw, record)])
    found = problems_or_error(folder)
    if isinstance(found, DenotaryError):
        assert found.path == str(folder / "cases.jsonl")
        assert found.line == 2
    else:
        assert all(problem.path for problem in found)


FUZZ: Any = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture]}


@settings(max_examples=200, **FUZZ)
@given(data=st.data())
def test_fuzzed_records_give_an_error_or_findings_and_never_a_traceback(
    data: st.DataObject, make_suite: Make, case: Callable[..., Any]
) -> None:
    assert_error_or_findings(data, make_suite, case)


@pytest.mark.slow
@settings(max_examples=10_000, **FUZZ)
@given(data=st.data())
def test_ten_thousand_fuzzed_records(data: st.DataObject, make_suite: Make, case: Callable[..., Any]) -> None:
    assert_error_or_findings(data, make_suite, case)


def problems_or_error(folder: Path) -> list[Problem] | DenotaryError:
    try:
        return check(load_suite(folder))
    except DenotaryError as error:
        return error


@settings(max_examples=200, **FUZZ)
@given(junk=st.binary(max_size=80))
def test_fuzzed_bytes_give_an_error_and_never_a_traceback(junk: bytes, make_suite: Make) -> None:
    folder = make_suite([])
    (folder / "cases.jsonl").write_bytes(junk)
    found = problems_or_error(folder)
    if isinstance(found, DenotaryError):
        assert found.path is not None
    else:
        assert not junk.strip()


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@settings(**FUZZ)
@given(words=st.lists(texts, max_size=5))
def test_written_cases_read_back_equal(words: list[str], tmp_path: Path, case: Callable[..., Any]) -> None:
    cases = [msgspec.convert(case(f"c{i}", text=text), IdentityCase) for i, text in enumerate(words)]
    path = tmp_path / "cases.jsonl"
    path.write_bytes(encode_jsonl(cases))
    _, found = read_cases(path, IdentityCase)
    assert list(found) == cases
    assert encode_jsonl(found) == path.read_bytes()
