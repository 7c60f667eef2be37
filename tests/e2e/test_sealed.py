"""The text of a sealed case stands in the raw run and nowhere else, whatever the system does with it.

What is searched: standard output and error of every command, every document, and what is packed into the report.
"""

import base64
import json
import re
import shutil
import subprocess
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from denotary.certify import judge
from denotary.measures import measure
from denotary.runs import load_run
from denotary.suites import freeze as freeze_suite

Cli = Callable[..., Any]
Program = tuple[list[str], dict[str, str]]
PACKED = re.compile(rb"[A-Za-z0-9+/]{100,}={0,2}")
PAGE_DATA = re.compile(rb'<script[^>]*id="page-data"[^>]*>([^<]*)<')
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("certify", "--suite", "sealed", "--out", "out", "--json", "--system"),
    ("ask", "--suite", "sealed", "--out", "out/run", "--repeats", "2", "--system"),
    ("judge", "out/run"),
    ("judge", "out/run", "--json", "--out", "judged"),
    ("measure", "out/run", "--slice", "*"),
    ("measure", "out/run", "--slice", "*", "--json", "--out", "rows.jsonl"),
    ("report", "out/run", "--out", "page.html"),
    ("triage", "out/run", "--refusals", "--out", "triage.json"),
    ("triage", "out/run", "--refusals", "--json"),
    ("triage", "set", "out/run", "c00", "E05", "--who", "reviewer-1", "--why", "it is negated"),
    ("report", "out/run", "--out", "since.html"),
    ("verify", "out"),
    ("suite", "check", "sealed"),
    ("suite", "show", "sealed"),
    ("suite", "quota", "sealed", "--json"),
    ("plan", "--suite", "sealed"),
)


FEW = (
    ("measure", "out/run", "--slice", "*", "--json"),
    ("triage", "out/run", "--refusals"),
    ("verify", "out"),
)


def seal(root: Path, suite_files: Any) -> Path:
    """Write and freeze the twenty cases as a sealed suite."""
    lines = (root / "suite/cases.jsonl").read_text().splitlines()
    cases = [json.loads(line) for line in lines]
    for record in cases:
        record["security"]["visibility"] = "sealed"
    folder: Path = suite_files(root / "sealed", cases, role="sealed-certification")
    freeze_suite(folder)
    return folder


def unpacked(data: bytes) -> bytes:
    """Return bytes together with everything in them that is packed."""
    found = [data]
    for match in PACKED.finditer(data):
        try:
            plain = base64.b64decode(match[0])
        except ValueError:
            continue
        found.append(plain)
        try:
            found.append(zlib.decompress(plain))
        except zlib.error:
            continue
    # The data of a report page: base 85 of a zlib stream, with a comma for what would end the element.
    pages = (match[1].strip().replace(b",", b"<") for match in PAGE_DATA.finditer(data))
    found += [zlib.decompress(base64.b85decode(page)) for page in pages]
    return b"\n".join(found)


def documents(root: Path) -> Iterator[Path]:
    """Yield every file but those of the inputs and of the raw run, which holds what was sent and what came back."""
    inputs = {root / name for name in ("suite", "sealed", "registry", "answers.jsonl")}
    for path in sorted(root.rglob("*")):
        within = {path, *path.parents}
        if path.is_file() and inputs.isdisjoint(within) and root / "out/run" not in within:
            yield path


def shown(root: Path, canary: str) -> list[str]:
    """Return the documents in which the canary stands."""
    forms = (canary.encode(), canary.encode().hex().encode(), base64.b64encode(canary.encode())[:-3])
    return [
        path.name for path in documents(root) if any(form in unpacked(path.read_bytes()) for form in forms)
    ]


def test_the_search_finds_what_is_packed_into_a_page(workspace: Path, cli: Cli, canary: str) -> None:
    """The report of a public suite does show its cases, so a search that finds nothing there would prove nothing."""
    assert cli("certify", "--suite", "suite", "--system", "exact", "--out", "out", "-q").code == 2
    assert shown(workspace, canary) == ["report.html"]
    page = (workspace / "out/report.html").read_bytes()
    hidden = re.sub(canary.encode(), b"", page)
    assert canary.encode() in unpacked(hidden)


@pytest.mark.parametrize(
    ("system", "commands"),
    [
        ("medley", COMMANDS),
        *((name, FEW) for name in ("word_as_code", "text_everywhere", "raises_named", "text_as_id")),
    ],
)
def test_no_command_and_no_document_shows_sealed_text(
    system: str,
    commands: tuple[tuple[str, ...], ...],
    workspace: Path,
    cli: Cli,
    suite_files: Any,
    canary: str,
) -> None:
    seal(workspace, suite_files)
    first = cli("certify", "--suite", "sealed", "--out", "out", "--system", f"python:hostile:{system}")
    assert first.code == 1
    assert canary not in first.out + first.err
    for command in commands:
        done = cli(*command, *((f"python:hostile:{system}",) if command[-1] == "--system" else ()))
        assert done.code in {0, 1, 2}, done
        assert canary not in done.out + done.err, command
    written = {path.name for path in documents(workspace)}
    assert written >= {
        "certificate.json",
        "report.html",
        "rows.jsonl",
        "junit.xml",
        "gates.sarif",
        "summary.md",
    }
    assert shown(workspace, canary) == []
    assert canary in (workspace / "out/run/plan.jsonl").read_text()


def test_a_public_suite_may_hold_no_sealed_case(
    workspace: Path, cli: Cli, suite_files: Any, canary: str
) -> None:
    folder = seal(workspace, suite_files)
    cases = [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines()]
    suite_files(workspace / "mixed", cases, role="public-diagnostic")
    check = cli("suite", "check", "mixed")
    freeze = cli("suite", "freeze", "mixed")
    assert (check.code, freeze.code) == (1, 64)
    assert "cases.jsonl:1: c00: error visibility: sealed case in a public-diagnostic suite" in check.out
    assert canary not in check.out + check.err + freeze.out + freeze.err


def test_a_wrong_sealed_suite_is_refused_without_its_text(
    workspace: Path, cli: Cli, suite_files: Any, canary: str
) -> None:
    folder = seal(workspace, suite_files)
    whole = (folder / "cases.jsonl").read_bytes()
    for damaged in (
        whole.replace(b'"sealed"', b'"sealed', 1),
        whole.replace(b'"input": {"text": ', b'"input": {"txet": ', 1),
        whole.replace(b'"disposition": "SINGLE"', b'"disposition": "' + canary.encode() + b'"', 1),
        whole.replace(b"durable", b"\xff\xfe", 1),
        whole.replace(b"durable", b"\\ud800", 1),
        whole[:-70],
        whole.replace(b"durable", b"lasting", 1),
    ):
        assert damaged != whole
        (folder / "cases.jsonl").write_bytes(damaged)
        for command in (("suite", "check", "sealed"), ("suite", "freeze", "sealed")):
            done = cli(*command)
            assert done.code == 64
            assert canary not in done.out + done.err


def test_a_tampered_run_is_refused_without_its_text(
    workspace: Path, cli: Cli, suite_files: Any, canary: str
) -> None:
    seal(workspace, suite_files)
    system = "python:hostile:word_as_code"
    assert cli("certify", "--suite", "sealed", "--out", "out", "-q", "--system", system).code == 1
    for name in ("plan.jsonl", "sealed.jsonl", "answers.jsonl", "calls.jsonl"):
        path = workspace / "out/run" / name
        whole = path.read_bytes()
        for damaged in (
            whole.replace(canary.encode(), canary.lower().encode(), 1),
            whole[:-30],
            b"{" + whole,
        ):
            path.write_bytes(damaged)
            for command in (("verify", "out"), ("measure", "out/run"), ("judge", "out/run")):
                done = cli(*command)
                assert done.code in {1, 64}, (name, done)
                assert canary not in done.out + done.err
                assert canary.lower() not in done.out + done.err
        path.write_bytes(whole)
    assert cli("verify", "out").code == 0


def test_a_process_prints_no_sealed_text_when_the_system_crashes(
    workspace: Path, suite_files: Any, canary: str, program: Program
) -> None:
    """Also not through the interpreter's own hooks for threads and tasks that die."""
    seal(workspace, suite_files)
    start, environment = program
    done = subprocess.run(
        [*start, "certify", "--suite", "sealed", "--out", "out", "--system", "python:hostile:medley"],
        env={**environment, "PYTHONDEVMODE": "1", "PYTHONASYNCIODEBUG": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert canary not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_in_memory_shows_a_text_by_its_repr(
    workspace: Path, cli: Cli, suite_files: Any, canary: str
) -> None:
    seal(workspace, suite_files)
    assert (
        cli("ask", "--suite", "sealed", "--out", "run", "-q", "--system", "python:hostile:abstains").code == 0
    )
    run = load_run(workspace / "run")
    judged = judge(measure(run, resamples=0), "c3")
    for value in (run, run.suite, run.suite.cases, run.answers, judged, judged.measurement, judged.verdict):
        assert canary not in repr(value)


def replies(canary: str) -> st.SearchStrategy[Any]:
    """Replies of every shape that hold the canary somewhere, most of them near to the contract."""
    word = st.sampled_from([canary, f"{canary} and more", f"x.{canary}", canary * 40])
    scalar = st.one_of(word, st.none(), st.floats(0, 1), st.sampled_from(["x.alpha", "ambiguous", "1.0.0"]))
    value = st.recursive(
        scalar, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(word, inner, max_size=2)
    )
    decision = st.fixed_dictionaries(
        {"type": st.sampled_from(["concept", "concept", "abstain", "clarify", "reject", canary])},
        optional={"concept_code": scalar, "reason": scalar, "confidence": st.one_of(st.floats(0, 1), value)},
    )
    candidate = st.fixed_dictionaries({"concept_code": word, "score": st.floats(0, 1)})
    return st.fixed_dictionaries(
        {},
        optional={
            "decision": decision | value,
            "candidates": st.lists(candidate, max_size=3) | value,
            "registry_version_returned": scalar,
            "system_version": scalar,
            canary: value,
        },
    )


@settings(
    max_examples=5,
    # Making a failing example smaller would certify for minutes.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_no_shape_of_reply_brings_sealed_text_into_a_document(
    data: st.DataObject, workspace: Path, cli: Cli, suite_files: Any, canary: str
) -> None:
    if not (workspace / "sealed").exists():
        seal(workspace, suite_files)
    shutil.rmtree(workspace / "out", ignore_errors=True)
    names = [
        json.loads(line)["record_id"] for line in (workspace / "sealed/cases.jsonl").read_text().splitlines()
    ]
    drawn = data.draw(st.lists(replies(canary), min_size=len(names), max_size=len(names)))
    lines = [json.dumps({"record_id": name, **reply}) for name, reply in zip(names, drawn, strict=True)]
    (workspace / "answers.jsonl").write_text("\n".join(lines))
    order = (
        "certify",
        "--suite",
        "sealed",
        "--out",
        "out",
        "--repeats",
        "1",
        "--system",
        "replay:answers.jsonl",
    )
    done = cli(*order)
    assert done.code in {1, 2}, done
    assert canary not in done.out + done.err
    assert shown(workspace, canary) == []
