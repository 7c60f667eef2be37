"""Perturbation operators, from what they declare of themselves."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, get_args

from denotary.records import Relation, Severity
from denotary.text.perturb import Effect, operators
from denotary.text.perturb.effects import PROFILES
from denotary.text.perturb.keyboards import layouts
from denotary.text.perturb.operator import FUNCTION
from denotary.text.perturb.records import Outcome
from reference_pages.markdown import attribute_docs, code, codes, table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.text.perturb import Operator

INTRO = """# Perturbation operators

An operator makes a variant of a text, or says why it does not apply. Never silently the text itself.
[Perturb a suite's texts](../how-to/perturb.md) shows the commands. The record is [variant](files.md#variant).

* **Relation**: what the operator says of the variant's meaning: {relations}. It is declared by operator and place, and
  it is a proposal: who reviews the variant decides.
* **Severity**: {severities}. `low` changes one place. A higher severity makes the edits of a lower one and more.
* **Effect**: what a normalisation profile ({profiles}) makes of the variant, asked of the profile itself. {effect}
  Outcomes: {outcomes}.
* **Edits** name what was replaced, in code points of the parent. They begin and end between grapheme clusters
  (UAX #29, Unicode 18.0.0), no other cluster is split, and `restore` takes them back.
* **Lineage**: operator, version, seed, severity, language, options and the parent's digest make the variant again, byte
  for byte, on any platform.

```python
from denotary.text.perturb import apply, restore

variant = apply("unicode.zero_width", "stable concept identity", "en", seed=7, severity="medium")
assert restore(variant) == "stable concept identity"
```

"""
OUTCOMES: dict[Outcome, str] = {
    "same_key": "the parent's exact key",
    "other_key": "another key",
    "refused": "refused, with the rule",
    "parent_refused": "the parent itself is refused",
}
FAMILIES = {
    "unicode": ("Unicode and punctuation", "Characters change, the words stay, mostly."),
    "spelling": (
        "Spelling",
        "Slips of the hand. Without a list of words nobody knows whether a slip made another word.",
    ),
    "morphology": (
        "Morphology: hooks",
        "Nothing here knows a language: a table or a function of yours says what a word becomes.",
    ),
    "script": ("Scripts: hooks", "Romanisations and respellings come from you, best from attested use."),
    "format": ("Formats", "The text keeps its words and gets another dress."),
    "prompt": ("Prompt-like text", "Data must never become authority because it names a code."),
    "long": ("Long contexts", "Evidence at five positions, among neighbours and decoys, taken back, quoted."),
}
TAKEN_BACK = "An inverse takes the text alone back, for every parent that it leaves as it is."
KEYBOARDS = """## Keyboard layouts

Neighbours are the keys around a key, with the stagger of the rows, and with the same use of the shift key. A language
takes the layouts that name it.

"""


def page() -> str:
    """Return the page."""
    intro = INTRO.format(
        relations=codes(get_args(Relation)),
        severities=codes(get_args(Severity)),
        profiles=codes(PROFILES),
        effect=attribute_docs(Effect)["folds"],
        outcomes="; ".join(f"{code(name)}, {about}" for name, about in OUTCOMES.items()),
    )
    if set(OUTCOMES) != set(get_args(Outcome)):
        raise RuntimeError("the page does not describe every outcome")
    families = groupby(operators(), key=lambda operator: operator.family)
    found: dict[str, list[Operator]] = {}
    for name, members in families:
        found.setdefault(name, []).extend(members)
    body = "".join(_family(name, found[name]) for name in FAMILIES)
    rows = [(code(name), layout["title"], codes(layout["languages"])) for name, layout in layouts().items()]
    return intro + body + KEYBOARDS + table(("layout", "keyboard", "languages"), rows)


def _family(name: str, members: list[Operator]) -> str:
    title, about = FAMILIES[name]
    rows = [
        (
            f"{code(operator.id)} / {operator.version}",
            operator.about,
            operator.relation,
            codes(sorted(operator.expects)),
            operator.needs,
            "yes" if operator.inverse else "",
        )
        for operator in members
    ]
    heads = ("operator / version", "what it does", "relation", "profile", "a text must hold a", "inverse")
    inverses = f" {TAKEN_BACK}" if any(operator.inverse for operator in members) else ""
    return f"## {title}\n\n{about}{inverses}\n\n{table(heads, rows)}\n{_options(members)}"


def _options(members: Iterable[Operator]) -> str:
    named: dict[tuple[str, str], list[str]] = {}
    required: set[str] = set()
    functions: set[str] = set()
    for operator in members:
        for option in operator.options:
            named.setdefault((option.name, option.about), []).append(operator.id.partition(".")[2])
            required |= {option.name} if option.required else set()
            functions |= {option.name} if option.kind is FUNCTION else set()
    rows = [
        (
            code(name),
            about,
            ", ".join(
                filter(
                    None, ("required" if name in required else "", "Python only" if name in functions else "")
                )
            ),
            codes(users),
        )
        for (name, about), users in named.items()
    ]
    return f"{table(('option', 'meaning', 'given', 'of'), rows)}\n" if rows else ""
