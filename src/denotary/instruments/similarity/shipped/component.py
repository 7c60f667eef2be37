"""What an adapter of a shipped gate gives: the component's own decision on two texts, and what it decides by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from denotary.encoders.base import missing
from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Embed: TypeAlias = Callable[[Sequence[str]], list[list[float]]]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a component made of a pair.

    Attributes:
        approved: whether it treated the texts as the same.
        kept: of a pair that it treated as the same, which text it kept: ``first`` or ``second``; empty where it keeps
            none or both.
    """

    approved: bool
    kept: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Component:
    """A gate of an installed library.

    Attributes:
        name: as this package calls it.
        component: import path of the class that decides.
        package: distribution it comes from.
        version: of that distribution, as installed.
        rule: what it does at its default, as it compares: ``similarity > 0.95``.
        cutoff: read from the component; None where its default sets none.
        read_from: attribute that the cutoff was read from.
        decide: the component's decision on two texts.
        remark: what a reader must know to use the figures.
    """

    name: str
    component: str
    package: str
    version: str
    rule: str
    cutoff: float | None
    read_from: str
    decide: Callable[[str, str], Decision]
    remark: str = ""

    def __repr__(self) -> str:
        return f"<Component {self.name} {self.version}>"


def version_of(package: str, extra: str, *also: str) -> str:
    """Return the installed version of a distribution.

    Args:
        package: distribution name.
        extra: the extra of this package that installs it, for the message.
        also: import names of what it needs beside itself, asked for before it is imported.

    Raises:
        InputError: something is not installed.
    """
    from importlib.metadata import PackageNotFoundError, version
    from importlib.util import find_spec

    try:
        found = version(package)
    except PackageNotFoundError:
        raise missing(package, extra) from None
    absent = [name for name in also if find_spec(name) is None]
    if absent:
        raise InputError(
            f"{package} needs {', '.join(absent)}, not installed", hint=f"pip install 'denotary[{extra}]'"
        )
    return found
