"""Files: atomic writes, and JSON Lines and TOML decoded into records with the place in every error."""

from __future__ import annotations

import codecs
import contextlib
import csv
import errno
import fcntl
import hashlib
import json
import os
import re
import stat
import tempfile
import threading
import tomllib
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from denotary.canonical import canonical_json
from denotary.errors import InputError, StorageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from io import BufferedReader

T = TypeVar("T")

LONGEST_CELL: Final = 10_000_000
"""Characters of one cell of a CSV table; a quote that is never closed makes a cell of the rest of the file."""
BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


_OWN_DESCRIPTOR = re.compile(r"/dev/stdin|(/dev|/proc/[^/]+)/fd/\d+")
"""Standard input and what a shell opened for us, ``<(…)``: the user's own words, so a pipe is meant."""


@contextlib.contextmanager
def open_to_read(path: Path) -> Iterator[BufferedReader]:
    """Give a regular file to read from.

    A pipe without a writer would let its reader wait for ever, and a device need not end. So neither is opened, but
    where the user names a descriptor of this process: ``/dev/stdin`` and ``/dev/fd/N``.

    Raises:
        InputError: the file is absent, is no regular file, or cannot be read, here or within the block.
    """
    own = _OWN_DESCRIPTOR.fullmatch(str(path)) is not None
    try:
        with path.open("rb") if own else open(path, "rb", opener=_at_once) as file:
            if not own and not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise InputError(
                    "cannot be read: it is no regular file",
                    path=path,
                    hint="put the file itself there; a pipe or a device is not read",
                )
            yield file
    except FileNotFoundError as error:
        raise InputError("no such file", path=path) from error
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", path=path) from error


def _at_once(path: str, flags: int) -> int:
    # A pipe is opened with or without a writer; reading a regular file is not changed by the flag.
    return os.open(path, flags | os.O_NONBLOCK)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        InputError: as :func:`open_to_read`.
    """
    with open_to_read(path) as file:
        return file.read()


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: temporary file beside it, fsync, rename, fsync of the folder.

    Raises:
        StorageError: the folder is read-only or the disk is full; the old file, if any, is unchanged.
    """
    with atomic_file(path) as handle:
        handle.write(data)


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write to, which takes its place when the block is left, and never if it is left by an error.

    Raises:
        StorageError: as :func:`write_atomic`; any error of the operating system within the block becomes one.
    """
    if path.exists() and not path.is_file():
        # A rename would put a file in the place of a device or a pipe, for every other process too.
        raise StorageError("cannot be written: it is no regular file", path=path, hint="choose another path")
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as handle:
            temporary = Path(handle.name)
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
        temporary = None
        _sync_folder(path.parent)
    except OSError as error:
        raise storage_error(path, error) from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def remove(path: Path) -> None:
    """Remove a file if it is there.

    Raises:
        StorageError: it may not be removed.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise storage_error(path, error) from error


_held = threading.local()


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder against every process and thread that asks for it in the same way; it is created if absent.

    Whoever reads a file, and writes what follows from it, does both under this lock. The thread that holds a folder
    may ask for it again. The folder itself is locked, because a file that is replaced would leave the lock behind.

    Raises:
        StorageError: the folder cannot be created or locked.
    """
    mine: set[Path] = _held.__dict__.setdefault("folders", set())
    name = folder.resolve()
    if name in mine:
        yield
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise storage_error(folder, error) from error
    try:
        _lock(folder, descriptor)
        mine.add(name)
        yield
    finally:
        mine.discard(name)
        # Closing the folder gives the lock back, as the end of the process would.
        os.close(descriptor)


def _lock(folder: Path, descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError as error:
        raise storage_error(folder, error) from error


def storage_error(path: Path, error: OSError) -> StorageError:
    """Return the named error for a failed write."""
    what = {
        errno.ENOSPC: "the disk is full",
        errno.EROFS: "the file system is read-only",
        errno.EACCES: "the folder may not be written to",
    }.get(error.errno or 0, error.strerror or "write failed")
    return StorageError(f"cannot be written: {what}", path=path, hint="free space or choose another folder")


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_jsonl(path: Path, kind: type[T]) -> list[tuple[int, T]]:
    """Return (line number, record) for every line of a JSON Lines file; blank lines are passed over.

    Raises:
        InputError: the file is absent or not UTF-8, or a line is not JSON or not a record of this kind; the message
            names file and line and never quotes the line.
    """
    return list(decode_jsonl(read_bytes(path), kind, path))


def read_records(path: Path, kind: type[T]) -> tuple[T, ...]:
    """Return the records of a JSON Lines file, without their line numbers.

    Raises:
        InputError: as :func:`read_jsonl`.
    """
    return tuple(record for _, record in read_jsonl(path, kind))


def decode_jsonl(data: bytes, kind: type[T], path: Path) -> Iterator[tuple[int, T]]:
    """Yield (line number, record) for JSON Lines held in memory. See :func:`read_jsonl`."""
    return decode_lines(data.split(b"\n"), kind, path)


def decode_lines(lines: Iterable[bytes], kind: type[T], path: Path) -> Iterator[tuple[int, T]]:
    """Yield (line number, record) for the lines of a JSON Lines file as they come. See :func:`read_jsonl`."""
    decoder = msgspec.json.Decoder(kind)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield number, decoder.decode(line)
        except msgspec.ValidationError as error:
            message = f"not a valid {kind.__name__}: {_without_values(str(error))}"
            raise InputError(message, path=path, line=number, hint=_allowed(kind, str(error))) from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(_why_not_json(line, error), path=path, line=number) from error
        except RecursionError as error:
            raise InputError("nested too deeply", path=path, line=number) from error


def _allowed(kind: type[Any], message: str) -> str | None:
    """Return what a field may be whose value is none of an enumeration; None for any other error."""
    at = re.search(r"^Invalid enum value .* - at `\$([^`]*)`$", message, flags=re.DOTALL)
    if at is None:
        return None
    import msgspec.inspect as types

    found: Any = types.type_info(kind)
    # A path such as .neighbours[0].type: a field by its name, an item of whatever holds several by its brackets.
    for field, _ in re.findall(r"\.(\w+)|(\[[^\]]*\])", at[1]):
        options = found.types if isinstance(found, types.UnionType) else (found,)
        if field:
            structs = [option for option in options if isinstance(option, types.StructType)]
            steps = [own.type for one in structs for own in one.fields if own.encode_name == field]
        else:
            held = [getattr(option, "item_type", getattr(option, "value_type", None)) for option in options]
            steps = [step for step in held if step is not None]
        if not steps:
            return None
        found = steps[0]
    options = found.types if isinstance(found, types.UnionType) else (found,)
    values = [value for one in options if isinstance(one, types.LiteralType) for value in one.values]
    return f"allowed: {', '.join(map(str, values))}" if values else None


def _without_values(message: str) -> str:
    # A value or an unknown key may be a case's text that slipped into the wrong column.
    message = re.sub(
        r"Invalid enum value .*?(?= - at `\$|$)", "not one of the allowed values", message, flags=re.DOTALL
    )
    return re.sub(r"unknown field `(?![\w.-]{1,60}`)[^`]*`?.*", "unknown field", message, flags=re.DOTALL)


def _why_not_json(line: bytes, error: Exception) -> str:
    if line.startswith(BYTE_ORDER_MARKS):
        return "begins with a byte order mark; expected UTF-8 without one"
    # msgspec calls bytes that are not UTF-8, and a surrogate without its half, malformed or truncated JSON.
    try:
        json.dumps(json.loads(line), ensure_ascii=False).encode()
    except UnicodeDecodeError as undecodable:
        return f"not UTF-8: byte {line[undecodable.start]:#04x} at offset {undecodable.start} (base64 can carry it)"
    except UnicodeEncodeError:
        return "a string holds a lone surrogate, which is no character"
    except (ValueError, RecursionError):
        pass
    # msgspec names the byte offset, not the content; keep only that form.
    return f"not valid JSON: {str(error).splitlines()[0]}"


def encode_jsonl(records: Iterable[Any]) -> bytes:
    """Return records as JSON Lines, each line canonical JSON."""
    return b"".join(canonical_json(record) + b"\n" for record in records)


def allow_long_cells() -> None:
    """Let :mod:`csv` read cells of up to :data:`LONGEST_CELL` characters; call it before a reader is used.

    Its own limit is 131,072, less than a long text. The limit is one for the whole process, so it is never lowered.
    """
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL))


def read_toml(path: Path, kind: type[T]) -> T:
    """Return a TOML file decoded into a record.

    Raises:
        InputError: absent, not UTF-8, not TOML, or not a record of this kind.
    """
    try:
        content = tomllib.loads(read_bytes(path).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", path=path) from error
    except (ValueError, RecursionError) as error:
        # Beside its own error, tomllib lets through those of a number of 5,000 digits and of 1,000 brackets.
        raise InputError(f"not valid TOML: {error}", path=path) from error
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        hint = _allowed(kind, str(error))
        if issubclass(kind, msgspec.Struct) and "unknown field" in str(error) and "`$" not in str(error):
            hint = f"known: {', '.join(kind.__struct_encode_fields__)}"
        raise InputError(f"not a valid {kind.__name__}: {error}", path=path, hint=hint) from error


def encode_toml(content: Mapping[str, Any]) -> bytes:
    """Return a mapping as TOML: scalars, lists of scalars, nested tables; keys in order, None left out."""
    return "\n".join(_toml_table(content, ())).strip().encode() + b"\n"


def _toml_table(table: Mapping[str, Any], name: tuple[str, ...]) -> Iterator[str]:
    scalars = {
        key: value for key, value in table.items() if not isinstance(value, dict) and value is not None
    }
    if name and (scalars or not table):
        yield f"\n[{'.'.join(map(_toml_key, name))}]"
    for key, value in scalars.items():
        yield f"{_toml_key(key)} = {_toml_value(value)}"
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _toml_table(value, (*name, key))


def _toml_key(key: str) -> str:
    bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if bare else _toml_value(key)


def _toml_value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml_value, value))}]"
    # A JSON string, number or boolean is a TOML one, but for DEL, which TOML wants escaped.
    return canonical_json(value).decode().replace("\x7f", "\\u007f")


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, which need not fit the memory.

    Raises:
        InputError: as :func:`open_to_read`.
    """
    with open_to_read(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
