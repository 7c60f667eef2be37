"""The probes of a registry, as data: the same registry gives the same probes."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from denotary.instruments.identity.probing.records import Probe
from denotary.instruments.identity.probing.variants import FOLDS, variants
from denotary.instruments.identity.variants import composed, escaped_variants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.registry import Registry
    from denotary.registry.records import Expression

PAIRS: Final = 8
"""Most expressions that one operator is tried on."""
NONSENSE: Final = ("qzxv jwkpf", "blorft nagwim tusk", "xyzzy 93817 plugh", "mmmmmmmmmmmm", "wqk")
BLANK: Final = {"empty": "", "space": " ", "tab": "\t", "no_break_space": "\u00a0", "zero_width": "\u200b"}
LENGTHS: Final = (600, 3_000, 9_000)
"""Code points of filler after an expression: beyond common limits of 512 tokens, 2,048 and 8,192 characters."""
UNUSED: Final = "qaa"
"""Reserved by ISO 639-2 for local use: no system can claim to support it."""
ABSENT: Final = "0.0.0-absent"


def plan(registry: Registry) -> tuple[Probe, ...]:
    """Return every probe of a registry, in the order in which they are asked.

    Args:
        registry: its reviewed expressions are what variants are made from.
    """
    return tuple(_Planner(registry).probes())


def _filler(length: int) -> str:
    return ("qzxv jwkpf " * (length // 11 + 1))[:length]


class _Planner:
    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.codes: defaultdict[str, set[str]] = defaultdict(set)
        for item in registry.authorised:
            self.codes[composed(item.text)].update(item.codes)
        for declared in registry.ambiguities:
            self.codes[composed(declared.text)].update(("", *declared.codes))
        ordered = sorted(registry.authorised, key=lambda item: item.id)
        self.plain = [item for item in ordered if len(self.codes[composed(item.text)]) == 1]
        self.based: dict[str, Probe] = {}

    def probes(self) -> Iterator[Probe]:
        made = [
            *self._variants(),
            *self._long(),
            *self._ends(),
            *self._languages(),
            *self._versions(),
            *self._escapes(),
        ]
        made += [*self._repeats(), *self._batches(), *self._surrogates(), *self._bare()]
        yield from self.based.values()
        yield from made

    def _ask(self, text: str, language: str | None, version: str | None = None) -> dict[str, Any]:
        return {"text": text, "language": language, "registry_version": version or self.registry.version}

    def _base(self, item: Expression) -> Probe:
        name = f"base:{item.id}"
        if name not in self.based:
            payload = self._ask(item.text, item.language)
            self.based[name] = Probe(
                id=name, family="base", operator="verbatim", payload=payload, expression=item.id
            )
        return self.based[name]

    def _against(
        self, family: str, operator: str, item: Expression, payload: dict[str, Any], *, alone: bool = True
    ) -> Probe:
        return Probe(
            id=f"{family}:{operator}:{item.id}",
            family=family,
            operator=operator,
            payload=payload,
            base=self._base(item).id,
            expression=item.id,
            alone=alone,
        )

    def _sample(self, most: int) -> list[Expression]:
        step = max(1, len(self.plain) // most)
        return self.plain[::step][:most]

    def _variants(self) -> Iterator[Probe]:
        found: defaultdict[str, list[tuple[Expression, str]]] = defaultdict(list)
        for item in self.plain:
            for operator, text in variants(item.text):
                same = text == item.text or (composed(text) in self.codes and operator != "canonical")
                if not same:
                    found[operator].append((item, text))
        for operator in FOLDS:
            step = max(1, len(found[operator]) // PAIRS)
            for item, text in found[operator][::step][:PAIRS]:
                yield self._against("fold", operator, item, self._ask(text, item.language))

    def _long(self) -> Iterator[Probe]:
        for item in self._sample(2):
            for length in LENGTHS:
                payload = self._ask(f"{item.text} {_filler(length)}", item.language)
                yield self._against("over_length", f"{length}", item, payload)

    def _ends(self) -> Iterator[Probe]:
        """Yield pairs of long texts that are alike up to a registered text at the end, one of each of two concepts."""
        first = self.plain[0] if self.plain else None
        other = next((item for item in self.plain if first and item.codes[0] != first.codes[0]), None)
        if first is None or other is None:
            return
        for item in self._sample(2):
            for length in LENGTHS:
                begun = f"{item.text} {_filler(length)}"
                name = f"over_length_end:{length}:{item.id}"
                payload = self._ask(f"{begun} {first.text}", item.language)
                yield Probe(id=name, family="base", operator=f"{length}", payload=payload, expression=item.id)
                yield Probe(
                    id=f"over_length_pair:{length}:{item.id}",
                    family="over_length_pair",
                    operator=f"{length}",
                    payload=self._ask(f"{begun} {other.text}", item.language),
                    base=name,
                    expression=item.id,
                )

    def _languages(self) -> Iterator[Probe]:
        known = sorted({item.language for item in self.plain})
        for item in self._sample(4):
            yield self._against("unsupported_language", UNUSED, item, self._ask(item.text, UNUSED))
            for other in [tag for tag in known if tag != item.language][:1]:
                yield self._against("language_ignored", "other", item, self._ask(item.text, other))

    def _versions(self) -> Iterator[Probe]:
        for item in self._sample(2):
            yield self._against("version", "absent", item, self._ask(item.text, item.language, ABSENT))

    def _escapes(self) -> Iterator[Probe]:
        for item in self._sample(2):
            for operator, text in escaped_variants(item.text, item.codes[0]):
                yield self._against("escaping", operator, item, self._ask(text, item.language))
        for code in sorted({item.codes[0] for item in self.plain})[:4]:
            if composed(code) not in self.codes:
                payload = self._ask(code, self.plain[0].language)
                yield Probe(id=f"identifier:{code}", family="identifier", operator="code", payload=payload)

    def _repeats(self) -> Iterator[Probe]:
        for item in self._sample(4):
            for time in ("second", "third"):
                yield self._against("repeat", time, item, self._ask(item.text, item.language))

        yield from self._unregistered_repeats()

    def _unregistered_repeats(self) -> Iterator[Probe]:
        """Yield texts without their last word, three times each: what is not looked up may be drawn."""
        for item in [item for item in self._sample(16) if " " in item.text][:4]:
            payload = self._ask(item.text.rpartition(" ")[0], item.language)
            first = f"repeat:first:{item.id}"
            yield Probe(id=first, family="base", operator="shortened", payload=payload, expression=item.id)
            for time in ("second", "third"):
                name = f"repeat:{time} shortened:{item.id}"
                yield Probe(
                    id=name,
                    family="repeat",
                    operator=time,
                    payload=payload,
                    base=first,
                    expression=item.id,
                )

    def _batches(self) -> Iterator[Probe]:
        for order in (1, -1):
            for item in self._sample(8)[::order]:
                operator = "in order" if order == 1 else "reversed"
                payload = self._ask(item.text, item.language)
                yield self._against("batch", operator, item, payload, alone=False)

    def _surrogates(self) -> Iterator[Probe]:
        for item in self._sample(1):
            yield self._against("surrogate", "lone", item, self._ask(f"{item.text}\ud800", item.language))

    def _bare(self) -> Iterator[Probe]:
        language = self.plain[0].language if self.plain else None
        for number, text in enumerate(NONSENSE, start=1):
            yield Probe(
                id=f"nonsense:{number}",
                family="nonsense",
                operator="random",
                payload=self._ask(text, language),
            )
        for operator, text in BLANK.items():
            yield Probe(
                id=f"blank:{operator}", family="blank", operator=operator, payload=self._ask(text, language)
            )
