"""What makes a run this run, and what differs between two runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

import denotary
from denotary.files import encode_toml
from denotary.registry.loading import BUNDLED
from denotary.runs.records import RunHeader, SuitePin

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from denotary.registry import Registry
    from denotary.runs.records import Identity
    from denotary.suites.suite import Suite
    from denotary.systems.base import SystemDescriptor

DATA = Path(denotary.__file__).parent / "data"
SHIPPED = DATA / "bootstrap"
SHOWN = 80


def suite_pin(suite: Suite, run: Path) -> SuitePin:
    """Return which suite a run is made with, and where it is as seen from the run's folder.

    Raises:
        IntegrityError: the suite is not frozen, so that nothing names its content.
    """
    root = suite.root.resolve()
    path = f"{BUNDLED}{root.name}" if root.is_relative_to(SHIPPED) else _relative(root, run)
    return SuitePin(path=path, name=suite.manifest.name, version=suite.manifest.version, hash=suite.hash)


def registry_pin(registry: Registry, run: Path) -> SuitePin:
    """Return which registry a run's gold refers to, and where it is as seen from the run's folder.

    Raises:
        IntegrityError: the registry is not frozen.
    """
    root = registry.root.resolve()
    shipped = root.name == "registry" and root.parent.parent == DATA.resolve()
    path = f"{BUNDLED}{root.parent.name}" if shipped else _relative(root, run)
    return SuitePin(path=path, name=registry.name, version=registry.version, hash=registry.hash)


def _relative(root: Path, run: Path) -> str:
    # A relative path lets suite and run be moved together, and puts no machine's layout into the header.
    return Path(os.path.relpath(root, run.resolve())).as_posix()


def new_header(
    suite: Suite,
    descriptor: SystemDescriptor,
    run: Path,
    *,
    identity: Identity,
    plan: str,
    options: Mapping[str, Any],
) -> RunHeader:
    """Return the header of a run that is to be made.

    Args:
        suite: the cases.
        descriptor: the system.
        run: the run's folder.
        identity: what the system's owner declares.
        plan: SHA-256 of the plan.
        options: ``repeats``, ``repeat_core``, ``seed``, ``timeout`` and ``attempts``.
    """
    return RunHeader(
        schema="denotary.run/1",
        instrument=suite.manifest.instrument,
        suite=suite_pin(suite, run),
        registry=registry_pin(suite.registry, run),
        # As a file holds it, so that a header that was read back equals the one that was written.
        system=msgspec.json.decode(msgspec.json.encode(descriptor)),
        identity=identity,
        plan=plan,
        tool=f"denotary {denotary.__version__}",
        **options,
    )


def encode_header(header: RunHeader) -> bytes:
    """Return the bytes of ``run.toml``: the only ones for this content."""
    return encode_toml(msgspec.to_builtins(header))


def differences(old: RunHeader, new: RunHeader) -> list[str]:
    """Return what differs between two runs, one sentence a field; where a suite lies is no difference."""
    before, after = (dict(_flat(msgspec.to_builtins(header))) for header in (old, new))
    names = [name for name in {**before, **after} if name not in {"suite.path", "registry.path"}]
    return [
        f"{name} was {_shown(before.get(name))} and is {_shown(after.get(name))}"
        for name in names
        if before.get(name) != after.get(name)
    ]


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", list(value) if isinstance(value, tuple) else value


def _shown(value: Any) -> str:
    text = "not given" if value is None else repr(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
