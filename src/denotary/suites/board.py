"""Who decided: the rule that the owner of a registry never rules alone on gold."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from denotary.errors import InputError
from denotary.suites.records import BoardMember, BoardRole

if TYPE_CHECKING:
    from collections.abc import Iterable

OWNER: BoardRole = "registry-owner"
ROLES: tuple[BoardRole, ...] = get_args(BoardRole)


def member(text: str) -> BoardMember:
    """Return the member that ``PSEUDONYM:ROLE`` names.

    Raises:
        InputError: no pseudonym, or no such role.
    """
    who, _, role = text.rpartition(":")
    found = next((known for known in ROLES if known == role), None)
    if not who.strip() or found is None:
        raise InputError(
            f"{text!r:.80} names no member of the board",
            hint=f"write PSEUDONYM:ROLE, such as reviewer-3:independent; roles: {', '.join(ROLES)}",
        )
    return BoardMember(who=who.strip(), role=found)


def board_problem(board: Iterable[BoardMember]) -> str | None:
    """Return why a board may not rule on gold, or None if it may.

    At least one member must be somebody else than the owner of the registry, by pseudonym: an owner who sits
    in a second role is still the owner.
    """
    members = tuple(board)
    if not members:
        return "names no board member who decided"
    if not all(item.who.strip() for item in members):
        return "names a board member without a pseudonym"
    owners = {item.who for item in members if item.role == OWNER}
    if all(item.who in owners for item in members):
        return "was decided by the owner of the registry alone; somebody else must have decided with them"
    return None
