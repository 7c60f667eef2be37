"""Apply an operator to a text, and take a variant back."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import msgspec

from denotary.canonical import canonical_json, digest, sha256
from denotary.errors import InputError
from denotary.text.perturb.catalogue import operator_named
from denotary.text.perturb.draws import Draw
from denotary.text.perturb.effects import effects
from denotary.text.perturb.operator import FUNCTION, Operator
from denotary.text.perturb.records import Edit, Lineage, Variant
from denotary.text.perturb.safety import keeps_clusters
from denotary.text.perturb.sites import SAME, Made, replaced
from denotary.text.perturb.source import Source

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denotary.records import Severity

LONGEST_OPTION = 200
"""Longest value of an option, in bytes of canonical JSON, that a lineage holds as it is."""


def apply(
    operator: str,
    text: str,
    language: str = "und",
    seed: int = 0,
    severity: Severity = "low",
    *,
    options: Mapping[str, Any] | None = None,
    parent_record_id: str | None = None,
) -> Variant:
    """Return a variant of a text, or why the operator does not apply to it.

    The same arguments give the same variant on every platform and in every process. A higher severity makes the
    edits of a lower one and more, for every operator whose edits are drawn.

    Args:
        operator: identifier of the operator.
        text: the parent text.
        language: BCP 47 tag of its language; ``und`` if unknown.
        seed: another seed gives other draws.
        severity: how much to change.
        options: the operator's options by name; see the reference of operators.
        parent_record_id: carried into the variant.

    Raises:
        InputError: no such operator or option, an option of the wrong type or a required one missing, a function
            without a name, or one that fails or returns no form, or the text holds a lone surrogate.
    """
    found = operator_named(operator)
    given = dict(options or {})
    settings = _settings(found, given)
    lineage = Lineage(
        operator=found.id,
        version=found.version,
        seed=seed,
        severity=severity,
        language=language,
        parent=_digest(text),
        options=_recorded_options(given),
    )
    source = Source(text, language, severity, settings, Draw(_material(lineage)))
    made = found.make(source) if text.strip() else Made((), SAME)
    variant = replaced(text, made.edits)
    reason = _objection(found, text, variant, made)
    if reason is not None:
        return Variant(applies=False, lineage=lineage, reason=reason, parent_record_id=parent_record_id)
    return Variant(
        applies=True,
        lineage=lineage,
        text=variant,
        relation=made.relation,
        edits=made.edits,
        effects=effects(text, variant, language),
        details=dict(made.details),
        parent_record_id=parent_record_id,
    )


def restore(variant: Variant) -> str:
    """Return the parent text of a variant: the edits taken back.

    Raises:
        InputError: the operator did not apply, so that there is no text; or text, edits and the digest of the parent
            do not belong together.
    """
    if variant.text is None:
        raise InputError("the operator did not apply, so that there is nothing to take back")
    shift, back = 0, []
    for edit in variant.edits:
        back.append(Edit(start=edit.start + shift, before=edit.after, after=edit.before))
        shift += len(edit.after) - len(edit.before)
    parent = replaced(variant.text, back)
    if _digest(parent) != variant.lineage.parent:
        raise InputError("text, edits and the parent's digest do not belong together")
    return parent


def _objection(operator: Operator, text: str, variant: str, made: Made) -> str | None:
    if not text.strip():
        return "the text is empty or blank"
    if not made.edits:
        return made.objection or f"the text holds no {operator.needs}"
    if not variant.strip():
        return "nothing would be left"
    if variant == text:
        return "the change gives the text itself"
    if not keeps_clusters(text, variant, made.edits):
        return "the change would split a grapheme cluster"
    return None


def _settings(operator: Operator, given: Mapping[str, Any]) -> dict[str, Any]:
    known = {option.name: option for option in operator.options}
    for name in given:
        if name not in known:
            hint = f"known: {', '.join(known)}" if known else "it has none"
            raise InputError(f"operator {operator.id} has no option {name!r}", hint=hint)
    missing = [option.name for option in operator.options if option.required and option.name not in given]
    if missing:
        raise InputError(f"operator {operator.id} needs the option {missing[0]!r}")
    return {
        name: _converted(operator, name, option.kind, given[name]) if name in given else option.default
        for name, option in known.items()
    }


def _converted(operator: Operator, name: str, kind: Any, value: Any) -> Any:
    if kind is FUNCTION:
        if _place(value) is None:
            raise InputError(
                f"option {name!r} of operator {operator.id} must be a function that a module holds under its name",
                hint="the name is recorded; a lambda, a partial, a method or an inner function has none of its own",
            )
        return value
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise InputError(f"option {name!r} of operator {operator.id}: {error}") from error


def _place(value: Any) -> str | None:
    """Return ``module:name`` of a function, or None if nothing but this very object says what it does."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not (callable(value) and isinstance(module, str) and isinstance(name, str)):
        return None
    held: Any = sys.modules.get(module)
    for part in name.split("."):
        held = getattr(held, part, None)
    return f"{module}:{name}" if held is value else None


def _recorded_options(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _recorded(value) for name, value in sorted(given.items())}


def _recorded(value: Any) -> Any:
    if callable(value):
        return _place(value)
    data = canonical_json(value)
    return msgspec.json.decode(data) if len(data) <= LONGEST_OPTION else f"sha256:{digest(value)}"


def _digest(text: str) -> str:
    try:
        return f"sha256:{sha256(text.encode())}"
    except UnicodeEncodeError as error:
        raise InputError(f"the text holds a lone surrogate at offset {error.start}") from error


def _material(lineage: Lineage) -> str:
    # Whatever decides a draw, and not the severity: see chosen().
    parts = (lineage.operator, lineage.version, lineage.seed, lineage.language, lineage.parent)
    return "\n".join([*map(str, parts), canonical_json(lineage.options).decode()])
