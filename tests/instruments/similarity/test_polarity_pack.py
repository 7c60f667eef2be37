"""The pack of polarity tests: run as a user's pytest would, against gates that read meaning or wording."""

import subprocess
import sys
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.instruments.similarity.conftest import make_anchor

from denotary.errors import InputError
from denotary.instruments.similarity.corpus import Corpus, load_corpus
from denotary.instruments.similarity.overlap import overlap
from denotary.instruments.similarity.pairs import Pairs, of_anchors
from denotary.instruments.similarity.polarity_pack import polarity_pairs, write_pack

READS_DECISION = "def same(one, two):\n    return one.endswith('drop') == two.endswith('drop')\n"
READS_WORDING = (
    "def same(one, two):\n    return len(set(one.split()) & set(two.split())) > 0.5 * len(set(one.split()))\n"
)


def run(folder: Path, source: str, corpus: Corpus) -> subprocess.CompletedProcess[str]:
    write_pack(folder, polarity_pairs(corpus, per_class=2), gate="my_gate:same", source=corpus.name)
    (folder / "my_gate.py").write_text(source)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=120)


def test_a_gate_that_reads_the_decision_passes(tmp_path: Path, corpus: Corpus) -> None:
    done = run(tmp_path, READS_DECISION, corpus)
    assert done.returncode == 0, done.stdout
    assert "16 passed" in done.stdout  # two tasks, two classes, two anchors, two pairs


def test_a_gate_that_reads_wording_fails_both_kinds(tmp_path: Path, corpus: Corpus) -> None:
    done = run(tmp_path, READS_WORDING, corpus)
    assert done.returncode == 1
    assert "16 failed" in done.stdout
    assert "treated texts of opposite decisions as the same" in done.stdout
    assert "did not treat two wordings of one decision as the same" in done.stdout


def test_the_shipped_corpus_gives_both_kinds_of_every_class() -> None:
    corpus = load_corpus()
    pairs = polarity_pairs(corpus, per_class=2)
    counts = Counter((pair.task, pair.mutation, pair.decision) for pair in pairs)
    groups = {(t, m) for t in corpus.pairs.values("task") for m in corpus.pairs.values("mutation")}
    assert {key[:2] for key in counts} <= groups
    assert set(counts.values()) == {2}
    for pair in pairs:
        shared = overlap(pair.text1, pair.text2)
        assert shared >= 0.6 if pair.decision == "opposite" else shared <= 0.25
    assert pairs == polarity_pairs(corpus, per_class=2)
    assert {p.anchor for p in pairs} <= {p.anchor for p in polarity_pairs(corpus, per_class=3)}


@pytest.mark.parametrize("named", ["opposites", "nothing"])
def test_a_class_on_opposites_alone_or_on_nothing_is_packed(
    tmp_path: Path, corpus: Corpus, named: str
) -> None:
    pairs = corpus.pairs
    blank = pairs.same if named == "opposites" else np.ones(len(pairs), dtype=np.bool_)
    bare = replace(corpus, pairs=replace(pairs, mutation=np.where(blank, "", pairs.mutation)))
    done = run(tmp_path, READS_DECISION, bare)
    assert done.returncode == 0, done.stdout
    # Two tasks, two anchors, two pairs, of two classes or of one that has no name.
    assert f"{16 if named == 'opposites' else 8} passed" in done.stdout


def test_two_classes_of_one_anchor_share_its_same_pair_once() -> None:
    made = make_anchor(1, "constraint", "scope")
    one, other = of_anchors([(make_anchor(1, "constraint"), "")]), of_anchors([(made, "")])
    both = Pairs(
        *(np.append(getattr(one, f.name), getattr(other, f.name)[~other.same]) for f in fields(Pairs))
    )
    found = polarity_pairs(
        Corpus("own", "0", replace(both, mutation=np.where(both.same, "", both.mutation))), per_class=3
    )
    assert [(pair.decision, pair.mutation) for pair in found] == [
        ("same", ""), ("opposite", "negation"), ("opposite", "scope"),
    ]  # fmt: skip


def test_one_task_alone(corpus: Corpus) -> None:
    assert {p.task for p in polarity_pairs(corpus, per_class=1, task="constraint")} == {"constraint"}
    with pytest.raises(InputError, match="has no task 'other'; it has: constraint, distinctness"):
        polarity_pairs(corpus, per_class=1, task="other")


def test_a_corpus_without_such_pairs_is_an_error(corpus: Corpus) -> None:
    from dataclasses import replace

    alike = replace(corpus, pairs=corpus.pairs.where(corpus.pairs.same))
    with pytest.raises(InputError, match="no anchor with a close opposite and a distant same pair"):
        polarity_pairs(alike, per_class=1)


@pytest.mark.parametrize("gate", ["my_gate", "my_gate:", ":same", "my-gate:same", "a:b; import os", "a:b\nx"])
def test_a_gate_is_a_function_by_name(tmp_path: Path, corpus: Corpus, gate: str) -> None:
    with pytest.raises(InputError, match="expected MODULE:NAME"):
        write_pack(tmp_path, polarity_pairs(corpus, per_class=1), gate=gate, source="x")


def test_what_stands_there_is_not_overwritten(tmp_path: Path, corpus: Corpus) -> None:
    pairs = polarity_pairs(corpus, per_class=1)
    write_pack(tmp_path, pairs, gate="a:b", source="x")
    with pytest.raises(InputError, match="exists already"):
        write_pack(tmp_path, pairs, gate="a:b", source="x")


@pytest.mark.parametrize("source", ['qu"""ote.jsonl', "back\\slash\\N.jsonl", "new\nline.jsonl"])
def test_a_pack_runs_whatever_its_corpus_is_called_and_its_texts_hold(
    tmp_path: Path, corpus: Corpus, source: str
) -> None:
    pairs = [
        msgspec.structs.replace(pair, text1=f"{pair.text1}\u2028and\x85on")
        for pair in polarity_pairs(corpus, per_class=1)
    ]
    (tmp_path / "own_gates.py").write_text("class Gates:\n    hit = staticmethod(lambda a, b: True)\n")
    write_pack(tmp_path, pairs, gate="own_gates:Gates.hit", source=source)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=120)
    assert "4 failed, 4 passed" in done.stdout, done.stdout


@pytest.mark.parametrize("gate", ["class:hit", "own:import"])
def test_a_keyword_names_no_gate(tmp_path: Path, corpus: Corpus, gate: str) -> None:
    with pytest.raises(InputError, match="MODULE:NAME"):
        write_pack(tmp_path, polarity_pairs(corpus, per_class=1), gate=gate, source="x")
