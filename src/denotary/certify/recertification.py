"""Does a release need a new certificate? Its identity block against that of the base, component by component."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from denotary.certify.statement import identity_block
from denotary.records import Record

if TYPE_CHECKING:
    from denotary.runs import Run

State = Literal["unchanged", "changed", "undeclared"]

NAMING: Final = frozenset(
    {"benchmark", "registry", "system", "system_version", "threshold_fixed_on", "test_date", "expresses"}
)
"""Fields that name what was tested, on what and when. All others are components: a change demands recertification."""


class Component(Record, frozen=True):
    """One field of the identity block with both systems."""

    component: str
    base: str
    new: str
    state: State
    """``undeclared``: one side says nothing of it, which counts as changed."""
    demands: bool
    """Whether this demands recertification."""


def components(base: Run, new: Run) -> tuple[Component, ...]:
    """Return every field of the identity block, as it stands with the base and with the release."""
    before, after = identity_block(base), identity_block(new)
    return tuple(_component(name, before.get(name), after.get(name)) for name in after)


def _component(name: str, before: Any, after: Any) -> Component:
    state: State = "undeclared" if not before or not after else "unchanged" if before == after else "changed"
    demands = state != "unchanged" and name not in NAMING
    return Component(name, _plain(before), _plain(after), state, demands)


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value or "")


def sentence(found: tuple[Component, ...]) -> str:
    """Return what demands recertification in one sentence; empty if nothing does."""
    parts = []
    for state in ("changed", "undeclared"):
        names = [item.component.replace("_", " ") for item in found if item.demands and item.state == state]
        if names:
            parts.append(f"{state}: {', '.join(names)}")
    return f"recertification is demanded; {'; '.join(parts)}" if parts else ""
