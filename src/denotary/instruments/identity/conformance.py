"""The exhaustive suite of a frozen registry: what an exact lane must answer, text by text."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from denotary.errors import InputError, IntegrityError
from denotary.files import encode_jsonl, encode_toml, write_atomic
from denotary.instruments.identity.families import MECHANISMS, mechanisms_of
from denotary.instruments.identity.instrument import identity_cases
from denotary.instruments.identity.probes import expected_answers, rows
from denotary.instruments.identity.tracks import FAMILY
from denotary.registry.loading import BUNDLED
from denotary.suites.freezing import freeze
from denotary.suites.loading import CASES, MANIFEST, SUITE_LOCK
from denotary.suites.records import Manifest, RegistryPin, ReviewState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.registry import Registry
    from denotary.suites.records import SuiteLock
    from denotary.suites.suite import Suite

MISSES = 1000
"""Listed misses of each kind at most, so that a large registry's suite stays in proportion."""
_NOT_EXERCISED = "a conformance suite asks registered texts and listed misses only"


def conformance(registry: Registry, out: Path, *, version: str = "1.0.0", misses: int = MISSES) -> SuiteLock:
    """Write and freeze the conformance suite of a registry.

    One case per expression and language, per declared ambiguity, and per text without a language (a collision
    where its languages disagree); the decomposed form of every text that has one; and listed misses derived
    from the expressions themselves. Same registry, same version and same place beside it: same bytes.

    Args:
        registry: a frozen registry.
        out: folder to write; it may hold this very suite already.
        version: semantic version of the suite.
        misses: greatest number of listed misses of each kind, taken in the order of the expression ids.

    Raises:
        IntegrityError: the registry is not frozen.
        InputError: the folder holds another suite.
    """
    if not registry.is_frozen:
        raise IntegrityError(
            "the registry is not frozen, so conformance to it means nothing",
            path=registry.root,
            hint="freeze it first: denotary registry freeze FOLDER",
        )
    cases = tuple(rows(registry, version=version, misses=misses))
    manifest = _manifest(registry, out, version, cases)
    files = {MANIFEST: encode_toml(msgspec.to_builtins(manifest)), CASES: encode_jsonl(cases)}
    _refuse_another_suite(out, files)
    for name, data in files.items():
        write_atomic(out / name, data)
    return freeze(out, registry=registry, who="denotary", why="written from the registry snapshot")


def _refuse_another_suite(out: Path, files: dict[str, bytes]) -> None:
    if not (out / SUITE_LOCK).exists():
        return
    for name, data in files.items():
        if not (out / name).exists() or (out / name).read_bytes() != data:
            raise InputError(
                "holds another frozen suite, which is never overwritten",
                path=out,
                hint="choose another folder",
            )


def _manifest(registry: Registry, out: Path, version: str, cases: Sequence[IdentityCase]) -> Manifest:
    exercised = {mechanism for case in cases for mechanism in mechanisms_of(case)}
    return Manifest(
        schema="denotary.suite/1",
        name=f"{registry.name}-conformance",
        version=version,
        instrument="identity",
        role="registry-exact-conformance",
        registry=RegistryPin(name=registry.name, version=registry.version, path=_where(registry.root, out)),
        title=f"Registry conformance of {registry.name} {registry.version}",
        licence=registry.header.licence,
        review=_weakest(cases),
        mechanisms_not_exercised={name: _NOT_EXERCISED for name in MECHANISMS if name not in exercised},
    )


def _weakest(cases: Sequence[IdentityCase]) -> ReviewState:
    found = {case.annotation.review for case in cases}
    order: tuple[ReviewState, ...] = ("illustrative", "unreviewed", "generated", "reviewed")
    return next((state for state in order if state in found), "unreviewed")


def _where(root: Path, out: Path) -> str:
    """Return how a suite names its registry: relative to itself, or by name if it is a shipped one."""
    shipped = Path(__file__).parents[2] / "data/bootstrap/registry"
    if root.resolve() == shipped.resolve():
        return f"{BUNDLED}bootstrap"
    return Path(os.path.relpath(root.resolve(), out.resolve())).as_posix()


def uncovered(suite: Suite) -> tuple[str, ...]:
    """Return the ids of the expressions and ambiguities that a suite does not ask as it must, sorted.

    A conformance claim needs set equality with the snapshot: every text in its language, with the gold that
    the whole registry gives it, as a case of the family that conformance counts.
    """
    asked = {
        (case.input.language, case.input.text, *case.gold.answer)
        for case in identity_cases(suite)
        if case.construction.primary_family == FAMILY
    }
    wanted = expected_answers(suite.registry)
    return tuple(sorted(name for name, answer in wanted if answer not in asked))
