import sys
import types
from typing import Any, ClassVar

import pytest

from denotary import systems
from denotary.errors import InputError


@pytest.mark.parametrize(
    ("spec", "kind", "shown"),
    [
        ("python:json:loads", "python", "python:json:loads"),
        ("http://127.0.0.1:80/x?key=1", "http", "http://127.0.0.1:80/x"),
        ("https://host/x", "http", "https://host/x"),
        ("command:cat -u", "command", "command:cat -u"),
    ],
)
def test_a_string_names_a_system(spec: Any, kind: Any, shown: Any) -> None:
    descriptor = systems.from_spec(spec).descriptor
    assert (descriptor.kind, descriptor.spec) == (kind, shown)


def test_a_file_of_answers(tmp_path: Any) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"record_id": "a"}\n')
    assert systems.from_spec(f"replay:{path}").descriptor.kind == "replay"


def test_the_batch_size_is_passed_on_to_urls_alone() -> None:
    assert systems.from_spec("http://host/", batch_size=50).batch_size == 50  # type: ignore[union-attr]
    with pytest.raises(InputError, match="batch size needs an http system"):
        systems.from_spec("python:json:loads", batch_size=50)


@pytest.mark.parametrize("spec", ["", "nonsense", "ftp://host/", "python", "exact:x", "grpc:host"])
def test_other_strings_are_refused(spec: Any) -> None:
    with pytest.raises(InputError):
        systems.from_spec(spec)


def test_the_exact_lane_needs_a_registry_and_answers_from_it(
    monkeypatch: Any, call: Any, request_for: Any
) -> None:
    with pytest.raises(InputError, match="needs a registry"):
        systems.from_spec("exact")

    class ExactLane:
        components: ClassVar = {"index": "REG"}

        def __init__(self, registry: Any) -> None:
            self.registry = registry

        def resolve(self, request: Any) -> Any:
            return {"registry": self.registry, "record_id": request["record_id"]}

    resolver = types.ModuleType("denotary.resolver")
    resolver.ExactLane = ExactLane  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "denotary.resolver", resolver)
    system = systems.from_spec("exact", registry="REG")  # type: ignore[arg-type]
    assert system.descriptor.kind == "exact"
    assert system.components == {"index": "REG"}  # type: ignore[union-attr]
    assert call(system, request_for("a")) == b'{"registry":"REG","record_id":"a"}'
