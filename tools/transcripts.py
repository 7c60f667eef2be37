"""Run every command that the documentation shows, and write what it printed, or check that it still prints that.

    python tools/transcripts.py            # runs the pages and writes their outputs
    python tools/transcripts.py --check    # exit code 1 if one prints something else

A fenced block with ``title="PATH"`` is a file; it is written before the next command runs. A ``console`` block holds
commands, each after ``$ ``, and what they print. A page runs from top to bottom in a folder of its own that holds
``examples`` and nothing else. What a command prints is what a terminal of 92 columns without colours shows, standard
error first; lines that tell how far asking or encoding is are left out. ``<!-- lines 1-9 14 -->`` before a block
keeps these lines of its output, with ``…`` where others were, and ``<!-- exit 1 -->`` says that its last command leaves
with that code.
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from denotary.files import write_atomic

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
PAGES = (
    "README.md",
    "docs/tutorial.md",
    "docs/reference/python.md",
    "docs/how-to/registry-and-suite.md",
    "docs/how-to/import-a-registry.md",
    "docs/how-to/conformance.md",
    "docs/how-to/find-the-causes.md",
    "docs/how-to/perturb.md",
    "docs/how-to/build-candidates.md",
    "docs/how-to/compare-releases.md",
    "docs/how-to/scan-for-gates.md",
    "docs/how-to/audit-a-gate.md",
)
COLUMNS = 92
BLOCK = re.compile(
    r"(?P<notes>(?:<!-- (?:lines|exit) [\d\- ]+ -->\n)*)```(?P<kind>\w+)(?P<rest>[^\n]*)\n(?P<body>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
TITLE = re.compile(r'title="([^"]+)"')
SPEED = re.compile(r"[\d,]+ of [\d,]+ (?:calls|texts).*")


class CommandError(Exception):
    """A command left with another exit code than its page says."""


@dataclass(frozen=True, slots=True)
class Notes:
    """What stands before a block.

    Attributes:
        ranges: first and last line to keep, counted from 1; empty for all.
        code: exit code of the last command.
    """

    ranges: tuple[tuple[int, int], ...]
    code: int

    @classmethod
    def of(cls, text: str) -> Notes:
        """Read the comments before a block."""
        found = dict(re.findall(r"<!-- (lines|exit) ([\d\- ]+) -->", text))
        spans = (part.partition("-") for part in found.get("lines", "").split())
        return cls(tuple((int(a), int(b or a)) for a, _, b in spans), int(found.get("exit", "0")))

    def kept(self, lines: list[str]) -> Iterator[str]:
        """Yield the lines to keep, and ``…`` where some were left out."""
        if not self.ranges:
            yield from lines
            return
        done = 0
        for first, last in self.ranges:
            if first > done + 1:
                yield "…"
            yield from lines[first - 1 : last]
            done = last
        if done < len(lines):
            yield "…"


def rerun(text: str, folder: Path, environment: dict[str, str]) -> str:
    """Return a page with the outputs that its commands print now.

    Raises:
        CommandError: a command left with another exit code than the page says.
    """

    def block(found: re.Match[str]) -> str:
        title = TITLE.search(found["rest"])
        if title:
            path = folder / title[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(found["body"], encoding="utf-8")
        if found["kind"] != "console":
            return found[0]
        notes = Notes.of(found["notes"])
        commands = re.findall(r"^\$ ((?:.*\\\n)*.*)$", found["body"], re.MULTILINE)
        shown: list[str] = []
        for number, command in enumerate(commands, start=1):
            code, lines = run(command, folder, environment)
            if code != (notes.code if number == len(commands) else 0):
                raise CommandError("\n".join([f"exit code {code}: {command}", *lines]))
            shown += [f"$ {command}", *notes.kept(lines)]
        return f"{found['notes']}```{found['kind']}{found['rest']}\n" + "\n".join(shown) + "\n```"

    return BLOCK.sub(block, text)


def run(command: str, folder: Path, environment: dict[str, str]) -> tuple[int, list[str]]:
    """Return the exit code of a command and what it prints on a terminal, standard error first."""
    terminal, inner = pty.openpty()
    with subprocess.Popen(
        ["bash", "-c", command], cwd=folder, stdout=inner, stderr=subprocess.PIPE, env=environment
    ) as process:
        os.close(inner)
        errors: list[bytes] = []
        reader = Thread(target=lambda: errors.append(process.stderr.read() if process.stderr else b""))
        reader.start()
        output = b"".join(_read(terminal))
        reader.join()
    os.close(terminal)
    text = (b"".join(errors) + output.replace(b"\r\n", b"\n")).decode()
    lines = [line.rstrip() for line in text.splitlines()]
    return process.returncode, [line for line in lines if not SPEED.fullmatch(line)]


def _read(terminal: int) -> Iterator[bytes]:
    while True:
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:  # Linux says so when the last writer has left
            return
        if not data:
            return
        yield data


def environment(binaries: Path) -> dict[str, str]:
    """Return an environment with a plain terminal, in which ``python`` and ``denotary`` are this interpreter's."""
    for name, words in (("python", ""), ("denotary", " -m denotary")):
        script = binaries / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}"{words} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    path = f"{binaries}{os.pathsep}{os.environ['PATH']}"
    plain = {
        "COLUMNS": str(COLUMNS),
        "LINES": "50",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return {**os.environ, **plain, "PATH": path}


def main(arguments: list[str]) -> int:
    """Write or check the outputs; return the exit code."""
    check = arguments[:1] == ["--check"]
    differing = []
    for page in arguments[check:] or PAGES:
        path = ROOT / page
        before = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as bin_folder, tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "examples").symlink_to(ROOT / "examples")
            try:
                after = rerun(before, Path(folder), environment(Path(bin_folder)))
            except CommandError as error:
                print(f"{page}: {error}")
                return 1
        if after != before:
            differing.append(page)
            if not check:
                write_atomic(path, after.encode())
    for page in differing:
        print(f"{page}: {'differs; run python tools/transcripts.py' if check else 'written'}")
    return 1 if check and differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
