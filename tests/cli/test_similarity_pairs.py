"""``denotary similarity propose`` and ``polarity-pack``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.errors import ExitCode


def test_proposals_are_written_unreviewed(cli: Callable[..., Any], workspace: Path) -> None:
    (workspace / "anchors.txt").write_text(
        "The nurse must check the dose first.\n\nStore the vials at 5 degrees.\n"
    )
    (workspace / "own_words.py").write_text("def say(text):\n    return 'quite other words'\n")
    done = cli(
        "similarity",
        "propose",
        "anchors.txt",
        "--out",
        "pairs.jsonl",
        "--rewriter",
        "own_words:say",
        "--json",
    )
    assert done.code == 0
    pairs = [json.loads(line) for line in (workspace / "pairs.jsonl").read_text().splitlines()]
    assert json.loads(done.out)["unreviewed"] == len(pairs) > 4
    assert {pair["review"] for pair in pairs} == {"unreviewed"}
    assert {pair["anchor"] for pair in pairs} == {"line-1", "line-3"}
    assert {pair["derived_by"] for pair in pairs} == {"rules", "rewriter"}
    again = cli("similarity", "propose", "anchors.txt", "--out", "pairs.jsonl")
    assert again.code == ExitCode.USAGE
    assert "would be lost" in again.err
    refused = cli("similarity", "audit", "--encoder", "bm25", "--corpus", "pairs.jsonl")
    assert refused.code == ExitCode.USAGE
    assert "unreviewed" in refused.err


@pytest.mark.parametrize(("content", "message"), [(b"", "holds no text"), (b"\xff\xfe", "no text in UTF-8")])
def test_a_file_without_text_is_an_error(
    cli: Callable[..., Any], workspace: Path, content: bytes, message: str
) -> None:
    (workspace / "anchors.txt").write_bytes(content)
    done = cli("similarity", "propose", "anchors.txt", "--out", "pairs.jsonl")
    assert done.code == ExitCode.USAGE
    assert message in done.err


def test_the_pack_is_written(cli: Callable[..., Any], workspace: Path) -> None:
    done = cli("similarity", "polarity-pack", "my_gate:same", "--out", "pack", "--per-class", "1", "--json")
    assert done.code == 0
    lines = (workspace / "pack" / "polarity_pairs.jsonl").read_text().splitlines()
    assert json.loads(done.out)["cases"] == len(lines)
    assert "from my_gate import same as gate" in (workspace / "pack" / "test_polarity.py").read_text()
