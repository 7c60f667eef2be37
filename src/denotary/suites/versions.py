"""Semantic versions: MAJOR for task semantics or dispositions, MINOR for additions, PATCH for metadata."""

from __future__ import annotations

import re
from typing import Final, Literal

Level = Literal["none", "patch", "minor", "major"]
"""Which part of a version a change raises.

``patch``: the same answers give the same rows. ``minor``: they do on the old cases, and there are new ones.
``major``: what is asked, what is right, or what is counted changed.
"""
LEVELS: Final[tuple[Level, ...]] = ("none", "patch", "minor", "major")

_SEMVER = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", flags=re.ASCII)


def version_key(version: str) -> tuple[int, int, int] | None:
    """Return ``MAJOR.MINOR.PATCH`` as three numbers that compare in order, or None if it is no such version.

    Source: Semantic Versioning 2.0.0, without pre-release and build labels, which a frozen suite does not
        have.
    """
    match = _SEMVER.fullmatch(version)
    return None if match is None else (int(match[1]), int(match[2]), int(match[3]))


def least_version(before: str, level: Level) -> str:
    """Return the smallest version after ``before`` that a change of this level may have.

    Raises:
        ValueError: ``before`` is no version.
    """
    key = version_key(before)
    if key is None:
        raise ValueError(before)
    major, minor, patch = key
    if level == "major":
        return f"{major + 1}.0.0"
    if level == "minor":
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}" if level == "patch" else before
