"""What each kind of migration step claims, held against both snapshots."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from denotary.registry.records import Migration

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.registry.model import Registry
    from denotary.registry.records import Concept

    Found = tuple[str, str, str] | tuple[str, str, str, str]
    """Name of the rule, code of the earlier concept, message, and ``warning`` if it is no error."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two snapshots and the steps between them.

    Attributes:
        old: the earlier snapshot.
        new: the later one.
        steps: the record of each earlier code, None where there is none; codes that a record names and the
            earlier snapshot does not know are in it too.
        before: active codes of the earlier snapshot.
        after: active codes of the later one.
        sources: how many earlier concepts lead to a later code.
        renamed: new code by old one.
    """

    old: Registry
    new: Registry
    steps: Mapping[str, Migration | None]
    before: frozenset[str]
    after: frozenset[str]
    sources: Mapping[str, int]
    renamed: Mapping[str, str]

    @classmethod
    def of(cls, old: Registry, new: Registry, records: Sequence[Migration]) -> Pair:
        """Put records beside the snapshots; of two records of one code the first counts."""
        before = active(old)
        steps: dict[str, Migration | None] = {}
        for record in records:
            steps.setdefault(record.from_code, record)
        for code in sorted(before):
            steps.setdefault(code, None)
        targets = [(step.to_codes if step else (code,)) for code, step in steps.items()]
        return cls(
            old=old,
            new=new,
            steps=steps,
            before=before,
            after=active(new),
            sources=Counter(code for codes in targets for code in set(codes)),
            renamed={
                code: step.to_codes[0]
                for code, step in steps.items()
                if step is not None and step.change == "renamed" and step.to_codes
            },
        )


def active(registry: Registry) -> frozenset[str]:
    """Return the codes of the active concepts."""
    return frozenset(code for code, concept in registry.concepts.items() if concept.status == "active")


def implied(version: str, code: str) -> Migration:
    """Return the step of a concept that has no record."""
    return Migration(from_version=version, from_code=code, to_codes=(code,), change="unchanged")


def meaning_changes(before: Concept, after: Concept, renamed: Mapping[str, str]) -> tuple[str, ...]:
    """Return which parts of a concept's meaning differ: definitions, semantic_type, parents.

    A definition in a further language is no difference, and neither is a parent that was only renamed.
    """
    same = {
        "definitions": before.definitions.items() <= after.definitions.items(),
        "semantic_type": before.semantic_type == after.semantic_type,
        "parents": {renamed.get(code, code) for code in before.parents} == set(after.parents),
    }
    return tuple(name for name, holds in same.items() if not holds)


def step_problems(pair: Pair, code: str) -> Iterator[Found]:
    """Yield what is wrong with the step of one earlier code."""
    step = pair.steps[code]
    if code not in pair.old.concepts:
        yield "migration_source", code, f"is no concept of version {pair.old.version}"
    elif step is None:
        yield from _without_record(pair, code)
    elif code not in pair.before:
        yield "migration_source", code, f"is retired in version {pair.old.version} already"
    else:
        yield from _targets(pair, step)
        yield from _RULES[step.change](pair, step)


def _without_record(pair: Pair, code: str) -> Iterator[Found]:
    if code not in pair.after:
        yield "migration_missing", code, "is gone or retired, and no record says what became of it"
        return
    changed = _changed(pair, code, code)
    if changed:
        yield "migration_missing", code, f"has other {changed}, and no record says what that means"
    elif pair.sources[code] > 1:
        yield "migration_missing", code, "takes in another concept; record it as merged or boundary_changed"


def _targets(pair: Pair, step: Migration) -> Iterator[Found]:
    for target in dict.fromkeys(step.to_codes):
        if target not in pair.after:
            yield (
                "migration_target",
                step.from_code,
                f"leads to {target!r:.80}, no active concept of the later version",
            )
    if len(set(step.to_codes)) != len(step.to_codes):
        yield "migration_target", step.from_code, "names a target twice"


def _unchanged(pair: Pair, step: Migration) -> Iterator[Found]:
    code = step.from_code
    if step.to_codes != (code,):
        yield "migration_shape", code, "is unchanged, so it leads to itself alone"
    else:
        yield from _carried(pair, step)


def _renamed(pair: Pair, step: Migration) -> Iterator[Found]:
    code = step.from_code
    if len(step.to_codes) != 1 or step.to_codes == (code,):
        yield "migration_shape", code, "is renamed, so it leads to one other code"
        return
    if step.to_codes[0] in pair.old.concepts:
        yield (
            "migration_reused",
            code,
            f"takes the code {step.to_codes[0]}, which had a meaning of its own before",
        )
    yield from _carried(pair, step)
    yield from _vacated(pair, step)


def _split(pair: Pair, step: Migration) -> Iterator[Found]:
    if len(set(step.to_codes)) < 2:  # noqa: PLR2004 - a split has two parts
        yield "migration_shape", step.from_code, "is split, so it leads to two codes or more"
    yield from _vacated(pair, step)


def _merged(pair: Pair, step: Migration) -> Iterator[Found]:
    code = step.from_code
    if len(step.to_codes) != 1:
        yield "migration_shape", code, "is merged, so it leads to one code"
    elif pair.sources[step.to_codes[0]] < 2:  # noqa: PLR2004 - a merger has two sources
        yield "migration_shape", code, f"is merged, but nothing else leads to {step.to_codes[0]}"
    yield from _vacated(pair, step)


def _retired(pair: Pair, step: Migration) -> Iterator[Found]:
    if step.to_codes:
        yield "migration_shape", step.from_code, "is retired, so it leads to no code"
    if not step.reason.strip():
        yield "migration_reason", step.from_code, "is retired without a reason"
    yield from _vacated(pair, step)


def _boundary_changed(_: Pair, step: Migration) -> Iterator[Found]:
    if step.to_codes != (step.from_code,):
        yield "migration_shape", step.from_code, "has another boundary, so it leads to itself alone"
    if not step.reason.strip():
        yield "migration_reason", step.from_code, "has another boundary, and no reason says which"


_RULES = {
    "unchanged": _unchanged,
    "renamed": _renamed,
    "split": _split,
    "merged": _merged,
    "retired": _retired,
    "boundary_changed": _boundary_changed,
}


def _carried(pair: Pair, step: Migration) -> Iterator[Found]:
    """The meaning is said to be the same: the texts must be too, or a reason must say why it is."""
    code, target = step.from_code, step.to_codes[0]
    if target not in pair.after:
        return
    if pair.sources[target] > 1:
        yield "migration_shape", code, f"is {step.change}, but another concept leads to {target} too"
    changed = _changed(pair, code, target)
    if changed and step.reason.strip():
        yield (
            "migration_edited",
            code,
            f"is {step.change} with other {changed}, for the reason given",
            "warning",
        )
    elif changed:
        yield "migration_edited", code, f"is {step.change}, but its {changed} differ; give the reason"


def _vacated(pair: Pair, step: Migration) -> Iterator[Found]:
    """A code that its meaning has left is never given to another."""
    code = step.from_code
    if code in pair.after and code not in step.to_codes:
        yield "migration_reused", code, f"is {step.change}, but the code is active in the later version"


def _changed(pair: Pair, code: str, target: str) -> str:
    return " and ".join(meaning_changes(pair.old.concepts[code], pair.new.concepts[target], pair.renamed))
