"""Judges: label maps, weights, both orders; whatever goes wrong is a failure of that pair and of no other."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import numpy as np
import pytest

from denotary.canonical import canonical_json, sha256
from denotary.errors import InputError
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.repairs.judge_files import read_judge
from denotary.instruments.similarity.repairs.judged import Judged
from denotary.instruments.similarity.repairs.judges import AskedJudge, Labels
from denotary.instruments.similarity.repairs.remote_judges import chat_judge, http_judge

LABELS = Labels(("entailment",), ("contradiction",), ("neutral",))


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Entailment ", 1.0),
        ("contradiction", 0.0),
        ("neutral", 0.5),
        ("no idea", None),
        ({"entailment": 3.0, "contradiction": 1.0, "neutral": 5.0}, 0.75),
        ({"entailment": float("nan"), "contradiction": 1.0}, None),
        ({"entailment": -1.0, "contradiction": 1.0}, None),
        ({"neutral": 1.0}, None),
        ({"other": 1.0}, None),
        (0.25, 0.25),
        (1.5, None),
        (True, None),
        (None, None),
    ],
)
def test_answers(answer: Any, score: float | None) -> None:
    said = AskedJudge("own", lambda _a, _b: answer, LABELS, {}).judge(["a"], ["b"])
    assert said.failed.tolist() == [score is None]
    assert said.scores.tolist() == [0.5 if score is None else score]
    assert said.abstained.tolist() == [score == 0.5]


@pytest.mark.parametrize("error", [ValueError("wrong"), SystemExit(0), SystemExit(3)])
def test_whatever_a_judge_raises_is_a_failure_of_that_pair(error: BaseException) -> None:
    def ask(first: str, _second: str) -> float:
        if first == "bad":
            raise error
        return 1.0

    said = AskedJudge("own", ask, LABELS, {}).judge(["good", "bad", "well"], ["x"] * 3)
    assert said.failed.tolist() == [False, True, False]


def test_the_less_sure_order_counts() -> None:
    judge = AskedJudge("own", lambda a, b: 0.9 if a < b else 0.2, LABELS, {}, both=True)
    assert judge.judge(["a", "b"], ["b", "a"]).scores.tolist() == [0.2, 0.2]


@pytest.mark.parametrize("labels", [((), ("no",)), (("yes",), ()), (("yes",), ("YES",))])
def test_a_label_has_one_meaning(labels: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    with pytest.raises(InputError, match="label map"):
        Labels(*labels)


def reply(monkeypatch: pytest.MonkeyPatch, answer: Callable[[dict[str, Any]], httpx.Response]) -> None:
    @contextmanager
    def stream(
        method: str, url: str, *, json: dict[str, Any], headers: dict[str, str], timeout: float
    ) -> Iterator[httpx.Response]:
        found = answer(json)
        found.request = httpx.Request(method, url)
        yield found

    monkeypatch.setattr(httpx, "stream", stream)


def test_a_reply_that_drips_in_too_late_or_is_too_long_is_a_failure(loopback: ModuleType) -> None:
    right = loopback.reply({"label": "entailment"})
    dripped: list[bytes | float] = [right[0][:-20]]
    for at in range(-20, 0):
        dripped += [0.15, right[0][at : at + 1 or None]]
    steps = {
        "right": right,
        "drip": dripped,
        "long": loopback.reply({"label": "entailment", "why": "x" * 2_000_000}),
    }
    server = loopback.Loopback(lambda body: steps[body["text1"]])
    try:
        # Every byte comes in time, the whole of them does not.
        judge = http_judge(server.url, LABELS, timeout=1.5)
        assert judge.judge(["drip", "long"], ["x", "x"]).failed.tolist() == [True, True]
        assert http_judge(server.url, LABELS).judge(["right"], ["x"]).scores.tolist() == [1.0]
    finally:
        server.stop()


def test_a_service_that_fails_in_every_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(body: dict[str, Any]) -> httpx.Response:
        if body["text1"] == "slow":
            raise httpx.ReadTimeout("late")
        if body["text1"] == "label":
            return httpx.Response(200, json={"label": "entailment"})
        if body["text1"] == "scores":
            return httpx.Response(200, json={"scores": {"entailment": 1, "contradiction": 3}})
        return {"500": httpx.Response(500), "html": httpx.Response(200, text="<p>")}.get(
            body["text1"], httpx.Response(200, json={"other": 1})
        )

    reply(monkeypatch, answer)
    first = ["label", "scores", "slow", "500", "html", "json"]
    said = http_judge("http://127.0.0.1:9/judge", LABELS).judge(first, ["x"] * 6)
    assert said.failed.tolist() == [False, False, True, True, True, True]
    assert said.scores[:2].tolist() == [1.0, 0.25]


def test_a_chat_model_is_asked_for_one_of_two_words(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def answer(body: dict[str, Any]) -> httpx.Response:
        asked.append(body)
        word = " Different." if "not" in body["messages"][1]["content"] else "Same"
        return httpx.Response(200, json={"choices": [{"message": {"content": word}}]})

    reply(monkeypatch, answer)
    judge = chat_judge("http://127.0.0.1:9/v1/chat/completions", "tiny", Labels(("same",), ("different",)))
    said = judge.judge(["open", "open"], ["opened", "not open"])
    assert said.scores.tolist() == [1.0, 0.0]
    assert {body["temperature"] for body in asked} == {0}
    assert judge.identity["address"] == "http://127.0.0.1:9/v1/chat/completions"


@pytest.mark.parametrize("url", ["ftp://x/y", "nothing", "http://", "http://[x", "http://x:port/"])
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(InputError, match="URL"):
        http_judge(url, LABELS)


def test_a_judge_as_a_repair_chooses_its_cutoff(halves: Corpus) -> None:
    def ask(_first: str, second: str) -> float:
        return 0.3 if any(mark in second for mark in ("may", "optional", "not", "never")) else 0.4

    frozen = Judged(AskedJudge("own", ask, LABELS, {})).fit(halves.half("A"))
    assert frozen.record.parameters["cutoff"] == pytest.approx(0.35)
    other = halves.half("B").pairs
    assert ((frozen.scores(list(other.first), list(other.second)) > 0.5) == other.same).all()
    with pytest.raises(InputError, match="decided no pair"):
        Judged(AskedJudge("mute", lambda _a, _b: "?", LABELS, {})).fit(halves.half("A"))


def test_a_judge_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "judge.toml"
    path.write_text(
        'schema = "denotary.similarity-judge/1"\nkind = "python"\ntarget = "operator:eq"\n'
        'same = ["yes"]\nopposite = ["no"]\n'
    )
    assert read_judge(path).judge(["a"], ["a"]).failed.tolist() == [True]
    path.write_text('schema = "denotary.similarity-judge/1"\nkind = "python"\n')
    with pytest.raises(InputError):
        read_judge(path)


def test_pairs_are_asked_at_once() -> None:
    together = threading.Barrier(16, timeout=60)

    def ask(_first: str, _second: str) -> float:
        # Nobody gets by before 16 are asked; one after another they would break it, which is a failure.
        together.wait()
        return 1.0

    said = AskedJudge("slow", ask, LABELS, {}, workers=16).judge([str(i) for i in range(32)], ["x"] * 32)
    assert np.all(said.scores == 1.0)


ADDRESSES = (
    "http://judge.example/a",
    "https://judge.example/a",
    "http://judge.example:8080/a",
    "http://judge.example/b",
    "http://other.example/a",
    "http://judge.example/a?model=1",
    "http://judge.example/a?model=2",
)


def test_judges_behind_other_addresses_are_others() -> None:
    labels = Labels(("same",), ("different",))
    for made in (
        [http_judge(url, labels) for url in ADDRESSES],
        [chat_judge(url, "tiny", labels) for url in ADDRESSES],
    ):
        assert len({canonical_json(dict(judge.identity)) for judge in made}) == len(ADDRESSES)


def test_no_identity_holds_a_key() -> None:
    labels = Labels(("same",), ("different",))
    plain, open_ = "http://judge.example/a?key=s3cret", "http://me:s3cret@judge.example/a?key=s3cret"
    for made in (http_judge(open_, labels), chat_judge(open_, "tiny", labels)):
        assert "s3cret" not in json.dumps(dict(made.identity))
    assert http_judge(open_, labels).identity == http_judge(plain, labels).identity


def own(tmp_path: Path, target: str) -> AskedJudge:
    path = tmp_path / "judge.toml"
    path.write_text(
        f'schema = "denotary.similarity-judge/1"\nkind = "python"\ntarget = "{target}"\n'
        'same = ["yes"]\nopposite = ["no"]\n'
    )
    return read_judge(path)


def test_a_function_that_changed_is_another_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, halves: Corpus
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / "own_judging"
    package.mkdir()
    (package / "__init__.py").write_text("from own_judging.inner import ask\n")
    body = "def ask(first, second):\n    return 0.3 if 'not' in second or 'may' in second else 0.4\n"
    (package / "inner.py").write_text(body)

    def fresh() -> AskedJudge:
        for name in [name for name in sys.modules if name.partition(".")[0] == "own_judging"]:
            monkeypatch.delitem(sys.modules, name)
        return own(tmp_path, "own_judging:ask")

    first = fresh()
    assert first.identity["sha256 of own_judging.inner"] == sha256(body.encode())
    assert "sha256 of own_judging" in first.identity
    frozen = Judged(first).fit(halves.half("A"))
    assert Judged(fresh()).load(frozen.record).digest == frozen.digest
    (package / "inner.py").write_text(body.replace("'may'", "'might'"))
    with pytest.raises(InputError, match="another judge"):
        Judged(fresh()).load(frozen.record)


def test_a_function_of_a_distribution_has_its_version(tmp_path: Path) -> None:
    assert own(tmp_path, "msgspec.json:encode").identity["distribution"] == f"msgspec {version('msgspec')}"
    assert own(tmp_path, "operator:eq").identity["distribution"] == "none"


def test_numbers_of_any_library_are_shares() -> None:
    said = AskedJudge("own", lambda _a, _b: np.float32(0.25), LABELS, {}).judge(["a"], ["b"])
    assert (said.scores.tolist(), said.failed.tolist()) == ([0.25], [False])
    weights = {"entailment": np.float32(3), "contradiction": np.int64(1)}
    assert AskedJudge("own", lambda _a, _b: weights, LABELS, {}).judge(["a"], ["b"]).scores.tolist() == [0.75]


@pytest.mark.parametrize("line", ["timeout = 0", "timeout = -1.5", "length = 0"])
def test_a_limit_of_a_judge_is_above_zero(tmp_path: Path, line: str) -> None:
    path = tmp_path / "judge.toml"
    path.write_text(
        'schema = "denotary.similarity-judge/1"\nkind = "http"\ntarget = "http://judge.example"\n'
        f'same = ["yes"]\nopposite = ["no"]\n{line}\n'
    )
    with pytest.raises(InputError) as caught:
        read_judge(path)
    assert caught.value.path == str(path)
