"""Dealing a suite into parts for different roles, a whole family of cases to each part."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec

from denotary.canonical import digest
from denotary.errors import InputError, IntegrityError
from denotary.files import encode_jsonl, encode_toml, read_bytes, write_atomic
from denotary.suites.keys import KEYS, WAIVABLE
from denotary.suites.loading import CASES, MANIFEST, REGISTRY_LOCK, moved_registry
from denotary.suites.records import Security
from denotary.suites.split_texts import SIMILARITY, text_groups
from denotary.suites.splitting import Pool, components, key_states, linked_cases, shown_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from denotary.suites.keys import Key
    from denotary.suites.records import Case, Role, Visibility
    from denotary.suites.suite import Suite

PARTS: Final[dict[str, tuple[Role, Visibility]]] = {
    "public": ("public-diagnostic", "public"),
    "calibration": ("calibration", "sealed"),
    "sealed": ("sealed-certification", "sealed"),
}
"""Role of each part, and what its cases are to whoever builds a system."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Which part each case goes to.

    Attributes:
        part: name of the part of each case, in the order of the suite.
        shares: wished share of each part; they sum to 1.
        seed: what drew the order.
        families: number of families.
        largest: cases of the largest family.
        inseparable: keys that tie nothing because all cases have one value of them.
    """

    part: tuple[str, ...]
    shares: Mapping[str, float]
    seed: int
    families: int
    largest: int
    inseparable: tuple[Key, ...]

    def cases(self, part: str) -> int:
        """Return how many cases a part gets."""
        return self.part.count(part)


def deal(
    suite: Suite,
    shares: Mapping[str, float],
    *,
    seed: int,
    waive: Sequence[Key] = (),
    similarity: float = SIMILARITY,
) -> Deal:
    """Deal the families of a suite to parts, so that none crosses and each part gets its share of every kind.

    A family is a component over the eight grouping keys, parents and near-duplicate texts. Families are dealt in
    strata of primary family and language, in an order that the seed draws, each to the part that lags furthest
    behind its share. A family with a case that is public or was disclosed goes to the public part.

    Args:
        suite: a draft or frozen suite.
        shares: share of cases by part, ``public``, ``calibration`` and ``sealed``; scaled to sum to 1.
        seed: draws the order.
        waive: keys that may cross.
        similarity: least Jaccard index of n-grams of a near-duplicate.

    Raises:
        InputError: a share is not positive, fewer than two parts, an unknown one, or a key that may not be
            waived; or one family holds so much that a part stays empty.
    """
    wished = _shares(shares, waive)
    pool = Pool.of([suite])
    inseparable = tuple(item.key for item in key_states(pool, waive) if item.state == "not separable")
    linked = linked_cases(pool, [key for key in KEYS if key not in {*waive, *inseparable}])
    texts = text_groups(shown_texts(suite), None, similarity)
    roots = components(pool, linked, texts, ())
    families: dict[int, list[int]] = {}
    for index, root in enumerate(roots):
        families.setdefault(root, []).append(index)
    seen = _seen(suite)
    made = _dealt(suite.cases, list(families.values()), wished, seed, seen)
    found = Deal(
        part=tuple(made),
        shares=wished,
        seed=seed,
        families=len(families),
        largest=max(map(len, families.values()), default=0),
        inseparable=inseparable,
    )
    _refuse_empty(suite, found)
    return found


def write_parts(suite: Suite, found: Deal, out: Path) -> dict[str, Path]:
    """Write each part as a draft suite in a folder of its own below ``out``, and return the folders.

    A part has the suite's manifest with its own name and role, and its cases with the visibility of that role.

    Raises:
        IntegrityError: a folder holds a suite already.
        StorageError: a folder cannot be written to.
    """
    folders = {part: out / part for part in found.shares}
    taken = next((folder for folder in folders.values() if (folder / MANIFEST).exists()), None)
    if taken is not None:
        raise IntegrityError("the folder holds a suite already", path=taken, hint="choose another --out")
    for part, folder in folders.items():
        dealt = (case for case, of in zip(suite.cases, found.part, strict=True) if of == part)
        cases = [_shown(case, PARTS[part][1]) for case in dealt]
        write_atomic(folder / CASES, encode_jsonl(cases))
        lock = suite.root / REGISTRY_LOCK
        if lock.exists():
            write_atomic(folder / REGISTRY_LOCK, read_bytes(lock))
        write_atomic(folder / MANIFEST, _manifest(suite, found, part, folder))
    return folders


def _shares(shares: Mapping[str, float], waive: Sequence[Key]) -> dict[str, float]:
    unknown = [name for name in shares if name not in PARTS]
    if unknown or len(shares) < 2 or not all(0 < share < float("inf") for share in shares.values()):  # noqa: PLR2004
        raise InputError(
            "a split has two parts or more, each with a positive share",
            hint=f"parts: {', '.join(PARTS)}; such as --share calibration=0.3 --share sealed=0.7",
        )
    wrong = [key for key in waive if key not in WAIVABLE]
    if wrong:
        raise InputError(f"{wrong[0]!r:.40} may not be waived", hint=f"only {' and '.join(WAIVABLE)} may")
    named = {name: shares[name] for name in PARTS if name in shares}
    total = math.fsum(named.values())
    return {name: share / total for name, share in named.items()}


def _dealt(
    cases: Sequence[Case],
    families: Sequence[Sequence[int]],
    wished: Mapping[str, float],
    seed: int,
    seen: set[int],
) -> list[str]:
    """Return the part of each case: strata one after the other, each family to the part that lags most."""
    part = [""] * len(cases)
    got: Counter[str] = Counter()
    dealt = 0
    for family in sorted(families, key=lambda family: _turn(cases, family, seed)):
        dealt += len(family)
        # Rounded, so that parts that lag alike are told apart by their order and not by the last bit.
        lag = {name: round(share * dealt - got[name], 9) for name, share in wished.items()}
        chosen = max(lag, key=lambda name: lag[name])
        if not seen.isdisjoint(family):
            chosen = "public"
        got[chosen] += len(family)
        for index in family:
            part[index] = chosen
    return part


def _turn(cases: Sequence[Case], family: Sequence[int], seed: int) -> tuple[str, str, str]:
    first = min((cases[index] for index in family), key=lambda case: case.record_id)
    return first.construction.primary_family, first.language_slice, digest([seed, first.record_id])


def _refuse_empty(suite: Suite, found: Deal) -> None:
    empty = next((name for name in found.shares if not found.cases(name)), None)
    public = len(_seen(suite))
    if empty is not None or ("public" not in found.shares and public):
        why = (
            f"{public:,} of {len(suite.cases):,} cases are public already, and so are their families"
            if public
            else f"{found.families:,} families, the largest with {found.largest:,} of {len(suite.cases):,} cases"
        )
        raise InputError(
            f"no such split: {f'part {empty} gets no case' if empty else 'there is no public part'}; {why}",
            path=suite.root / CASES,
            hint="record more distinct keys, waive one that may be waived, or write more sealed cases",
        )


def _seen(suite: Suite) -> set[int]:
    """Return the positions of the cases that somebody may have seen."""
    spent = suite.spent
    return {
        n
        for n, case in enumerate(suite.cases)
        if case.security.visibility != "sealed" or case.record_id in spent
    }


def _shown(case: Case, visibility: Visibility) -> Case:
    security = Security(visibility=visibility, leakage_family=case.security.leakage_family)
    return msgspec.structs.replace(case, security=security)


def _manifest(suite: Suite, found: Deal, part: str, folder: Path) -> bytes:
    made = msgspec.structs.replace(
        suite.manifest,
        name=f"{suite.name}-{part}",
        role=PARTS[part][0],
        registry=moved_registry(suite, folder),
        quotas={},
        notes=(*suite.manifest.notes, _note(suite, found)),
    )
    return encode_toml(msgspec.to_builtins(made))


def _note(suite: Suite, found: Deal) -> str:
    shares = ", ".join(f"{name} {share:.4g}" for name, share in found.shares.items())
    origin = f"{suite.name} {suite.version}" if suite.lock is None else suite.identifier
    return f"Dealt from {origin} with seed {found.seed}, shares {shares}; {found.families} families, none divided."
