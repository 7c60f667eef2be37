"""Operators that make a variant of a text: seeded, recorded, and never within a grapheme cluster.

:func:`apply` makes a :class:`Variant`: the text, the relation of its meaning to the parent's, what was edited, what
each normalisation profile makes of it, and the lineage that makes it again; or it says why the operator does not apply.
:func:`restore` takes a variant back. :func:`operators` lists what there is. Families: ``unicode``, ``spelling``,
``morphology``, ``script``, ``format``, ``prompt``, ``long``.
"""

from denotary.text.perturb.applying import apply, restore
from denotary.text.perturb.catalogue import operator_named, operators
from denotary.text.perturb.operator import Operator, Option
from denotary.text.perturb.records import Edit, Effect, Lineage, Variant

__all__ = [
    "Edit",
    "Effect",
    "Lineage",
    "Operator",
    "Option",
    "Variant",
    "apply",
    "operator_named",
    "operators",
    "restore",
]
