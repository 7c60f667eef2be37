"""What an operator declares of itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.text.perturb.records import Outcome
    from denotary.text.perturb.sites import Made
    from denotary.text.perturb.source import Source

Texts = Annotated[tuple[Annotated[str, Meta(min_length=1)], ...], Meta(min_length=1)]
"""Type of an option: one or more texts, none of them empty."""
FUNCTION: Final = object()
"""Kind of an option that is a Python callable; such an option cannot be given on a command line."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of an operator.

    Attributes:
        name: as it is given.
        kind: the type that a value must have, or :data:`FUNCTION`.
        about: what it does, for the reference.
        default: its value if it is not given.
        required: whether the operator cannot work without it.
    """

    name: str
    kind: Any
    about: str
    default: Any = None
    required: bool = False


@dataclass(frozen=True, slots=True)
class Operator:
    """A way to make a variant.

    Attributes:
        id: family, a dot, a name; stable.
        version: raised whenever the same input would give another text.
        about: what it does, in one sentence.
        needs: what a text must hold for the operator to apply; completes "the text holds no".
        relation: in which situation which relation is declared, in one sentence.
        expects: outcomes that the profile ``esid-nfc/1`` can have for a variant, beside "too long".
        make: the operator itself; returns no edits if it does not apply.
        options: what can be asked of it.
        inverse: takes the text alone back: for every parent that it leaves as it is, ``inverse(variant) == parent``.
            None if the text alone does not say what was there. Edits always do: see ``restore``.
    """

    id: str
    about: str
    needs: str
    relation: str
    expects: frozenset[Outcome]
    make: Callable[[Source], Made]
    options: tuple[Option, ...] = ()
    inverse: Callable[[str], str] | None = None
    version: int = field(default=1)

    @property
    def family(self) -> str:
        """The part of the identifier before the dot."""
        return self.id.partition(".")[0]
