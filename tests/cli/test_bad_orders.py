"""Wrong options, policies, identities, waivers, systems and output folders: refused before anything is asked."""

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import denotary.instruments.identity as instrument

Cli = Callable[..., Any]
POLICIES = Path(instrument.__file__).parent / "policies"
CERTIFY = ("certify", "--suite", "suite", "--quiet")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--timeout", "-1"), "'--timeout': -1.0 is not in the range x>0"),
        (("--timeout", "0"), "'--timeout': 0.0 is not in the range x>0"),
        (("--timeout", "nan"), "expected a timeout above 0 seconds, found nan"),
        (("--timeout", "inf"), "expected a timeout above 0 seconds, found inf"),
        (("--timeout", "soon"), "'--timeout': 'soon' is not a valid float"),
        (("--concurrency", "0"), "'--concurrency': 0 is not in the range x>=1"),
        (("--attempts", "-3"), "'--attempts': -3 is not in the range x>=1"),
        (("--repeats", "-1"), "'--repeats': -1 is not in the range x>=1"),
        (("--repeat-core", "-1"), "'--repeat-core': -1 is not in the range x>=0"),
        (("--repeat-core", "21"), "expected a repeat core of 0 to 20 cases or all, found 21"),
        (("--batch", "0"), "'--batch': 0 is not in the range x>=1"),
        (("--batch", "5"), "a batch size needs an http system, found exact"),
        (("--today", "yesterday"), "today is 'yesterday'; expected an ISO date such as 2031-01-31"),
        (
            ("--policy", "c9"),
            "no policy 'c9'\n  hint: known: c0, c1, c2, c3, c4, c5, registry-exact, regression. Or give the path",
        ),
        (("--policy", "similarity-gate"), "is of the instrument similarity, and the suite of identity"),
        (("--policy", "registry_exact"), "hint: did you mean registry-exact? Or give the path"),
        (("--policy", "missing.toml"), "no policy 'missing.toml'"),
        (("--policy", "suite"), "no policy 'suite'"),
        (("--identity", "missing.toml"), "missing.toml: no such file"),
        (("--identity", "suite"), "'--identity': File 'suite' is a directory"),
        (("--waivers", "missing.toml"), "missing.toml: no such file"),
        (("--registry", "missing"), "missing: no such folder"),
        (("--no-such",), "No such option"),
        (("stray",), "Got unexpected extra argument (stray)"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_options(options: tuple[str, ...], message: str, workspace: Path, cli: Cli) -> None:
    done = cli(*CERTIFY, "--system", "exact", "--out", "out", *options)
    assert (done.code, done.out) == (64, "")
    assert message in done.err
    assert not (workspace / "out/run/answers.jsonl").exists()


FILES: dict[str, tuple[str, str | bytes, str]] = {
    "policy: unknown key": (
        "policy",
        'titel = "x"\n',
        r"file\.toml: not a valid Policy: .*unknown field `titel`",
    ),
    "policy: no TOML": ("policy", "[[gates", r"file\.toml: not valid TOML: Expected '\]\]'"),
    "policy: not UTF-8": ("policy", b"\xff\xfe", r"file\.toml: not UTF-8 at byte 0"),
    "policy: a gate's key": (
        "policy",
        "s/measure = /mesure = /",
        r"file\.toml: .*unknown field `mesure` - at `\$\.gates\[0\]`",
    ),
    "policy: a measure": (
        "policy",
        's/measure = "unknown_far"/measure = "unknown_fra"/',
        r"file\.toml: gate unknown: there is no measure 'unknown_fra'\n  hint: did you mean unknown_far",
    ),
    "policy: a loose limit": (
        "policy",
        "s/limit = 0.001/limit = 1.0/",
        r"file\.toml: gate '.*': limit is 1\.0",
    ),
    "policy: confidence": (
        "policy",
        "s/confidence = 0.95/confidence = 0.2/",
        r"file\.toml: confidence is 0\.2",
    ),
    "policy: a role": (
        "policy",
        's/"sealed-certification"/"public-diagnostic"/',
        r"file\.toml: role 'public-diagnostic'",
    ),
    "identity: unknown key": (
        "identity",
        'systm = "x"\n',
        r"file\.toml: not a valid Identity: .*unknown field `systm`",
    ),
    "identity: wrong type": (
        "identity",
        'languages = "en"\n',
        r"file\.toml: .*Expected `array`, got `str` - at `\$\.languages`",
    ),
    "identity: not UTF-8": ("identity", b"system = '\xff'\n", r"file\.toml: not UTF-8 at byte 10"),
    "waivers: unknown table": (
        "waivers",
        '[[waivers]]\ngate = "ambiguity"\n',
        r"file\.toml: .*unknown field `waivers`",
    ),
    "waivers: missing key": (
        "waivers",
        '[[waiver]]\ngate = "ambiguity"\n',
        r"file\.toml: .*missing required field `who`",
    ),
    "waivers: no table": ("waivers", "waiver = 3\n", r"file\.toml: .*Expected `array`, got `int`"),
    "waivers: a gate": (
        "waivers",
        '[[waiver]]\ngate = "ambigui"\nwho = "a"\nwhy = "b"\nuntil = "2030-01-01"\n',
        "a waiver names gate 'ambigui', which policy 'c3' does not have",
    ),
    "waivers: a date": (
        "waivers",
        '[[waiver]]\ngate = "ambiguity"\nwho = "a"\nwhy = "b"\nuntil = "soon"\n',
        "waiver of gate 'ambiguity': until is 'soon'; expected an ISO date",
    ),
    "waivers: nobody": (
        "waivers",
        '[[waiver]]\ngate = "ambiguity"\nwho = " "\nwhy = "b"\nuntil = "2030-01-01"\n',
        r"file\.toml: ambiguity: a waiver names its gate, who grants it and why",
    ),
    "waivers: twice": (
        "waivers",
        '[[waiver]]\ngate = "ambiguity"\nwho = "a"\nwhy = "b"\nuntil = "2030-01-01"\n' * 2,
        "two waivers are in force for gate 'ambiguity'",
    ),
}


def own_policy() -> str:
    """Return a policy with the gates of c3, a name of its own and no tier to keep to."""
    shipped = (POLICIES / "c3.toml").read_text()
    return shipped.replace('id = "c3"', 'id = "own"', 1).replace('tier = "C3"\n', "", 1)


@pytest.mark.parametrize("name", FILES)
def test_files(name: str, workspace: Path, cli: Cli) -> None:
    option, content, message = FILES[name]
    if isinstance(content, str) and content.startswith("s/"):
        _, old, new, _ = content.split("/")
        policy = own_policy()
        assert old in policy
        content = policy.replace(old, new, 1)
    Path("file.toml").write_bytes(content if isinstance(content, bytes) else content.encode())
    done = cli(
        *CERTIFY, "--system", "exact", "--out", "out", f"--{option}", "file.toml", "--today", "2029-01-01"
    )
    assert (done.code, done.out) == (64, "")
    assert re.search(message, done.err), done.err
    assert not (workspace / "out").exists()


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ("python:no_such_module:f", "module no_such_module cannot be imported: ModuleNotFoundError"),
        ("python:hostile:no_such", "module hostile has no no_such"),
        ("python:hostile", "expected MODULE:NAME, found 'hostile'"),
        ("python:json:__name__", "expected a callable as the system, found str"),
        ("http://", "expected an absolute URL"),
        ("http://[::1", "not a URL"),
        ("ftp://example.org", "no system of the form 'ftp'"),
        ("command:", "no such program: (nothing given)"),
        ("command:/no/such/program --now", "no such program: /no/such/program"),
        ("command:'unbalanced", "cannot be split into words"),
        ("replay:missing.jsonl", "missing.jsonl: no such file"),
        ("replay:suite", "suite: cannot be read (Is a directory)"),
        ("replay:suite/suite.toml", "suite/suite.toml:1: expected a JSON object with a record_id"),
        ("exactly", "no system of the form 'exactly'"),
        ("", "no system of the form ''"),
    ],
)
def test_systems(system: str, message: str, workspace: Path, cli: Cli) -> None:
    done = cli(*CERTIFY, "--system", system, "--out", "out")
    assert (done.code, done.out) == (64, "")
    assert message in done.err
    assert not (workspace / "out").exists()


def test_a_folder_of_other_files_is_left_alone(workspace: Path, cli: Cli) -> None:
    """Nothing of a user's is overwritten, also where it has the name of a document."""
    mine = workspace / "mine"
    mine.mkdir()
    (mine / "policy.toml").write_text("my own policy")
    for command in ((*CERTIFY, "--system", "exact"), ("demo", "--quiet")):
        done = cli(*command, "--out", "mine")
        assert (done.code, done.out) == (64, "")
        assert done.err.startswith(
            "error: mine: the folder holds 1 other file and nothing that certify wrote"
        )
    assert [path.name for path in mine.iterdir()] == ["policy.toml"]
    assert (mine / "policy.toml").read_text() == "my own policy"
    assert cli(*CERTIFY, "--system", "exact", "--out", "suite").code == 64
    assert cli("ask", "--suite", "suite", "--system", "exact", "--out", "mine", "-q").code == 64


def test_what_was_certified_before_is_certified_again(workspace: Path, cli: Cli) -> None:
    command = (*CERTIFY, "--system", "exact", "--out", "out")
    assert cli(*command).code == 2
    (workspace / "out/notes.txt").write_text("mine")
    assert cli(*command).code == 2
    assert cli("judge", "out/run", "--out", "out", "--quiet").code == 2
    assert (workspace / "out/notes.txt").read_text() == "mine"
    other = cli(*CERTIFY, "--system", "python:hostile:abstains", "--out", "out")
    assert (other.code, other.out) == (64, "")
    assert "out/run: the folder holds another run: system.kind was 'exact' and is 'python'" in other.err


def test_judging_asks_as_much_of_a_policy_and_a_folder(workspace: Path, cli: Cli) -> None:
    assert cli("ask", "--suite", "suite", "--system", "exact", "--out", "run", "--quiet").code == 0
    Path("file.toml").write_text(own_policy().replace('"unknown_far"', '"unknown_fra"', 1))
    for command in (("judge", "run"), ("report", "run", "--out", "page.html"), ("plan", "--suite", "suite")):
        done = cli(*command, "--policy", "file.toml")
        assert (done.code, done.out) == (64, "")
        assert "there is no measure 'unknown_fra'" in done.err
    done = cli("judge", "run", "--out", "suite")
    assert (done.code, done.out) == (64, "")
    assert "suite: the folder holds" in done.err
    assert not (workspace / "suite/certificate.json").exists()


@pytest.mark.parametrize("command", ["ask", "certify", "demo"])
def test_a_folder_that_cannot_be_written_to_is_named(
    command: str, workspace: Path, cli: Cli, without_root: None
) -> None:
    del without_root
    (workspace / "shelf").mkdir()
    (workspace / "shelf").chmod(0o500)
    order = () if command == "demo" else ("--suite", "suite", "--system", "exact")
    done = cli(command, *order, "--out", "shelf/out", "--quiet")
    (workspace / "shelf").chmod(0o700)
    assert (done.code, done.out) == (70, "")
    assert re.match(r"error: shelf/out\S*: cannot be written: the folder may not be written to\n", done.err)
    assert "choose another folder" in done.err


def test_a_file_in_the_way_is_named(workspace: Path, cli: Cli) -> None:
    del workspace
    Path("file").write_text("in the way")
    done = cli(*CERTIFY, "--system", "exact", "--out", "file")
    assert (done.code, done.out) == (64, "")
    assert "'--out': Directory 'file' is a file" in done.err
    done = cli(*CERTIFY, "--system", "exact", "--out", "file/below")
    assert (done.code, done.out) == (70, "")
    assert "error: file/below" in done.err
    for command in (("measure", "suite"), ("judge", "suite"), ("report", "suite", "--out", "page.html")):
        done = cli(*command)
        assert (done.code, done.out) == (64, "")
        assert "suite/run.toml: no such file" in done.err
    assert Path("file").read_text() == "in the way"


def test_a_full_disk_is_named(workspace: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    del workspace

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    done = cli(*CERTIFY, "--system", "exact", "--out", "out")
    assert (done.code, done.out) == (70, "")
    assert re.match(r"error: out\S*: cannot be written: the disk is full\n  hint: free space", done.err)
