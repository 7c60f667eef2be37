"""A configuration: what gives a pair its score. An encoder with prefix, dimension and metric, or a lexical baseline."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from denotary.errors import InputError
from denotary.instruments.similarity.baselines import BASELINES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from denotary.instruments.similarity.results import Scale
    from denotary.statistics.checks import FloatArray

    Progress: TypeAlias = Callable[[int], None]

BATCH = 256
"""Texts that an encoder is given at once."""
METRICS = ("cosine", "dot", "euclidean")
"""``euclidean`` is the negative distance, so that higher is always more alike."""


class Prepare(Protocol):
    """See :meth:`Vectors.prepare`."""

    def __call__(self, texts: Sequence[str], progress: Progress, *, threads: int = 1) -> None:
        """Encode texts."""


class TextEncoder(Protocol):
    """Texts to vectors, one row a text."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of shape (N, D)."""


@dataclass(frozen=True, slots=True, repr=False)
class Configuration:
    """A named score of pairs.

    Attributes:
        name: as printed, unique in a comparison.
        checkpoint: the weights behind it; configurations that share one are no independent evidence.
        score: pairs to scores, shape (N,), higher for more alike.
        settings: prefix, dimension, metric and whatever else tells it from another, as text.
        lexical: whether it is a baseline that cannot read meaning.
        scale: ``cosine`` if it is a cosine or lies in [0, 1] with 1 for alike, for which the cutoffs of shipped
            components are made; ``other`` if they say nothing of it.
        cut: which texts are longer than the encoder's window, shape (N,); None where it names no window.
        prepare: encodes texts before they are scored, and tells a function how many were as it goes on; None where
            nothing is encoded.
        anew: as ``score``, with each text encoded once more; None where nothing is encoded.
    """

    name: str
    checkpoint: str
    score: Callable[[Sequence[str], Sequence[str]], FloatArray]
    settings: dict[str, str] = field(default_factory=dict)
    lexical: bool = False
    scale: Scale = "other"
    cut: Callable[[Sequence[str]], NDArray[np.bool_]] | None = None
    prepare: Prepare | None = None
    anew: Callable[[Sequence[str], Sequence[str]], FloatArray] | None = None

    def __repr__(self) -> str:
        return f"<Configuration {self.name}>"

    def scores(self, first: Sequence[str], second: Sequence[str], *, anew: bool = False) -> FloatArray:
        """Return one score a pair.

        Args:
            first: one text of each pair.
            second: the other one.
            anew: encode the texts once more, whatever is kept of them.

        Raises:
            InputError: the score is not finite, or there is not one a pair.
        """
        score = self.anew if anew and self.anew is not None else self.score
        found = np.asarray(score(first, second), dtype=np.float64)
        if found.shape != (len(first),):
            raise InputError(f"{self.name} gave scores of shape {found.shape} for {len(first)} pairs")
        if not np.isfinite(found).all():
            raise InputError(
                f"{self.name} gave {int((~np.isfinite(found)).sum())} scores that are not finite"
            )
        return found


def baseline(name: str) -> Configuration:
    """Return a lexical baseline.

    Raises:
        InputError: there is none of that name.
    """
    if name not in BASELINES:
        raise InputError(f"no baseline named {name!r}", hint=f"known: {', '.join(BASELINES)}")
    settings = {"encoder": name, "kind": "lexical baseline"}
    return Configuration(name, name, BASELINES[name], settings, lexical=True, scale="cosine")


def baselines() -> list[Configuration]:
    """Return every lexical baseline."""
    return [baseline(name) for name in BASELINES]


def encoded(
    encoder: TextEncoder,
    name: str,
    *,
    checkpoint: str = "",
    prefix: str = "",
    dimension: int | None = None,
    metric: str = "cosine",
) -> Configuration:
    """Return the configuration of an encoder; each distinct text is encoded once.

    Args:
        encoder: texts to vectors.
        name: of the encoder.
        checkpoint: the weights behind it; by default its name.
        prefix: put before every text.
        dimension: leading components that are kept, as of a Matryoshka encoder; all by default.
        metric: ``cosine``, ``dot`` or ``euclidean``.

    Raises:
        InputError: a metric that is not known, or a dimension below 1.
    """
    if metric not in METRICS:
        raise InputError(f"no metric named {metric!r}", hint=f"known: {', '.join(METRICS)}")
    if dimension is not None and dimension < 1:
        raise InputError(f"dimension {dimension}; expected at least 1")
    given = {"prefix": prefix, "dimension": "" if dimension is None else str(dimension)}
    title = " ".join(
        [
            name,
            *(
                f"{key}={value.strip()!r}" if key == "prefix" else f"{key}={value}"
                for key, value in given.items()
                if value
            ),
        ]
        + ([metric] if metric != "cosine" else [])
    )
    vectors = Vectors(encoder, prefix, dimension)

    def score(first: Sequence[str], second: Sequence[str], by: Vectors = vectors) -> FloatArray:
        return _METRICS[metric](by(first), by(second))

    return Configuration(
        name=title,
        checkpoint=checkpoint or name,
        score=score,
        settings={
            "encoder": name,
            "prefix": prefix or "none",
            "dimension": given["dimension"] or "all",
            "metric": metric,
        },
        scale="cosine" if metric == "cosine" else "other",
        cut=_cut(encoder, prefix),
        prepare=vectors.prepare,
        anew=lambda first, second: score(first, second, Vectors(encoder, prefix, dimension)),
    )


def named(
    spec: str, *, prefix: str = "", dimension: int | None = None, metric: str = "cosine"
) -> Configuration:
    """Return a lexical baseline by its name, or the configuration of an encoder that can be loaded here.

    Args:
        spec: a name in ``BASELINES``, or what :func:`denotary.encoders.load_encoder` takes.
        prefix: put before every text; not for a baseline.
        dimension: leading components that are kept; not for a baseline.
        metric: ``cosine``; or ``dot`` or ``euclidean``, of vectors at the length that the encoder gives them; not for a
            baseline.

    Raises:
        InputError: nothing of that name, or a setting for a baseline.
    """
    if spec in BASELINES:
        if prefix or dimension is not None or metric != "cosine":
            raise InputError(f"the baseline {spec} has neither prefix nor dimension nor metric")
        return baseline(spec)
    from denotary.encoders import load_encoder

    encoder = load_encoder(spec, raw=metric != "cosine")
    made = encoded(
        encoder, spec, checkpoint=encoder.identity.name, prefix=prefix, dimension=dimension, metric=metric
    )
    known = {"identity": encoder.identity.hash}
    if metric != "cosine":
        known["vectors"] = "of unit length" if encoder.identity.normalised else "as the encoder gives them"
    return replace(made, settings=made.settings | known)


def require_alone(spec: str) -> None:
    """Refuse what scores a pair by the pairs beside it: a gate sees one pair at a time.

    Raises:
        InputError: ``bm25``.
    """
    if spec == "bm25":
        raise InputError("bm25 weighs words by the other pairs, so it scores no pair by itself")


def _cut(encoder: TextEncoder, prefix: str) -> Callable[[Sequence[str]], NDArray[np.bool_]] | None:
    """Return the test for texts beyond the window of an encoder that names one."""
    identity, count = getattr(encoder, "identity", None), getattr(encoder, "truncated", None)
    if count is None or getattr(identity, "window", None) is None:
        return None
    return lambda texts: np.array([count([prefix + text]) > 0 for text in texts], dtype=np.bool_)


def _mapped(
    encode: Callable[[list[str]], FloatArray], parts: Sequence[list[str]], threads: int
) -> Iterator[FloatArray]:
    """Yield what each part gives, in their order."""
    if min(threads, len(parts)) < 2:  # noqa: PLR2004 - one thread is the caller's own
        yield from map(encode, parts)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(threads, len(parts))) as pool:
        yield from pool.map(encode, parts)


class Vectors:
    """Vectors of texts, kept, so that an anchor is encoded once for all of its pairs."""

    def __init__(self, encoder: TextEncoder, prefix: str, dimension: int | None) -> None:
        self._encoder, self._prefix, self._dimension = encoder, prefix, dimension
        self._kept: dict[str, FloatArray] = {}

    def __call__(self, texts: Sequence[str]) -> FloatArray:
        """Return one row a text, float64."""
        self.prepare(texts)
        return np.array([self._kept[text] for text in texts]).reshape(len(texts), -1)

    def prepare(self, texts: Sequence[str], progress: Progress = lambda _: None, *, threads: int = 1) -> None:
        """Encode what was not encoded yet, and tell how many texts were after every batch.

        The batches are the same however many threads encode them.
        """
        # Texts of like length share a batch, so that little is spent on padding.
        fresh = sorted({*texts} - self._kept.keys(), key=lambda text: (len(text), text))
        parts = [fresh[begin : begin + BATCH] for begin in range(0, len(fresh), BATCH)]
        for part, found in zip(parts, _mapped(self._encoded, parts, threads), strict=True):
            self._kept |= zip(part, found, strict=True)
            progress(len(part))

    def _encoded(self, texts: list[str]) -> FloatArray:
        found: NDArray[Any] = np.asarray(self._encoder.encode([self._prefix + text for text in texts]))
        if found.ndim != 2 or len(found) != len(texts):  # noqa: PLR2004 - rows and components
            raise InputError(f"the encoder gave an array of shape {found.shape} for {len(texts)} texts")
        if self._dimension is not None and self._dimension > found.shape[1]:
            raise InputError(f"dimension {self._dimension}, but the encoder has {found.shape[1]}")
        return found[:, : self._dimension].astype(np.float64)


def _dot(first: FloatArray, second: FloatArray) -> FloatArray:
    products: FloatArray = np.einsum("nd,nd->n", first, second)
    return products


def _cosine(first: FloatArray, second: FloatArray) -> FloatArray:
    """A vector without length is like nothing: 0."""
    norm = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    cosines: FloatArray = np.divide(_dot(first, second), norm, out=np.zeros(len(norm)), where=norm > 0)
    return np.clip(cosines, -1.0, 1.0)


def _euclidean(first: FloatArray, second: FloatArray) -> FloatArray:
    distances: FloatArray = -np.linalg.norm(first - second, axis=1)
    return distances


_METRICS = {"cosine": _cosine, "dot": _dot, "euclidean": _euclidean}
