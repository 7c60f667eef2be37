"""Giving a part of a suite away, by visibility, with its canary and the name of the whole."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import msgspec

from denotary.errors import InputError, IntegrityError
from denotary.files import encode_jsonl, encode_toml, write_atomic
from denotary.suites.firewall import notice
from denotary.suites.keys import KEYS, WAIVABLE
from denotary.suites.ledger import append
from denotary.suites.loading import CASES, MANIFEST, moved_registry, safe_name, write_registry_lock
from denotary.suites.split_texts import SIMILARITY, text_groups
from denotary.suites.splitting import Pool, linked_cases, shown_texts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from denotary.suites.keys import Key
    from denotary.suites.records import Case, Role, Visibility
    from denotary.suites.suite import Suite

NOTICE: Final = "NOTICE.txt"
ROLES: Final[dict[Visibility, Role]] = {"public": "public-diagnostic", "regression": "regression"}
"""Role of an export of that visibility; an export of sealed cases keeps the role of the suite."""
_SHOWN: Final = 5


def export(suite: Suite, visibility: Visibility, out: Path, *, waive: Sequence[Key] = ()) -> int:
    """Write the cases of one visibility as a draft suite, and return how many there are.

    Every case carries the canary; the manifest names the whole by its digest; a notice says what must never be
    trained on. An export of sealed cases keeps the record of what was disclosed.

    Args:
        suite: a frozen suite with a canary.
        visibility: which cases.
        out: folder to write.
        waive: keys by which a family may lie on both sides.

    Raises:
        InputError: no case has this visibility, the suite has no canary, or a key may not be waived.
        IntegrityError: the suite is a draft, the folder holds a suite, a family has cases that would be given
            away and cases that stay sealed, or sealed cases lie in units that were disclosed.
    """
    whole = suite.identifier
    canary = suite.manifest.canary
    if canary is None:
        raise InputError(
            "the suite has no canary", path=suite.root / MANIFEST, hint="denotary suite canary FOLDER"
        )
    if (out / MANIFEST).exists():
        raise IntegrityError("the folder holds a suite already", path=out, hint="choose another --out")
    cases = [case for case in suite.cases if case.security.visibility == visibility]
    if not cases:
        raise InputError(f"no case is {visibility}", path=suite.root / CASES)
    if visibility == "sealed":
        _refuse_spent(suite)
    else:
        _refuse_divided(suite, waive)
    lock = suite.registry.lock
    if lock is not None:
        write_registry_lock(out, lock)
    write_atomic(out / NOTICE, notice(canary, whole).encode())
    write_atomic(out / CASES, encode_jsonl(_marked(case, canary) for case in cases))
    if visibility == "sealed":
        _carry_disclosures(suite, out)
    write_atomic(out / MANIFEST, _manifest(suite, visibility, whole, out))
    return len(cases)


def _refuse_spent(suite: Suite) -> None:
    """Refuse to give away as sealed what was disclosed, or lies in a unit that was."""
    spent = sorted(suite.spent)
    if spent:
        raise IntegrityError(
            f"cases of disclosed units are not sealed any more: {len(spent):,}, "
            f"such as {', '.join(map(safe_name, spent[:_SHOWN]))}",
            path=suite.root / CASES,
            hint="withdraw them: denotary suite withdraw FOLDER RECORD --cause disclosed, freeze, and export then",
        )


def _carry_disclosures(suite: Suite, out: Path) -> None:
    """Keep known what was disclosed: the entries begin the ledger of the export, which has a chain of its own."""
    entries = [entry for entry in suite.ledger if entry.kind == "disclosure"]
    if entries:
        append(out, *entries)


def _refuse_divided(suite: Suite, waive: Sequence[Key]) -> None:
    """Refuse to give away what tells of a case that stays sealed."""
    wrong = next((key for key in waive if key not in WAIVABLE), None)
    if wrong is not None:
        raise InputError(f"{wrong!r:.40} may not be waived", hint=f"only {' and '.join(WAIVABLE)} may")
    role = [int(case.security.visibility == "sealed") for case in suite.cases]
    pool = replace(Pool.of([suite]), role=role)
    groups = [
        (by, members)
        for by, values in linked_cases(pool, [key for key in KEYS if key not in waive]).items()
        for members in values.values()
    ]
    texts = text_groups(shown_texts(suite), role, SIMILARITY)
    groups += [(group.by, list(group.members)) for group in texts]
    divided = [(by, members) for by, members in groups if pool.crosses(members)]
    if divided:
        named = "; ".join(f"{by} of {_open_member(suite, members)}" for by, members in divided[:_SHOWN])
        raise IntegrityError(
            f"families have cases that would be given away and cases that stay sealed: {len(divided):,}, "
            f"such as {named}",
            path=suite.root / CASES,
            hint="seal the whole family, or disclose it: denotary suite disclose FOLDER RECORD --with-siblings",
        )


def _open_member(suite: Suite, members: Sequence[int]) -> str:
    found = next(n for n in members if suite.cases[n].security.visibility != "sealed")
    return safe_name(suite.cases[found].record_id)


def _marked(case: Case, canary: str) -> Case:
    return msgspec.structs.replace(case, security=msgspec.structs.replace(case.security, canary=canary))


def _manifest(suite: Suite, visibility: Visibility, whole: str, out: Path) -> bytes:
    exact = suite.manifest.role == "registry-exact-conformance"
    role = suite.manifest.role if exact else ROLES.get(visibility, suite.manifest.role)
    made = msgspec.structs.replace(
        suite.manifest,
        name=f"{suite.name}-{visibility}",
        role=role,
        registry=moved_registry(suite, out),
        whole=whole,
        quotas={},
    )
    return encode_toml(msgspec.to_builtins(made))
