"""Recipes: candidates for an identity suite, from seeds, operators, written texts and other registries.

:func:`build` reads a recipe (``records.Recipe``) and writes ``candidates.jsonl`` beside the suite's cases, and
``nominations.jsonl`` with the pairs of concepts that deserve a hard negative. Nothing generated is a case until a
person accepts it (``suites.building_acceptance``).
"""

from denotary.instruments.identity.recipes.building import Built, build

__all__ = ["Built", "build"]
