"""What the typed difference checks catch and miss on the bundled suite, by failure mechanism.

    python typed_differences.py PAGE.md

Writes the page with every figure. Each case with forbidden neighbours is checked against the expressions of each such
neighbour, as the semantic lane checks a candidate: what is found there is caught. Each case with one right code is
checked against the expressions of that code: what is found there is a false alarm.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from denotary.instruments.identity.cases import IdentityCase
from denotary.registry import load_registry
from denotary.resolver.semantic.checks import REASONS, UNCHECKED, Checks, expressions
from denotary.suites import load_suite
from denotary.text import Rejection, normalise, primary_subtag
from denotary.text.differences import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

TEMPLATE = Path(__file__).parent / "typed_differences.md"


@dataclass(frozen=True, slots=True)
class Pair:
    """A case against a concept: whether it is the right one, the case's mechanisms, and the kinds found.

    Any can be found only where the text's language has word lists, and the concept an expression in it: ``checked``.
    """

    right: bool
    mechanisms: tuple[str, ...]
    kinds: frozenset[str]
    checked: bool


def pairs() -> list[Pair]:
    """Return the pairs of the suite's valid texts with their forbidden neighbours and their right codes."""
    registry = load_registry("bundled:bootstrap")
    known: dict[str, dict[str, list[str]]] = {}
    for item in registry.authorised:
        if len(item.codes) == 1:
            spoken = known.setdefault(item.codes[0], {})
            spoken.setdefault(primary_subtag(item.language), []).append(item.text)
    checks = Checks(
        {
            code: {language: expressions(texts, language) for language, texts in spoken.items()}
            for code, spoken in known.items()
        }
    )
    found = []
    for case in load_suite("bundled:first-thousand").cases:
        if not isinstance(case, IdentityCase) or case.input.text is None:
            continue
        normal = normalise(case.input.text)
        if isinstance(normal, Rejection):
            continue
        gold, mechanisms = case.gold, tuple(case.construction.mechanisms or ("none named",))
        right = gold.acceptable_concept_codes if gold.disposition == "SINGLE" else ()
        for codes, is_right in ((gold.forbidden_neighbor_codes, False), (right, True)):
            for code in codes or ():
                language = primary_subtag(case.input.language or "und")
                kinds = frozenset(d.kind for d in checks.against(normal.text, code, language))
                checked = checks.refusal(normal.text, code, language) != UNCHECKED
                found.append(Pair(is_right, mechanisms, kinds, checked))
    return found


def row(name: str, chosen: Iterable[Pair]) -> str:
    """Return a row of a table: pairs that must be refused, caught, pairs that must not, false alarms."""
    counts = Counter((pair.right, bool(pair.kinds)) for pair in chosen)
    wrong, right = (counts[side, True] + counts[side, False] for side in (False, True))
    caught, alarms = counts[False, True], counts[True, True]
    return f"| {name} | {wrong} | {caught} | {wrong - caught} | {right} | {alarms} |"


def page(found: list[Pair]) -> str:
    """Return the page."""
    named = sorted({mechanism for pair in found for mechanism in pair.mechanisms})
    names = [f"F{number:02}" for number in range(1, 20)] + [
        name for name in named if not name.startswith("F")
    ]
    rows = [row(name, [pair for pair in found if name in pair.mechanisms]) for name in names]
    by_kind = [
        f"| {kind} | `{REASONS[kind]}` | {sum(kind in p.kinds for p in found if not p.right)} "
        f"| {sum(kind in p.kinds for p in found if p.right)} |"
        for kind in KINDS
    ]
    return TEMPLATE.read_text(encoding="utf-8").format(
        caught=sum(bool(p.kinds) for p in found if not p.right),
        wrong=sum(not p.right for p in found),
        alarms=sum(bool(p.kinds) for p in found if p.right),
        right=sum(p.right for p in found),
        unchecked_wrong=sum(not p.checked for p in found if not p.right),
        unchecked_right=sum(not p.checked for p in found if p.right),
        mechanisms="\n".join([*rows, row("all", found)]),
        kinds="\n".join(by_kind),
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(pairs()), encoding="utf-8")
