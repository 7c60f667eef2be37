"""Results as data: counts, criteria, canonical files, and named streams of random numbers."""

from __future__ import annotations

import math
import zlib
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from denotary.files import write_atomic

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

ALPHA: Final = 0.05
"""Error probability of every claim that gates."""

SEED: Final = 20_240_229
"""Of all streams; the results are a function of it and of the sizes."""

_ERRORS: Final = 3.0
"""Standard errors that chance is granted."""


class Chance(msgspec.Struct, frozen=True):
    """How often something happened."""

    times: int
    repeats: int

    @property
    def value(self) -> float:
        """The share."""
        return self.times / self.repeats

    def at_most(self, nominal: float) -> bool:
        """Return whether the share is at most a nominal one, up to three standard errors of that."""
        return self.value <= nominal + self._slack(nominal)

    def at_least(self, nominal: float) -> bool:
        """Return whether the share is at least a nominal one, up to three standard errors of that."""
        return self.value >= nominal - self._slack(nominal)

    def _slack(self, nominal: float) -> float:
        return _ERRORS * math.sqrt(nominal * (1.0 - nominal) / self.repeats)


class Result(msgspec.Struct, frozen=True):
    """One line of a part.

    ``holds`` says whether its criterion holds; None where there is none and the figure is reported as it is.
    """

    name: str
    facts: dict[str, Any]
    holds: bool | None = None


class Part(msgspec.Struct, frozen=True):
    """One part of the study."""

    part: str
    seed: int
    size: dict[str, int]
    results: tuple[Result, ...]

    @property
    def broken(self) -> tuple[str, ...]:
        """Names of the results whose criterion does not hold."""
        return tuple(result.name for result in self.results if result.holds is False)


def chance(times: int, repeats: int) -> Chance:
    """Return a count as a chance."""
    return Chance(int(times), int(repeats))


def stream(*name: str) -> np.random.Generator:
    """Return the random numbers of a named simulation: the same wherever and whenever it runs."""
    key = tuple(zlib.crc32(part.encode()) for part in name)
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(SEED, spawn_key=key)))


def significant(value: float) -> float:
    """Return a number to six significant digits, so that the last bits of a library do not show."""
    return float(f"{value:.6g}")


def write(folder: Path, parts: Iterable[Part]) -> None:
    """Write each part to a file of its own, a result a line."""
    for part in parts:
        head = msgspec.json.encode({"part": part.part, "seed": part.seed, "size": part.size}, order="sorted")
        lines = b",\n".join(msgspec.json.encode(result, order="sorted") for result in part.results)
        write_atomic(folder / f"{part.part}.json", head[:-1] + b',"results":[\n' + lines + b"\n]}\n")


def read(folder: Path, name: str) -> Part:
    """Return a part from its file."""
    return msgspec.json.decode((folder / f"{name}.json").read_bytes(), type=Part)
