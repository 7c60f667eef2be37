"""Signs that two texts agree or differ, named after the kind of meaning that they concern; numbers, no words.

A name is ``kind.sign``, such as ``modality.weaker``. All signs are of classes of words: none
knows a word of any corpus.
"""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from denotary.text.differences import differences
from denotary.text.differences.exchange import compare_roles
from denotary.text.differences.lists import stem, word_list
from denotary.text.lexicon import RELATIONS, relation
from denotary.text.profiles import profile

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from denotary.text.differences.exchange import Order
    from denotary.text.profiles import Profile

    Signs = dict[str, float]

NEAR: Final = 0.4
"""Jaccard index of the content stems from which two texts count as worded alike."""
_TYPED: Final = (
    "negation", "antonym", "modality", "quantity", "scope", "temporal_order", "exception", "condition",
)  # fmt: skip
_NEARLY: Final = ("same", "synonym", "similar", "above")
_MOST: Final = 3
"""Words of one relation beyond which more say nothing new."""


def worded_alike(first: str, second: str) -> bool:
    """Whether two texts share enough of their content words to be compared word by word."""
    one, two = profile(first).stems, profile(second).stems
    return len(one & two) >= NEAR * len(one | two)


def signs(first: str, second: str) -> Signs:
    """Return the signs of a pair that are not 0."""
    one, two = profile(first), profile(second)
    found = {f"{d.kind}.typed": 1.0 for d in differences(first, second) if d.kind in _TYPED}
    found |= _modality(one, two) | _scope(one, two) | _leaving(one, two) | _negation(one, two)
    found[f"role_order.{order(first, second)}"] = 1.0
    found |= _sets("quantity.size", one.size, two.size) | _amounts(one, two) | _words(one, two)
    if worded_alike(first, second):
        found |= _edits(one, two)
    return {name: value for name, value in found.items() if value}


@lru_cache(maxsize=4096)
def order(first: str, second: str) -> Order:
    """Return whether the words that both texts share exchanged their roles; synonyms are of the lexicon."""
    return compare_roles(first, second, lambda one, two: relation(one, two) in _NEARLY).order


def _sets(name: str, one: AbstractSet[object], two: AbstractSet[object]) -> Signs:
    return {
        f"{name}_equal": float(bool(one) and one == two),
        f"{name}_other": float(bool(one) and bool(two) and not one & two),
        f"{name}_partly": float(bool(one & two) and one != two),
        f"{name}_lost": float(bool(one) and not two),
        f"{name}_new": float(bool(two) and not one),
    }


def _modality(one: Profile, two: Profile) -> Signs:
    found = _sets("modality.strength", set(one.strength), set(two.strength))
    high, other = max(one.strength, default=0), max(two.strength, default=0)
    if high and other:
        found |= {
            "modality.gap": float(abs(high - other)),
            "modality.weaker": float(other == 1 < high),
            "modality.stronger": float(high == 1 < other),
        }
    elif high or other:
        found[f"modality.only_first_{high}" if high else f"modality.only_second_{other}"] = 1.0
    return found


def _scope(one: Profile, two: Profile) -> Signs:
    found = _sets("scope.of", one.scope, two.scope)
    for label in one.scope | two.scope:
        where = "both" if label in one.scope & two.scope else "lost" if label in one.scope else "new"
        found[f"scope.{label}_{where}"] = 1.0
    return found


def _leaving(one: Profile, two: Profile) -> Signs:
    found = {f"exception.{a}_{b}": 1.0 for a in one.leaving for b in two.leaving}
    for label in two.leaving if not one.leaving else ():
        found[f"exception.new_{label}"] = 1.0
    found["exception.lost"] = float(bool(one.leaving) and not two.leaving)
    found["deletion.either_new"] = float(two.either and not one.either)
    found["deletion.either_both"] = float(two.either and one.either)
    found["deletion.alternatives_new"] = float(two.alternatives and not one.alternatives)
    found["deletion.or_new"] = float("or" in two.tokens and "or" not in one.tokens)
    return found


def _negation(one: Profile, two: Profile) -> Signs:
    a, b = one.negatives, two.negatives
    return {
        "negation.parity": float(a % 2 != b % 2),
        "negation.parity_of_all": float((a + one.prefixed) % 2 != (b + two.prefixed) % 2),
        "negation.prefixed_new": float(two.prefixed > one.prefixed),
        "negation.one_sided": float((a == 0) != (b == 0)),
        "negation.first": float(a > 0),
        "negation.second": float(b > 0),
        "negation.both": float(a > 0 and b > 0),
        "negation.emphatic": float(two.emphatic and not one.emphatic),
    }


def _amounts(one: Profile, two: Profile) -> Signs:
    left, right = one.amounts, two.amounts
    met = any(a.equals(b) for a in left for b in right)
    every = met and all(any(a.equals(b) for b in right) for a in left)
    return {
        "quantity.equal": float(met),
        "quantity.all_equal": float(every),
        "quantity.other": float(bool(left) and bool(right) and not met),
        "quantity.lost": float(bool(left) and not right),
    }


def _words(one: Profile, two: Profile) -> Signs:
    """Return how the words that only the second text has relate to those that only the first has."""
    left = [word for word in one.content if stem(word) not in two.stems]
    right = [word for word in two.content if stem(word) not in one.stems]
    best: Counter[str] = Counter()
    opposed = False
    for word in right:
        relations = {relation(other, word) for other in left}
        opposed |= "opposite" in relations
        best[next((kind for kind in RELATIONS if kind in relations), "unknown")] += 1
    found = {f"antonym.{kind}": float(min(number, _MOST)) for kind, number in best.items()}
    found |= {f"antonym.{kind}_any": 1.0 for kind in best}
    return found | {"antonym.opposed": float(opposed)}


def _edits(one: Profile, two: Profile) -> Signs:
    """Return what was replaced, left out, put in and moved, of texts that are worded alike."""
    function = word_list("words", "function")
    found: Signs = {}
    removed: list[str] = []
    added: list[str] = []
    for kind, a, b, c, d in SequenceMatcher(None, one.tokens, two.tokens, autojunk=False).get_opcodes():
        if kind == "replace" and b - a == d - c == 1:
            found[f"edit.{relation(one.tokens[a], two.tokens[c])}"] = 1.0
        if kind == "delete":
            removed += one.tokens[a:b]
        if kind == "insert":
            added += two.tokens[c:d]
    moved = Counter(removed) & Counter(added)
    lost = [w for w in removed if w not in function and w not in moved and w[0].isalnum()]
    put = [w for w in added if w not in function and w not in moved and w[0].isalnum()]
    fresh = bool(two.stems - one.stems)
    found["deletion.bare"] = float(bool(lost) and not fresh and not put)
    found["deletion.inserted"] = float(bool(put))
    found["edit.function_only"] = float(one.stems == two.stems)
    return found
