"""What a resolver is asked, read strictly: a malformed request is an error of the caller, never an answer."""

from __future__ import annotations

import base64
import binascii
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from denotary.errors import InputError
from denotary.text import broader_tags, canonical_tag

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denotary.registry.index import Snapshot


Asked: TypeAlias = tuple[str | bytes, tuple[str, ...]]
"""The text, or its bytes where it was sent as ``text_b64``; and the language tags in canonical case under
which it may match, the narrowest first, none for all languages."""


class VersionNotLoadedError(InputError):
    """The caller asked for a registry version that is not loaded; it is never replaced by the one that is."""

    def __init__(self, loaded: str) -> None:
        """Name the snapshot that is loaded."""
        super().__init__(
            f"the registry version asked for is not loaded; loaded is {loaded}",
            hint="ask for the loaded version, or start a resolver with the other one",
        )


def read_request(request: Mapping[str, Any], snapshot: Snapshot) -> Asked:
    """Return a request of the HTTP contract in the form that the lane needs.

    Keys: ``text`` or, for bytes that are no text, ``text_b64``; ``language`` (BCP 47; absent, null or ``und``
    means any); ``language_match`` (``exact``, or ``extended`` for the fall-backs of RFC 4647 section 3.4);
    ``registry_version`` (the version or the snapshot id; another one is refused, never replaced).
    ``record_id`` is echoed; other keys are passed over.

    Raises:
        InputError: a key has the wrong type or value; the message never quotes the text.
    """
    refuse_other_version(request, snapshot.version, snapshot.id)
    text = request.get("text")
    if type(text) is not str or "text_b64" in request:
        text = _bytes(request)
    return text, read_languages(request)


def read_languages(request: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tags that a request's ``language`` and ``language_match`` ask for, the narrowest first; () for any.

    Raises:
        InputError: a key has the wrong type or value.
    """
    language, match = request.get("language"), request.get("language_match", "exact")
    if not (language is None or isinstance(language, str)) or match not in ("exact", "extended"):
        raise InputError("language is a BCP 47 tag or null, language_match is exact or extended")
    return () if language is None else _languages(language, match)


def refuse_other_version(request: Mapping[str, Any], version: str, snapshot_id: str) -> None:
    """Refuse a request for another registry version than the one that is loaded.

    Raises:
        VersionNotLoadedError: it names neither the version nor the snapshot.
    """
    # A tuple: what was sent may be anything, and need not be hashable.
    if request.get("registry_version") not in (None, version, snapshot_id):
        raise VersionNotLoadedError(snapshot_id)


def _bytes(request: Mapping[str, Any]) -> bytes:
    encoded = request.get("text_b64")
    if request.get("text") is not None or not isinstance(encoded, str):
        raise InputError("a request has either text, a string, or text_b64, a string of base64")
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputError("text_b64 is not base64") from error


@lru_cache(maxsize=4096)
def _languages(language: str, match: str) -> tuple[str, ...]:
    tag = canonical_tag(language)
    if tag == "und":
        return ()
    return (tag,) if match == "exact" else broader_tags(tag)
