from typing import Any

import msgspec
import pytest

from denotary import runs, systems
from denotary.errors import InputError, IntegrityError
from denotary.files import read_toml
from denotary.runs.headers import encode_header
from denotary.runs.records import Identity, RunHeader


@pytest.fixture
def made(suite: Any, truth: Any, tmp_path: Any) -> Any:
    return runs.ask(
        systems.python(truth),
        suite(12),
        tmp_path / "run",
        identity=Identity(system="s", languages=("en", "de")),
    )


def test_a_run_is_read_back_as_it_was(made: Any) -> None:
    assert runs.load_run(made.root, suite=made.suite) == made
    assert runs.load_run(str(made.root), suite=made.suite) == made


def test_the_header_has_one_form(made: Any) -> None:
    data = (made.root / "run.toml").read_bytes()
    header = read_toml(made.root / "run.toml", RunHeader)
    assert encode_header(header) == data
    assert header == made.header
    assert header.identity.languages == ("en", "de")
    assert header.suite.path == "../suite"
    assert str(made.root.parent) not in data.decode()


def test_a_run_that_was_left_has_the_rest_not_run(made: Any, suite: Any) -> None:
    for name in ("sealed.jsonl", "seal.json"):
        (made.root / name).unlink()
    answers = (made.root / "answers.jsonl").read_bytes().splitlines(keepends=True)
    (made.root / "answers.jsonl").write_bytes(b"".join(answers[:7]))
    part = runs.load_run(made.root, suite=suite(12))
    assert not part.complete
    assert [answer.call_id for answer in part.answers] == [answer.call_id for answer in made.answers]
    statuses = [answer.status for answer in part.answers]
    assert (statuses.count("answered"), statuses.count("not_run")) == (7, 5)
    assert "incomplete" in repr(part)


@pytest.mark.parametrize("changes", [{"hash": "6" * 64}, {}])
def test_another_suite_or_registry_is_refused(made: Any, suite: Any, changes: Any) -> None:
    other = suite(12, **changes)
    if not changes:
        other.registry.hash = "8" * 64
    with pytest.raises(
        IntegrityError, match=r"made with (suite|registry) .* sha256:[57]{64}, found .* sha256:[68]{64}"
    ):
        runs.load_run(made.root, suite=other)


@pytest.mark.parametrize(
    "file", ["answers.jsonl", "calls.jsonl", "plan.jsonl", "run.toml", "salt", "sealed.jsonl"]
)
def test_an_edited_file_of_a_sealed_run_is_named(made: Any, suite: Any, file: Any) -> None:
    path = made.root / file
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(IntegrityError, match=file):
        runs.load_run(made.root, suite=suite(12))
    assert runs.seal_differences(made.root) == [file]


def test_a_missing_file_of_a_sealed_run_is_named(made: Any, suite: Any) -> None:
    (made.root / "salt").unlink()
    with pytest.raises(IntegrityError, match="salt"):
        runs.load_run(made.root, suite=suite(12))


def test_a_seal_that_is_none_is_refused(made: Any, suite: Any) -> None:
    (made.root / "seal.json").write_text("{}")
    with pytest.raises(IntegrityError, match="not a valid seal"):
        runs.load_run(made.root, suite=suite(12))


def test_a_header_that_names_another_plan_is_refused(made: Any, suite: Any) -> None:
    (made.root / "seal.json").unlink()
    header = msgspec.structs.replace(made.header, plan="0" * 64)
    (made.root / "run.toml").write_bytes(encode_header(header))
    with pytest.raises(IntegrityError, match="not the one that the run was begun with"):
        runs.load_run(made.root, suite=suite(12))


def test_no_run_is_refused(tmp_path: Any, suite: Any) -> None:
    with pytest.raises(InputError, match="no such file"):
        runs.load_run(tmp_path, suite=suite(1))


def test_what_is_shown_of_a_run_holds_no_text(made: Any) -> None:
    shown = repr(made) + "".join(map(repr, runs.plan(made.suite)))
    assert "text of" not in shown


def test_the_answers_can_be_made_again_from_the_log(made: Any) -> None:
    assert runs.rebuild(made) == made.answers


def test_an_edited_answer_does_not_follow_from_the_log(suite: Any, tmp_path: Any) -> None:
    def odd(payload: Any) -> Any:
        number = int(payload["text"].split()[-1])
        return [
            None,
            "<html>",
            b"\xff",
            {"decision": {"concept_code": "x", "confidence": float("nan")}},
            {"record_id": "w"},
        ][number]

    run = runs.ask(systems.python(odd), suite(5), tmp_path / "odd")
    assert runs.rebuild(run) == run.answers
    assert [answer.problem for answer in run.answers] == [
        "not_an_object",
        "html",
        "not_json",
        "confidence_not_finite",
        "wrong_id",
    ]
    edited = msgspec.structs.replace(run.answers[0], status="answered", problem=None, body={"code": "x"})
    assert runs.rebuild(run) != (edited, *run.answers[1:])


def test_an_unfinished_run_is_made_again_as_far_as_it_goes(made: Any, suite: Any) -> None:
    (made.root / "seal.json").unlink()
    calls = (made.root / "calls.jsonl").read_bytes().splitlines(keepends=True)
    (made.root / "calls.jsonl").write_bytes(b"".join(calls[:6]))
    rebuilt = runs.rebuild(runs.load_run(made.root, suite=suite(12)))
    assert {answer.status for answer in rebuilt} == {"answered", "not_run"}


def test_a_torn_line_of_the_log_is_passed_over_and_a_missing_log_is_named(made: Any, suite: Any) -> None:
    (made.root / "seal.json").unlink()
    log = made.root / "calls.jsonl"
    with log.open("ab") as file:
        file.write(b'{"event": "answered", "call_i')
    part = runs.load_run(made.root, suite=suite(12))
    assert runs.rebuild(part) == made.answers
    log.unlink()
    with pytest.raises(InputError, match=r"calls\.jsonl: no such file"):
        runs.rebuild(part)


@pytest.mark.parametrize("tag", ["", " de", "de_AT", "de-"])
def test_a_language_that_is_no_tag_is_refused_before_anything_is_asked(tmp_path: Any, tag: str) -> None:
    path = tmp_path / "identity.toml"
    path.write_text(f'languages = ["en", "{tag}"]')
    with pytest.raises(InputError, match=r"identity: languages: .*not well-formed"):
        read_toml(path, Identity)
