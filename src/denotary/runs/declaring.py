"""What a system says of its own parts, put into what its owner declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from denotary.errors import InputError
from denotary.systems.base import Declaring

if TYPE_CHECKING:
    from denotary.runs.records import Identity
    from denotary.systems.base import BlockingSystem, System

NAMES: Final = ("system", "system_version")
"""Fields that are the owner's to name, whatever the system calls itself."""


def complete(identity: Identity, system: System | BlockingSystem) -> Identity:
    """Return what the owner declares, with each field that is left empty as the system itself states it.

    A lane of the reference resolver and a built-in encoder state their parts, an adapted system which refusals its
    protocol can express; of every other black box the identity is as declared.

    Args:
        identity: of the owner.
        system: the black box.

    Raises:
        InputError: the owner declares of a part something else than the system that is asked states.
    """
    if not isinstance(system, Declaring):
        return identity
    found = {}
    for name, value in system.components.items():
        declared = getattr(identity, name)
        if not declared:
            found[name] = value
        elif name not in NAMES and declared != value:
            raise InputError(
                f"identity: {name}: the system ({system.descriptor.kind}) states another value itself",
                hint="leave the field out; it is filled in",
            )
    return msgspec.structs.replace(identity, **found)
