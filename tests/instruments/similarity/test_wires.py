"""The same gate behind every kind of system gives the same decisions: program, service, file of answers."""

import json
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.instruments.similarity.suites import reads_wording, sealed_suite

from denotary import systems
from denotary.instruments.similarity.corpus import Corpus
from denotary.runs import ask
from denotary.suites import Suite

PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    first, second = set(asked["text1"].split()), set(asked["text2"].split())
    score = len(first & second) / len(first | second)
    decision = {"type": "act" if score >= 0.5 else "do_not_act"}
    print(json.dumps({"record_id": asked["record_id"], "score": score, "decision": decision}), flush=True)
"""


class Service(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(reads_wording(asked)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def suite(corpus_of: Callable[[int], Corpus], tmp_path: Path) -> Suite:
    return sealed_suite(corpus_of(10), tmp_path / "suite")


def said(suite: Suite, system: Any, out: Path) -> list[tuple[str, Any]]:
    run = ask(system, suite, out, concurrency=2)
    return [(answer.status, answer.body) for answer in run.answers]


def test_every_kind_of_system_is_asked_alike(suite: Suite, tmp_path: Path) -> None:
    expected = said(suite, systems.python(reads_wording), tmp_path / "python")
    assert {status for status, _ in expected} == {"answered"}
    program = tmp_path / "gate.py"
    program.write_text(PROGRAM, encoding="utf-8")
    assert said(suite, systems.command([sys.executable, str(program)]), tmp_path / "command") == expected
    answers = [
        {"record_id": case.record_id, **reads_wording({"text1": case.texts[0], "text2": case.texts[1]})}
        for case in suite.cases
    ]
    replayed = tmp_path / "answers.jsonl"
    replayed.write_text("".join(json.dumps(line) + "\n" for line in answers), encoding="utf-8")
    assert said(suite, systems.replay(replayed), tmp_path / "replay") == expected
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_address[1]}/gate"
        assert said(suite, systems.http(url), tmp_path / "http") == expected
    finally:
        server.shutdown()
        server.server_close()
