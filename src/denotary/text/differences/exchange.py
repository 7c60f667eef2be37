"""Whether words that two texts share exchanged their roles, or only moved.

A phrase may move as a whole without a change (*in June we moved*, *we moved in June*), and so may the parts of a list.
Two words exchanged their roles where each stands in the other's place: behind the other's preposition, or on the other
side of words between them. *X is seen by Y* is read as *Y sees X*, *X gives Y to Z* as *X gives Z Y*, *X before Y* as
*Y after X*, and an exchange round one word that was replaced by its opposite (*X buys from Y*, *Y sells to X*) as none.
What is explained by none of these is unclear: no sign of the same and none of the opposite.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from denotary.text.differences.lists import antonyms, stem, tables, word_list
from denotary.text.differences.roles import ANYWHERE, as_given, as_passive, read_roles, without

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.text.differences.roles import Roles, Word

Synonyms: TypeAlias = "Callable[[str, str], bool]"
Order: TypeAlias = Literal["same", "moved", "exchanged", "unclear"]
_MOST: Final = 40
"""Shared words beyond which an order is not looked into, so that time stays linear."""
_GIVEN: Final = {"to", "for"}


class Comparison(NamedTuple):
    """How shared words stand: the order, and the two that exchanged their roles, empty without any.

    ``same``: in the same order; ``moved``: in another, which is explained; ``unclear``: in another, which is not.
    """

    order: Order
    words: tuple[str, ...] = ()


def compare_roles(first: str, second: str, synonyms: Synonyms | None = None) -> Comparison:
    """Return how the content words that two English texts share changed their places; sides may be exchanged.

    Args:
        first: any English text.
        second: any English text.
        synonyms: whether two stems mean the same, so that an exchange round a word that was replaced is known as one.
    """
    one, two = _voiced(read_roles(first), read_roles(second))
    one, two = _given(one, two), _given(two, one)
    shared = [(name, word, two.once[name]) for name, word in one.once.items() if name in two.once]
    if len(shared) > _MOST:
        return Comparison("same" if one.every == two.every else "unclear")
    unclear: list[tuple[str, str]] = []
    explained: set[str] = set()
    moved = False
    for (x, a, c), (y, b, d) in combinations(shared, 2):
        order = _pair(one, two, (a, b), (c, d), synonyms)
        if order == "exchanged":
            return Comparison("moved") if _is_converse(one, two) else Comparison("exchanged", (x, y))
        moved |= order == "moved"
        if order == "moved" and ((a.role, b.role) != (c.role, d.role) or a.role == b.role):
            explained |= {x, y}
        if order == "unclear":
            unclear.append((x, y))
    if any(explained.isdisjoint(pair) for pair in unclear):
        return Comparison("unclear")
    return Comparison("moved" if moved or unclear else "same")


def _voiced(one: Roles, two: Roles) -> tuple[Roles, Roles]:
    """Return both texts; of an active and a passive the active one read as a passive, and both without their verb."""
    for active, passive in ((one, two), (two, one)):
        if active.passive < 0 <= passive.passive:
            verb = stem(passive.tokens[passive.passive])
            if verb in active.once and verb in passive.once:
                turned, other = without(as_passive(active, verb), verb), without(passive, verb)
                return (turned, other) if active is one else (other, turned)
    return one, two


def _given(bare: Roles, other: Roles) -> Roles:
    """Return *gave Ann a key* as *gave a key to Ann* where the other text has the key bare and somebody behind *to*."""
    roles = {word.role for word in other.once.values() if word.stem in bare.once} & _GIVEN
    if not roles or roles & {word.role for word in bare.every}:
        return bare
    starts = word_list("roles", "starts")
    for receiver, thing in zip(bare.every, bare.every[1:], strict=False):
        between = bare.tokens[receiver.at + 1 : thing.at]
        met = other.once.get(thing.stem)
        if (
            receiver.role == thing.role == ""
            and between
            and starts.issuperset(between)
            and met
            and not met.role
        ):
            return as_given(bare, receiver.stem, min(roles))
    return bare


def _pair(
    one: Roles, two: Roles, left: tuple[Word, Word], right: tuple[Word, Word], synonyms: Synonyms | None
) -> Order:
    """Return what became of two words."""
    (a, b), (c, d) = left, right
    turned = (a.at < b.at) != (c.at < d.at)
    if ANYWHERE in {a.role, b.role, c.role, d.role}:
        return "moved" if turned else "same"
    if (a.role, b.role) == (c.role, d.role):
        if turned and a.role == b.role:
            return _turned(one, two, left, right, synonyms)
        return "moved" if turned else "same"
    if (a.role, b.role) == (d.role, c.role):
        return "moved" if _is_symmetric(one, left) and _is_symmetric(two, right) else "exchanged"
    if (a.role == d.role == "" and _converses().get(b.role) == c.role) or (
        b.role == c.role == "" and _converses().get(a.role) == d.role
    ):
        return "moved"
    return "unclear" if turned else "same"


def _turned(
    one: Roles, two: Roles, left: tuple[Word, Word], right: tuple[Word, Word], synonyms: Synonyms | None
) -> Order:
    """Return what it means that two words of one role changed their order."""
    lists = word_list("words", "coordinators")
    sides = [_between(one, left), _between(two, right)]
    if not any(word_list("roles", "sequence").isdisjoint(side) for side in sides):
        return "exchanged"
    listed = [sum(token in lists for token in side) for side in sides]
    content = [_content(side) for side in sides]
    if all(listed):
        single = all(len(words) < count for words, count in zip(content, listed, strict=True))
        return "moved" if single else "unclear"
    if _is_symmetric(one, left) and _is_symmetric(two, right):
        return "moved"
    same = _meets(content[0], content[1], synonyms)
    if same and not any(listed):
        return "exchanged"
    apart = any(left[0].role in side for side in sides)
    return "same" if apart and left[0].role and not same else "unclear"


def _meets(one: set[str], two: set[str], synonyms: Synonyms | None) -> bool:
    """Whether two sets of stems share a word or hold synonyms."""
    if synonyms is None or one & two:
        return not one.isdisjoint(two)
    return any(synonyms(left, right) for left in one for right in two)


def _between(roles: Roles, pair: tuple[Word, Word]) -> tuple[str, ...]:
    return roles.tokens[min(word.at for word in pair) + 1 : max(word.at for word in pair)]


def _content(tokens: tuple[str, ...]) -> set[str]:
    lists = (("words", "function"), ("roles", "opens"), ("roles", "starts"), ("roles", "ends"))
    left_out = frozenset[str]().union(*(word_list(*name) for name in lists))
    return {stem(token) for token in tokens if token not in left_out and token[0].isalnum()}


def _is_symmetric(roles: Roles, pair: tuple[Word, Word]) -> bool:
    """Whether what stands between two words holds both ways."""
    tokens, known = _between(roles, pair), word_list("roles", "symmetric")
    stems = {stem(word) for word in known}
    content = _content(tokens)
    return content <= stems and bool(content or known & set(tokens))


def _is_converse(one: Roles, two: Roles) -> bool:
    """Whether just one word was replaced by its opposite."""
    left, right = one.once.keys() - two.once.keys(), two.once.keys() - one.once.keys()
    return sum(bool(antonyms().get(word, frozenset()) & right) for word in left) == 1


def _converses() -> dict[str, str]:
    known = dict(pair.split() for pair in tables()["roles"]["converse"])
    return known | {two: one for one, two in known.items()}
