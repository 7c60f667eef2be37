"""What every encoder looks like: texts in, one row of float32 a text out, and an identity that names its files."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

import msgspec

from denotary.canonical import digest
from denotary.errors import InputError, IntegrityError
from denotary.files import file_digest
from denotary.records import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]


class EncoderIdentity(Record, frozen=True):
    """All that can change a vector: two encoders with one digest give the same vectors.

    ``hash`` is the SHA-256 of the canonical JSON of this record.
    """

    name: str
    kind: str
    """``onnx``, ``engine``, ``hashed``, ``callable``, ``sentence-transformers`` or ``service``."""
    dimension: int
    window: int | None = None
    """Most tokens of a text that reach the vector, marks of begin and end included; None where unknown or
    unbounded."""
    normalised: bool = True
    """Whether every vector has unit length (but for a text without a token, which may be all zeros)."""
    files: dict[str, str] = msgspec.field(default_factory=dict)
    """SHA-256 of each file that the vectors depend on, by name."""
    parameters: dict[str, str | int] = msgspec.field(default_factory=dict)
    """What else the vectors depend on: pooling, prefix, runtime and its version, address of a service."""

    @property
    def hash(self) -> str:
        """SHA-256 in hexadecimal."""
        return digest(self)


@runtime_checkable
class Encoder(Protocol):
    """Maps texts to vectors, each a function of its text alone: where a batch changes bits, the encoder says so."""

    @property
    def identity(self) -> EncoderIdentity:
        """What the vectors depend on."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one vector a text, shape (n, dimension), float32, finite.

        Raises:
            InputError: a vector cannot be had.
        """

    def truncated(self, texts: Sequence[str]) -> int:
        """Return how many of the texts are longer than the window, so that their end is not in the vector."""


def package_file(package: str, name: str, extra: str) -> Path:
    """Return the path of a file that an installed package ships.

    Args:
        package: import name; it is not imported.
        name: path of the file within it.
        extra: the extra of this package that installs it, for the message.

    Raises:
        InputError: the package is not installed or has no such file.
    """
    found = find_spec(package)
    if found is not None and found.origin is not None:
        path = Path(found.origin).parent / name
        if path.exists():
            return path
    raise missing(package, extra)


def missing(package: str, extra: str) -> InputError:
    """Return the error for a package that is not installed."""
    return InputError(
        f"needs the package {package}, which is not installed",
        hint=f"pip install 'denotary[{extra}]'",
    )


def checked_file(path: Path, expected: str) -> str:
    """Return the SHA-256 of a file after comparing it with the one it must have.

    Raises:
        IntegrityError: they differ.
    """
    found = file_digest(path)
    if found != expected:
        raise IntegrityError(
            f"has SHA-256 {found}, expected {expected}",
            path=path.name,
            hint="install the version of the package that the extra names",
        )
    return found


def checked_vectors(vectors: Any, count: int, dimension: int | None, name: str) -> Vectors:
    """Return what somebody else's encoder gave as float32, after a check of shape and values.

    Args:
        vectors: anything that numpy can read as numbers.
        count: rows that there must be.
        dimension: columns that there must be; None for any.
        name: of the encoder, for the message.

    Raises:
        InputError: no real numbers, another shape, NaN or infinity.
    """
    import numpy as np

    try:
        given = np.asarray(vectors)
        if np.iscomplexobj(given):
            raise InputError(f"encoder {name} returned complex numbers")
        with np.errstate(over="ignore"):  # beyond float32 it is infinite, and refused below
            array = given.astype(np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(f"encoder {name} returned no rectangular array of numbers") from error
    if array.ndim == 1 and count == 0:
        array = array.reshape(0, dimension or 0)
    if array.ndim != 2 or array.shape[0] != count or dimension not in (None, array.shape[1]):  # noqa: PLR2004
        wanted = f"({count}, {'d' if dimension is None else dimension})"
        raise InputError(f"encoder {name} returned an array of shape {array.shape}, expected {wanted}")
    if not np.isfinite(array).all():
        raise InputError(f"encoder {name} returned NaN or infinity")
    return array


def unit_rows(vectors: Vectors) -> Vectors:
    """Return the rows at unit length; a row of zeros stays.

    Each row is first scaled by the power of two nearest to its largest component, which is exact, since squares of
    components beyond about 1e19 or below 1e-19 leave float32.
    """
    import numpy as np

    largest = np.abs(vectors).max(axis=1, initial=0, keepdims=True)
    scaled = np.ldexp(vectors, -np.frexp(largest)[1]).astype(np.float32, copy=False)
    norms = np.sqrt((scaled * scaled).sum(axis=1, keepdims=True, dtype=np.float32))
    found: Vectors = (scaled / np.where(norms > 0, norms, np.float32(1))).astype(np.float32, copy=False)
    return found
