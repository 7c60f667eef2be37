"""``--json`` is one document and nothing else, ``--quiet`` is silence, a pipe gets plain lines."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from denotary.canonical import canonical_json
from denotary.certify import Plan
from denotary.registry.records import RegistryLock
from denotary.suites.records import SuiteLock
from denotary.suites.split_records import SplitCheck
from denotary.text.perturb import Variant
from denotary.verdicts.records import Verdict

Cli = Callable[..., Any]
Program = tuple[list[str], dict[str, str]]

CERTIFY = ("certify", "--suite", "suite", "--out", "out", "--system")
BY = ("--who", "secretary", "--why", "read again")
COMMANDS: dict[tuple[str, ...], Any] = {
    ("demo", "--out", "out"): Verdict,
    (*CERTIFY, "exact"): Verdict,
    (*CERTIFY, "python:hostile:raises"): Verdict,
    ("ask", "--suite", "suite", "--out", "out", "--system", "exact"): {"calls", "complete", "status"},
    ("plan", "--policy", "c5"): Plan,
    ("plan", "--policy", "c5", "--suite", "suite"): Plan,
    ("measure", "promoted/run"): {"outcomes", "rows", "facts"},
    ("measure", "promoted/run", "--slice", "*", "--out", "rows.jsonl"): {"outcomes", "rows", "facts"},
    ("judge", "promoted/run", "--out", "judged"): Verdict,
    ("compare", "promoted", "promoted/run", "--out", "compared"): {
        "_type",
        "predicate",
        "predicateType",
        "subject",
    },
    ("report", "promoted/run", "--out", "page.html"): {"written", "decision"},
    ("triage", "promoted/run"): {
        "failed",
        "refusals",
        "set",
        "proposed",
        "untriaged",
        "judgements",
        "causes",
        "cases",
    },
    ("verify", "promoted"): {"verified", "differences", "signature"},
    ("registry", "lint", "registry"): {"errors", "warnings", "problems"},
    ("registry", "freeze", "registry"): RegistryLock,
    ("registry", "show", "registry"): None,
    ("registry", "new", "draft", "--name", "draft"): {"written", "name", "version"},
    ("registry", "import", "csv", "table.csv", "draft"): {
        "registry",
        "taken",
        "skipped",
        "warnings",
        "about",
    },
    ("registry", "export", "skos", "registry", "out.ttl"): {"written", "not_carried"},
    ("registry", "export", "sssom", "registry", "out.tsv"): {"written", "not_carried"},
    ("registry", "compile", "registry", "compiled.sqlite"): {"written", "snapshot_id"},
    ("registry", "diff", "registry", "registry"): {"old", "new", "records", "header", "problems"},
    ("registry", "migrate", "registry", "registry"): {"map", "stale_pairs", "nominated_pairs"},
    ("registry", "migrate", "registry", "registry", "--suite", "suite"): {
        "map",
        "stale_pairs",
        "nominated_pairs",
        "suite",
    },
    ("conformance", "list"): None,
    ("conformance", "run", "exact"): {
        "suite",
        "digest",
        "registry",
        "system",
        "decision_rule",
        "results",
    },
    ("suite", "check", "suite"): {"errors", "warnings", "problems"},
    ("suite", "freeze", "suite"): SuiteLock,
    ("suite", "show", "suite"): None,
    ("suite", "quota", "suite"): [],
    ("suite", "conformance", "registry", "--out", "out"): SuiteLock,
    ("suite", "diff", "suite", "suite"): None,
    ("suite", "correct", "suite", "c01", "--set", 'annotation.rationale="read again"', *BY): {"corrected"},
    ("suite", "withdraw", "suite", "c01", "--cause", "E29", "--board", "a:independent", *BY): {"withdrawn"},
    ("suite", "ledger", "show", "suite"): None,
    ("suite", "ledger", "verify", "suite"): {"entries", "head"},
    ("text", "perturb", "--text", "a-b", "--operator", "unicode.dash"): Variant,
    ("text", "perturb", "suite/cases.jsonl", "--operator", "format", "--out", "v.jsonl"): {
        "written",
        "variants",
        "not_applicable",
    },
    ("suite", "split", "check", "suite", "conformance"): SplitCheck,
    ("suite", "disclose", "suite", "c01", *BY): {"disclosed", "moved", "siblings"},
    ("suite", "canary", "suite"): {"canary"},
}
each_command = pytest.mark.parametrize(
    ("arguments", "shape"), COMMANDS.items(), ids=[" ".join(command) for command in COMMANDS]
)


@each_command
def test_json_is_one_document_on_standard_output(
    arguments: tuple[str, ...], shape: Any, folder: Path, cli: Cli
) -> None:
    del folder
    done = cli(*arguments, "--json")
    assert done.code in {0, 1, 2}
    assert done.err == ""
    assert done.out.count("\n") == 1
    value = json.loads(done.out)
    assert done.out.encode() == canonical_json(value) + b"\n"
    if isinstance(shape, set):
        assert value.keys() == shape
    elif isinstance(shape, type):
        msgspec.convert(value, shape)
    elif shape is not None:
        assert value == shape


@each_command
def test_quiet_prints_nothing(arguments: tuple[str, ...], shape: Any, folder: Path, cli: Cli) -> None:
    del shape, folder
    if "show" not in arguments:
        done = cli(*arguments, "--quiet")
        assert (done.out, done.err) == ("", "")
        assert done.code in {0, 1, 2}


@pytest.mark.parametrize(
    "arguments", [command for command in COMMANDS if command[0] not in {"certify", "demo"}]
)
def test_for_people_the_result_is_on_standard_output(
    arguments: tuple[str, ...], folder: Path, cli: Cli
) -> None:
    """Progress goes to standard error, so that a pipe gets the result alone."""
    del folder
    done = cli(*arguments)
    assert done.out.strip()
    assert "\x1b" not in done.out + done.err
    assert ("40 of 40 calls" in done.err) if arguments[0] == "ask" else done.err == ""


def test_the_first_word_for_people_is_the_decision(folder: Path, cli: Cli) -> None:
    del folder
    assert cli("judge", "promoted/run", "--policy", "registry-exact").out.split()[0] == "PROMOTE"
    assert cli("judge", "promoted/run", "--policy", "c3").out.split()[0] == "INSUFFICIENT"
    assert cli(*CERTIFY, "python:hostile:invents").out.split()[0] == "BLOCK"


def test_certify_says_what_cannot_be_claimed_and_asks_all_the_same(workspace: Path, cli: Cli) -> None:
    done = cli(*CERTIFY, "exact")
    first, *others = done.err.splitlines()
    assert first == "under c3 this suite can block a release, and never promote it"
    assert any(line.endswith(" units of 2,995") for line in others)
    assert "denotary plan lists every slice; asking goes on" in others
    assert others[-1].startswith("40 of 40 calls")
    assert (workspace / "out/certificate.json").exists()


def test_a_plan_fits_a_hundred_columns_and_draws_itself(workspace: Path, cli: Cli) -> None:
    done = cli("plan", "--policy", "c1", "--suite", "suite", "--languages", "en", "--plot", "plan.svg")
    assert (done.code, done.err) == (0, "")
    assert max(len(line) for line in done.out.splitlines()) <= 100
    assert "confidence 0.95, 1 look, alpha 0.05 a gate" in done.out
    told = "has the role public-diagnostic (public: can block a release, can never certify one)"
    assert told in " ".join(done.out.split())
    assert " ".join(done.out.split()).endswith("could support: no shipped policy of this track")
    drawn = (workspace / "plan.svg").read_text()
    assert drawn.startswith("<svg")
    assert "299, 473, 628, 773, 913, 1,049 units for 0 to 5 failures" in drawn
    assert cli("plan", "--policy", "registry-exact", "--plot", "no.svg").code == 64


def test_require_feasible_stops_before_the_first_call(workspace: Path, cli: Cli) -> None:
    done = cli(*CERTIFY, "python:hostile:raises", "--require-feasible", "--quiet")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(
        "error: policy c3 cannot be shown with this suite: qualification only: a public"
    )
    assert " units where 2,995 are needed" in done.err
    assert "never a looser limit" in done.err
    assert not (workspace / "out").exists()


def test_a_slice_is_chosen_and_an_unknown_one_is_refused(folder: Path, cli: Cli) -> None:
    del folder
    rows = json.loads(cli("measure", "promoted/run", "--slice", "language=de", "--json").out)["rows"]
    assert rows
    assert {row["slice"] for row in rows} == {"language=de"}
    done = cli("measure", "promoted/run", "--slice", "language=xx")
    assert (done.code, done.out) == (64, "")
    assert "no slice 'language=xx'" in done.err
    assert "language=de" in done.err


def test_rows_on_request_are_those_of_the_certificate(folder: Path, cli: Cli) -> None:
    assert cli("measure", "promoted/run", "--out", "rows.jsonl", "--quiet").code == 0
    assert (folder / "rows.jsonl").read_bytes() == (folder / "promoted/rows.jsonl").read_bytes()
    assert cli("judge", "promoted/run", "--policy", "registry-exact", "--out", "again", "--quiet").code == 0
    for name in ("certificate.json", "verdict.json", "report.html", "summary.md", "junit.xml", "gates.sarif"):
        assert (folder / "again" / name).read_bytes() == (folder / "promoted" / name).read_bytes(), name


def test_output_that_the_terminal_cannot_show_is_no_fault(folder: Path, program: Program) -> None:
    start, environment = program
    (folder / "identity.toml").write_text('system = "Zürich ⟨β⟩"\n', encoding="utf-8")
    done = subprocess.run(
        [*start, "certify", "--suite", "conformance", "--system", "exact", "--policy", "registry-exact",
         "--identity", "identity.toml", "--out", "o"],
        cwd=folder, env={**environment, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"rich ?" in done.stdout or b"\\u27e8" in done.stdout
