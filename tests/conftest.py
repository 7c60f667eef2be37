"""A small registry and small identity suites, as files, for the tests of every room; the command line in process."""

import contextlib
import ctypes
import importlib.util
import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from denotary.files import encode_toml

# How long an example takes is a property of the machine. Every run tries the same examples, so that a change is
# judged by what it changes; `make nightly` looks for new ones.
SLOW = (HealthCheck.too_slow,)
settings.register_profile("same", deadline=None, suppress_health_check=SLOW, derandomize=True)
settings.register_profile("new", deadline=None, suppress_health_check=SLOW, max_examples=300, print_blob=True)
settings.load_profile("same")

Record = dict[str, Any]
CANARY = "QUAGGA7391"
"""Stands in every text of the small suite of twenty cases; no message may show it."""
BLACK_BOXES = Path(__file__).parent / "black_boxes"
APPROVED = {"by": "reviewer-1", "on": "2026-01-05", "status": "approved"}

CONCEPTS: list[Record] = [
    {
        "code": f"x.{name}",
        "definitions": {"en": f"the definition of {name}"},
        "semantic_type": "concept",
        "consequence_tier": tier,
        "owner": "owner-1",
    }
    for name, tier in (("alpha", "C3"), ("beta", "C2"), ("gamma", "C1"))
]

EXPRESSIONS: list[Record] = [
    {"id": name, "text": text, "language": language, "script": script, "codes": [code], "review": APPROVED}
    for name, text, language, script, code in (
        ("e-present", "gift", "en", "Latn", "x.alpha"),
        ("e-persistent", "a persistent name", "en", "Latn", "x.alpha"),
        ("e-poison", "gift", "de", "Latn", "x.beta"),
        ("e-cafe", "café-bar", "fr", "Latn", "x.beta"),
        ("e-hindi", "स्थायी नाम", "hi", "Deva", "x.alpha"),
        ("e-quote", 'the "gamma" part', "en", "Latn", "x.gamma"),
    )
]

AMBIGUITIES: list[Record] = [
    {"id": "a-bank", "text": "bank", "language": "en", "codes": ["x.alpha", "x.beta"], "kind": "closed"}
]


def jsonl(records: Iterable[Record]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def write_registry(folder: Path, *, review: str = "reviewed", **lists: list[Record]) -> Path:
    """Write a registry's files; ``concepts``, ``expressions`` and ``ambiguities`` replace the usual ones."""
    folder.mkdir(parents=True, exist_ok=True)
    header = {
        "schema": "denotary.registry/1",
        "name": "small",
        "version": "1.0.0",
        "review": review,
        "languages": ["de", "en", "fr", "hi"],
    }
    (folder / "registry.toml").write_bytes(encode_toml(header))
    usual = {"concepts": CONCEPTS, "expressions": EXPRESSIONS, "ambiguities": AMBIGUITIES, "migrations": []}
    for name, records in (usual | lists).items():
        (folder / f"{name}.jsonl").write_text(jsonl(records), encoding="utf-8")
    return folder


def case_record(
    name: str, gold: Record | str = "x.alpha", *, text: str | None = None, **parts: Any
) -> Record:
    """Return one case as it stands in ``cases.jsonl``: by default a text of its own whose one right code is ``gold``.

    ``parts`` are merged into the record, a mapping into the part of its name.
    """
    single = {"disposition": "SINGLE", "acceptable_concept_codes": [gold]}
    if text is None:
        # In letters: texts that differ in a number alone are one.
        number = str(crc32(name.encode("utf-8", "replace")))
        text = f"a durable name {number.translate(str.maketrans('0123456789', 'abcdefghij'))}"
    record: Record = {
        "record_id": name,
        "benchmark_version": "1.0.0",
        "registry_version": "1.0.0",
        "semantic_seed_id": f"seed-{name}",
        "input": {"text": text, "language": "en", "script": "Latn"},
        "gold": single if isinstance(gold, str) else gold,
        "construction": {"primary_family": "compositional", "generation_method": "human"},
        "annotation": {"review": "unreviewed"},
        "security": {"visibility": "public"},
    }
    for key, value in parts.items():
        merged = isinstance(value, dict) and key in ("input", "construction", "annotation", "security")
        record[key] = record[key] | value if merged else value
    return record


def write_suite(
    folder: Path, cases: Iterable[Record], registry: str = "../registry", **manifest: Any
) -> Path:
    """Write a suite's files; ``manifest`` is merged into ``suite.toml``."""
    folder.mkdir(parents=True, exist_ok=True)
    content = {
        "schema": "denotary.suite/1",
        "name": "small-suite",
        "version": "1.0.0",
        "instrument": "identity",
        "role": "public-diagnostic",
        **manifest,
        "registry": {"name": "small", "version": "1.0.0", "path": registry},
    }
    (folder / "suite.toml").write_bytes(encode_toml(content))
    (folder / "cases.jsonl").write_text(jsonl(cases), encoding="utf-8")
    return folder


@pytest.fixture
def frozen_registry(tmp_path: Path) -> Path:
    """The folder of the small registry, frozen, at ``tmp_path / "registry"``."""
    from denotary.registry import freeze

    folder = write_registry(tmp_path / "registry")
    freeze(folder)
    return folder


class Done(NamedTuple):
    """What a command left: exit code, standard output, standard error."""

    code: int
    out: str
    err: str


def command_line(*arguments: object) -> Done:
    """Run the command line in this process."""
    from denotary.cli.root import run

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([str(argument) for argument in arguments])
    return Done(code, out.getvalue(), err.getvalue())


def twenty_cases() -> list[Record]:
    """Return eighteen texts that only their meaning could resolve, and two reviewed expressions."""
    exact = {"primary_family": "reviewed_exact"}
    cases = [case_record(f"c{n:02}", text=f"{CANARY} number{chr(97 + n)}: a durable name") for n in range(18)]
    cases.append(case_record("e-en", text="gift", construction=exact))
    cases.append(case_record("e-de", "x.beta", text="gift", input={"language": "de"}, construction=exact))
    return cases


@pytest.fixture(scope="session")
def cli() -> Callable[..., Done]:
    """See :func:`command_line`."""
    return command_line


@pytest.fixture(scope="session")
def canary() -> str:
    """See :data:`CANARY`."""
    return CANARY


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``registry`` and ``suite`` (twenty cases), both frozen. Not to be written to."""
    from denotary.registry import freeze as freeze_registry
    from denotary.suites import freeze as freeze_suite

    root = tmp_path_factory.mktemp("small")
    freeze_registry(write_registry(root / "registry"))
    freeze_suite(write_suite(root / "suite", twenty_cases()))
    return root


@pytest.fixture
def workspace(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a copy of ``small`` that may be written to, with the black boxes on the import path."""
    for name in ("registry", "suite"):
        shutil.copytree(small / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(BLACK_BOXES)
    return tmp_path


@pytest.fixture(scope="session")
def loopback() -> ModuleType:
    """The module ``loopback.py``: a server on the loopback interface that does what a test tells it."""
    spec = importlib.util.spec_from_file_location("loopback", Path(__file__).parent / "loopback.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def program() -> tuple[list[str], dict[str, str]]:
    """Arguments and environment that start the command line as a process of its own, warnings being errors."""
    path = [str(BLACK_BOXES), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    environment.pop("DENOTARY_DEBUG", None)
    return [sys.executable, "-W", "error", "-m", "denotary"], environment


@pytest.fixture(scope="session")
def case() -> Callable[..., Record]:
    """See :func:`case_record`."""
    return case_record


@pytest.fixture(scope="session")
def make_registry() -> Callable[..., Path]:
    """See :func:`write_registry`."""
    return write_registry


@pytest.fixture(scope="session")
def suite_files() -> Callable[..., Path]:
    """See :func:`write_suite`."""
    return write_suite


@pytest.fixture
def make_suite(tmp_path: Path, frozen_registry: Path) -> Callable[..., Path]:
    """Write a suite beside the frozen small registry, at ``tmp_path / "suite"``; see :func:`write_suite`."""
    del frozen_registry
    return lambda cases, **manifest: write_suite(tmp_path / "suite", cases, **manifest)


class _Capabilities(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


@pytest.fixture
def without_root() -> Iterator[None]:
    """Make permissions count for this thread, also for root, whose two overriding capabilities are put aside."""
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    head, held = (ctypes.c_uint32 * 2)(0x20080522, 0), (_Capabilities * 2)()
    assert libc.capget(head, held) == 0
    before = held[0].effective
    held[0].effective = before & ~0b110  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH of capabilities(7)
    assert libc.capset(head, held) == 0
    yield
    held[0].effective = before
    assert libc.capset(head, held) == 0
