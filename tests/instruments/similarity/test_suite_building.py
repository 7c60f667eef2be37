"""A corpus becomes a frozen suite, and an encoder with a cutoff a system."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from denotary.certify import certify
from denotary.errors import InputError
from denotary.instruments.similarity.configurations import BATCH, encoded
from denotary.instruments.similarity.corpus import Corpus, load_corpus
from denotary.instruments.similarity.gates import gate as read_gate
from denotary.instruments.similarity.overlap import overlap
from denotary.instruments.similarity.suite_building import build_suite
from denotary.instruments.similarity.system import EncoderSystem, encoder_system
from denotary.runs import ask
from denotary.runs.declaring import complete
from denotary.runs.records import Identity
from denotary.suites import check, load_suite
from denotary.systems import from_spec
from denotary.systems.base import BlockingSystem, Preparing, Request, SystemDescriptor


def test_the_shipped_corpus_is_a_suite_without_a_fault(tmp_path: Path) -> None:
    lock = build_suite(load_corpus(), tmp_path / "suite")
    suite = load_suite(tmp_path / "suite")
    assert (lock.cases, lock.units) == (4 * 1365, 1365)
    assert check(suite) == []
    counts = suite.instrument.quota_counts(suite)
    assert counts["half:A"] + counts["half:B"] == counts["total"] == lock.cases
    assert {case.annotation.review for case in suite.cases} == {"generated"}
    assert build_suite(load_corpus(), tmp_path / "suite") == lock


def test_another_frozen_suite_is_never_overwritten(corpus: Corpus, tmp_path: Path) -> None:
    build_suite(corpus, tmp_path / "suite")
    with pytest.raises(InputError, match="never overwritten"):
        build_suite(corpus, tmp_path / "suite", version="1.0.1")


def test_pairs_of_a_user_get_ids_of_their_own(corpus: Corpus, tmp_path: Path) -> None:
    rows = [
        {
            "text1": a,
            "text2": b,
            "decision": "same" if s else "opposite",
            "anchor": "one" if n < 3 else f"a{n}",
        }
        for n, (a, b, s) in enumerate(
            zip(corpus.pairs.first, corpus.pairs.second, corpus.pairs.same, strict=True)
        )
    ]
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    build_suite(load_corpus(path), tmp_path / "suite")
    suite = load_suite(tmp_path / "suite")
    assert len(suite.by_id) == len(rows)
    assert suite.instrument.required_slices(suite) == {"task:present": ("pairs",)}


def test_neither_an_id_nor_a_place_tells_what_is_right(tmp_path: Path) -> None:
    build_suite(load_corpus(), tmp_path / "suite")
    suite = load_suite(tmp_path / "suite")
    found: Counter[tuple[str, str, str]] = Counter()
    for at, case in enumerate(suite.cases):
        anchor, _, number = case.record_id.rpartition(".")
        assert (anchor, number) == (suite.units[at], str(at % 4 + 1))
        found[number, case.gold.decision, case.design.pole] += 1  # type: ignore[attr-defined]
    # Each of 16 cells is one of four places by chance: 1,365 / 4, with a standard deviation of 16.
    assert len(found) == 16
    assert all(abs(count - 1365 / 4) < 80 for count in found.values())


def asked(system: Any, first: str, second: str) -> dict[str, Any]:
    assert isinstance(system, BlockingSystem)
    payload = {"record_id": "r", "text1": first, "text2": second, "task": "constraint", "language": "en"}
    found: dict[str, Any] = json.loads(system.call(Request("c", payload)).raw)
    return found


def test_a_baseline_acts_by_the_rule_that_is_given() -> None:
    texts = "keep the door shut", "keep the door open"
    shared = overlap(*texts)
    strict = asked(from_spec(f"encoder:token-jaccard#gate=score%3E{shared}"), *texts)
    inclusive = asked(from_spec(f"encoder:token-jaccard#gate=score>={shared}"), *texts)
    assert strict["score"] == inclusive["score"] == shared
    assert (strict["decision"]["type"], inclusive["decision"]["type"]) == ("do_not_act", "act")


def test_what_is_wrong_with_a_specification_is_said() -> None:
    for spec, said in (
        ("bm25", "no pair by itself"),
        ("token-jaccard#cutoff=1", "unknown or repeated"),
        ("token-jaccard#gate=near", "no rule"),
        ("token-jaccard#prefix=x", "neither prefix"),
    ):
        with pytest.raises(InputError, match=said):
            encoder_system(spec)


def test_the_descriptor_says_the_rule_and_the_identity_the_parts() -> None:
    system = encoder_system("token-jaccard#gate=score>=0.5")
    assert system.descriptor.kind == "encoder"
    assert (
        system.descriptor.decision_rule
        == "acts where score>=0.5; encoder token-jaccard, kind lexical baseline"
    )
    found = complete(Identity(), system)
    assert (found.embedding_model, found.acceptance_threshold) == ("token-jaccard", "0.5")


def test_a_public_corpus_blocks_and_never_certifies(corpus: Corpus, tmp_path: Path) -> None:
    build_suite(corpus, tmp_path / "suite")
    suite = load_suite(tmp_path / "suite")
    judged = certify(encoder_system("token-jaccard"), suite, "similarity-gate", tmp_path / "out")
    assert judged.verdict.qualification.startswith("qualification only")
    assert judged.decision == "BLOCK"
    page = (tmp_path / "out/report.html").read_text(encoding="utf-8")
    assert "AssignmentRisk" not in page
    assert "Wrong approval at the deployed cutoff" in page


class Shaken:
    """An encoder that gives a text another vector each time, and remembers how many texts it got at once."""

    identity = SimpleNamespace(window=None)

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.times: Counter[str] = Counter()

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.batches.append(len(texts))
        self.times.update(texts)
        return np.array([[1.0, (-1.0) ** self.times[text] * len(text)] for text in texts], dtype=np.float32)


def test_a_text_is_encoded_once_with_others_and_again_where_its_call_is_repeated(
    corpus: Corpus, tmp_path: Path
) -> None:
    build_suite(corpus, tmp_path / "suite")
    suite, encoder = load_suite(tmp_path / "suite"), Shaken()
    rule = read_gate("score>=0.8")
    system = EncoderSystem(encoded(encoder, "shaken"), rule, SystemDescriptor(kind="encoder", spec="shaken"))
    run = ask(system, suite, tmp_path / "run", repeats=2, repeat_core=3)
    texts = {text for case in suite.cases for text in case.texts}
    once = encoder.batches[: -2 * 3]
    assert (sum(once), len(once)) == (len(texts), -(-len(texts) // BATCH))
    assert encoder.batches[-2 * 3 :] == [1] * 6
    assert {answer.status for answer in run.answers} == {"answered"}
    alone = [asked(system, *case.texts)["score"] for case in suite.cases]
    first = [answer.body["score"] for answer in run.answers[: len(suite.cases)] if answer.body]
    assert first == alone


def test_an_encoder_that_fails_ahead_of_the_calls_fails_in_its_own_calls_alone(
    corpus: Corpus, tmp_path: Path
) -> None:
    build_suite(corpus, tmp_path / "suite")
    suite = load_suite(tmp_path / "suite")
    bad = suite.cases[0].texts[1]

    class Choking(Shaken):
        def encode(self, texts: Sequence[str]) -> np.ndarray:
            if bad in texts:
                raise ValueError
            return super().encode(texts)

    descriptor = SystemDescriptor(kind="encoder", spec="choking")
    system = EncoderSystem(encoded(Choking(), "choking"), read_gate("score>=0.8"), descriptor)
    run = ask(system, suite, tmp_path / "run")
    assert [answer.problem for answer in run.answers if answer.problem] == ["raised_ValueError"]


def test_minilm_gives_the_same_bytes_pair_by_pair_and_many_at_once() -> None:
    pairs = load_corpus().pairs
    first, second = map(str, pairs.first[:200]), map(str, pairs.second[:200])
    requests = [
        Request(f"c{n}", {"record_id": f"r{n}", "text1": one, "text2": other})
        for n, (one, other) in enumerate(zip(first, second, strict=True))
    ]
    ahead, alone = (encoder_system("minilm") for _ in range(2))
    assert isinstance(ahead, Preparing)
    said: list[str] = []
    ahead.prepare(requests, said.append)
    assert said[-1] == "250 of 250 texts encoded"
    assert [ahead.call(request).raw for request in requests] == [
        alone.call(request).raw for request in requests
    ]
