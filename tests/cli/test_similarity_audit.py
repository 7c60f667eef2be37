"""``denotary similarity audit`` and ``check`` on users' own anchors."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.errors import ExitCode
from denotary.instruments.similarity import verdict


def anchor_line(number: int, *, lean: int = 0) -> str:
    base = [f"w{number}x{i}" for i in range(10)]

    def cell(kept: int, mark: str, decision: str) -> str:
        return " ".join([*base[:kept], *(f"{mark}{number}y{i}" for i in range(9 - kept)), decision])

    return json.dumps(
        {
            "anchor": f"a{number}", "task": "constraint", "register": "legal", "mutation": "negation",
            "text": " ".join([*base[:9], "keep"]), "same_close": cell(8, "a", "still"),
            "same_distant": cell(1, "b", "still"), "opposite_close": cell(8 - lean, "c", "drop"),
            "opposite_distant": cell(1, "d", "drop"),
        }
    )  # fmt: skip


@pytest.fixture
def anchors(workspace: Path) -> str:
    (workspace / "anchors.jsonl").write_text("\n".join(anchor_line(i) for i in range(12)))
    return "anchors.jsonl"


def test_audit_prints_verdict_axes_gates_and_guard(cli: Callable[..., Any], anchors: str) -> None:
    done = cli("similarity", "audit", "--encoder", "bm25", "--corpus", anchors, "--gate", "distance<=0.3")
    assert done.code == 0
    verdict, *tasks = done.out.splitlines()[:2]
    assert verdict.split()[0] in {"READS", "UNDECIDED"}
    assert all("decision AUROC" in task for task in tasks)
    for expected in (
        "distance<=0.3",
        "score>=0.95",
        "token-jaccard",
        "negation",
        "EXPLORATORY",
        "12 anchors",
    ):
        assert expected in done.out
    assert "w1x1" not in done.out


def test_audit_as_json_holds_every_figure(cli: Callable[..., Any], anchors: str) -> None:
    found = json.loads(
        cli("similarity", "audit", "--encoder", "hash-words", "--corpus", anchors, "--json").out
    )
    assert found["schema"] == "denotary.similarity-audit/2"
    assert found["pairs"] == 48
    assert found["settings"]["encoder"] == "hash-words"
    assert len(found["operating"]) == 5 * 3


def test_what_a_gate_catches_is_printed_by_pole_with_bounds(cli: Callable[..., Any], anchors: str) -> None:
    done = cli(
        "similarity", "audit", "--encoder", "token-jaccard", "--corpus", anchors, "--gate", "score>0.5"
    )
    _, own, drift = done.out.split("Changes of meaning caught by ")
    for table in (own, drift):
        rows = [line.split() for line in table.splitlines() if line.startswith("constraint ")]
        # 12 anchors: none of them caught has the exact bound 1 - 0.05 ** (1 / 12).
        assert rows == [
            ["constraint", "all", "close", "0/12", "0.221", "12/12", "1", "0/12"],
            ["constraint", "all", "distant", "12/12", "1", "0/12", "0.221", "12/12"],
            ["constraint", "negation", "close", "0/12", "0.221", "12/12", "1", "0/12", "EXPLORATORY"],
            ["constraint", "negation", "distant", "12/12", "1", "0/12", "0.221", "12/12", "EXPLORATORY"],
        ]


SCORES = """
def meaning(first, second):
    return [float(not second.endswith("drop"))]

def wording(first, second):
    return len(set(first.split()) & set(second.split()))

def broken(first, second):
    raise SystemExit(0)

def text(first, second):
    return first

def two(first, second):
    return [1.0, 2.0]
"""


def test_a_function_of_two_texts_is_audited_from_the_command_line(
    cli: Callable[..., Any], anchors: str, workspace: Path
) -> None:
    (workspace / "own_scores.py").write_text(SCORES)
    done = cli("similarity", "audit", "--score", "own_scores:meaning", "--corpus", anchors, "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert [row["decision"] for row in found["readings"]] == [1.0]
    assert (found["scale"], found["operating"], found["configuration"]) == ("other", [], "own_scores:meaning")
    assert len(found["settings"]["SHA-256 of own_scores"]) == 64
    both = ("similarity", "audit", "--score", "own_scores:wording", "--encoder", "bm25", "--corpus", anchors)
    assert [one["configuration"] for one in json.loads(cli(*both, "--json").out)] == [
        "bm25",
        "own_scores:wording",
    ]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken", "the score own_scores:broken raised SystemExit"),
        ("text", "gave str, which is no number"),
        ("two", "gave 2 numbers for one pair"),
        ("absent", "has no absent"),
    ],
)
def test_a_function_that_gives_no_score_is_an_error(
    cli: Callable[..., Any], anchors: str, workspace: Path, name: str, message: str
) -> None:
    (workspace / "own_scores.py").write_text(SCORES)
    done = cli("similarity", "audit", "--score", f"own_scores:{name}", "--corpus", anchors)
    assert done.code == 64
    assert message in done.err
    assert "w1x1" not in done.err + done.out


def test_pairs_are_written_with_their_scores_and_without_their_texts(
    cli: Callable[..., Any], anchors: str, workspace: Path
) -> None:
    order = (
        "similarity",
        "audit",
        "--encoder",
        "token-jaccard",
        "--encoder",
        "hash-words",
        "--corpus",
        anchors,
    )
    assert cli(*order, "--quiet", "--pairs-out", "pairs.jsonl").code == 0
    text = (workspace / "pairs.jsonl").read_text()
    rows = [json.loads(line) for line in text.splitlines()]
    assert [(row["configuration"], row["number"]) for row in rows] == [
        (name, number) for name in ("token-jaccard", "hash-words") for number in range(1, 49)
    ]
    assert all(row["score"] == row["overlap"] for row in rows[:48])
    first = {row["cell"]: row for row in rows[:4]}
    assert set(first) == {"same_close", "same_distant", "opposite_close", "opposite_distant"}
    # Ten distinct words each; eight are shared.
    assert first["opposite_close"] == {
        "configuration": "token-jaccard", "number": first["opposite_close"]["number"], "anchor": "a0",
        "task": "constraint", "cell": "opposite_close", "overlap": 8 / 12, "score": 8 / 12, "mutation": "negation",
    }  # fmt: skip
    assert not [word for word in ("w0x0", "still", "drop", "keep") if word in text]


def test_cutoffs_are_printed_with_what_they_do_where_they_were_not_chosen(
    cli: Callable[..., Any], anchors: str
) -> None:
    done = cli("similarity", "audit", "--encoder", "token-jaccard", "--corpus", anchors, "--limit", "0.6")
    best, _, rest = done.out.partition("The lowest cutoff that bounds wrong approvals by 0.6 on one half")
    assert ["constraint", "all", "pairs"] in [line.split()[:3] for line in best.splitlines()]
    rows = [line.split()[:3] for line in rest.partition("Changes of meaning")[0].splitlines()]
    assert [row for row in rows if row[:1] == ["constraint"]] == [
        ["constraint", pole, half] for pole in ("both", "close") for half in ("first", "second")
    ]
    assert cli("similarity", "audit", "--encoder", "bm25", "--corpus", anchors, "--limit", "1").code == 64


def test_an_audit_of_nothing_is_a_mistake(cli: Callable[..., Any], anchors: str) -> None:
    done = cli("similarity", "audit", "--corpus", anchors)
    assert done.code == 64
    assert "give --encoder or --score" in done.err


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        (["reads meaning at matched overlap"], 0),
        (["reads wording"], 1),
        (["undecided"], 2),
        (["reads meaning at matched overlap", "undecided"], 2),
        (["undecided", "reads wording"], 1),
    ],
)
def test_the_exit_code_is_the_verdict_where_it_is_required(
    cli: Callable[..., Any], anchors: str, monkeypatch: pytest.MonkeyPatch, verdicts: list[str], code: int
) -> None:
    told = iter(2 * verdicts)
    monkeypatch.setattr(verdict, "overall", lambda *_: next(told))
    names = ("hash-words", "hash-characters")[: len(verdicts)]
    encoders = [part for name in names for part in ("--encoder", name)]
    order = ("similarity", "audit", *encoders, "--corpus", anchors, "--quiet")
    assert cli(*order).code == 0
    assert cli(*order, "--require", "meaning").code == code


def test_encoding_is_told_in_lines_where_there_is_no_terminal(cli: Callable[..., Any], anchors: str) -> None:
    order = ("similarity", "audit", "--encoder", "hash-words", "--corpus", anchors)
    assert cli(*order).err.splitlines()[-1] == "60 of 60 texts, hash-words, encoding"
    assert cli(*order, "--quiet").err == ""


def test_a_rule_of_ones_own_stands_once_though_a_component_ships_it(
    cli: Callable[..., Any], anchors: str
) -> None:
    order = ("similarity", "audit", "--encoder", "hash-words", "--corpus", anchors, "--json")
    found = json.loads(cli(*order, "--gate", "score>=0.8", "--gate", "score>0.8").out)
    rules = [row["rule"] for row in found["operating"] if row["pole"] == ""]
    assert rules == ["score>=0.8", "score>0.8", "score>=0.3", "score>=0.4", "score>=0.85", "score>=0.95"]


def test_a_class_named_on_opposites_alone_has_its_axis_and_its_controls(
    cli: Callable[..., Any], workspace: Path
) -> None:
    lines = []
    for number in range(36):
        anchor = json.loads(anchor_line(number))
        for cell in ("same_close", "same_distant", "opposite_close", "opposite_distant"):
            decision = cell.partition("_")[0]
            kind = ("negation", "scope")[number % 2] if decision == "opposite" else ""
            lines.append(f"{anchor['text']},{anchor[cell]},{decision},a{number},{kind}")
    (workspace / "pairs.csv").write_text("\n".join(["text1,text2,decision,anchor,mutation", *lines]))
    done = cli("similarity", "audit", "--encoder", "token-jaccard", "--corpus", "pairs.csv", "--json")
    found = json.loads(done.out)
    classes = {row["mutation"]: row for row in found["axes"] if row.get("mutation")}
    assert {(name, row["pairs"], row["anchors"]) for name, row in classes.items()} == {
        ("negation", 72, 18), ("scope", 72, 18),
    }  # fmt: skip
    assert all(row["value"] == 0.5 and row["exploratory"] for row in classes.values())
    guard = [row for row in found["guard"] if row.get("mutation") == "scope" and row.get("pole") == "close"]
    assert [(row["mutations"], row["controls"]) for row in guard] == [(18, 18)]


def test_check_says_what_holds(cli: Callable[..., Any], anchors: str, workspace: Path) -> None:
    done = cli("similarity", "check", "--corpus", anchors)
    assert done.code == 0
    assert done.out.rstrip().endswith("holds")
    assert not cli("similarity", "check", "--corpus", anchors, "--quiet").out
    (workspace / "leaning.jsonl").write_text("\n".join(anchor_line(i, lean=2) for i in range(12)))
    done = cli("similarity", "check", "--corpus", "leaning.jsonl")
    assert done.code == 1
    assert "does not lie within" in done.out
    done = cli("similarity", "check", "--corpus", "leaning.jsonl", "--json")
    found = json.loads(done.out)
    assert (done.code, len(found["faults"])) == (1, 1)
    # Ten distinct words each; eight are shared against six.
    close = next(item for item in found["figures"] if item["figure"].startswith("close, same"))
    assert close["value"] == pytest.approx(8 / (10 + 10 - 8) - 6 / (10 + 10 - 6), abs=1e-4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--encoder", "bm25", "--gate", "score=1"), "is no rule of a gate"),
        (("--encoder", "bm25", "--metric", "dot"), "neither prefix nor dimension nor metric"),
        (("--encoder", "unknown"), "no encoder 'unknown'"),
    ],
)
def test_mistakes_are_explained(
    cli: Callable[..., Any], anchors: str, arguments: tuple[str, ...], message: str
) -> None:
    done = cli("similarity", "audit", "--corpus", anchors, *arguments)
    assert done.code == 64
    assert message in done.err


def test_a_corpus_that_fails_is_refused_before_an_audit(cli: Callable[..., Any], workspace: Path) -> None:
    (workspace / "leaning.jsonl").write_text("\n".join(anchor_line(i, lean=2) for i in range(12)))
    done = cli("similarity", "audit", "--encoder", "bm25", "--corpus", "leaning.jsonl")
    assert done.code == 64
    assert "manipulation check fails" in done.err


def test_an_encoder_that_prints_or_ends_the_program(
    cli: Callable[..., Any], anchors: str, workspace: Path
) -> None:
    (workspace / "loud.py").write_text(
        "print('loaded')\n\n\ndef rows(texts):\n    print('asked')\n    return [[len(text), 1] for text in texts]\n\n\n"
        "def ends(texts):\n    if len(texts) > 1:\n        raise SystemExit(0)\n    return [[1, 2]]\n"
    )
    order = ("similarity", "audit", "--corpus", anchors, "--json", "--encoder")
    done = cli(*order, "python:loud:rows")
    assert json.loads(done.out)["pairs"] == 48
    assert "loaded" in done.err
    ended = cli(*order, "python:loud:ends")
    assert (ended.code, ended.out) == (ExitCode.USAGE, "")
    assert "encoder python:loud:ends raised SystemExit" in ended.err


def test_probes_of_one_text_are_refused_for_pairs_before_anything_is_asked(
    cli: Callable[..., Any], anchors: str, workspace: Path
) -> None:
    assert cli("similarity", "suite", "--corpus", anchors, "--out", "pairs").code == 0
    order = ("--suite", "pairs", "--policy", "similarity-gate", "--system", "encoder:token-jaccard")
    refused = cli("certify", *order, "--out", "out", "--probe")
    assert refused.code == ExitCode.USAGE
    assert (
        "--probe asks single texts for their concept; the suite is of the instrument similarity"
        in refused.err
    )
    assert not (workspace / "out").exists()
    other = cli("probe", "--registry", "bundled:bootstrap", "--system", "encoder:token-jaccard")
    assert other.code == ExitCode.USAGE
    assert "compares two texts" in other.err
