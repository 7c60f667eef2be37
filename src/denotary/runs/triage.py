"""Causes of a run's failures: what rules propose, and what persons set, in a file of its own beside the sealed ones.

``triage.jsonl`` is append-only. Each line is bound to the one before by its digest, and the first to the sealed
answers, so that a file copied from another run is refused. Nothing that the run sealed is ever changed by it.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from denotary.canonical import canonical_json, digest
from denotary.errors import InputError, IntegrityError
from denotary.files import decode_jsonl, file_digest, locked, read_bytes
from denotary.records import Record
from denotary.runs.folder import SEALED
from denotary.runs.log import AppendFile, whole_lines
from denotary.runs.sealing import is_sealed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

TRIAGE: Final = "triage.jsonl"

Kind: TypeAlias = Literal["wrong_code", "no_answer", "conformance", "unstable", "other_version", "refusal"]
"""How a case went wrong. A ``refusal`` where a code was due, or of another kind than the gold's, costs coverage and is
no failure."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A root cause that a rule proposes for one case.

    Attributes:
        code: the root-cause code.
        rule: name of the rule.
        evidence: what led to it, one sentence that quotes no case.
    """

    code: str
    rule: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Failure:
    """A case that went wrong.

    Attributes:
        case: its record id.
        unit: id of its independent unit.
        kind: how it went wrong.
        expected: what was right, in one word or code.
        answered: what was answered, without a word of the system's that the registry does not hold.
        language: language slice.
        family: primary family.
        proposals: causes that rules propose, the most specific first; each code once.
    """

    case: str
    unit: str
    kind: Kind
    expected: str
    answered: str
    language: str
    family: str
    proposals: tuple[Proposal, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether some gate may count it; a mere refusal is counted by none."""
        return self.kind != "refusal"

    @property
    def proposed(self) -> str:
        """The code that is proposed; empty if no rule fits."""
        return self.proposals[0].code if self.proposals else ""


class Judgement(Record, frozen=True, kw_only=True):
    """One line of ``triage.jsonl``: the cause that somebody set for a case."""

    sequence: int
    case: str
    code: str
    who: str
    why: str
    proposed: str = ""
    """What the rules proposed when it was set; empty if nothing."""
    supersedes: int | None = None
    """Sequence of the judgement of the same case that it replaces."""
    previous: str
    """SHA-256 of the line before; of ``sealed.jsonl`` in the first line."""


def read_judgements(root: Path) -> tuple[Judgement, ...]:
    """Return the judgements in a run's folder, oldest first; none if there is no file.

    A torn last line, which a process left that was killed while it wrote, is passed over.

    Raises:
        InputError: a line is no judgement.
        IntegrityError: the chain is broken, or the file belongs to another run.
    """
    path = root / TRIAGE
    if not path.exists():
        return ()
    data = read_bytes(path)
    lines = list(decode_jsonl(data[: data.rfind(b"\n") + 1], Judgement, path))
    previous = file_digest(root / SEALED) if lines else ""
    standing: dict[str, int] = {}
    for sequence, (number, entry) in enumerate(lines):
        expected = (sequence, previous, standing.get(entry.case))
        if (entry.sequence, entry.previous, entry.supersedes) != expected:
            raise IntegrityError(
                f"the chain is broken: expected judgement {sequence} after sha256:{previous}",
                path=path,
                line=number,
                hint="the file is append-only and belongs to one run; restore it, or remove it and begin again",
            )
        previous = digest(entry)
        standing[entry.case] = sequence
    return tuple(entry for _, entry in lines)


def torn(root: Path) -> int:
    """Return how many bytes of a torn last line the file of judgements ends with; 0 if it is whole or absent."""
    path = root / TRIAGE
    data = read_bytes(path) if path.exists() else b""
    return len(data) - data.rfind(b"\n") - 1


def standing(judgements: Iterable[Judgement]) -> dict[str, Judgement]:
    """Return the judgement that stands for each case: the last one."""
    return {entry.case: entry for entry in judgements}


def set_cause(
    root: Path, failures: Sequence[Failure], case: str, code: str, *, who: str, why: str
) -> Judgement:
    """Append a judgement and return it; a former one of the same case is superseded and kept.

    Args:
        root: folder of a complete run.
        failures: the cases of the run that went wrong.
        case: record id of one of them.
        code: a root-cause code that the instrument knows.
        who: role or pseudonym of who sets it.
        why: the reason.

    Raises:
        InputError: the run is not complete, the case did not go wrong, or a name or reason is missing.
        IntegrityError: the file so far is broken.
        StorageError: it cannot be written to.
    """
    if not is_sealed(root):
        raise InputError(
            "the run is not complete", path=root, hint="finish it; causes are set on sealed answers"
        )
    if not who.strip() or not why.strip():
        raise InputError("a cause is set by somebody for a reason; give both")
    failure = next((item for item in failures if item.case == case), None)
    if failure is None:
        raise InputError("this case did not go wrong, so it has no cause", record=case)
    with locked(root):
        # The torn line of a process that was killed.
        if (root / TRIAGE).exists():
            whole_lines(root / TRIAGE)
        former = read_judgements(root)
        replaced = standing(former).get(case)
        entry = Judgement(
            sequence=len(former),
            case=case,
            code=code,
            who=who.strip(),
            why=why.strip(),
            proposed=failure.proposed,
            supersedes=None if replaced is None else replaced.sequence,
            previous=digest(former[-1]) if former else file_digest(root / SEALED),
        )
        with closing(AppendFile(root / TRIAGE)) as file:
            file.write(canonical_json(entry) + b"\n")
            file.sync()
    return entry
