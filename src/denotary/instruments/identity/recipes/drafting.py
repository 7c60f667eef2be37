"""What the steps of a recipe share: the bench they work at, and how a candidate is put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from denotary.canonical import digest
from denotary.errors import InputError
from denotary.suites.building import CaseCandidate
from denotary.suites.checking import MAY_BE_SEEN
from denotary.text.languages import primary_subtag
from denotary.text.profile import Normalised, normalise
from denotary.text.scripts import holds_script, scripts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from denotary.instruments.identity.cases import Gold, IdentityCase
    from denotary.instruments.identity.recipes.records import Recipe, SeedSelection
    from denotary.suites.suite import Suite

GENERATED = "recipe:"
"""How ``generation_method`` of a case begins that a recipe made."""
ID_DIGITS = 12
"""Hexadecimal digits of a digest in an id: for a thousand candidates two meet once in 10**9 recipes."""


@dataclass(frozen=True, slots=True)
class Bench:
    """A recipe at work.

    Attributes:
        recipe: what to make.
        folder: folder of the recipe; its paths are relative to it.
        suite: the suite that the candidates are for.
        seeds: what operators start from.
    """

    recipe: Recipe
    folder: Path
    suite: Suite
    seeds: tuple[IdentityCase, ...]

    def chosen(self, select: SeedSelection) -> Iterator[IdentityCase]:
        """Yield the seeds that a step takes.

        Raises:
            InputError: an id names no seed.
        """
        known = {case.record_id for case in self.seeds}
        missing = next((name for name in select.ids if name not in known), None)
        if missing is not None:
            raise InputError(f"select.ids names {missing!r}, which is no seed")
        yield from (case for case in self.seeds if selected(case, select))

    @property
    def signature(self) -> str:
        """Name and digest of the recipe."""
        return f"{self.recipe.name} sha256:{digest(self.recipe)}"

    def draft(
        self,
        mechanism: str,
        key: Any,
        *,
        seed: str | None,
        text: str,
        language: str | None,
        gold: Gold | None,
        construction: dict[str, Any],
        script: str | None = None,
        domain: str | None = None,
        proposed: dict[str, Any] | None = None,
        **parts: Any,
    ) -> CaseCandidate:
        """Return a candidate.

        Args:
            mechanism: the step that makes it.
            key: what makes its id: the same key, the same id.
            seed: its semantic seed; None for one of its own.
            text: what the system is shown.
            language: BCP 47 tag.
            gold: what is right; None if only a person can say.
            construction: beside how it was generated.
            script: the script to keep if the text holds it.
            domain: register of the text.
            proposed: what could be said of the gold.
            parts: other parts of the case.
        """
        name = f"{self.recipe.name}-{mechanism}-{digest(key)[:ID_DIGITS]}"
        shown = {"text": text, "language": language, "script": script_of_text(text, script), "domain": domain}
        case = {
            "record_id": name,
            "benchmark_version": self.suite.version,
            "registry_version": self.suite.registry.version,
            "semantic_seed_id": seed or name,
            "input": {part: value for part, value in shown.items() if value is not None},
            "construction": {"generation_method": f"{GENERATED}{mechanism}", **construction},
            "annotation": {"review": "generated"},
            "security": {"visibility": MAY_BE_SEEN[self.suite.manifest.role][0]},
            **parts,
        }
        if gold is not None:
            case["gold"] = msgspec.to_builtins(gold)
        return CaseCandidate(
            candidate=name,
            status="candidate",
            recipe=self.signature,
            mechanism=mechanism,
            case=case,
            needs=() if gold is not None else ("gold",),
            proposed=proposed or {},
        )


def selected(case: IdentityCase, select: SeedSelection) -> bool:
    """Whether every condition that is given holds of a case."""
    language = primary_subtag(case.input.language or "und")
    conditions: Iterable[tuple[tuple[str, ...], Iterable[str]]] = (
        (select.ids, (case.record_id,)),
        (select.families, (case.construction.primary_family,)),
        (select.languages, (language,)),
        (select.dispositions, (case.gold.disposition,)),
        (select.tags, case.construction.tags),
    )
    return all(not wanted or not set(wanted).isdisjoint(found) for wanted, found in conditions)


def key_of(text: str) -> str:
    """Return the form in which the profile compares a text; the text itself if the profile refuses it."""
    found = normalise(text)
    return found.text if isinstance(found, Normalised) else text


def script_of_text(text: str, script: str | None = None) -> str:
    """Return a script if the text holds it, else the first one of the text; ``Zyyy`` for a text without letters."""
    if script is not None and holds_script(text, script):
        return script
    return min(scripts(text), default="Zyyy")
