"""Wrong suites and registries, each through the command line: the place is named, no text of a case is shown."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
Record = dict[str, Any]
Damage = Callable[[Path], None]

CASES = "suite/cases.jsonl"
MANIFEST = "suite/suite.toml"
CERTIFY = ("certify", "--suite", "suite", "--system", "exact", "--out", "out")


def thaw(root: Path) -> None:
    """Make the suite a draft again."""
    for name in ("suite.lock", "records.sha256", "registry.lock", "ledger.jsonl"):
        (root / "suite" / name).unlink()


def second_line(change: Callable[[Record], None]) -> Damage:
    """Change the record in line 2 of a draft; what is beyond ASCII is escaped, so that it may be no character."""

    def damage(root: Path) -> None:
        thaw(root)
        lines = (root / CASES).read_text().splitlines()
        record = json.loads(lines[1])
        change(record)
        lines[1] = json.dumps(record)
        (root / CASES).write_text("\n".join(lines) + "\n")

    return damage


def cases_as(change: Callable[[bytes], bytes]) -> Damage:
    def damage(root: Path) -> None:
        thaw(root)
        (root / CASES).write_bytes(change((root / CASES).read_bytes()))

    return damage


def part(name: str, **values: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record[name].update(values)

    return change


def put(name: str, value: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record[name] = value

    return change


def frozen(name: str, old: str, new: str) -> Damage:
    def damage(root: Path) -> None:
        text = (root / name).read_text()
        assert old in text
        (root / name).write_text(text.replace(old, new, 1))

    return damage


def gone(name: str) -> Damage:
    def damage(root: Path) -> None:
        shutil.rmtree(root / name) if (root / name).is_dir() else (root / name).unlink()

    return damage


def folder_instead(name: str) -> Damage:
    def damage(root: Path) -> None:
        (root / name).unlink()
        (root / name).mkdir()

    return damage


def file_instead_of_the_suite(root: Path) -> None:
    shutil.rmtree(root / "suite")
    (root / "suite").write_text("not a folder")


# What a file is, as long as nobody can say what it means: refused by every command that reads it.
UNREADABLE: dict[str, tuple[Damage, str]] = {
    "malformed": (
        cases_as(lambda data: data.replace(b'"c01",', b'"c01"', 1)),
        rf"{CASES}:2: not valid JSON",
    ),
    "half a line": (cases_as(lambda data: data[:-40]), rf"{CASES}:20: not valid JSON: .*truncated"),
    "no object": (cases_as(lambda data: b"[]\n" + data), rf"{CASES}:1: not a valid IdentityCase"),
    "duplicate id": (
        second_line(put("record_id", "c00")),
        rf"{CASES}:2: c00: the record id stands in line 1 already",
    ),
    "blank id": (second_line(put("record_id", " ")), rf"{CASES}:2: .*record_id must be printable"),
    "unknown key": (second_line(put("gold_code", 1)), rf"{CASES}:2: c01: .*unknown field `gold_code`"),
    "text as a key": (second_line(put("QUAGGA7391 is a text", 1)), rf"{CASES}:2: c01: .*unknown field"),
    "text in the wrong place": (
        second_line(part("gold", disposition="QUAGGA7391 number 1")),
        rf"{CASES}:2: c01: .*not one of the allowed values - at `\$\.gold\.disposition`",
    ),
    "wrong type": (second_line(put("input", "QUAGGA7391")), rf"{CASES}:2: c01: .*Expected `object`, got `str`"),
    "missing key": (
        second_line(lambda record: record.pop("gold")),
        rf"{CASES}:2: c01: .*missing required field `gold`",
    ),
    "NaN": (cases_as(lambda data: data.replace(b'"c01"', b"NaN", 1)), rf"{CASES}:2: not valid JSON"),
    "not UTF-8": (
        cases_as(lambda data: data.replace(b"numberb:", b"number\xff:", 1)),
        rf"{CASES}:2: not UTF-8: byte 0xff at offset \d+",
    ),
    "UTF-16": (
        cases_as(lambda data: data.decode().encode("utf-16")),
        rf"{CASES}:1: (c00: )?begins with a byte order mark; expected UTF-8",
    ),
    "byte order mark": (
        cases_as(lambda data: b"\xef\xbb\xbf" + data),
        rf"{CASES}:1: (c00: )?begins with a byte order mark; expected UTF-8",
    ),
    "lone surrogate": (
        second_line(part("input", text="QUAGGA7391 \ud800")),
        rf"{CASES}:2: c01: a string holds a lone surrogate.*\n.*base64",
    ),
    "deep": (cases_as(lambda data: b"[" * 100_000 + b"\n" + data), rf"{CASES}:1: "),
    "missing file": (gone(CASES), rf"{CASES}: no such file"),
    "missing manifest": (gone(MANIFEST), rf"{MANIFEST}: no such file"),
    "folder instead of a file": (folder_instead(CASES), rf"{CASES}: cannot be read \(Is a directory\)"),
    "file instead of a folder": (file_instead_of_the_suite, r"suite: no such suite folder"),
    "missing suite": (gone("suite"), r"suite: no such suite folder"),
    "missing registry": (gone("registry"), r"registry: no such folder"),
    "typo in the manifest": (
        frozen(MANIFEST, "role =", "rule ="),
        rf"{MANIFEST}: not a valid Manifest: .*unknown field `rule`",
    ),
    "manifest that is no TOML": (frozen(MANIFEST, "role =", "role"), rf"{MANIFEST}: not valid TOML: .*line \d+"),
    "unknown instrument": (
        frozen(MANIFEST, '"identity"', '"identify"'),
        r"no instrument named 'identify'; installed: .*identity",
    ),
    "edited cases": (frozen(CASES, "durable", "lasting"), rf"{CASES}: was edited after the suite was frozen"),
    "edited manifest": (frozen(MANIFEST, "small-suite", "another"), rf"{MANIFEST}: was edited"),
    "edited registry": (
        frozen("registry/expressions.jsonl", "café-bar", "cafe-bar"),
        r"registry/expressions\.jsonl: e-cafe: differs from the frozen snapshot small 1\.0\.0",
    ),
    "edited lock": (frozen("suite/suite.lock", '"cases":20', '"cases":21'), r"suite/suite\.lock"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_suite_that_cannot_be_read_is_refused_by_every_command(
    name: str, workspace: Path, cli: Cli, canary: str
) -> None:
    damage, message = UNREADABLE[name]
    damage(workspace)
    for command in (CERTIFY, ("suite", "check", "suite"), ("suite", "show", "suite")):
        done = cli(*command)
        assert (done.code, done.out) == (64, ""), done
        assert done.err.startswith("error: ")
        assert re.search(message, done.err), done.err
        assert canary not in done.err
        assert "Traceback" not in done.err
    assert not (workspace / "out").exists()


# Readable and wrong: a check lists it, freezing refuses it, and a draft is not certified.
WRONG: dict[str, tuple[Damage, str]] = {
    "gold that the family does not allow": (
        second_line(part("construction", primary_family="mixed_concept")),
        r"cases\.jsonl:2: c01: error family_gold: mixed_concept allows MIXED here, found SINGLE",
    ),
    "unknown code": (
        second_line(part("gold", acceptable_concept_codes=["x.omega"])),
        r"cases\.jsonl:2: c01: error unknown_code: .*x\.omega is not in registry 1\.0\.0",
    ),
    "two codes for one": (
        second_line(part("gold", acceptable_concept_codes=["x.alpha", "x.beta"])),
        r"cases\.jsonl:2: c01: error ",
    ),
    "other registry version": (
        second_line(put("registry_version", "0.9.0")),
        r"cases\.jsonl:2: c01: error ",
    ),
    "text of ten million characters": (
        second_line(part("input", text="QUAGGA7391" * 1_000_000)),
        r"cases\.jsonl:2: c01: error text_too_large: longer than 1,000,000 characters",
    ),
    "no case": (cases_as(lambda _: b""), r"suite\.toml: error no_cases: cases\.jsonl holds no case"),
    "blank lines alone": (cases_as(lambda _: b"\n \n"), r"suite\.toml: error no_cases"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_suite_fails_its_check_and_cannot_be_frozen(
    name: str, workspace: Path, cli: Cli, canary: str
) -> None:
    damage, message = WRONG[name]
    damage(workspace)
    check = cli("suite", "check", "suite")
    assert (check.code, check.err) == (1, "")
    assert re.search(f"^{message}", check.out, re.MULTILINE), check.out
    freeze = cli("suite", "freeze", "suite")
    assert (freeze.code, freeze.out) == (64, "")
    assert re.search(message, freeze.err)
    refused = cli(*CERTIFY)
    assert (refused.code, refused.out) == (64, "")
    assert refused.err == (
        "error: suite: the suite is not frozen, so its content has no name\n"
        "  hint: freeze it: denotary suite freeze FOLDER\n"
    )
    assert canary not in check.out + freeze.err + refused.err
    assert not (workspace / "suite/suite.lock").exists()
    assert not (workspace / "out").exists()


def test_a_suite_of_another_registry_is_refused_by_both_names(
    workspace: Path, cli: Cli, make_registry: Any, canary: str
) -> None:
    make_registry(workspace / "second", ambiguities=[])
    assert cli("registry", "freeze", "second", "--quiet").code == 0
    locks = [json.loads((workspace / name / "registry.lock").read_text()) for name in ("registry", "second")]
    done = cli(*CERTIFY, "--registry", "second")
    assert (done.code, done.out) == (64, "")
    assert "suite/registry.lock: the suite is made for registry" in done.err
    for lock in locks:
        assert lock["hash"] in done.err
    assert canary not in done.err


def test_a_draft_registry_is_refused(workspace: Path, cli: Cli, suite_files: Any, case: Any) -> None:
    (workspace / "registry/registry.lock").unlink()
    (workspace / "registry/records.sha256").unlink()
    suite_files(workspace / "other", [case("c1")])
    for command in (
        ("suite", "freeze", "other"),
        ("suite", "conformance", "registry", "--out", "conformance"),
        ("registry", "compile", "registry", "compiled.sqlite"),
    ):
        done = cli(*command)
        assert (done.code, done.out) == (64, "")
        assert "denotary registry freeze" in done.err
    assert not (workspace / "conformance").exists()
    assert not (workspace / "compiled.sqlite").exists()


@pytest.mark.parametrize("command", [("suite", "check", "suite"), CERTIFY])
def test_a_folder_that_may_not_be_read_is_named(
    command: tuple[str, ...], workspace: Path, cli: Cli, without_root: None
) -> None:
    del without_root
    for locked in ("suite/cases.jsonl", "suite", "registry"):
        mode = (workspace / locked).stat().st_mode
        (workspace / locked).chmod(0)
        try:
            done = cli(*command)
        finally:
            (workspace / locked).chmod(mode)
        assert (done.code, done.out) == (64, "")
        assert re.match(rf"error: \S*{locked}\S*: cannot be read \(Permission denied\)", done.err), done.err


def test_a_folder_that_may_not_be_entered_is_named(workspace: Path, cli: Cli, without_root: None) -> None:
    del without_root
    (workspace / "vault").mkdir()
    (workspace / "suite").rename(workspace / "vault/suite")
    (workspace / "vault").chmod(0)
    try:
        done = cli("suite", "check", "vault/suite")
    finally:
        (workspace / "vault").chmod(0o700)
    assert (done.code, done.out, done.err) == (70, "", "error: vault/suite: Permission denied\n")
