"""Whether suites of different roles share a family of cases: by the grouping keys, and by their texts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from denotary.errors import InputError
from denotary.suites.components import Forest
from denotary.suites.keys import ALWAYS, KEYS, WAIVABLE, shown, value_of
from denotary.suites.ledger import frozen_as
from denotary.suites.loading import safe_name
from denotary.suites.split_embeddings import COSINE, embedding_groups
from denotary.suites.split_records import Crossing, Encoding, Side, SplitCheck, SplitKey, SplitSuite
from denotary.suites.split_texts import GRAM, SIMILARITY, text_groups
from denotary.suites.turns import turns_before

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from denotary.encoders.base import Encoder
    from denotary.suites.keys import Key
    from denotary.suites.records import Case
    from denotary.suites.split_records import By, KeyState, Support
    from denotary.suites.split_texts import TextGroup
    from denotary.suites.suite import Suite


SHORT: Final = 40
"""Characters of a later turn under which its own text, such as a yes, is said in many dialogues and repeats none."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The cases of several suites in one row.

    Attributes:
        suites: the suites.
        cases: their cases, one suite after the other.
        owner: the suite of each case.
        role: the role of each case, as a number.
    """

    suites: Sequence[Suite]
    cases: Sequence[Case]
    owner: Sequence[int]
    role: Sequence[int]

    @classmethod
    def of(cls, suites: Sequence[Suite]) -> Pool:
        """Put the cases of suites in one row."""
        roles = {name: n for n, name in enumerate(sorted({suite.manifest.role for suite in suites}))}
        owner = [n for n, suite in enumerate(suites) for _ in suite.cases]
        role = [roles[suites[n].manifest.role] for n in owner]
        return cls(suites, [case for suite in suites for case in suite.cases], owner, role)

    def sides(self, members: Iterable[int]) -> tuple[Side, ...]:
        """Return the records of some cases by suite."""
        found: dict[int, list[str]] = {}
        for index in members:
            found.setdefault(self.owner[index], []).append(self.cases[index].record_id)
        return tuple(Side(suite=n, records=tuple(sorted(found[n]))) for n in sorted(found))

    def crosses(self, members: Iterable[int]) -> bool:
        """Whether some cases belong to suites of different roles."""
        return len({self.role[index] for index in members}) > 1


def split_check(
    suites: Sequence[Suite],
    *,
    waive: Sequence[Key] = (),
    similarity: float = SIMILARITY,
    encoder: Encoder | None = None,
    cosine: float = COSINE,
) -> SplitCheck:
    """Return every family of cases that crosses between suites of different roles, with what shows it.

    Args:
        suites: two suites or more, of two roles or more.
        waive: keys whose crossings are listed and not counted; then the suites support a qualification at most.
        similarity: least Jaccard index of character n-grams, in (0, 1], that makes two texts near-duplicates.
        encoder: compares the texts as vectors too, within a language and across; by default they are not.
        cosine: least cosine, in (0, 1], of texts that are near as vectors.

    Raises:
        InputError: fewer than two roles, a key that may not be waived, or a similarity or cosine outside (0, 1].
    """
    _refuse(suites, waive, similarity)
    pool = Pool.of(suites)
    keys = key_states(pool, waive)
    linked = linked_cases(pool, [item.key for item in keys if item.state != "not separable"])
    shown_all = [item for suite in suites for item in shown_texts(suite)]
    texts = text_groups(shown_all, pool.role, similarity)
    if encoder is not None:
        languages = [case.language_slice for case in pool.cases]
        texts += embedding_groups(shown_all, languages, pool.role, encoder, cosine)
    crossings = sorted((*_of_keys(pool, linked, waive), *_of_texts(pool, texts)), key=_order)
    waived = [item.key for item in keys if item.state == "waived"]
    roots = components(pool, linked, texts, waived)
    spans = _spanning(pool, roots)
    return SplitCheck(
        suites=tuple(map(_described, suites)),
        keys=keys,
        crossings=tuple(crossings),
        components=len(set(roots)),
        crossing_components=len(spans),
        crossing_cases=sum(root in spans for root in roots),
        gram=GRAM,
        similarity=similarity,
        supports=_supports(keys, crossings),
        encoding=None
        if encoder is None
        else Encoding(encoder=encoder.identity.name, identity=encoder.identity.hash, cosine=cosine),
    )


def key_states(pool: Pool, waive: Sequence[Key]) -> tuple[SplitKey, ...]:
    """Return how far each grouping key separates the cases of a pool."""
    return tuple(_key_state(pool, key, is_waived=key in waive) for key in KEYS)


def linked_cases(pool: Pool, keys: Iterable[Key]) -> dict[By, dict[str, list[int]]]:
    """Return the cases by each value of each key, by the parent and by the earlier turn that they share or are."""
    found: dict[By, dict[str, list[int]]] = {}
    for key in keys:
        groups: dict[str, list[int]] = {}
        for index, case in enumerate(pool.cases):
            value = value_of(case, key)
            if value is not None:
                groups.setdefault(value, []).append(index)
        found[key] = groups
    found["parent_record_id"] = _families(pool)
    found["depends_on"] = _dialogues(pool)
    return found


def shown_texts(suite: Suite) -> list[tuple[str, ...]]:
    """Return the texts of each case that are looked for in others.

    Of a later turn of a dialogue these are all that was asked up to it, as one text, and its own unless it is short.
    """
    return [case.texts if not case.depends_on else _dialogue(case, suite) for case in suite.cases]


def _dialogue(case: Case, suite: Suite) -> tuple[str, ...]:
    before = [text for name in turns_before(case, suite.by_id) for text in suite.by_id[name].texts]
    return ("\n".join((*before, *case.texts)), *(text for text in case.texts if len(text) >= SHORT))


def components(
    pool: Pool,
    linked: dict[By, dict[str, list[int]]],
    texts: Iterable[TextGroup],
    waived: Iterable[Key],
) -> list[int]:
    """Return the root of the component of each case over keys that are not waived, and over texts."""
    forest = Forest(len(pool.cases))
    left_out = set(waived)
    groups = [members for by, values in linked.items() if by not in left_out for members in values.values()]
    for members in (*groups, *(group.members for group in texts)):
        for index in members[1:]:
            forest.join(members[0], index)
    return forest.roots()


def _refuse(suites: Sequence[Suite], waive: Sequence[Key], similarity: float) -> None:
    if len({suite.manifest.role for suite in suites}) < 2:  # noqa: PLR2004 - a split has two sides
        raise InputError(
            "a split has suites of two roles or more, such as calibration and sealed-certification",
            hint="give the folders of all suites that must not share a family of cases",
        )
    wrong = next((key for key in waive if key not in WAIVABLE), None)
    if wrong is not None:
        raise InputError(f"{wrong!r:.40} may not be waived", hint=f"only {' and '.join(WAIVABLE)} may")
    if not 0 < similarity <= 1:
        raise InputError(f"the similarity must lie in (0, 1], found {similarity:g}")


def _key_state(pool: Pool, key: Key, *, is_waived: bool) -> SplitKey:
    values: Counter[str] = Counter()
    blank = not_applicable = 0
    for index, case in enumerate(pool.cases):
        value = value_of(case, key)
        if value is not None:
            values[value] += 1
        elif _may_be_blank(pool, index, key):
            not_applicable += 1
        else:
            blank += 1
    recorded = values.total()
    state: KeyState
    if is_waived:
        state = "waived"
    elif blank:
        state = "recorded in part" if recorded else "not controlled"
    elif not recorded:
        state = "does not apply"
    else:
        state = "not separable" if len(values) == 1 and recorded == len(pool.cases) else "controlled"
    return SplitKey(
        key=key,
        state=state,
        recorded=recorded,
        blank=blank,
        not_applicable=not_applicable,
        values=len(values),
    )


def _may_be_blank(pool: Pool, index: int, key: Key) -> bool:
    """Whether a case's suite says what the blank means, and nothing else that the case says is against it."""
    declared = pool.suites[pool.owner[index]].manifest.blank_keys
    return key not in ALWAYS and bool(declared.get(key, "").strip()) and key not in pool.cases[index].keys_due


def _families(pool: Pool) -> dict[str, list[int]]:
    """Return parents with their children, by the parent's id; a parent in the child's own suite goes first."""
    at = {(pool.owner[n], case.record_id): n for n, case in enumerate(pool.cases)}
    by_id: dict[str, list[int]] = {}
    for index, case in enumerate(pool.cases):
        by_id.setdefault(case.record_id, []).append(index)
    found: dict[str, list[int]] = {}
    for index, case in enumerate(pool.cases):
        parent = case.parent_record_id
        if parent is None:
            continue
        own = at.get((pool.owner[index], parent))
        name = parent if own is None else f"{pool.owner[index]}:{parent}"
        group = found.setdefault(name, [own] if own is not None else list(by_id.get(parent, ())))
        group.append(index)
    return {name: sorted(set(group)) for name, group in found.items()}


def _dialogues(pool: Pool) -> dict[str, list[int]]:
    """Return turns with those that need them, by the id of the earlier turn; a dialogue lies in one suite."""
    at = {(pool.owner[n], case.record_id): n for n, case in enumerate(pool.cases)}
    found: dict[str, list[int]] = {}
    for index, case in enumerate(pool.cases):
        for earlier in case.depends_on:
            first = at.get((pool.owner[index], earlier))
            if first is not None:
                found.setdefault(f"{pool.owner[index]}:{earlier}", [first]).append(index)
    return found


def _of_keys(pool: Pool, linked: dict[By, dict[str, list[int]]], waive: Sequence[Key]) -> Iterator[Crossing]:
    for by, values in linked.items():
        for value, members in values.items():
            if pool.crosses(members):
                yield Crossing(by=by, sides=pool.sides(members), value=shown(value), waived=by in waive)


def _of_texts(pool: Pool, texts: Iterable[TextGroup]) -> Iterator[Crossing]:
    for group in texts:
        if pool.crosses(group.members):
            yield Crossing(by=group.by, sides=pool.sides(group.members), similarity=group.similarity)


def _order(crossing: Crossing) -> tuple[str, str, tuple[tuple[int, tuple[str, ...]], ...]]:
    return crossing.by, crossing.value, tuple((side.suite, side.records) for side in crossing.sides)


def _spanning(pool: Pool, roots: Sequence[int]) -> set[int]:
    roles: dict[int, set[int]] = {}
    for root, role in zip(roots, pool.role, strict=True):
        roles.setdefault(root, set()).add(role)
    return {root for root, found in roles.items() if len(found) > 1}


def _supports(keys: Iterable[SplitKey], crossings: Iterable[Crossing]) -> Support:
    if not all(crossing.waived for crossing in crossings):
        return "nothing"
    open_keys = [item for item in keys if item.state not in {"controlled", "does not apply"}]
    if any(item.key not in WAIVABLE or item.state == "not separable" for item in open_keys):
        return "diagnostic"
    return "qualification" if open_keys else "certification"


def _described(suite: Suite) -> SplitSuite:
    return SplitSuite(
        name=safe_name(suite.name),
        version=suite.version,
        role=suite.manifest.role,
        cases=len(suite.cases),
        hash=suite.lock.hash if suite.lock else None,
        registry=suite.lock.registry_hash if suite.lock else None,
        formerly=tuple(
            name for name in frozen_as(suite.ledger) if suite.lock is None or name != suite.lock.hash
        ),
    )
