"""Whether a set of quotas can be met by one suite at all."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from denotary.instruments.identity.families import ANY, FAMILIES
from denotary.instruments.identity.quotas import PARAPHRASES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.instruments.identity.cases import Disposition

FREE = "any family"
"""Places that ``total`` leaves over after the quotas by family."""
EVERY: frozenset[Disposition] = ANY | {"EXACT_MISS"}
REFUSAL: frozenset[Disposition] = EVERY - {"SINGLE"}
PARTS_OF_ABSTENTION = (
    "gold:AMBIGUOUS",
    "gold:UNKNOWN_REGISTRY",
    "gold:UNDERSPECIFIED",
    "gold:MIXED",
    "gold:INVALID_INPUT",
    "gold:EXACT_MISS",
)


@dataclass(frozen=True, slots=True)
class Places:
    """So many cases of one family, whose gold may be any of a set."""

    family: str
    gold: frozenset[Disposition]
    number: int


@dataclass(frozen=True, slots=True)
class Demand:
    """So many cases whose gold is one of a set, in any family but some."""

    name: str
    number: int
    gold: frozenset[Disposition] = EVERY
    never_in: frozenset[str] = frozenset()

    def fits(self, places: Places) -> bool:
        """Whether cases of these places can serve the demand."""
        return places.family not in self.never_in and not places.gold.isdisjoint(self.gold)


def infeasible(quotas: Mapping[str, int], *, concepts: int) -> list[str]:
    """Return one sentence for every reason why no suite can meet the quotas together; none if one can.

    The quotas by family fix how many places there are and of which sort; what ``total`` leaves over may be of
    any family. A case has one gold, one script, one length, one author and one overlap stratum, so demands
    that exclude each other compete for places. They can be met if and only if every set of them finds as many
    places as it asks for (Hall's theorem, for a transportation problem). Without a ``total`` there is always
    room.

    Args:
        quotas: minimum by key (see ``quotas.quota_counts``).
        concepts: number of active concepts of the registry.
    """
    if "total" not in quotas:
        return []
    by_family = sum(quotas.get(f"family:{name}", 0) for name in FAMILIES)
    if by_family > quotas["total"]:
        return [f"the families together demand {by_family} cases, but total is {quotas['total']}"]
    places = [place for place in _places(quotas, quotas["total"] - by_family) if place.number]
    return [reason for demands in _axes(quotas, concepts) for reason in _unmet(demands, places)]


def _places(quotas: Mapping[str, int], free: int) -> Iterator[Places]:
    yield Places(FREE, EVERY, free)
    for name, family in FAMILIES.items():
        size = quotas.get(f"family:{name}", 0)
        if name == "ambiguity":
            yield Places(name, frozenset(("AMBIGUOUS",)), size // 3)
            yield Places(name, frozenset(("SINGLE",)), size - size // 3)
        elif name == "minimal_contrast":
            yield Places(name, ANY, size // 3)
            yield Places(name, family.allowed, size - size // 3)
        else:
            yield Places(name, ANY if family.flips else family.allowed, size)


def _axes(quotas: Mapping[str, int], concepts: int) -> Iterator[list[Demand]]:
    """Yield groups of demands of which a case serves only one; different groups do not hinder each other."""

    def demand(
        key: str, gold: frozenset[Disposition] = EVERY, never_in: frozenset[str] = frozenset()
    ) -> Demand:
        return Demand(key, quotas.get(key, 0), gold, never_in)

    yield list(_gold(quotas, concepts))
    yield [demand("script:non-Latn"), demand("tag:romanised")]
    yield [demand("tokens:one_or_two", never_in=frozenset(("long_context",))), demand("tag:long_context")]
    yield [demand("author:adversarial", never_in=frozenset(("held_out_paraphrase", "reviewed_exact")))]
    others = frozenset(FAMILIES) - frozenset(PARAPHRASES)
    yield [demand("overlap:high"), demand("paraphrase:low_overlap", frozenset(("SINGLE",)), others)]
    for key in quotas:
        if key in ("total", "author:after_freeze") or key.startswith(
            ("tag:", "language:", "script:", "domain:")
        ):
            yield [demand(key)]


def _gold(quotas: Mapping[str, int], concepts: int) -> Iterator[Demand]:
    positives = concepts * quotas.get("concept:positives", 0)
    name = "gold:SINGLE" if quotas.get("gold:SINGLE", 0) > positives else "concept:positives"
    yield Demand(name, max(quotas.get("gold:SINGLE", 0), positives), frozenset(("SINGLE",)))
    parts = [Demand(key, quotas.get(key, 0), _named(key)) for key in PARTS_OF_ABSTENTION]
    yield from parts
    rest = quotas.get("gold:abstention", 0) - sum(part.number for part in parts)
    yield Demand("gold:abstention", max(0, rest), REFUSAL)


def _named(key: str) -> frozenset[Disposition]:
    return frozenset(name for name in EVERY if key == f"gold:{name}")


def _unmet(demands: Sequence[Demand], places: Sequence[Places]) -> list[str]:
    """Return a sentence for each of the smallest sets of demands that ask for more places than fit them."""
    real = [demand for demand in demands if demand.number > 0]
    for size in range(1, len(real) + 1):
        found = [sentence for group in combinations(real, size) if (sentence := _shortage(group, places))]
        if found:
            return found
    return []


def _shortage(group: Sequence[Demand], places: Sequence[Places]) -> str | None:
    asked = sum(demand.number for demand in group)
    room = sum(place.number for place in places if any(demand.fits(place) for demand in group))
    if asked <= room:
        return None
    names = " and ".join(demand.name for demand in group)
    return f"{names} demand {asked} cases, but the other quotas leave room for {room}"
