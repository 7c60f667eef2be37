"""Texts read from files, and every variant that operators make of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from denotary.errors import InputError
from denotary.files import decode_jsonl, read_bytes
from denotary.text.perturb.applying import apply
from denotary.text.perturb.catalogue import operator_named, operators

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from denotary.records import Severity
    from denotary.text.perturb.operator import Operator
    from denotary.text.perturb.records import Variant


class _Input(msgspec.Struct, frozen=True):
    text: str | None = None
    language: str | None = None


class Parent(msgspec.Struct, frozen=True, gc=False):
    """A text to perturb: a line of its own kind, or a case of a suite. Other fields of a line are passed over."""

    text: str | None = None
    language: str | None = None
    record_id: str | None = None
    input: _Input | None = None
    """The input of a case; its text and language stand for those of the line."""

    def __repr__(self) -> str:
        return f"<Parent {self.record_id}>"

    @property
    def content(self) -> str | None:
        """The text, wherever it stands."""
        return self.text if self.input is None else self.input.text

    def language_or(self, default: str) -> str:
        """Return the language, wherever it stands, or a default."""
        return (self.language if self.input is None else self.input.language) or default


def read_parents(path: Path) -> list[Parent]:
    """Return the texts of a file: JSON Lines if its name ends with ``.jsonl``, else one text a line.

    Raises:
        InputError: the file is absent or not UTF-8, or a line is no record.
    """
    data = read_bytes(path)
    if path.suffix == ".jsonl":
        return [parent for _, parent in decode_jsonl(data, Parent, path)]
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", path=path) from error
    return [Parent(text=line.removesuffix("\r")) for line in lines if line.strip()]


def read_option(path: Path) -> Any:
    """Return the value of an option that stands in a file: JSON if its name ends with ``.json``, else a list of lines.

    Raises:
        InputError: the file is absent, not UTF-8 or not JSON.
    """
    data = read_bytes(path)
    try:
        if path.suffix == ".json":
            return msgspec.json.decode(data)
        return [line for line in data.decode("utf-8").splitlines() if line.strip()]
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", path=path) from error
    except msgspec.DecodeError as error:
        raise InputError(f"not valid JSON: {str(error).splitlines()[0]}", path=path) from error


def chosen_operators(names: Iterable[str]) -> list[Operator]:
    """Return the operators that names stand for: identifiers, or families for all of their operators.

    Raises:
        InputError: a name is neither.
    """
    found: dict[str, Operator] = {}
    for name in names:
        family = [operator for operator in operators() if operator.family == name]
        found |= {operator.id: operator for operator in family or [operator_named(name)]}
    return list(found.values())


def variants(
    parents: Iterable[Parent],
    chosen: Sequence[Operator],
    *,
    language: str = "und",
    seed: int = 0,
    severity: Severity = "low",
    options: Mapping[str, Any] | None = None,
) -> Iterator[Variant]:
    """Yield a variant a text and operator, in that order. Texts that are absent are passed over.

    Args:
        parents: the texts.
        chosen: the operators.
        language: language of the texts that name none.
        seed: see :func:`apply`.
        severity: see :func:`apply`.
        options: options by name; each operator gets those that it has.

    Raises:
        InputError: none of the operators has an option that was given, or :func:`apply` refuses something.
    """
    given = dict(options or {})
    known = {option.name for operator in chosen for option in operator.options}
    for name in given:
        if name not in known:
            raise InputError(f"none of the operators has an option {name!r}")
    for parent in parents:
        if parent.content is None:
            continue
        for operator in chosen:
            own = {option.name for option in operator.options} & given.keys()
            yield apply(
                operator.id,
                parent.content,
                parent.language_or(language),
                seed,
                severity,
                options={name: given[name] for name in own},
                parent_record_id=parent.record_id,
            )
