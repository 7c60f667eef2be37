"""Reading answers to probes: each finding counts the probes that show one behaviour, and says what that means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.instruments.identity.probing.asking import NOT_SENT
from denotary.instruments.identity.probing.plan import ABSENT
from denotary.instruments.identity.probing.variants import FOLDS
from denotary.reports.probed import Finding
from denotary.text import PROFILE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from denotary.instruments.identity.probing.records import Shown
    from denotary.reports.probed import State

    Test = Callable[[Shown, Shown | None], bool]

_SAME: Final = "the same code as the registered text gets"


def _assigned(one: Shown, _: Shown | None) -> bool:
    return one.assigned


def _same_code(one: Shown, base: Shown | None) -> bool:
    return base is not None and base.assigned and one.assigned and one.code == base.code


def _differs(one: Shown, base: Shown | None) -> bool:
    return base is not None and one.decision != base.decision


def _same_answer(one: Shown, base: Shown | None) -> bool:
    return base is not None and one.assigned and one.decision == base.decision


def _substituted(one: Shown, _: Shown | None) -> bool:
    return one.assigned and one.registry_version != ABSENT


def _echoed(one: Shown, _: Shown | None) -> bool:
    return one.status == "answered" and one.registry_version == ABSENT


_FAMILIES: Final[tuple[tuple[str, str, str, Test, str], ...]] = (
    (
        "nonsense",
        "nonsense",
        "Nonsense gets a code",
        _assigned,
        "random letters and words, which mean nothing: it fails open",
    ),
    ("blank", "blank", "A blank text gets a code", _assigned, "empty and blank texts express nothing"),
    (
        "over_length",
        "over_length",
        "Text after a cut is ignored",
        _same_code,
        "600 to 9,000 characters of filler after a registered text: " + _SAME,
    ),
    (
        "over_length_pair",
        "over_length_pair",
        "Long texts that differ only at the end get the same code",
        _same_answer,
        "filler of 600 to 9,000 characters and then one or another registered text: the same code and confidence",
    ),
    (
        "language_ignored",
        "language_ignored",
        "The language is ignored",
        _same_code,
        "asked in a language in which it is not registered: " + _SAME,
    ),
    (
        "unsupported_language",
        "unsupported_language",
        "A language that nobody supports is accepted",
        _same_code,
        "asked as qaa, a tag without a language: " + _SAME,
    ),
    (
        "repeat",
        "repeat",
        "Repeated calls differ",
        _differs,
        "the same text, asked again, gets another answer",
    ),
    ("batch", "batch", "A batch differs from single calls", _differs, "in order and reversed"),
    (
        "version_substitution",
        "version",
        "An absent registry version is substituted",
        _substituted,
        "a code of another version than the one asked, not stated as that one",
    ),
    (
        "version_echo",
        "version",
        "An absent registry version is echoed",
        _echoed,
        "a version that does not exist is stated with the answer",
    ),
    (
        "identifier",
        "identifier",
        "A concept code as text gets a code",
        _assigned,
        "a text can name a concept without expressing it",
    ),
    (
        "escaping",
        "escaping",
        "Markup and escapes are undone",
        _same_code,
        "JSON, quotes, HTML, percent and backslash escapes round a registered text: " + _SAME,
    ),
    (
        "surrogate",
        "surrogate",
        "A lone surrogate is accepted",
        _assigned,
        "half of a character, which no UTF-8 text can hold",
    ),
)


def findings(shown: Sequence[Shown], *, pinned: str | None = None) -> tuple[Finding, ...]:
    """Return one finding a behaviour, in a fixed order.

    Args:
        shown: what the probes came to.
        pinned: the registry version that the owner declares and an adapter states in the system's place: it says
            nothing of what the system does with a version.
    """
    reader = _Reader(shown, pinned)
    return tuple(
        reader.finding(name, title, test, meaning, family=family)
        for name, family, title, test, meaning in _FAMILIES
    )


def folds(shown: Sequence[Shown]) -> tuple[Finding, ...]:
    """Return which changes of a registered text the system undoes."""
    reader = _Reader(shown)
    return tuple(
        reader.finding(
            operator, title, _same_code, _under_profile(operator), family="fold", operator=operator
        )
        for operator, title in FOLDS.items()
    )


def _under_profile(operator: str) -> str:
    same = operator == "canonical"
    return f"{'the same' if same else 'another'} text under {PROFILE}"


class _Reader:
    def __init__(self, shown: Sequence[Shown], pinned: str | None = None) -> None:
        self._shown = shown
        self._pinned = pinned
        self._by_id = {one.id: one for one in shown}

    def finding(
        self, name: str, title: str, test: Test, meaning: str, *, family: str, operator: str = ""
    ) -> Finding:
        asked = [one for one in self._shown if one.family == family and operator in {"", one.operator}]
        if test is _same_code:
            # Where the text as registered gets no code, nothing can be seen to be the same.
            asked = [one for one in asked if self._by_id[one.base].assigned]
        sent = [one for one in asked if one.status != NOT_SENT and not self._is_pinned(one)]
        count = sum(test(one, self._by_id.get(one.base)) for one in sent)
        state: State = "sometimes"
        if not asked:
            state = "nothing to ask"
        elif not sent:
            state = "not expressible"
        elif count in {0, len(sent)}:
            state = "seen" if count else "not seen"
        return Finding(id=name, title=title, state=state, count=count, asked=len(sent), meaning=meaning)

    def _is_pinned(self, one: Shown) -> bool:
        return self._pinned is not None and one.family == "version" and one.registry_version == self._pinned
