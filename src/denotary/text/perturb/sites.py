"""Places where a text may be changed, and the choice among them by severity."""

from __future__ import annotations

from math import ceil
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from denotary.text.perturb.records import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from denotary.records import Relation, Severity
    from denotary.text.perturb.source import Source

SAME: Final[Relation] = "SAME_MEANING"
AMBIGUOUS: Final[Relation] = "POTENTIALLY_AMBIGUOUS"
DIFFERENT: Final[Relation] = "DIFFERENT_MEANING"
_ORDER: Final[tuple[Relation, ...]] = (SAME, AMBIGUOUS, DIFFERENT)


class Change(NamedTuple):
    """What may stand at a place instead, and what the text then means."""

    after: str
    relation: Relation = SAME


class Site(NamedTuple):
    """A place that can be changed.

    Attributes:
        start: its offset in the parent; a cluster boundary.
        before: what stands there, whole clusters; empty for an insertion.
        changes: what may stand there instead.
    """

    start: int
    before: str
    changes: tuple[Change, ...]


class Dose(NamedTuple):
    """Share of the sites that are changed. ``low`` is one site, whatever their number.

    Attributes:
        medium: share for ``medium``.
        high: share for ``high``.
        rising: whether ``medium`` changes two sites at least and ``high`` three, if they exist.
    """

    medium: float
    high: float
    rising: bool = True

    def of(self, sites: int, severity: Severity) -> int:
        """Return how many of some sites to change."""
        share, least = {"low": (0.0, 1), "medium": (self.medium, 2), "high": (self.high, 3)}[severity]
        return min(sites, max(least if self.rising else 1, ceil(sites * share)))


class Made(NamedTuple):
    """What an operator did.

    Attributes:
        edits: in the order of the text, apart from each other.
        relation: what the text means now.
        details: what the operator drew and the edits do not say.
        objection: why there are no edits, where it is not the text that lacks something.
    """

    edits: tuple[Edit, ...]
    relation: Relation
    details: Mapping[str, Any] = MappingProxyType({})
    objection: str | None = None


def worst(relations: Iterable[Relation]) -> Relation:
    """Return the relation that promises least: DIFFERENT before AMBIGUOUS before SAME."""
    return max(relations, key=_ORDER.index, default=SAME)


def chosen(source: Source, sites: Iterable[Site], dose: Dose) -> Made:
    """Change some of the sites, drawn by the source's stream; none of them touches another.

    The draws do not depend on the severity: what ``low`` changes, ``medium`` changes in the same way, and more.
    """
    usable = [site for site in map(_with_changes, sites) if site.changes]
    wanted = dose.of(len(usable), source.severity)
    taken = _Taken()
    for site in source.draw.shuffled(usable):
        change = source.draw.one(site.changes)
        if taken.take(site, change) == wanted:
            break
    return taken.made()


class _Taken:
    """The edits chosen so far, and where they stand."""

    def __init__(self) -> None:
        self._edits: list[Edit] = []
        self._relations: list[Relation] = []
        self._replaced: set[int] = set()
        self._inserted: set[int] = set()

    def take(self, site: Site, change: Change) -> int:
        """Take an edit unless it meets another; return how many are taken."""
        edit = Edit(start=site.start, before=site.before, after=change.after)
        if not self._meets(edit):
            self._edits.append(edit)
            self._relations.append(change.relation)
            self._replaced.update(range(edit.start, edit.end))
            if not edit.before:
                self._inserted.add(edit.start)
        return len(self._edits)

    def _meets(self, edit: Edit) -> bool:
        if not edit.before:
            return edit.start in self._inserted or {edit.start - 1, edit.start} <= self._replaced
        held = range(edit.start, edit.end)
        return not (self._replaced.isdisjoint(held) and self._inserted.isdisjoint(held[1:]))

    def made(self) -> Made:
        """Return the edits in the order of the text."""
        return Made(tuple(sorted(self._edits, key=place)), worst(self._relations))


def place(edit: Edit) -> tuple[int, int]:
    """Return the key that puts edits in the order of the text: an insertion before what is replaced there."""
    return edit.start, edit.end


def replaced(text: str, edits: Sequence[Edit]) -> str:
    """Return a text with its edits made; they stand in order and apart."""
    parts, done = [], 0
    for edit in edits:
        parts += [text[done : edit.start], edit.after]
        done = edit.end
    return "".join([*parts, text[done:]])


def _with_changes(site: Site) -> Site:
    return site._replace(changes=tuple(change for change in site.changes if change.after != site.before))
