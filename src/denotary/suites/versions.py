"""Semantic versions: MAJOR for task semantics or dispositions, MINOR for additions, PATCH for metadata."""

from __future__ import annotations

import re

_SEMVER = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", flags=re.ASCII)


def version_key(version: str) -> tuple[int, int, int] | None:
    """Return ``MAJOR.MINOR.PATCH`` as three numbers that compare in order, or None if it is no such version.

    Source: Semantic Versioning 2.0.0, without pre-release and build labels, which a frozen suite does not
        have.
    """
    match = _SEMVER.fullmatch(version)
    return None if match is None else (int(match[1]), int(match[2]), int(match[3]))
