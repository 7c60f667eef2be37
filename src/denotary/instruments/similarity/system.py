"""An encoder, or a lexical baseline, with a cutoff as the system under test."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.instruments.similarity.answers import ACT, REFRAIN
from denotary.instruments.similarity.configurations import named, require_alone
from denotary.instruments.similarity.gates import gate as read_gate
from denotary.runs.progress import PARTS
from denotary.systems.adapters.options import Options
from denotary.systems.base import SystemDescriptor
from denotary.systems.callables import FunctionSystem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from denotary.instruments.similarity.configurations import Configuration
    from denotary.instruments.similarity.gates import Gate
    from denotary.systems.base import BlockingSystem, Request

DEFAULT: Final = "score>=0.8"
"""When a pair is acted upon, unless it is said otherwise."""
_ABSENT: Final = (
    *("semantic_model", "language_detection", "index", "index_parameters", "candidate_generator"),
    *("reranker", "calibration", "prompt"),
)
"""Components of a run's identity that a score with a cutoff does not have."""
_KNOWN: Final = ("gate", "prefix", "dimension", "metric")


class EncoderSystem(FunctionSystem):
    """A configuration and a gate as a system, which states its parts for the run's identity.

    Args:
        configuration: what gives a pair its score.
        gate: when a pair is acted upon.
        descriptor: what the run's identity says of it.
    """

    def __init__(self, configuration: Configuration, gate: Gate, descriptor: SystemDescriptor) -> None:
        self._gate_system = GateSystem(configuration, gate)
        super().__init__(self._gate_system, descriptor)
        self._configuration = configuration
        settings = configuration.settings
        digest = f" sha256:{settings['identity']}" if "identity" in settings else ""
        self.components: Mapping[str, str] = {
            "system": configuration.name,
            "embedding_model": f"{configuration.checkpoint}{digest}",
            **dict.fromkeys(_ABSENT, "none"),
            **dict.fromkeys(("tokenizer", "normalisation", "truncation"), "as the embedding model has it"),
            "confidence_transformation": f"none: {settings.get('metric', 'lexical overlap')}",
            "acceptance_threshold": repr(gate.cutoff),
            "preprocessing": f"prefix {settings.get('prefix', 'none')}",
        }

    def prepare(self, requests: Sequence[Request], note: Callable[[str], None]) -> None:
        """Encode the texts of all pairs, each once and many at a time, which takes less than pair by pair."""
        self._gate_system.expect(requests)
        ready = self._configuration.prepare
        texts = list(dict.fromkeys(text for request in requests for text in _texts(request.payload)))
        if ready is None or not texts:
            return
        done = 0

        def told(more: int) -> None:
            nonlocal done
            before, done = done, done + more
            if PARTS * before // len(texts) < PARTS * done // len(texts):
                note(f"{done:,} of {len(texts):,} texts encoded")

        ready(texts, told, threads=os.cpu_count() or 1)


class GateSystem:
    """A configuration and a gate, called with one pair at a time.

    A pair that comes again in a plan is encoded again, so that a repeated call shows whether the encoder agrees with
    itself.
    """

    def __init__(self, configuration: Configuration, gate: Gate) -> None:
        self._configuration = configuration
        self._gate = gate
        self._again: frozenset[str] = frozenset()

    def expect(self, requests: Iterable[Request]) -> None:
        """Take note of which calls ask a pair that another one before them asks."""
        seen: set[tuple[str, str]] = set()
        again = []
        for request in requests:
            texts = _texts(request.payload)
            if texts in seen:
                again.append(request.payload["record_id"])
            seen.add(texts)
        self._again = frozenset(again)

    def __call__(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Return score and decision for one pair; ``truncated`` where the encoder names its window."""
        first, second = _texts(payload)
        again = payload.get("record_id") in self._again
        score = self._configuration.scores([first], [second], anew=again)
        answer: dict[str, Any] = {
            "record_id": payload.get("record_id"),
            "score": float(score[0]),
            "decision": {"type": ACT if bool(self._gate.approves(score)[0]) else REFRAIN},
        }
        if self._configuration.cut is not None:
            answer["truncated"] = bool(np.any(self._configuration.cut([first, second])))
        return answer


def _texts(payload: Mapping[str, Any]) -> tuple[str, str]:
    return payload["text1"], payload["text2"]


def encoder_system(spec: str) -> BlockingSystem:
    """Return the system that ``ENCODER`` or ``ENCODER#gate=RULE&prefix=…&dimension=…&metric=…`` names.

    Args:
        spec: a name that :func:`denotary.instruments.similarity.configurations.named` takes, and options; ``gate``
            says when it acts, ``score>=0.8`` by default.

    Raises:
        InputError: no such encoder, option or rule; ``bm25``, whose score of a pair depends on the other pairs.
    """
    name, _, rest = spec.partition("#")
    require_alone(name)
    options = Options(rest, "encoder", _KNOWN)
    rule = read_gate(options.text("gate", DEFAULT) or DEFAULT)
    given = options.text("dimension")
    configuration = named(
        name,
        prefix=options.text("prefix", "") or "",
        dimension=None if given is None else options.count("dimension", 1, most=1_000_000),
        metric=options.text("metric", "cosine") or "cosine",
    )
    settings = ", ".join(f"{key} {value}" for key, value in sorted(configuration.settings.items()))
    descriptor = SystemDescriptor(
        kind="encoder",
        spec=f"encoder:{spec}",
        decision_rule=f"acts where {rule.rule}; {settings}",
        expresses=(ACT, REFRAIN),
    )
    return EncoderSystem(configuration, rule, descriptor)
