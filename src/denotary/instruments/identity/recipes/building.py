"""Build a recipe: candidates and nominations beside the suite, and what could not be made."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from denotary.errors import InputError
from denotary.files import encode_jsonl, locked, read_toml, write_atomic
from denotary.instruments.identity.cases import IdentityCase
from denotary.instruments.identity.instrument import identity_cases
from denotary.instruments.identity.recipes.absent import absent
from denotary.instruments.identity.recipes.drafting import GENERATED, Bench, key_of
from denotary.instruments.identity.recipes.perturbing import Skipped, perturbed
from denotary.instruments.identity.recipes.records import Recipe
from denotary.instruments.identity.recipes.written import ambiguity, contrast, hard_negative, unknown
from denotary.suites.building import CaseCandidate, merged, read_candidates, write_candidates
from denotary.suites.loading import load_suite, read_cases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from denotary.instruments.identity.recipes.records import Nomination
    from denotary.suites.suite import Suite

NOMINATIONS = "nominations.jsonl"
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class Built:
    """What a recipe made.

    Attributes:
        candidates: in the order of the recipe's steps.
        nominations: pairs of concepts that deserve a hard negative.
        skipped: seeds that an operator did not change, and written texts that cannot be candidates.
    """

    candidates: tuple[CaseCandidate, ...]
    nominations: tuple[Nomination, ...]
    skipped: tuple[Skipped, ...]


def build(recipe: Path | str, suite: Path | str) -> Built:
    """Make the candidates of a recipe and write them to ``candidates.jsonl`` in the folder of the suite.

    No case changes. What a person has accepted or rejected stays decided, and candidates that wait from an earlier
    build of this recipe are replaced. The same recipe, suite and registry give the same bytes.

    Args:
        recipe: the recipe's TOML file.
        suite: folder of the suite that the candidates are for.

    Raises:
        InputError: the recipe, its seeds, a registry or an operator's options are wrong.
    """
    path = Path(recipe)
    bench = _bench(path, load_suite(suite))
    made: list[CaseCandidate] = []
    skipped: list[Skipped] = []
    for item in _steps(bench):
        if isinstance(item, Skipped):
            skipped.append(item)
        else:
            made.append(item)
    _refuse_repeated(made, path)
    nominated = _nominations(bench)
    root = bench.suite.root
    with locked(root):
        write_candidates(root, merged(read_candidates(root), made, bench.recipe.name))
    if bench.recipe.nominate is not None:
        write_atomic(root / NOMINATIONS, encode_jsonl(nominated))
    return Built(tuple(made), nominated, tuple(skipped))


def _bench(path: Path, suite: Suite) -> Bench:
    recipe = read_toml(path, Recipe)
    if not _NAME.fullmatch(recipe.name):
        raise InputError("name must hold small letters, digits and hyphens alone", path=path)
    if suite.manifest.instrument != "identity":
        raise InputError(
            f"a recipe is for the identity instrument, not {suite.manifest.instrument}", path=path
        )
    seeds = identity_cases(suite)
    if recipe.seeds is not None:
        _, cases = read_cases(path.parent / recipe.seeds, IdentityCase)
        seeds = tuple(case for case in cases if isinstance(case, IdentityCase))
    # What a recipe made is no seed, or each build would perturb what the one before it made.
    written = (case for case in seeds if not case.construction.generation_method.startswith(GENERATED))
    return Bench(recipe, path.parent, suite, tuple(written))


def _steps(bench: Bench) -> Iterator[CaseCandidate | Skipped]:
    recipe = bench.recipe
    for perturb_step in recipe.perturb:
        yield from perturbed(bench, perturb_step)
    for contrast_step in recipe.contrast:
        yield from contrast(bench, contrast_step)
    for ambiguity_step in recipe.ambiguity:
        yield from ambiguity(bench, ambiguity_step)
    for unknown_step in recipe.unknown:
        yield from _unregistered(bench, unknown(bench, unknown_step))
    for absent_step in recipe.absent:
        from denotary.registry import load_registry

        yield from absent(bench, absent_step, load_registry(bench.folder / absent_step.registry))
    for hard_step in recipe.hard_negative:
        yield hard_negative(bench, hard_step)


def _unregistered(bench: Bench, candidates: Iterable[CaseCandidate]) -> Iterator[CaseCandidate | Skipped]:
    """Let pass the texts that are no reviewed expression: those are known, whatever the recipe says."""
    registered = {key_of(expression.text) for expression in bench.suite.registry.authorised}
    for candidate in candidates:
        if key_of(candidate.case["input"]["text"]) in registered:
            yield Skipped(candidate.candidate, "unknown", "the text is a reviewed expression of the registry")
        else:
            yield candidate


def _refuse_repeated(made: list[CaseCandidate], path: Path) -> None:
    seen: set[str] = set()
    for candidate in made:
        if candidate.candidate in seen:
            raise InputError(
                "two steps make the same candidate",
                path=path,
                record=candidate.candidate,
                hint="give contrasts and ambiguity families ids of their own, and select a seed once an operator",
            )
        seen.add(candidate.candidate)


def _nominations(bench: Bench) -> tuple[Nomination, ...]:
    step = bench.recipe.nominate
    if step is None:
        return ()
    from denotary.importing import import_callable
    from denotary.instruments.identity.recipes.nominating import nominations
    from denotary.runs import load_run

    encoder = None if step.encoder is None else import_callable(step.encoder)
    runs = [load_run(bench.folder / run) for run in step.runs]
    return tuple(nominations(bench.suite.registry, step, encoder=encoder, runs=runs))
