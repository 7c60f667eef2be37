"""Which cases of a suite must be judged anew when its registry moves to a later snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from denotary.errors import IntegrityError
from denotary.registry.neighbourhoods import Shift, shift
from denotary.suites.loading import MANIFEST
from denotary.text import coarse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.registry import MigrationMap, Registry
    from denotary.registry.records import Ambiguity, Expression
    from denotary.suites.records import Case
    from denotary.suites.suite import Suite


@dataclass(frozen=True, slots=True)
class Readjudication:
    """A case that must be judged anew, and why; its repr shows no text.

    Attributes:
        record: id of the case.
        reasons: each names the codes or records that moved it.
    """

    record: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SuiteMigration:
    """What moving a suite to a later snapshot asks for.

    Attributes:
        again: cases to be judged anew, in the order of the suite.
        renamed: cases whose gold only takes new names of codes, in the order of the suite.
        stale: pairs of right code and designated neighbour whose judgement is stale, with the number of cases.
        kept: how many cases keep their gold as it is.
    """

    again: tuple[Readjudication, ...]
    renamed: tuple[str, ...]
    stale: tuple[tuple[str, str, int], ...]
    kept: int


def readjudicate(suite: Suite, old: Registry, new: Registry, migration: MigrationMap) -> SuiteMigration:
    """Return which cases of a suite must be judged anew under a later snapshot, and which pairs are stale.

    A case is judged anew if its gold names a concept that changed or lies beside one that changed or was added, if
    it lies in such a neighbourhood, if concepts came in and its gold is open to them (a meaning that was not
    registered, or one of several), if it names no concept and no neighbourhood while concepts changed, or if an
    expression or ambiguity of its very text came, went or moved.

    Args:
        suite: a suite made for ``old``.
        old: the earlier snapshot.
        new: the later one.
        migration: the checked map between them.

    Raises:
        IntegrityError: the suite was made for another snapshot.
    """
    _refuse_other(suite, old)
    moved = shift(old, new, migration)
    texts = _moved_texts(old, new, migration)
    came, moved_any = bool(migration.added), bool(migration.changed_later)
    again, renamed = [], []
    pairs: dict[tuple[str, str], int] = {}
    for case in suite.cases:
        reasons = tuple(_reasons(case, moved, texts, came=came, moved_any=moved_any))
        if reasons:
            again.append(Readjudication(case.record_id, reasons))
        elif any(migration.successor(code) not in {None, code} for code in case.codes):
            renamed.append(case.record_id)
        for pair in _stale(case, migration):
            pairs[pair] = pairs.get(pair, 0) + 1
    return SuiteMigration(
        again=tuple(again),
        renamed=tuple(renamed),
        stale=tuple((*pair, pairs[pair]) for pair in sorted(pairs)),
        kept=len(suite.cases) - len(again) - len(renamed),
    )


def _refuse_other(suite: Suite, old: Registry) -> None:
    made, given = suite.registry, old
    same = made.hash == given.hash if made.is_frozen and given.is_frozen else made.concepts == given.concepts
    if not same:
        raise IntegrityError(
            f"the suite is made for registry {made.name} {made.version}, which is not the earlier snapshot given",
            path=suite.root / MANIFEST,
            hint="give the snapshot that the suite is made for as OLD",
        )


def _reasons(
    case: Case, moved: Shift, texts: dict[str, str], *, came: bool, moved_any: bool
) -> Iterator[str]:
    if not case.depends_on_registry:
        return
    near = case.construction.concept_neighbourhood
    for code in dict.fromkeys((*case.codes, *((near,) if near else ()))):
        by = moved.affected.get(code)
        if by is not None:
            yield f"{code} changed" if code in by else f"{code} lies beside {', '.join(by)}"
    if came and case.is_open:
        yield "a concept that came in may be meant"
    elif moved_any and not case.codes and not near:
        yield "names no concept and no neighbourhood, and concepts came in or changed"
    for text in case.texts:
        name = texts.get(coarse(text))
        if name:
            yield f"its text is that of {name}, which came, went or moved"


def _stale(case: Case, migration: MigrationMap) -> set[tuple[str, str]]:
    named = {note.code for note in case.construction.neighbours}
    return {
        (code, neighbour)
        for code in case.right_codes
        for neighbour in named
        if code in migration.changed or neighbour in migration.changed
    }


def _moved_texts(old: Registry, new: Registry, migration: MigrationMap) -> dict[str, str]:
    """Return the record by folded text of every expression and ambiguity that came, went, or changed its codes."""
    before = {_said(item, migration): item.id for item in _texts(old)}
    after = {_said(item, None): item.id for item in _texts(new)}
    return {coarse(key[1]): (after.get(key) or before[key]) for key in before.keys() ^ after.keys()}


def _texts(registry: Registry) -> Iterator[Expression | Ambiguity]:
    yield from registry.authorised
    yield from registry.ambiguities


def _said(
    item: Expression | Ambiguity, migration: MigrationMap | None
) -> tuple[str, str, frozenset[str | None], str]:
    codes = frozenset(migration.successor(code) if migration else code for code in item.codes)
    return item.language, item.text, codes, getattr(item, "kind", "")
