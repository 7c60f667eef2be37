"""A text within a longer one: at five positions, among neighbours and decoys, taken back later, only quoted."""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple

import unicodedata2
from msgspec import Meta

from denotary.text.perturb.operator import Operator, Option, Texts
from denotary.text.perturb.phrases import context
from denotary.text.perturb.records import Edit
from denotary.text.perturb.sites import AMBIGUOUS, DIFFERENT, SAME, Made
from denotary.text.profile import MAX_CODE_POINTS
from denotary.text.scripts import UNSPACED, scripts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from denotary.records import Relation
    from denotary.text.perturb.source import Source

Position = Literal["begin", "quarter", "middle", "three_quarter", "end"]
POSITIONS: Final[Mapping[Position, float]] = {
    "begin": 0.0,
    "quarter": 0.25,
    "middle": 0.5,
    "three_quarter": 0.75,
    "end": 1.0,
}
"""Share of the whole at which the middle of the evidence stands: the ends exactly, the others to a sentence."""
_LENGTHS: Final = {"low": 400, "medium": 800, "high": 1600}
"""Least length of the filler around a text, in code points, by severity."""
_TIMES_THE_LIMIT: Final = {"low": 1, "medium": 2, "high": 4}
_MENTIONS: Final = {"low": 3, "medium": 6, "high": 12}
"""How many sentences of the user's are put around a text, by severity."""
_FULL_STOPS: Final = {**dict.fromkeys(("Hani", "Hira", "Kana"), "\u3002"), "Deva": "\u0964", "Beng": "\u0964"}


class _Frame(NamedTuple):
    """What goes around a text.

    Attributes:
        sentences: in any order, before and after it.
        opening: directly before it.
        closing: directly after it.
        last: the sentence that ends the whole.
    """

    sentences: Sequence[str]
    opening: str = ""
    closing: str = ""
    last: str = ""


def _embedding(frame: Callable[[Source], _Frame | None], relation: Relation) -> Callable[[Source], Made]:
    """Return an operator that puts a text into a frame; without one, the language is not known."""

    def make(source: Source) -> Made:
        # Drawn first, so that it does not depend on how much filler the severity asks for.
        position: Position = source.options["position"] or source.draw.one(tuple(POSITIONS))
        found = frame(source)
        if found is None:
            why = f"no sentences are known in the language {source.language!r}; give them as options"
            return Made((), relation, objection=why)
        return _within(source, found, position, relation)

    return make


def _within(source: Source, frame: _Frame, position: Position, relation: Relation) -> Made:
    gap = "" if UNSPACED & scripts(source.text) else " "
    split = _split(frame.sentences, len(source.text), POSITIONS[position])
    before = [*frame.sentences[:split], frame.opening]
    rest = [*frame.sentences[split:], *filter(None, [frame.last])]
    edits = []
    if any(before):
        head = "".join(f"{sentence}{gap}" for sentence in before[:-1]) + frame.opening
        edits.append(Edit(start=0, before="", after=head))
    tail = frame.closing or (_full_stop(source.text) if rest else "")
    tail += "".join(f"{gap}{sentence}" for sentence in rest)
    if tail:
        edits.append(Edit(start=len(source.text), before="", after=tail))
    return Made(tuple(edits), relation, {"position": position})


def _split(sentences: Sequence[str], length: int, share: float) -> int:
    """Return how many sentences stand before a text of some length, so that its middle is nearest to a share."""
    if share in {0.0, 1.0}:
        return int(share) * len(sentences)
    total = length + sum(len(text) + 1 for text in sentences)
    starts = [sum(len(text) + 1 for text in sentences[:count]) for count in range(len(sentences) + 1)]
    return min(range(len(starts)), key=lambda count: abs((starts[count] + length / 2) / total - share))


def _full_stop(text: str) -> str:
    """Return the full stop of a text's script, or nothing where the text ends with punctuation."""
    if unicodedata2.category(text.rstrip()[-1])[0] == "P":
        return ""
    return next((_FULL_STOPS[name] for name in sorted(scripts(text)) if name in _FULL_STOPS), ".")


def _known(source: Source, name: str) -> Any:
    """Return what the user gave under a name, or what is known of the language; None if neither."""
    given = source.options.get(name)
    return given or context(source.language).get(name)


def _filler(source: Source, least: int) -> list[str] | None:
    """Return filler of a least length, shuffled; None if none is known in the language."""
    known = _known(source, "filler")
    if not known:
        return None
    taken: list[str] = []
    length = 0
    for sentence in cycle(source.draw.shuffled(known)):
        if length >= least:
            break
        taken.append(sentence)
        length += len(sentence)
    return taken


def _usual_filler(source: Source, others: Sequence[str] = ()) -> list[str] | None:
    """Return filler that makes up the length of the severity together with other sentences."""
    wanted = source.options["length"] or _LENGTHS[source.severity]
    return _filler(source, wanted - sum(map(len, others)))


def _alone(source: Source) -> _Frame | None:
    filler = _usual_filler(source)
    return None if filler is None else _Frame(filler)


def _over_limit(source: Source) -> _Frame | None:
    filler = _filler(source, MAX_CODE_POINTS * _TIMES_THE_LIMIT[source.severity])
    return None if filler is None else _Frame(filler)


def _among(name: str, *, filled: bool) -> Callable[[Source], _Frame | None]:
    """Return a frame of the user's sentences, repeated as often as the severity says, with or without filler."""

    def frame(source: Source) -> _Frame | None:
        given = source.draw.shuffled(source.options[name])
        if not filled:
            return _Frame(given)
        others = list(islice(cycle(given), _MENTIONS[source.severity]))
        filler = _usual_filler(source, others)
        return None if filler is None else _Frame(source.draw.shuffled([*others, *filler]))

    return frame


def _ending_with(name: str) -> Callable[[Source], _Frame | None]:
    def frame(source: Source) -> _Frame | None:
        filler, last = _usual_filler(source), _known(source, name)
        return None if filler is None or last is None else _Frame(filler, last=last)

    return frame


def _quoting(source: Source) -> _Frame | None:
    filler, template = _usual_filler(source), _known(source, "quotation")
    if filler is None or template is None:
        return None
    opening, _, closing = template.partition("{text}")
    return _Frame(filler, opening, closing)


_POSITION: Final = Option(
    "position", Position | None, "`begin`, `quarter`, `middle`, `three_quarter` or `end`; default: drawn."
)
_FILLER: Final = Option(
    "filler", Texts | None, "Sentences that go around the text; default: those known in its language."
)
_LENGTH: Final = Option(
    "length",
    Annotated[int, Meta(ge=1)] | None,
    "Least length of the filler in code points, in place of the severity's.",
)
_ALL: Final = (_POSITION, _FILLER, _LENGTH)


def _sentences(name: str, about: str) -> Option:
    return Option(name, Texts, about, required=True)


def _operator(
    name: str,
    about: str,
    frame: Callable[[Source], _Frame | None],
    relation: Relation,
    why: str,
    *options: Option,
) -> Operator:
    return Operator(
        id=f"long.{name}",
        about=about,
        needs="text",
        relation=f"{relation}: {why}",
        expects=frozenset({"refused"}) if name == "over_limit" else frozenset({"other_key"}),
        make=_embedding(frame, relation),
        options=options or _ALL,
    )


OPERATORS: Final = (
    _operator(
        "embedded",
        "Put the text among sentences that have nothing to do with it.",
        _alone,
        SAME,
        "the filler is about nothing in the registry.",
    ),
    _operator(
        "neighbours",
        "Put the text among sentences about neighbouring concepts.",
        _among("neighbours", filled=True),
        AMBIGUOUS,
        "the neighbours may be said as well.",
        *_ALL,
        _sentences("neighbours", "Sentences about neighbouring concepts."),
    ),
    _operator(
        "decoy",
        "Mention another concept again and again around the text.",
        _among("decoys", filled=True),
        AMBIGUOUS,
        "what is repeated may be said as well.",
        *_ALL,
        _sentences("decoys", "Sentences that mention the decoy."),
    ),
    _operator(
        "no_target",
        "Put the text beside others of the same standing, without filler.",
        _among("others", filled=False),
        DIFFERENT,
        "the whole says several things, and none alone.",
        _POSITION,
        _sentences("others", "Texts about other concepts."),
    ),
    _operator(
        "negated_later",
        "Take the text back in the last sentence.",
        _ending_with("negation"),
        DIFFERENT,
        "what was said is denied.",
        *_ALL,
        Option(
            "negation", str | None, "The sentence that takes it back; default: the one known in its language."
        ),
    ),
    _operator(
        "final_sentence",
        "End with a sentence that changes how the text is to be read.",
        _ending_with("sentence"),
        DIFFERENT,
        "the last sentence changes the reading.",
        *_ALL,
        Option("sentence", str, "The last sentence.", required=True),
    ),
    _operator(
        "quoted",
        "Quote the text without saying it.",
        _quoting,
        AMBIGUOUS,
        "a quotation mentions and need not assert.",
        *_ALL,
        Option(
            "quotation",
            str | None,
            "A sentence with `{text}` where the text goes; default: the one known in its language.",
        ),
    ),
    _operator(
        "over_limit",
        "Make the whole longer than the profile allows.",
        _over_limit,
        SAME,
        "the filler is about nothing in the registry.",
        _POSITION,
        _FILLER,
    ),
)
"""Operators of the family ``long``."""
