"""Verification: nothing differs in what certify wrote, and every change anywhere is found."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from denotary.canonical import canonical_json, sha256
from denotary.certify import judge, verify, write_documents
from denotary.certify.differences import document_differences, record_differences
from denotary.certify.writing import NAMES
from denotary.errors import InputError
from denotary.files import encode_jsonl, read_jsonl, read_toml
from denotary.measures import measure
from denotary.runs import load_run
from denotary.runs.headers import encode_header
from denotary.runs.records import Answer, Call, RunHeader
from denotary.runs.sealing import encode_seal, seal
from denotary.suites import disclose, load_suite

FOLDERS = ("registry", "suite", "out")
RUN_FILES = ("run.toml", "plan.jsonl", "answers.jsonl", "calls.jsonl", "salt", "sealed.jsonl", "seal.json")
SUITE_FILES = ("suite.toml", "cases.jsonl", "registry.lock", "ledger.jsonl", "suite.lock", "records.sha256")
REGISTRY_FILES = (
    "registry.toml",
    "concepts.jsonl",
    "expressions.jsonl",
    "ambiguities.jsonl",
    "registry.lock",
)
EVERY_FILE = (
    *(f"out/run/{name}" for name in RUN_FILES),
    *(f"out/{name}" for name in NAMES),
    *(f"suite/{name}" for name in SUITE_FILES),
    *(f"registry/{name}" for name in REGISTRY_FILES),
    "registry/records.sha256",
)


@pytest.fixture
def copy(promoted: Any, tmp_path: Path) -> Path:
    """A copy of everything that verification reads: registry, suite and output folder."""
    for name in FOLDERS:
        shutil.copytree(promoted.root / name, tmp_path / name)
    return tmp_path


def test_an_untouched_folder_verifies_wherever_it_lies(copy: Path) -> None:
    assert verify(copy / "out") == []
    assert verify(str(copy / "out")) == []


def test_the_list_of_files_is_complete(promoted: Any) -> None:
    found = {
        path.relative_to(promoted.root).as_posix() for path in promoted.root.rglob("*") if path.is_file()
    }
    assert found - {"out/run/.lock"} == set(EVERY_FILE)


@pytest.mark.parametrize("name", EVERY_FILE)
def test_one_changed_byte_in_any_file_is_found(copy: Path, name: str) -> None:
    path = copy / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    found = verify(copy / "out")
    # A changed seal shows as the file whose digest it no longer has.
    named = "was edited after the run was sealed" if name.endswith("seal.json") else path.name
    assert any(named in difference for difference in found)


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY_FILE)
def test_one_changed_byte_anywhere_is_found(copy: Path, name: str) -> None:
    """Twelve places spread over each file, the first and the last byte among them; each bit in turn."""
    path = copy / name
    data = path.read_bytes()
    for step in range(12):
        changed = bytearray(data)
        changed[(len(data) - 1) * step // 11] ^= 1 << (step % 8)
        path.write_bytes(changed)
        assert verify(copy / "out"), (name, step)


def test_what_was_recorded_later_rewrites_no_result(copy: Path) -> None:
    record = load_suite(copy / "suite").cases[0].record_id
    disclose(copy / "suite", [record], who="evaluator", why="shown for debugging")
    assert load_suite(copy / "suite").disclosed == {record}
    assert verify(copy / "out") == []


def test_a_ledger_that_lost_its_end_is_found(copy: Path) -> None:
    path = copy / "suite/ledger.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    assert "suite/ledger.jsonl: does not begin with the ledger that the certificate names" in verify(
        copy / "out"
    )


@pytest.mark.parametrize("name", EVERY_FILE)
def test_a_file_that_is_gone_is_found(copy: Path, name: str) -> None:
    (copy / name).unlink()
    if name in {"out/certificate.json", "out/run/run.toml"}:
        with pytest.raises(InputError, match="there is no"):
            verify(copy / "out")
    else:
        assert verify(copy / "out")


def reseal(root: Path, answers: list[Answer]) -> None:
    """Write answers into a run as an attacker would: every file, every digest."""
    (root / "answers.jsonl").write_bytes(encode_jsonl(answers))
    (root / "seal.json").unlink()
    seal(root, answers)


def answers_of(root: Path) -> list[Answer]:
    return [answer for _, answer in read_jsonl(root / "sealed.jsonl", Answer)]


def rewrite(out: Path) -> None:
    """Measure, judge and certify what the folder now says, so that every digest is recomputed."""
    write_documents(judge(measure(load_run(out / "run")), "registry-exact"), out)


def test_an_answer_made_right_and_every_digest_recomputed_is_found(
    tmp_path: Path, make: Callable[..., Any]
) -> None:
    lanes: list[Any] = []

    def resolver(request: dict[str, Any]) -> dict[str, Any]:
        from denotary.resolver import exact_lane_system

        if not lanes:
            lanes.append(exact_lane_system(tmp_path / "registry"))
        answer: dict[str, Any] = lanes[0](request)
        if (request["text"], request["language"]) == ("Brotteig", "de"):
            answer["decision"]["concept_code"] = "bread.loaf"
        return answer

    out = make(tmp_path, resolver=resolver).out
    root = out / "run"
    forged = [
        msgspec.structs.replace(answer, body={**answer.body, "code": "bread.dough"})
        if answer.body and answer.body["code"] == "bread.loaf" and b"Brotteig" in payload
        else answer
        for answer, payload in zip(
            answers_of(root), (root / "plan.jsonl").read_bytes().split(b"\n"), strict=False
        )
    ]
    assert forged != answers_of(root)
    reseal(root, forged)
    rewrite(out)
    assert json.loads((out / "verdict.json").read_bytes())["decision"] == "PROMOTE"
    found = verify(out)
    assert found
    assert all("is not what calls.jsonl yields" in difference for difference in found)


def test_a_count_altered_and_every_digest_recomputed_is_found(copy: Path) -> None:
    out = copy / "out"
    measured = measure(load_run(out / "run"))
    rows = tuple(
        msgspec.structs.replace(
            row,
            numerator=0,
            value=0.0,
            types=tuple(msgspec.structs.replace(item, numerator=0) for item in row.types),
        )
        if row.measure == "assignment_coverage"
        else row
        for row in measured.rows
    )
    write_documents(judge(replace(measured, rows=rows), "registry-exact"), out)
    found = verify(out)
    assert any(difference.startswith("rows.jsonl: line ") for difference in found)
    assert any("predicate.inputs" in difference for difference in found)


def test_a_case_taken_out_of_the_plan_and_every_digest_recomputed_is_found(copy: Path) -> None:
    root = copy / "out/run"
    calls = [call for _, call in read_jsonl(root / "plan.jsonl", Call)]
    gone = calls[3].case_id
    lines = encode_jsonl(call for call in calls if call.case_id != gone)
    (root / "plan.jsonl").write_bytes(lines)
    header = read_toml(root / "run.toml", RunHeader)
    (root / "run.toml").write_bytes(encode_header(msgspec.structs.replace(header, plan=sha256(lines))))
    reseal(root, [answer for answer in answers_of(root) if answer.case_id != gone])
    rewrite(copy / "out")
    assert "run/plan.jsonl: is not the plan of this suite" in verify(copy / "out")


def test_a_looser_policy_under_the_same_certificate_is_found(copy: Path) -> None:
    path = copy / "out/policy.toml"
    looser = path.read_bytes().replace(b'kind = "zero"', b'kind = "bound"\nlimit = 0.5', 1)
    path.write_bytes(looser)
    found = verify(copy / "out")
    assert "policy.toml: is not the policy that the certificate names" in found
    assert any("the id 'registry-exact' is that of a policy which denotary ships" in line for line in found)
    path.write_bytes(looser.replace(b'id = "registry-exact"', b'id = "own"'))
    found = verify(copy / "out")
    assert "policy.toml: is not the policy that the certificate names" in found
    assert any("certificate.json: predicate.gates[0].alpha" in difference for difference in found)


def test_a_run_that_was_not_sealed_is_found(copy: Path) -> None:
    (copy / "out/run/seal.json").unlink()
    assert "run/seal.json: the run is not sealed" in verify(copy / "out")


def test_a_header_that_describes_no_system_is_found(copy: Path) -> None:
    root = copy / "out/run"
    header = read_toml(root / "run.toml", RunHeader)
    (root / "run.toml").write_bytes(encode_header(msgspec.structs.replace(header, system={"spec": "x"})))
    reseal(root, answers_of(root))
    found = verify(copy / "out")
    assert "run/run.toml: does not describe a system" in found


def test_a_header_written_by_another_hand_is_found(copy: Path) -> None:
    root = copy / "out/run"
    (root / "run.toml").write_bytes(b"# the same content\n" + (root / "run.toml").read_bytes())
    reseal(root, answers_of(root))
    assert "run/run.toml: is not what denotary writes for its content" in verify(copy / "out")


def relogged(root: Path, change: Callable[[list[bytes]], list[bytes]]) -> None:
    """Change the lines of the raw log, and seal the run anew as somebody would who knows how."""
    lines = (root / "calls.jsonl").read_bytes().splitlines(keepends=True)
    (root / "calls.jsonl").write_bytes(b"".join(change(lines)))
    (root / "seal.json").write_bytes(encode_seal(root))


def first(lines: list[bytes], event: str) -> int:
    return next(number for number, line in enumerate(lines) if event.encode() in line)


def moved(lines: list[bytes], old: int, new: int) -> list[bytes]:
    rest = [*lines[:old], *lines[old + 1 :]]
    return [*rest[:new], lines[old], *rest[new:]]


def respelled(line: bytes) -> bytes:
    return json.dumps(json.loads(line)).encode() + b"\n"


def altered(line: bytes, **changes: Any) -> bytes:
    return msgspec.json.encode(json.loads(line) | changes) + b"\n"


CALL = "exact:bread.dough-de#0"
"""The first call of the plan."""
CHANGES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "respelled": (lambda x: [respelled(x[0]), *x[1:]], "line 1: is not what denotary writes for its content"),
    "one space more": (lambda x: [*x[:-1], x[-1][:-1] + b" \n"], "is not what denotary writes for its content"),
    "answered before it was asked": (lambda x: moved(x, 0, 2), "is answered before it was asked"),
    "answered twice": (lambda x: [*x, x[first(x, "answered")]], "is answered a second time"),
    "asked twice": (lambda x: [x[0], *x], f"line 2: {CALL} is not marked as asked again"),
    "asked after it was answered": (lambda x: [*x, x[0]], f"{CALL} is asked after it was answered"),
    "marked": (lambda x: [altered(x[0], reasked=True), *x[1:]], f"line 1: {CALL} is marked as asked again"),
    "two replies change places": (
        lambda x: moved(x, first(x, "answered"), len(x) - 1),
        f"answers.jsonl: the answer to {CALL} is not what calls.jsonl yields",
    ),
    "an announcement with a reply": (
        lambda x: [altered(x[0], raw=["{}"]), *x[1:]],
        "line 1: is not what denotary writes for its content",
    ),
    "more attempts than allowed": (
        lambda x: [*x[:1], altered(x[1], attempts=9), *x[2:]],
        "line 2: tells of 9 attempts, the run allows 3",
    ),
    "a time below zero": (lambda x: [x[0], altered(x[1], seconds=-1.0), *x[2:]], "line 2: is not what denotary"),
    "no reply and no failure": (
        lambda x: [x[0], altered(x[1], raw=[None]), *x[2:]],
        "calls.jsonl:2: a logged call whose parts do not fit together",
    ),
    "no base64": (lambda x: [x[0], altered(x[1], raw=["base64:a"]), *x[2:]], "parts do not fit together"),
    "a call that was not planned": (
        lambda x: [altered(x[0], call_ids=["x#0"]), *x],
        "line 1: names a call that is not planned, one twice, or none",
    ),
    "a line about nothing": (lambda x: [altered(x[0], call_ids=[]), *x], "not planned, one twice, or none"),
    "a torn line": (lambda x: [*x, x[0][:9]], "calls.jsonl: ends within a line"),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_log_that_no_run_would_have_written_is_found_under_a_seal_made_anew(
    copy: Path, change: str
) -> None:
    made, said = CHANGES[change]
    relogged(copy / "out/run", made)
    found = verify(copy / "out")
    assert any(said in difference for difference in found), found


def test_a_reply_taken_out_and_its_case_called_not_run_is_found(copy: Path) -> None:
    root = copy / "out/run"
    answers = answers_of(root)
    gone = answers[0]
    relogged(root, lambda lines: [line for line in lines if gone.call_id.encode() not in line])
    reseal(
        root, [msgspec.structs.replace(gone, status="not_run", problem="not_run", body=None), *answers[1:]]
    )
    rewrite(copy / "out")
    assert f"run/calls.jsonl: {gone.call_id} was never answered" in verify(copy / "out")


@pytest.mark.parametrize("name", ["answers.jsonl", "sealed.jsonl", "salt", "seal.json"])
def test_a_file_of_the_run_written_by_another_hand_is_found(copy: Path, name: str) -> None:
    path = copy / "out/run" / name
    text = path.read_bytes()
    path.write_bytes(text.replace(b"{", b"{ ", 1) if b"{" in text else b" " + text)
    if name != "seal.json":
        (copy / "out/run/seal.json").write_bytes(encode_seal(copy / "out/run"))
    assert f"run/{name}: is not what denotary writes for its content" in verify(copy / "out")


@pytest.mark.parametrize(
    "content", [b"{}", b"[]", b"not json", b'{"predicate": {"waivers": {"given": 3, "today": ""}}}']
)
def test_what_is_no_certificate_is_named(copy: Path, content: bytes) -> None:
    (copy / "out/certificate.json").write_bytes(content)
    (found,) = verify(copy / "out")
    assert "certificate.json: not a certificate" in found


def test_a_folder_without_a_certificate_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no certificate\.json"):
        verify(tmp_path)


def differences(old: Any, new: Any) -> list[str]:
    return list(document_differences("x.json", canonical_json(old), canonical_json(new)))


def test_json_differs_by_path() -> None:
    assert differences({"a": [1, {"b": 0}]}, {"a": [1, {"b": 2}]}) == [
        "x.json: a[1].b: recorded 0, rebuilt 2"
    ]
    assert differences({"a": 1}, {}) == ["x.json: a: recorded 1, rebuilt nothing"]
    assert differences([], [None]) == ["x.json: [0]: recorded nothing, rebuilt null"]
    assert differences({"a": 0}, {"a": False}) == ["x.json: a: recorded 0, rebuilt false"]
    assert differences({"a": 1}, {"a": 1}) == []
    assert len(differences(list(range(99)), list(range(1, 100)))) == 5


def test_what_is_not_json_differs_by_line() -> None:
    assert list(document_differences("a.md", b"1\n2\n3", b"1\n2\n4")) == [
        "a.md: line 3 is not what the run yields"
    ]
    assert list(document_differences("a.md", b"1\n2", b"1\n2\n")) == [
        "a.md: line 3 is not what the run yields"
    ]
    assert list(document_differences("a.json", b'{"a": 1}', b'{"a":1}')) == [
        "a.json: line 1 is not what the run yields"
    ]
    assert list(document_differences("a.json", b"{", b"{}")) == ["a.json: is not valid JSON"]


def test_an_answer_that_differs_is_named_and_not_quoted() -> None:
    def answers() -> Iterator[Answer]:
        for number in range(9):
            yield Answer(
                call_id=f"c{number}",
                case_id="c",
                repeat=0,
                status="answered",
                body={"reason": f"SECRET {number}"},
            )

    told = list(answers())
    other = [msgspec.structs.replace(answer, body={"reason": "SECRET"}) for answer in told]
    found = list(record_differences("sealed.jsonl", told, other, against="calls.jsonl"))
    assert len(found) == 5
    assert found[0] == "sealed.jsonl: the answer to c0 is not what calls.jsonl yields"
    assert not any("SECRET" in difference for difference in found)
    shorter = record_differences("s", told[:1], told, against="x")
    assert next(shorter) == "s: the answer to c1 is not what x yields"
    assert list(record_differences("s", told, told, against="x")) == []
