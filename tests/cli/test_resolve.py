"""``denotary resolver resolve``: files and pipes, counts, and errors without a file left behind."""

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
EXACT = ("--registry", "bundled:bootstrap")
LINES = '{"text": "machine-readable representation", "record_id": "a"}\n{"text": "no such text", "record_id": "b"}\n'


def test_a_file_is_answered_line_by_line_with_evidence(cli: Cli, tmp_path: Path) -> None:
    texts, out = tmp_path / "texts.jsonl", tmp_path / "answers.jsonl"
    texts.write_text(LINES)
    done = cli("resolver", "resolve", str(texts), *EXACT, "--language", "en", "--out", str(out), "--json")
    assert done.code == 0
    assert json.loads(done.out) == {"texts": 2, "dispositions": {"ABSTAIN": 1, "SINGLE": 1}}
    answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert [answer["record_id"] for answer in answers] == ["a", "b"]
    assert answers[0]["provenance"]["expression_id"] == "mr-1"
    table = tmp_path / "texts.csv"
    table.write_text("record_id,text,language\na,machine-readable representation,en\nb,no such text,en\n")
    again = cli("resolver", "resolve", str(table), *EXACT)
    assert again.out == out.read_text()
    assert again.err == "2 texts: 1 ABSTAIN, 1 SINGLE\n"
    assert cli("resolver", "resolve", str(table), *EXACT, "--quiet").err == ""


def test_a_pipe_is_read(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINES.encode())))
    done = cli("resolver", "resolve", *EXACT, "--quiet")
    assert [json.loads(line)["disposition"] for line in done.out.splitlines()] == ["SINGLE", "ABSTAIN"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("absent.jsonl", *EXACT), "no such file"),
        ((".", *EXACT), "cannot be read"),
        (("bad.jsonl", *EXACT), "bad.jsonl:2: "),
        (("bad.jsonl",), "needs a registry"),
        (("bad.jsonl", "--lane", "vague"), "no lane"),
        (("bad.jsonl", "--lane", "semantic:absent"), "absent"),
    ],
)
def test_mistakes_are_named_and_leave_no_file(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.jsonl").write_text('{"text": "fine"}\n{"text": 5}\n')
    done = cli("resolver", "resolve", *arguments, "--out", "out/answers.jsonl")
    assert done.code == 64
    assert message in done.err
    assert not list(tmp_path.glob("out/*"))


def test_the_semantic_lane_answers_with_evidence_and_an_invalid_text_alone_is_an_answer(
    cli: Cli, tmp_path: Path
) -> None:
    from denotary.registry import load_registry
    from denotary.resolver.semantic import fit

    fit(load_registry("bundled:bootstrap"), [], tmp_path / "lane", encoder="hash-words")
    texts, lane = tmp_path / "texts.jsonl", f"semantic:{tmp_path / 'lane'}"
    texts.write_text('{"text": "a machine readable form", "language": "en"}\n')
    answer = json.loads(cli("resolver", "resolve", str(texts), "--lane", lane, "-q").out)
    assert answer["decision"]["reason"] == "uncertified"
    assert answer["evidence"][0]["concept_code"] == "representation.machine_readable"
    texts.write_text('{"text": "\\u0000"}\n')
    done = cli("resolver", "resolve", str(texts), "--lane", lane, *EXACT, "--json")
    assert json.loads(done.out)["disposition"] == "INVALID_INPUT"
    assert json.loads(done.err) == {"texts": 1, "dispositions": {"INVALID_INPUT": 1}}


def test_an_out_that_is_no_regular_file_is_left_as_it_is(cli: Cli, workspace: Path) -> None:
    pipe = workspace / "pipe"
    os.mkfifo(pipe)
    (workspace / "one.jsonl").write_text('{"text": "hello"}\n')
    done = cli("resolver", "resolve", "one.jsonl", "--registry", "bundled:bootstrap", "--out", "pipe")
    assert done.code != 0
    assert "no regular file" in done.err
    assert pipe.is_fifo()
