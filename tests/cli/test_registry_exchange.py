"""``denotary registry new``, ``import`` and ``export``, as they are typed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.registry import load_registry

Cli = Callable[..., Any]
HERE = Path(__file__).parents[1] / "registry" / "exchange"


def test_a_registry_grows_from_nothing_to_an_answer_that_somebody_reviewed(workspace: Path, cli: Cli) -> None:
    (workspace / "terms.csv").write_text(
        "ID,Label,definition\nr,river,A natural stream.\nb,bank,Land beside a river.\n"
    )
    assert cli("registry", "new", "water", "--name", "water", "--language", "en").code == 0
    done = cli("registry", "import", "csv", "terms.csv", "water", "--column", "code=ID", "--column", "text=Label",
               "--language", "en", "--tier", "C2", "--owner", "hydrology")  # fmt: skip
    assert (done.code, done.err) == (0, "")
    assert "concepts           2" in done.out
    assert "every expression is unreviewed" in done.out
    lint = cli("registry", "lint", "water")
    assert (lint.code, lint.out.count("unreviewed")) == (0, 2)
    path = workspace / "water" / "expressions.jsonl"
    review = '{"by":"hydrology","on":"2026-01-31","status":"approved"}'
    path.write_text(path.read_text().replace('{"status":"unreviewed"}', review, 1))
    assert cli("registry", "freeze", "water").code == 0
    registry = load_registry(workspace / "water")
    assert (len(registry.authorised), len(registry.standing)) == (1, 2)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (
            ("obo", "illustrative.obo", "--language", "en", "--prefix", "HYD:"),
            "synonym RELATED   it does not mean",
        ),
        (
            ("skos", "illustrative.ttl", "--prefix", "https://example.org/water/"),
            "warning: 1 texts stand for several",
        ),
    ],
)
def test_an_import_says_what_it_took_and_left(
    arguments: tuple[str, ...], shown: str, workspace: Path, cli: Cli
) -> None:
    kind, name, *rest = arguments
    done = cli("registry", "import", kind, str(HERE / name), "taken", *rest)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("imported into taken 0.1.0\n")
    assert shown in done.out
    assert load_registry(workspace / "taken").expressions


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("csv", "absent.csv", "draft"), "absent.csv: no such file"),
        (("csv", "terms.csv", "registry"), "is frozen"),
        (("csv", "terms.csv", "draft", "--column", "code"), "--column has the form FIELD=COLUMN"),
        (("csv", "terms.csv", "draft", "--column", "kode=code"), "no field 'kode' to map"),
        (("csv", "terms.csv", "draft", "--delimiter", "::"), "--delimiter is one character"),
        (("csv", "terms.csv", "draft", "--language", "english language"), "language"),
        (("skos", "terms.csv", "draft"), "the syntax is not known"),
        (("sssom", "terms.csv", "draft"), "no SSSOM table: column predicate_id is missing"),
        (("obo", "terms.csv", "draft"), "terms.csv:1: neither a stanza nor a tag"),
    ],
)
def test_what_cannot_be_imported_leaves_no_draft(
    arguments: tuple[str, ...], message: str, workspace: Path, cli: Cli
) -> None:
    (workspace / "terms.csv").write_text("code,text\nx.new,word\n")
    done = cli("registry", "import", *arguments)
    assert done.code == 64
    assert message in done.err
    assert not (workspace / "draft").exists()


def test_an_export_says_what_it_could_not_carry(workspace: Path, cli: Cli) -> None:
    done = cli("registry", "export", "skos", "registry", "out.ttl")
    assert done.code == 0
    assert done.out.startswith("written: out.ttl\nnot carried")
    assert (workspace / "out.ttl").read_text().startswith("@prefix skos:")
