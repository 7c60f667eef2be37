"""``text perturb``: what is read, what is written, what is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from denotary.text.perturb import Variant, apply, operators

Cli = Callable[..., Any]
PERTURB = ("text", "perturb")
DASH = ("--operator", "unicode.dash")


def test_a_text_gives_the_variant_of_the_library(cli: Cli) -> None:
    done = cli(*PERTURB, "--text", "a-b 12", *DASH, "--language", "en", "--seed", "3", "--severity", "high")
    assert (done.code, done.err) == (0, "")
    assert msgspec.json.decode(done.out, type=Variant) == apply("unicode.dash", "a-b 12", "en", 3, "high")


def test_records_cases_and_lines_are_read(workspace: Path, cli: Cli) -> None:
    lines = [
        {"text": "a-b", "record_id": "r1", "other": 1},
        {"record_id": "r2", "input": {"text": "c-d", "language": "de"}, "gold": {}},
        {"record_id": "r3", "input": {"text_b64": "/w=="}},
    ]
    (workspace / "texts.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = cli(*PERTURB, "texts.jsonl", *DASH, "--language", "fr")
    assert done.err == "1 without text, passed over\n"
    found = [msgspec.json.decode(line, type=Variant) for line in done.out.splitlines()]
    assert [(one.parent_record_id, one.lineage.language) for one in found] == [("r1", "fr"), ("r2", "de")]
    (workspace / "texts.txt").write_text("a-b\r\n\n c-d\n", encoding="utf-8")
    done = cli(*PERTURB, "texts.txt", *DASH)
    assert [one["edits"][0]["start"] for one in map(json.loads, done.out.splitlines())] == [1, 2]


def test_a_family_stands_for_its_operators_once_each(cli: Cli) -> None:
    options = ("--option", 'table={"word":"wort"}')
    done = cli(
        *PERTURB, "--text", "word", "--operator", "morphology", "--operator", "morphology.negation", *options
    )
    made = [json.loads(line)["lineage"]["operator"] for line in done.out.splitlines()]
    assert made == [operator.id for operator in operators() if operator.family == "morphology"]


def test_what_did_not_apply_is_written_and_counted(workspace: Path, cli: Cli) -> None:
    done = cli(*PERTURB, "--text", "plain", "--operator", "unicode", "--out", "v.jsonl")
    lines = [json.loads(line) for line in (workspace / "v.jsonl").read_text(encoding="utf-8").splitlines()]
    applied = sum(line["applies"] for line in lines)
    assert len(lines) == sum(operator.family == "unicode" for operator in operators())
    assert (
        done.out == f"written: v.jsonl, {applied} variants; {len(lines) - applied} operators did not apply\n"
    )
    assert 0 < applied < len(lines)


def test_options_come_as_json_as_text_and_from_files(workspace: Path, cli: Cli) -> None:
    (workspace / "table.json").write_text('{"word": ["wort"]}', encoding="utf-8")
    (workspace / "filler.txt").write_text("It rained.\n\nIt snowed.\n", encoding="utf-8")
    done = cli(*PERTURB, "--text", "word", "--operator", "script.other", "--option", "table=@table.json")
    assert json.loads(done.out)["text"] == "wort"
    options = ("--option", "filler=@filler.txt", "--option", "length=1", "--option", "position=end")
    done = cli(*PERTURB, "--text", "Word.", "--operator", "long.embedded", *options)
    assert json.loads(done.out)["text"] in {"It rained. Word.", "It snowed. Word."}


def test_the_list_names_every_operator(cli: Cli) -> None:
    names = [operator.id for operator in operators()]
    assert [line.split()[0] for line in cli(*PERTURB, "--list").out.splitlines()[2:]] == names
    assert [row["id"] for row in json.loads(cli(*PERTURB, "--list", "--json").out)] == names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Give either FILE or --text."),
        (("texts.txt", "--text", "x", *DASH), "Give either FILE or --text."),
        (("--text", "x"), "Name an operator with --operator"),
        (("missing.jsonl", *DASH), "missing.jsonl: no such file"),
        (("bad.jsonl", *DASH), "bad.jsonl:2: "),
        (("latin.txt", *DASH), "latin.txt: not UTF-8 at byte 1"),
        (("--text", "x", "--operator", "unicode.dish"), "did you mean unicode.dash"),
        (("--text", "x", *DASH, "--option", "codes=1"), "none of the operators has an option 'codes'"),
        (("--text", "x", *DASH, "--option", "codes"), "expected NAME=VALUE"),
        (("--text", "x", "--operator", "prompt.override"), "needs the option 'codes'"),
        (
            ("--text", "x", "--operator", "script.other", "--option", "table=@bad.json"),
            "bad.json: not valid JSON",
        ),
        (
            ("--text", "x", "--operator", "script.other", "--option", "table=@none.json"),
            "none.json: no such file",
        ),
        (
            ("--text", "x", "--operator", "long.embedded", "--option", "filler=@latin.txt"),
            "not UTF-8 at byte 1",
        ),
        (("--text", "x", *DASH, "--severity", "extreme"), "'extreme' is not one of"),
    ],
)
def test_a_wrong_order_is_refused(
    arguments: tuple[str, ...], message: str, workspace: Path, cli: Cli
) -> None:
    (workspace / "bad.jsonl").write_text('{"text": "confidential"}\n{"text": 3}\n', encoding="utf-8")
    (workspace / "bad.json").write_text("{", encoding="utf-8")
    (workspace / "latin.txt").write_bytes(b"a\xff")
    done = cli(*PERTURB, *arguments)
    assert done.code == 64
    assert message in done.err
    assert "confidential" not in done.err
    assert "Traceback" not in done.err
