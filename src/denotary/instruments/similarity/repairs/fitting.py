"""Repairs by name: made to be fitted, kept in a file, and loaded again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.canonical import canonical_json
from denotary.errors import InputError
from denotary.files import decode_jsonl, read_bytes, write_atomic
from denotary.instruments.similarity.configurations import named, require_alone
from denotary.instruments.similarity.repairs.judged import Judged
from denotary.instruments.similarity.repairs.polarity import Polarity
from denotary.instruments.similarity.repairs.records import FittedRepair
from denotary.instruments.similarity.repairs.simple import Encoder, Overlap
from denotary.instruments.similarity.repairs.worded import READS, Worded

if TYPE_CHECKING:
    from pathlib import Path

    from denotary.instruments.similarity.repairs.base import Frozen
    from denotary.instruments.similarity.repairs.judges import Judge

KINDS: Final = ("encoder", "overlap", "judge", "polarity", "words", "second-text")
ENCODED: Final = ("encoder", "overlap", "polarity")
"""Kinds that need an encoder."""
_FITTED: Final = {"encoder": {"cutoff", "scale"}, "judge": {"cutoff"}, "polarity": {"band"}}
"""Parameters without which a repair of a kind says nothing; a weight that is absent is 0."""


def repair(
    kind: str, *, encoder: str = "", judge: Judge | None = None, name: str = ""
) -> Encoder | Overlap | Judged | Polarity | Worded:
    """Return a repair that is not yet fitted.

    Args:
        kind: one of ``KINDS``.
        encoder: a name as ``configurations.named`` takes it; the kinds ``encoder``, ``overlap`` and ``polarity`` need
            one.
        judge: of the kind ``judge``; a second voice of the kind ``polarity``.
        name: as printed; by default made of the parts.

    Raises:
        InputError: no such kind, a part is missing or of no use to it, or the encoder scores no pair by itself.
    """
    if kind not in KINDS:
        raise InputError(f"no repair named {kind!r}", hint=f"known: {', '.join(KINDS)}")
    if (kind in ENCODED) != bool(encoder):
        raise InputError(f"the repair {kind} {_needs(kind)}")
    require_alone(encoder)
    if kind == "judge":
        if judge is None:
            raise InputError("the repair judge needs a judge", hint="--judge FILE.toml")
        return Judged(judge, name)
    if kind == "polarity":
        default = "polarity-aware gate" if judge is None else f"polarity-aware gate with {judge.name}"
        return Polarity(named(encoder), judge, name or default)
    if judge is not None:
        raise InputError(f"the repair {kind} hears no judge")
    if kind in READS:
        return Worded(kind, name)
    return Encoder(named(encoder), name) if kind == "encoder" else Overlap(named(encoder), name)


def _needs(kind: str) -> str:
    if kind == "judge":
        return "needs a judge and no encoder"
    return "needs an encoder" if kind in ENCODED else "needs no encoder"


def write_frozen(frozen: Frozen, path: Path) -> None:
    """Write the record of a frozen repair as one line of canonical JSON."""
    write_atomic(path, canonical_json(frozen.record) + b"\n")


def read_record(path: Path) -> FittedRepair:
    """Return the record in a file.

    Raises:
        InputError: the file is missing, malformed or holds more than one record.
    """
    found = [record for _, record in decode_jsonl(read_bytes(path), FittedRepair, path)]
    if len(found) != 1:
        raise InputError("holds no single fitted repair", path=path)
    return found[0]


def load_frozen(path: Path, *, judge: Judge | None = None) -> Frozen:
    """Return a frozen repair from its file.

    Args:
        path: written by :func:`write_frozen`.
        judge: the judge that it was fitted with, if it was.

    Raises:
        InputError: the file is malformed, or encoder, judge or word lists are others than those of the fit.
    """
    record = read_record(path)
    absent = sorted(_FITTED.get(record.kind, set()) - record.parameters.keys())
    if absent:
        raise InputError(
            f"the repair {record.name} has no {', '.join(absent)}", path=path, hint="fit it again"
        )
    hears = record.kind == "judge" or any(key.startswith("judge ") for key in record.settings)
    if hears and judge is None:
        raise InputError(
            f"the repair {record.name} was fitted with a judge", hint="give it: --judge FILE.toml"
        )
    made = repair(
        record.kind,
        encoder=record.settings.get("encoder", "") if record.kind in ENCODED else "",
        judge=judge if hears else None,
        name=record.name,
    )
    if isinstance(made, Encoder | Overlap) and made.configuration.settings != record.settings:
        raise InputError(f"the repair {record.name} was fitted with another encoder", hint="fit it again")
    return made.load(record)
